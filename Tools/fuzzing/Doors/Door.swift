package import Foundation

/// A door of the package: a place where bytes come in from outside.
///
/// `Tools/fuzz` sends bytes of its own through a door; the tests send the same corpus and mutations of it. Whatever the
/// bytes are, a door refuses them with an error or takes them. It ends the process if what it took breaks a rule.
package enum Door: String, CaseIterable, Sendable {
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

    /// Sends bytes through the door.
    /// - Returns: whether they were taken.
    @discardableResult
    package func enter(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .safetensors: SafetensorsDoor.enter(bytes)
        case .graph: GraphDoor.enter(bytes)
        case .tflite: TFLiteDoor.enter(bytes)
        case .bundle: BundleDoor.enter(bytes)
        case .npy: CheckpointDoor.array(bytes)
        case .npz: CheckpointDoor.enter(bytes, sealed: true)
        case .torch: CheckpointDoor.enter(bytes, fileExtension: "pt", sealed: true)
        case .onnx: CheckpointDoor.enter(bytes, fileExtension: "onnx")
        case .names: TextDoors.names(bytes)
        case .labels: TextDoors.labels(bytes)
        case .truth: TextDoors.truth(bytes)
        case .y4m: ClipDoor.enter(bytes)
        case .scenario: TextDoors.scenario(bytes)
        case .socket: PageDoors.socket(bytes)
        case .request: PageDoors.request(bytes)
        case .frame: FrameDoor.enter(bytes)
        }
    }

    /// The folder of the committed inputs.
    package var corpus: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("corpus/" + rawValue, isDirectory: true)
    }
}
