package import Foundation

/// A target of the package: a place where bytes come in from outside.
///
/// `Tools/gates/fuzz` sends bytes of its own through a target; the tests send the same corpus and mutations of it. Whatever the
/// bytes are, a target refuses them with an error or takes them. It ends the process if what it took breaks a rule.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Safetensors files: the container, and the model, checkpoint and taught gestures in it.
    case safetensors
    /// The JSON of a graph and of its quantisation; what is accepted is planned and run.
    case graph
    /// TFLite networks; what is accepted is planned and run.
    case tflite
    /// Zip bundles of networks.
    case bundle
    /// Single NumPy arrays, by both readers.
    case npy
    /// NumPy archives.
    case npz
    /// PyTorch archives.
    case torch
    /// ONNX networks.
    case onnx
    /// JSON of names and labels that an import takes.
    case names
    /// Label files of clips.
    case labels
    /// `truth.csv`, of gestures and of repetitions.
    case truth
    /// Y4M streams.
    case y4m
    /// Scenarios of simulated sessions; what is accepted and short is simulated.
    case scenario
    /// WebSocket frames, and the commands and pictures in them.
    case socket
    /// Heads of HTTP requests.
    case request
    /// Settings, frames and their times as a C program gives them.
    case frame
    /// Settings of a pointer, and the hands and times of its frames.
    case pointer

    /// Sends bytes through the target.
    /// - Returns: whether they were taken.
    @discardableResult
    package func enter(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .safetensors: SafetensorsFuzzTarget.enter(bytes)
        case .graph: GraphFuzzTarget.enter(bytes)
        case .tflite: TFLiteFuzzTarget.enter(bytes)
        case .bundle: BundleFuzzTarget.enter(bytes)
        case .npy: CheckpointFuzzTarget.array(bytes)
        case .npz: CheckpointFuzzTarget.enter(bytes, sealed: true)
        case .torch: CheckpointFuzzTarget.enter(bytes, fileExtension: "pt", sealed: true)
        case .onnx: CheckpointFuzzTarget.enter(bytes, fileExtension: "onnx")
        case .names: TextFuzzTargets.names(bytes)
        case .labels: TextFuzzTargets.labels(bytes)
        case .truth: TextFuzzTargets.truth(bytes)
        case .y4m: ClipFuzzTarget.enter(bytes)
        case .scenario: TextFuzzTargets.scenario(bytes)
        case .socket: PageFuzzTargets.socket(bytes)
        case .request: PageFuzzTargets.request(bytes)
        case .frame: FrameFuzzTarget.enter(bytes)
        case .pointer: PointerFuzzTarget.enter(bytes)
        }
    }

    /// The folder of the committed inputs.
    package var corpus: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("corpus/" + rawValue, isDirectory: true)
    }
}
