import ArgumentParser
import FileOutput
import Foundation
import ModelFile
import Network
import Platform
import ToolSupport
import WeightImport

extension ModelManifest.Precision: ExpressibleByArgument {}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a model of a checkpoint.",
        discussion: """
            Reads float32, float16, bfloat16 or float64 weights from safetensors, PyTorch (torch.save since 1.6: a state \
            dict, also inside a dictionary), NumPy (.npz) or ONNX (with the file of weights beside it); the first bytes tell \
            which. Tensors need the network's names, with any prefix in common. The graph of an ONNX file must compute the \
            network, operator by operator; then its names are free. BatchNorm and weight norm are folded, and one model file \
            is written. The same input gives the same bytes. Nothing of a checkpoint is run.

            int8 needs activation scales: measured on the frames of --calibrate, or taken from the checkpoint where \
            quantisation-aware training has left them. Calibration reads uint8 arrays (.npy, [N, 224, 224], each 16 \
            consecutive frames one window) and recorded video, either from a pipe, too: its frames are then kept on disk \
            until the comparison with the float network.

            The output file is replaced in one step if it exists; no other file is written, and none that is read may be \
            the output.
            """)

    @Argument(help: "The checkpoint.")
    var checkpoint: String

    @Option(
        help: "How weights are stored: \(ModelManifest.Precision.allCases.map(\.rawValue).joined(separator: ", ")).")
    var precision: ModelManifest.Precision

    @Option(name: .shortAndLong, help: "The model to write.")
    var output: String?

    @Option(help: "Which dictionary of a PyTorch file has the tensors, as keys joined by slashes, if several do.")
    var entry: String?

    @Option(parsing: .upToNextOption, help: "Frames to measure activations on: .npy files, clips, image directories.")
    var calibrate: [String] = []

    @OptionGroup var clips: ClipOptions

    @Option(help: "Percent of a layer's outputs that must not clip, 50 to 100; 100 is the largest output seen.")
    var activationPercentile: Double = 100

    @Flag(help: "Take the checkpoint's activation scales even with --calibrate, which then only serves the report.")
    var checkpointScales = false

    @Option(help: "Calibration frames on which the model is compared with the float network, taken evenly; 0 for none.")
    var compareFrames = 1024

    @Option(help: "JSON object of exact tensor names in the checkpoint to names of the network.")
    var map: String?

    @Option(
        help: "What the names of the network's tensors begin with, such as `ema_model.`, if there are several networks."
    )
    var prefix: String?

    @Flag(help: "Pass over tensors that are not the network's, such as heads used only in training.")
    var ignoreUnexpected = false

    @Option(
        help: "JSON array of class labels in the order of the logits. Default: the checkpoint's, else the project's 13."
    )
    var labels: String?

    @Option(
        help: """
            JSON file of the classes of a classifier other than the project's, in the order of its logits: an array, or \
            {"labels": [...], "null": "..."}. Instead of --labels.
            """)
    var replaceHead: String?

    @Flag(help: "With --replace-head: gestures of the project may be missing.")
    var allowDropped = false

    @Option(help: "The label that means no gesture.")
    var nullLabel = "null"

    @Option(help: "JSON file on how the weights came to be, kept in the model.")
    var trainingProvenance: String?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Flag(help: "Do everything but write the model.")
    var dryRun = false

    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard output != nil || dryRun else { throw ValidationError("Give --output, or --dry-run to write nothing.") }
        guard (50...100).contains(activationPercentile) else {
            throw ValidationError("--activation-percentile must be from 50 to 100.")
        }
        guard replaceHead == nil || labels == nil else {
            throw ValidationError("--replace-head and --labels cannot be used together.")
        }
        guard replaceHead != nil || !allowDropped else {
            throw ValidationError("--allow-dropped needs --replace-head.")
        }
        guard compareFrames >= 0 else { throw ValidationError("--compare-frames must not be negative.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let read = [self.checkpoint] + calibrate + [map, labels, replaceHead, trainingProvenance].compactMap(\.self)
        let target = try output.map { try OutputTarget($0, besides: InputFiles(read)) }
        let checkpoint = try naming(self.checkpoint) { try Checkpoint.load(path: self.checkpoint, entry: entry) }
        let tensors = try naming(map ?? self.checkpoint) {
            let names =
                try map.map { try TensorNames(json: FileBytes.read(path: $0, limit: Self.textLimit), prefix: prefix) }
                ?? TensorNames(prefix: prefix)
            return try names.apply(checkpoint)
        }
        let replacement = try replacement(of: tensors)
        let labels = try replacement?.labels ?? chosenLabels(checkpoint)
        let network = try naming(self.checkpoint) {
            try FoldedNetwork(tensors, classCount: labels.count, ignoringUnexpected: ignoreUnexpected)
        }

        var builder = ModelBuilder(
            precision: precision, labels: labels, nullLabel: replacement?.nullLabel ?? nullLabel)
        builder.sourceSHA256 = checkpoint.sha256
        if let rules = try naming(self.checkpoint, { try checkpoint.postProcessing() }) {
            builder.postProcessing = rules
        }
        builder.training = try trainingText() ?? checkpoint.metadata["training"]

        let frames = CalibrationFrames(
            paths: calibrate, source: clips.source(for: "gesture-import"), areReadAgain: compareFrames > 0)
        let learned = try naming(self.checkpoint) { try checkpoint.activationScales(network.layers.map(\.spec)) }
        let usesLearned = learned != nil && (checkpointScales || calibrate.isEmpty)
        if checkpointScales, learned == nil { throw ToolFailure.noCheckpointScales }
        var measured: Measurement?
        if !calibrate.isEmpty { measured = try await measure(network, frames) }
        // A model of some of the frames would be another one.
        guard !Interruption.hasCome else { return }
        if usesLearned {
            builder.activationScales = learned ?? [:]
            builder.calibration = "activation scales learned in training"
        } else if let measured {
            builder.activationScales = Dictionary(uniqueKeysWithValues: measured.ranges.map { ($0.layer, $0.scale) })
            builder.calibration = measured.calibration.description
        }

        let product = try naming(self.checkpoint) { try builder.build(network) }
        var report = ImportReport(checkpoint: checkpoint, network: network, product: product)
        if let replacement {
            report.add(replacement, addedBytes: try replacement.addedBytes(product, of: network, by: builder))
        }
        if let measured {
            report.add(measured.calibration, measured.ranges, scaledByThem: precision == .int8 && !usesLearned)
            if compareFrames > 0 { report.add(try await compare(network, product, frames, measured.calibration)) }
            guard !Interruption.hasCome else { return }
        }
        if let target, !dryRun { try target.write(product.bytes) }
        try Terminal.print(json ? try Terminal.json(report, spread: true) : ReportText.of(report))
        if dryRun, !json { try Terminal.print("Dry run: nothing was written.") }
    }

    // MARK: Inputs

    /// Largest JSON file read, in bytes.
    private static let textLimit = 1 << 20

    private func chosenLabels(_ checkpoint: Checkpoint) throws -> [String] {
        try naming(labels ?? self.checkpoint) {
            let chosen =
                try labels.map { try ClassLabels.read(json: FileBytes.read(path: $0, limit: Self.textLimit)) }
                ?? ClassLabels.of(checkpoint) ?? ModelBuilder.defaultLabels
            guard chosen.contains(nullLabel) else { throw ImportError.headWithoutNull(nullLabel) }
            return chosen
        }
    }

    private func replacement(of tensors: [String: Checkpoint.Tensor]) throws -> HeadReplacement? {
        guard let replaceHead else { return nil }
        return try naming(replaceHead) {
            let replacement = try HeadReplacement(
                json: FileBytes.read(path: replaceHead, limit: Self.textLimit), nullLabel: nullLabel,
                allowsDropped: allowDropped)
            try replacement.check(tensors)
            return replacement
        }
    }

    private func trainingText() throws -> String? {
        guard let trainingProvenance else { return nil }
        let bytes = try naming(trainingProvenance) {
            let bytes = try FileBytes.read(path: trainingProvenance, limit: Self.textLimit)
            var reader = JSONReader(bytes)
            try reader.skipValue()
            try reader.finishText()
            return bytes
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Frames

    private struct Measurement {
        let calibration: ImportReport.Calibration
        let ranges: [ActivationCalibrator.Range]
    }

    /// Nil if a signal came before the end.
    private func measure(_ network: FoldedNetwork, _ frames: CalibrationFrames) async throws -> Measurement? {
        let countsValues = activationPercentile < 100
        let lanes = try SequenceLanes(frameCount: GestureTCN.frameBytes) { () throws(ImportError) in
            try ActivationCalibrator(network, countingValues: countsValues)
        }
        var current = -1
        try await frames.forEach(progress.progress("calibrate", total: calibrate.count)) { frame, sequence in
            try lanes.push(frame, startsSequence: sequence != current)
            current = sequence
        }
        guard !Interruption.hasCome else { return nil }
        return try lanes.finish { (calibrator: borrowing ActivationCalibrator) throws(ImportError) in
            try measurement(calibrator)
        }
    }

    private func measurement(_ calibrator: borrowing ActivationCalibrator) throws(ImportError) -> Measurement {
        let rule = activationPercentile == 100 ? "min/max" : "percentile \(activationPercentile)"
        // Without paths and dates: the same frames elsewhere give the same bytes.
        let description = "\(rule) over \(calibrator.frameCount) frames in \(calibrator.sequenceCount) sequences"
        return Measurement(
            calibration: ImportReport.Calibration(
                description: description, frames: calibrator.frameCount, sequences: calibrator.sequenceCount,
                percentile: activationPercentile),
            ranges: try calibrator.ranges(percentile: activationPercentile))
    }

    private func compare(
        _ network: FoldedNetwork, _ product: ModelBuilder.Product, _ frames: CalibrationFrames,
        _ calibration: ImportReport.Calibration
    ) async throws -> NetworkComparison.Result {
        let lanes = try SequenceLanes(frameCount: GestureTCN.frameBytes) { () throws(ImportError) in
            try NetworkComparison(reference: network, model: product.weights)
        }
        var current = -1
        // Whole sequences, as evenly spread as the requested number of frames allows.
        let share = min(1, Double(compareFrames) / Double(calibration.frames))
        try await frames.forEach(progress.progress("compare", total: calibrate.count)) { frame, sequence in
            let isTaken =
                sequence == 0
                || (Double(sequence) * share).rounded(.down) < (Double(sequence + 1) * share).rounded(.down)
            if isTaken { try lanes.push(frame, startsSequence: sequence != current) }
            current = sequence
        }
        return try lanes.finish { (comparison: borrowing NetworkComparison) throws(ImportError) in comparison.result() }
    }
}

/// Failures of the tool itself.
enum ToolFailure: Explained {
    case noCheckpointScales

    var sentence: String {
        "The checkpoint has no activation scales (metadata `activation_scale.<layer>`)."
    }
}
