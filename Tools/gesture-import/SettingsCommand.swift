import ArgumentParser
import FileOutput
import ModelFile
import ToolSupport
import WeightImport

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Gives a model other defaults of recognition.",
        discussion: """
            The weights and everything else in the file stay as they are. What no option names stays, too; counts of frames \
            become milliseconds where the model's columns have a rate.
            """)

    @Argument(help: "A model.")
    var model: String

    @Option(name: .shortAndLong, help: "The model to write; it may be the same file.")
    var output: String

    @Option(help: "Milliseconds of the median over the logits, 1 to \(ModelManifest.medianLimit).")
    var medianMs: Int?

    @Option(help: "Milliseconds of one class that begin a gesture.")
    var beginMs: Int?

    @Option(help: "Probability that these must exceed, 0 to 1.")
    var beginConfidence: Float?

    @Option(help: ArgumentHelp("The same for one class; may be repeated.", valueName: "label=confidence"))
    var classConfidence: [ClassConfidence] = []

    @Option(
        help: ArgumentHelp(
            "Milliseconds of one class that begin a gesture at a lower probability, too, as 167=0.6; off has none.",
            valueName: "ms=confidence"))
    var steady: SteadyOption?

    @Option(help: "Milliseconds of null, or of another class, that end a gesture.")
    var endMs: Int?

    @Option(help: "Milliseconds without its class, however unsure, that end a gesture.")
    var unsureEndMs: Int?

    @Option(help: "Milliseconds after a gesture in which the same class is the same gesture; 0 is off.")
    var onceMs: Int?

    func run() async throws {
        try await Terminal.reporting("gesture-import") {
            // The output may be the model itself: the model is read completely before the new one replaces it in one
            // step.
            let target = try OutputTarget(output, besides: InputFiles())
            let bytes = try naming(model) {
                let file = try SafetensorsFile.load(path: model, limit: ModelFile.sizeLimit)
                return try ModelSettings.bytes(of: file) { change(&$0) }
            }
            try target.write(bytes)
        }
    }

    private func change(_ post: inout ModelManifest.PostProcessing) {
        if let medianMs { post.median = .milliseconds(medianMs) }
        if let beginMs { post.begin = .milliseconds(beginMs) }
        if let beginConfidence { post.beginConfidence = beginConfidence }
        for confidence in classConfidence { post.classConfidence[confidence.label] = confidence.value }
        if let steady { post.steady = steady.value }
        if let endMs { post.end = .milliseconds(endMs) }
        if let unsureEndMs { post.unsureEndMilliseconds = unsureEndMs }
        if let onceMs { post.mergeWindowMilliseconds = onceMs }
    }
}

/// What begins a gesture, too, or that nothing does.
struct SteadyOption: ExpressibleByArgument {
    let value: ModelManifest.Steady?

    init?(argument: String) {
        guard argument != "off" else {
            value = nil
            return
        }
        let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int(parts[0]), let confidence = Float(parts[1]) else { return nil }
        value = ModelManifest.Steady(milliseconds: milliseconds, confidence: confidence)
    }
}

/// A class and the confidence that its frames must exceed.
struct ClassConfidence: ExpressibleByArgument {
    let label: String
    let value: Float

    init?(argument: String) {
        guard let mark = argument.lastIndex(of: "="), let value = Float(argument[mark...].dropFirst()) else {
            return nil
        }
        label = String(argument[..<mark])
        self.value = value
    }
}
