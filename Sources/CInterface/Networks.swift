import BodyPose
import CGesture
import GestureEngine
import GesturePixels
import Platform
import TrackerInference

/// The networks that a caller chose for an engine.
struct Networks {
    /// The temporal layers of landmarks, or the pixel network; nil for the project's own.
    private let model: GestureEngine.Source?
    private let source: Source
    /// Whether streams watch the arms.
    private let arms: Bool
    /// Where the body networks lie.
    let bodies: BodyFolder

    /// The engine's front end, and where its networks come from.
    private enum Source {
        case pixels
        case folder(String)
        case bytes(HandBytes)
    }

    /// The contents of the files.
    fileprivate struct HandBytes {
        let palmDetection, handLandmarks, gestures: [UInt8]
        let background: [UInt8]?
        let poses: (embedder: [UInt8], classifier: [UInt8])?
    }

    /// The name of the folder beside the library.
    private static let folderName = "gesture-hands"

    init(_ options: UnsafePointer<gesture_engine_options>?) throws(CallFailure) {
        let name = "gesture_engine_options"
        let options =
            unsafe try CallersStruct.read(options, name, empty: gesture_engine_options())
            ?? gesture_engine_options()
        arms = try flag(unsafe options.arms, name + ".arms")
        bodies =
            unsafe try Self.text(options.bodies_folder, name + ".bodies_folder").map(BodyFolder.given) ?? .besideLibrary
        unsafe model = try Self.model(options)
        let given = unsafe try HandBytes(options)
        let folder = unsafe try Self.text(options.hands_folder, name + ".hands_folder")
        switch unsafe (Int(options.networks), given, folder) {
        case (GESTURE_NETWORKS_PIXELS, nil, nil):
            guard !arms else {
                throw CallFailure(
                    .invalidArgument,
                    "\(name).arms is 1, and \(name).networks is GESTURE_NETWORKS_PIXELS; arms need hands.")
            }
            source = .pixels
        case (GESTURE_NETWORKS_PIXELS, _, _):
            throw CallFailure(
                .invalidArgument, "Hand networks are given, and \(name).networks is GESTURE_NETWORKS_PIXELS.")
        case (GESTURE_NETWORKS_HANDS, let bytes?, nil): source = .bytes(bytes)
        case (GESTURE_NETWORKS_HANDS, nil, let folder?): source = .folder(folder)
        case (GESTURE_NETWORKS_HANDS, nil, nil): source = .folder(try Self.folderBesideLibrary())
        case (GESTURE_NETWORKS_HANDS, _, _):
            throw CallFailure(.invalidArgument, "The hand networks are given twice: as a folder and as bytes.")
        default:
            throw unsafe .value(name + ".networks", options.networks, mustBe: "a GESTURE_NETWORKS of gesture.h")
        }
    }

    /// Reads and checks the networks.
    func makeEngine() throws(CallFailure) -> GestureEngine {
        var seen: BodyModels?
        if arms { seen = try CallFailure.bodies { () throws(EngineError) in try BodyModels(bodies) } }
        let arms = seen
        return try CallFailure.engine { () throws(EngineError) in
            switch source {
            case .pixels: return try GestureEngine(pixels: model ?? .bundled)
            case .folder(let folder):
                func path(_ name: String) -> String { folder + "/" + name + ".safetensors" }
                return try GestureEngine(
                    hands: HandModels(
                        palmDetection: path("palm-detection-lite"), handLandmarks: path("hand-landmark-lite"),
                        poses: (path("gesture-embedder"), path("canned-gesture-classifier")),
                        gestures: model ?? .file(path: path("hand-gestures")),
                        background: .file(path: path("hand-background"))), arms: arms)
            case .bytes(let bytes):
                return try GestureEngine(
                    hands: HandModels(
                        palmDetection: bytes.palmDetection, handLandmarks: bytes.handLandmarks, poses: bytes.poses,
                        gestures: model ?? .bytes(bytes.gestures),
                        background: bytes.background.map { .bytes($0) }), arms: arms)
            }
        }
    }

    private static func model(_ options: gesture_engine_options) throws(CallFailure) -> GestureEngine.Source? {
        let path = unsafe try text(options.model_path, "gesture_engine_options.model_path")
        let bytes = unsafe try bytes(options.model, "gesture_engine_options.model")
        switch (path, bytes) {
        case (nil, nil): return nil
        case (let path?, nil): return .file(path: path)
        case (nil, let bytes?): return .bytes(bytes)
        default: throw CallFailure(.invalidArgument, "The model is given twice: as a path and as bytes.")
        }
    }

    private static func folderBesideLibrary() throws(CallFailure) -> String {
        guard let folder = LibraryFolder.path(of: folderName) else {
            throw CallFailure(
                .invalidModel, "The folder of this library is unknown. Set gesture_engine_options.hands_folder.")
        }
        return folder
    }

    /// A text of the caller's; nil for NULL.
    static func text(_ characters: UnsafePointer<CChar>?, _ name: String) throws(CallFailure) -> String? {
        guard let characters = unsafe characters else { return nil }
        guard let text = unsafe String(validatingCString: characters) else {
            throw CallFailure(.invalidArgument, "\(name) is not UTF-8.")
        }
        return text
    }

    /// A copy of the caller's bytes; nil for NULL.
    static func bytes(_ bytes: gesture_bytes, _ name: String) throws(CallFailure) -> [UInt8]? {
        guard let start = unsafe bytes.bytes else {
            guard unsafe bytes.count == 0 else { throw .null(name + ".bytes") }
            return nil
        }
        guard unsafe bytes.count >= 0 else { throw CallFailure(.invalidArgument, "\(name).count is impossible.") }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: bytes.count))
    }
}

/// The folder in which this library lies.
enum LibraryFolder {
    /// The path of what lies beside the library; nil if the system does not tell where that is.
    static func path(of name: String) -> String? {
        guard let library = unsafe BinaryFile.path(containing: #dsohandle),
            let slash = library.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return library[...slash] + name
    }
}

extension Networks.HandBytes {
    /// nil if the caller gave no bytes.
    fileprivate init?(_ options: gesture_engine_options) throws(CallFailure) {
        func read(_ bytes: gesture_bytes, _ name: String) throws(CallFailure) -> [UInt8]? {
            unsafe try Networks.bytes(bytes, "gesture_engine_options." + name)
        }
        let palms = unsafe try read(options.palm_detection, "palm_detection")
        let landmarks = unsafe try read(options.hand_landmarks, "hand_landmarks")
        let embedder = unsafe try read(options.gesture_embedder, "gesture_embedder")
        let classifier = unsafe try read(options.gesture_classifier, "gesture_classifier")
        let gestures = unsafe try read(options.hand_gestures, "hand_gestures")
        unsafe background = try read(options.hand_background, "hand_background")
        if palms == nil, landmarks == nil, embedder == nil, classifier == nil, gestures == nil { return nil }
        guard let palms, let landmarks, let gestures else {
            throw CallFailure(
                .invalidArgument,
                "gesture_engine_options has some of palm_detection, hand_landmarks and hand_gestures; "
                    + "all three are needed.")
        }
        switch (embedder, classifier) {
        case (nil, nil): poses = nil
        case (let embedder?, let classifier?): poses = (embedder, classifier)
        default:
            throw CallFailure(
                .invalidArgument,
                "gesture_engine_options has one of gesture_embedder and gesture_classifier; poses need both.")
        }
        (palmDetection, handLandmarks, self.gestures) = (palms, landmarks, gestures)
    }
}
