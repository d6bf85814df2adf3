import ArgumentParser
import Foundation
import ModelFile
import Network
import ToolSupport
import WeightImport

struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what a model, a checkpoint or a TFLite file contains.",
        discussion: """
            A gesture model is also checked as the engine does when it loads it. A graph, its own file or TFLite, is shown \
            operator by operator. Of a checkpoint of PyTorch, NumPy or ONNX the weights are shown that import would take.
            """)

    @Argument(help: "The file.")
    var model: String

    @Option(help: "Which network of a .task bundle, or which dictionary of a PyTorch file.")
    var entry: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try naming(model) { try work() } }
    }

    private func work() throws {
        let inspection: Inspection
        if let checkpoint = try checkpoint() {
            inspection = Inspection(checkpoint)
        } else if let (file, bytes) = try GraphInspection.open(model, entry: entry) {
            let inspection = GraphInspection(file, bytes: bytes)
            try Terminal.print(json ? try Terminal.json(inspection, spread: true) : inspection.text)
            return
        } else {
            inspection = try Inspection(SafetensorsFile.load(path: model, limit: Checkpoint.sizeLimit))
        }
        try Terminal.print(json ? try Terminal.json(inspection, spread: true) : inspection.text)
    }
}

extension InspectCommand {
    /// The checkpoint, if the file has a format of others.
    private func checkpoint() throws -> Checkpoint? {
        switch ModelFileError.FileFormat.detect(try FileBytes.sample(path: model).bytes) {
        case .npy, .npz, .onnx, .torchArchive:
            return try Checkpoint.load(path: model, entry: entry)
        default: return nil
        }
    }
}

/// The description of a file.
private struct Inspection: Encodable {
    struct Tensor: Encodable {
        let name: String
        let type: String
        let shape: [Int]
        /// Absent for a checkpoint of another format than safetensors.
        let bytes: Int?
    }

    struct Model: Encodable {
        let contentXXH64: String
        let network: String
        let precision: String
        let labels: [String]
        let nullIndex: Int
        /// Counts of frames are present if the file has them; milliseconds if the file has them or its columns have a
        /// rate.
        let medianFrames: Int?
        let medianMilliseconds: Int?
        let beginFrames: Int?
        let beginMilliseconds: Int?
        let beginConfidence: Float
        let classConfidence: [String: Float]
        let steadyMilliseconds: Int?
        let steadyConfidence: Float?
        let endFrames: Int?
        let endMilliseconds: Int?
        let unsureEndFrames: Int?
        let unsureEndMilliseconds: Int?
        let returnMilliseconds: Int
        let returnStrokes: [String: String]
        let mergeWindowMilliseconds: Int
        let calibration: String?
        let training: String?
        let sourceSHA256: String?
        let activationScales: [String: Float]
        let parameters: Int
        let multiplyAddsPerFrame: Int
        /// Columns that the logits depend on.
        let receptiveField: Int
        /// Their duration; absent if columns have the camera's rate.
        let receptiveFieldMilliseconds: Int?

        var memoryText: String {
            "\(receptiveField) columns" + (receptiveFieldMilliseconds.map { ", \($0) ms" } ?? "")
        }

        var recognitionText: String {
            func text(_ frames: Int?, _ milliseconds: Int?) -> String {
                let counted = frames.map { "\($0) frames" }
                guard let milliseconds else { return counted ?? "-" }
                return "\(milliseconds) ms" + (counted.map { " (\($0))" } ?? "")
            }
            let steady =
                steadyConfidence.map { " or at the end of \(text(nil, steadyMilliseconds)) above \($0)" } ?? ""
            return "median of \(text(medianFrames, medianMilliseconds)), begins after "
                + "\(text(beginFrames, beginMilliseconds)) above \(beginConfidence)\(steady), ends after "
                + "\(text(endFrames, endMilliseconds)), unsure after \(text(unsureEndFrames, unsureEndMilliseconds))"
        }

        var classText: String {
            guard !classConfidence.isEmpty else { return "-" }
            return visible(
                classConfidence.sorted { $0.key < $1.key }.map { "\($0.key) above \($0.value)" }.joined(separator: ", ")
            )
        }

        var returnText: String {
            guard !returnStrokes.isEmpty else { return "-" }
            let strokes = returnStrokes.sorted { $0.key < $1.key }.map { "\($0.value) after \($0.key)" }
            return "\(returnMilliseconds) ms without \(visible(strokes.joined(separator: ", ")))"
        }
    }

    let bytes: Int
    let sha256: String
    let elements: Int
    let metadata: [String: String]
    /// The format of a checkpoint; absent for safetensors.
    let checkpointFormat: String?
    let tensors: [Tensor]
    /// Absent if the file is not a gesture model.
    let model: Model?

