import ArgumentParser
import FileOutput
import Foundation
import ModelFile
import Platform
import ToolSupport
import WeightImport

struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Makes a graph file of a TFLite file or of one in a .task bundle.",
        discussion: """
            The graph's operators become JSON in the metadata of a safetensors file, its constants tensors by name: sparse and \
            float16 ones are unpacked first, padding is counted. An operator that is not known is refused by its name. The \
            same input gives the same bytes.

            int8 needs --calibrate: pictures as the graph gets them, on which the ranges of all values are measured; some \
            hundred suffice. They are uint8 (0 to 255 over --input-range) or float32 arrays (.npy, [N, height, width, \
            channels]); or images, directories of them and clips, each frame whole in a black square, for a graph that gets \
            whole frames. Then layers whose weights int8 holds too coarsely are evened out, and their mean error over the \
            pictures is taken from their bias; for this the pictures are read once more. --quantised does this second part \
            alone.

            The output file is replaced in one step if it exists; no other file is written, and none that is read may be the output.
            """)

    @Argument(help: "The TFLite file or .task bundle.")
    var source: String

    @Option(help: "Which network of a bundle.")
    var entry: String?

    @Option(
        help: "How weights are stored: \(ModelManifest.Precision.allCases.map(\.rawValue).joined(separator: ", ")).")
    var precision: ModelManifest.Precision

    @Option(name: .shortAndLong, help: "The graph file to write.")
    var output: String

    @Option(parsing: .upToNextOption, help: "Pictures to measure activations on: .npy files, images, clips.")
    var calibrate: [String] = []

    @Option(help: "An int8 graph file of this network to correct; all its quantised values stay as they are.")
    var quantised: String?

    @Option(help: "Smallest and largest number of the graph's input, as LOW,HIGH.")
    var inputRange: InputRange = InputRange(bounds: 0...1)

    @Option(help: "Where the weights come from and under which licence, kept in the file.")
    var provenance: String?

    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let read = [self.source] + calibrate + (quantised.map { [$0] } ?? [])
        let target = try OutputTarget(output, besides: InputFiles(read))
        let source = try naming(self.source) { try GraphSource.open(path: self.source, entry: entry).graph() }
        guard let graph = try await stored(source) else { return }
        var manifest = graph.manifest
        manifest.provenance = provenance
        let file = GraphFile(
            graph: graph.graph, parameters: graph.parameters, quantisation: graph.quantisation, manifest: manifest)
        let bytes = try file.bytes()
        try target.write(bytes)
        try Terminal.print(GraphInspection(file, bytes: bytes).summary.joined(separator: "\n"))
    }

    /// The graph in the requested precision. Nil if a signal came before all pictures were measured.
    private func stored(_ file: GraphFile) async throws -> GraphFile? {
        guard precision == .int8 else {
            var manifest = file.manifest
            manifest.precision = precision
            return GraphFile(graph: file.graph, parameters: file.parameters, manifest: manifest)
        }
        let shape = file.graph.values[file.graph.inputs[0]].shape
        let pictures = Pictures(shape: Array(shape.dropFirst()), range: inputRange.bounds)
        let coded: GraphFile
        if let path = quantised {
            coded = try naming(path) { try GraphFile(contentsOf: path) }
        } else {
            let lanes = QuantiserLanes(file, inputRange: inputRange.bounds)
            try await pictures.forEach(calibrate, progress.progress("calibrate", total: calibrate.count)) { picture in
                lanes.measure([picture])
            }
            guard !Interruption.hasCome else { return nil }
            coded = try lanes.quantised()
        }
        var correction = try LayerCorrection(file, quantised: coded)
        guard correction.isNeeded else { return coded }
        try await pictures.forEach(calibrate, progress.progress("correct", total: calibrate.count)) { picture in
            try correction.measure([picture])
        }
        guard !Interruption.hasCome else { return nil }
        return try correction.corrected()
    }
}

/// Two numbers, the smaller first: `0,1`.
struct InputRange: ExpressibleByArgument {
    let bounds: ClosedRange<Float>

    init(bounds: ClosedRange<Float>) { self.bounds = bounds }

    init?(argument: String) {
        let numbers = argument.split(separator: ",").map { Float($0) }
        guard numbers.count == 2, let low = numbers[0], let high = numbers[1], low.isFinite, high.isFinite, low < high
        else { return nil }
        bounds = low...high
    }

    var defaultValueDescription: String { "0,1" }
}
