import ArgumentParser
import Clips
import FileOutput
import GestureEngine
import Network
import PixelFrontEnd
import Platform
import ToolSupport

/// Makes the file that enrolment tells new movements apart from.
struct BackgroundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "background",
        abstract: "Make the background of a landmark model from clips of columns.",
        discussion: """
            Tools/lab/training/background runs this. Each clip is --length columns at 30 Hz. A clip that is null in all its \
            columns gives every --stride-th of those with a full window, and the others give the same number of columns for \
            each class, spread evenly. What is written are the classifier's inputs.
            """)

    @Option(help: "Columns of all clips, .npy uint8 [N, 128].") var columns: String
    @Option(help: "The class of each column, .npy uint8 [N, 1]; 255 where it is not sure.") var classes: String
    @Option(help: "Columns of a clip.") var length = 48
    @Option(help: "Columns from one of null to the next.") var stride = 4
    @Option(help: "Columns of each gesture.") var each = 16
    @Option(name: .shortAndLong, help: "Where the background goes.") var output: String
    @OptionGroup var model: ModelOptions

    /// The class of a column that may be of several.
    private static let unsure = 255

    func validate() throws {
        guard length > GestureTCN.windowLength, stride > 0, each > 0 else {
            throw ValidationError("--length must be above \(GestureTCN.windowLength), --stride and --each above 0.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let target = try OutputTarget(output, besides: InputFiles([columns, classes] + model.files))
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks)
        guard engine.frontEnd == .landmarks else { throw ValidationError("A background needs a model of landmarks.") }
        let background = try taken(engine)
        try target.write(background.bytes(layers: engine.model.weights.featureIdentity))
        let nulls = background.classes.count { Int($0) == engine.nullIndex }
        let seconds = Double(nulls) * Double(background.secondsPerNullColumn)
        try Terminal.print(
            "\(grouped(nulls)) columns of \(engine.labels[engine.nullIndex]), which stand for \(decimals(seconds, 0)) s, and "
                + "\(grouped(background.classes.count - nulls)) of gestures")
    }

    private func taken(_ engine: GestureEngine) throws -> EnrolmentBackground {
        var configuration = model.configuration
        configuration.rate = .hz30
        let unit = try engine.makeUnit(configuration)
        var codes = try NPYReader(columns, element: .uint8, rowShape: [engine.frontEnd.inputCount])
        var truth = try NPYReader(classes, element: .uint8, rowShape: [1])
        var null: [UInt8] = []
        var shown = engine.labels.map { _ in [[UInt8]]() }
        var column = [UInt8](repeating: 0, count: engine.frontEnd.inputCount)
        var label: [UInt8] = [0]
        clips: while true {
            unit.reset()
            var rows: [(features: [UInt8], label: Int)] = []
            for _ in 0..<length {
                guard try Self.read(&codes, &column), try Self.read(&truth, &label) else { break clips }
                unit.encode(column.span)
                if let features = Self.features(unit) { rows.append((features, Int(label[0]))) }
            }
            if rows.allSatisfy({ $0.label == engine.nullIndex || $0.label == Self.unsure }) {
                for place in Swift.stride(from: 0, to: rows.count, by: stride)
                where rows[place].label == engine.nullIndex { null += rows[place].features }
            } else {
                for row in rows where row.label != engine.nullIndex && engine.labels.indices.contains(row.label) {
                    shown[row.label].append(row.features)
                }
            }
        }
        var features = null
        var kinds = [UInt8](repeating: UInt8(engine.nullIndex), count: null.count / unit.featureCount)
        for (index, rows) in shown.enumerated() where !rows.isEmpty {
            for place in 0..<min(each, rows.count) {
                features += rows[place * rows.count / min(each, rows.count)]
                kinds.append(UInt8(index))
            }
        }
        return EnrolmentBackground(
            labels: engine.labels, secondsPerNullColumn: Float(stride) / 30, features: features, classes: kinds)
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [UInt8]) throws -> Bool {
        var span = row.mutableSpan
        return try reader.next(into: &span)
    }

    /// The classifier's input of the newest column; nil before the window is full.
    private static func features(_ unit: NetworkUnit) -> [UInt8]? {
        var logits = [Float](repeating: 0, count: unit.classCount)
        var span = logits.mutableSpan
        unit.advance(&span)
        guard unit.isWarm else { return nil }
        var column = [Float](repeating: 0, count: unit.featureCount)
        var values = column.mutableSpan
        unit.copyFeatures(to: &values)
        return EnrolmentBackground.quantise(column)
    }
}