    /// The weights of a checkpoint of another format.
    init(_ checkpoint: Checkpoint) {
        bytes = checkpoint.byteCount
        sha256 = checkpoint.sha256
        metadata = checkpoint.metadata
        tensors = checkpoint.tensors.sorted { $0.key < $1.key }.map { name, tensor in
            Tensor(name: name, type: tensor.type, shape: tensor.shape, bytes: nil)
        }
        elements = checkpoint.tensors.values.reduce(0) { $0 + $1.shape.reduce(1, *) }
        checkpointFormat = checkpoint.format.rawValue
        model = nil
    }

    /// Throws the fault of a file that claims to be a gesture model.
    init(_ file: SafetensorsFile) throws(ModelFileError) {
        bytes = file.bytes.count
        sha256 = SHA256.hexadecimal(of: file.bytes)
        elements = file.tensors.reduce(0) { $0 + $1.elementCount }
        metadata = file.metadata
        checkpointFormat = nil
        tensors = file.tensors.map {
            Tensor(name: $0.name, type: $0.type.rawValue, shape: $0.shape, bytes: $0.byteRange.count)
        }
        guard file.metadata["format"] == ModelManifest.format else {
            model = nil
            return
        }
        let modelFile = try ModelFile(file: file)
        let weights = try NetworkWeights(model: modelFile)
        let manifest = modelFile.manifest
        let post = manifest.postProcessing
        let timed = post.inMilliseconds(columnRate: weights.frontEnd.columnRate)
        model = Model(
            contentXXH64: ContentHash(file).digits, network: manifest.network, precision: manifest.precision.rawValue,
            labels: manifest.labels,
            nullIndex: manifest.nullIndex, medianFrames: post.median.frames,
            medianMilliseconds: timed.median.milliseconds, beginFrames: post.begin.frames,
            beginMilliseconds: timed.begin.milliseconds, beginConfidence: post.beginConfidence,
            classConfidence: post.classConfidence, steadyMilliseconds: post.steady?.milliseconds,
            steadyConfidence: post.steady?.confidence, endFrames: post.end.frames,
            endMilliseconds: timed.end.milliseconds, unsureEndFrames: post.unsureEnd.frames,
            unsureEndMilliseconds: post.unsureEnd.inMilliseconds(columnRate: weights.frontEnd.columnRate).milliseconds,
            returnMilliseconds: post.returnMilliseconds, returnStrokes: post.returnStrokes,
            mergeWindowMilliseconds: post.mergeWindowMilliseconds,
            calibration: manifest.calibration, training: manifest.training, sourceSHA256: manifest.sourceSHA256,
            activationScales: manifest.activationScales,
            parameters: weights.layers.reduce(0) { $0 + $1.spec.parameterCount },
            multiplyAddsPerFrame: weights.layers.reduce(0) { $0 + $1.spec.macs },
            receptiveField: weights.receptiveField,
            receptiveFieldMilliseconds: weights.frontEnd.columnRate.map { weights.receptiveField * 1000 / $0 })
    }

    var text: String {
        var lines = ["file         \(grouped(bytes)) bytes, SHA-256 \(sha256)"]
        if let model {
            let labels = model.labels.enumerated().map { $0.offset == model.nullIndex ? "(\($0.element))" : $0.element }
            lines += [
                "model        \(visible(model.network)), \(model.precision)",
                "network      \(grouped(model.parameters)) parameters, "
                    + "\(grouped(model.multiplyAddsPerFrame)) multiply-adds a frame",
                "memory       " + model.memoryText,
                "classes      \(visible(labels.joined(separator: ", ")))",
                "recognition  " + model.recognitionText,
                "by class     " + model.classText,
                "return       " + model.returnText,
                "merge window "
                    + (model.mergeWindowMilliseconds == 0 ? "-" : "\(model.mergeWindowMilliseconds) ms"),
                "calibration  \(visible(model.calibration ?? "-"))",
                "training     \(visible(model.training ?? "-"))",
                "source       SHA-256 \(model.sourceSHA256 ?? "-")",
                "content      XXH64 \(model.contentXXH64), as the file says",
            ]
        } else {
            lines.append(
                checkpointFormat.map { "This is a checkpoint (\($0)), as import reads it." }
                    ?? "This is not a gesture model: its metadata do not say format = \(ModelManifest.format).")
            for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
                lines.append("metadata     \(visible(key)) = \(visible(value))")
            }
        }
        var table = TextTable([
            ("tensor", .left), ("type", .left), ("shape", .left), ("bytes", .right), ("act. scale", .right),
        ])
        for tensor in tensors {
            let layer = tensor.name.hasSuffix(".weight") ? String(tensor.name.dropLast(".weight".count)) : ""
            table.add([
                tensor.name, tensor.type, tensor.shape.map(String.init).joined(separator: "x"),
                tensor.bytes.map { grouped($0) } ?? "-",
                model?.activationScales[layer].map { "\($0)" } ?? "",
            ])
        }
        lines += [""] + table.lines
        lines += ["", "\(tensors.count) tensors, \(grouped(elements)) elements."]
        return lines.joined(separator: "\n")
    }
}
