import BodyPose
public import CGesture
import Frames
import GestureEngine
import TrackerInference
import Vocabulary

/// Why a call failed: the status that it returns, and the sentence for `gesture_error`.
struct CallFailure: Error, Equatable {
    let status: CallStatus
    let message: String

    init(_ status: CallStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// The statuses of `gesture.h`.
enum CallStatus: CaseIterable {
    case ok, invalidArgument, invalidHandle, invalidFrame, invalidModel, noNetworks, finished, tooSmall, system, tooNew,
        forked

    /// The number in the header.
    var code: gesture_status {
        switch self {
        case .ok: gesture_status(GESTURE_OK)
        case .invalidArgument: gesture_status(GESTURE_INVALID_ARGUMENT)
        case .invalidHandle: gesture_status(GESTURE_INVALID_HANDLE)
        case .invalidFrame: gesture_status(GESTURE_INVALID_FRAME)
        case .invalidModel: gesture_status(GESTURE_INVALID_MODEL)
        case .noNetworks: gesture_status(GESTURE_NO_NETWORKS)
        case .finished: gesture_status(GESTURE_FINISHED)
        case .tooSmall: gesture_status(GESTURE_TOO_SMALL)
        case .system: gesture_status(GESTURE_SYSTEM)
        case .tooNew: gesture_status(GESTURE_TOO_NEW)
        case .forked: gesture_status(GESTURE_FORKED)
        }
    }

    /// The name in the header.
    var name: StaticString {
        switch self {
        case .ok: "GESTURE_OK"
        case .invalidArgument: "GESTURE_INVALID_ARGUMENT"
        case .invalidHandle: "GESTURE_INVALID_HANDLE"
        case .invalidFrame: "GESTURE_INVALID_FRAME"
        case .invalidModel: "GESTURE_INVALID_MODEL"
        case .noNetworks: "GESTURE_NO_NETWORKS"
        case .finished: "GESTURE_FINISHED"
        case .tooSmall: "GESTURE_TOO_SMALL"
        case .system: "GESTURE_SYSTEM"
        case .tooNew: "GESTURE_TOO_NEW"
        case .forked: "GESTURE_FORKED"
        }
    }
}

extension CallFailure {
    /// A value of an argument that cannot be used.
    static func value(_ name: String, _ value: some Any, mustBe requirement: String) -> CallFailure {
        CallFailure(.invalidArgument, "\(name) is \(value); it must be \(requirement).")
    }

    /// A pointer that must lead somewhere.
    static func null(_ name: String) -> CallFailure { CallFailure(.invalidArgument, "\(name) is NULL.") }

    /// A value of the engine's configuration, by its name in the header.
    init(_ error: ConfigurationError) {
        self = .value(Self.fieldName(error.parameter), error.value, mustBe: error.requirement)
    }

    /// The field of an options struct for a path such as `GestureEngine.Configuration.maximumHands`.
    private static func fieldName(_ parameter: String) -> String {
        let path = parameter.split(separator: ".", maxSplits: 1)
        guard path.count == 2 else { return parameter }
        let isOfBodies = path[0] == "BodyTrackingConfiguration"
        // Labels in brackets stay as they are.
        var (field, isLabel) = ("", false)
        for character in path[1] {
            if character == "[" { isLabel = true }
            field += character.isUppercase && !isLabel ? "_" + character.lowercased() : String(character)
            if character == "]" { isLabel = false }
        }
        for (name, own) in fieldNames where field.hasPrefix(name) { field = own + field.dropFirst(name.count) }
        return (isOfBodies ? "gesture_body_options." : "gesture_options.") + field
    }

    /// How the beginnings of paths are called in the header.
    private static let fieldNames = [
        ("_configuration.advanced.wake.", "wake_"), ("_configuration.advanced.wake", "wake_pose"),
        ("_configuration.", ""),
        ("overrides.key", "thresholds"), ("overrides", "thresholds"),
    ]

    init(_ error: EngineError) {
        if case .configuration(let error) = error {
            self.init(error)
            return
        }
        let status: CallStatus =
            switch error {
            case .model, .file, .resourcesMissing, .graph, .otherGraph: .invalidModel
            case .noHandModels: .noNetworks
            case .thread, .frameMemory: .system
            default: .invalidArgument
            }
        self.init(status, error.description)
    }

    init(_ error: PixelView.FrameError) { self.init(.invalidFrame, error.description) }

    /// Runs a call of bodies; its error becomes a failure.
    static func bodies<Value>(_ body: () throws(EngineError) -> Value) throws(CallFailure) -> Value {
        do { return try body() } catch { throw CallFailure(error) }
    }

    /// Runs an engine's call; its error becomes a failure.
    static func engine<Value>(_ body: () throws(EngineError) -> Value) throws(CallFailure) -> Value {
        do { return try body() } catch { throw CallFailure(error) }
    }
}

/// Runs the body of a function of `gesture.h`: its failure becomes the status, and the sentence goes into the caller's
/// `gesture_error`.
func call(
    _ error: UnsafeMutablePointer<gesture_error>?, _ body: () throws(CallFailure) -> Void
) -> gesture_status {
    do throws(CallFailure) {
        try body()
        return CallStatus.ok.code
    } catch let failure {
        if let error = unsafe error {
            unsafe error.pointee.status = failure.status.code
            unsafe withUnsafeMutableBytes(of: &error.pointee.message) { unsafe write(failure.message, to: $0) }
        }
        return failure.status.code
    }
}

/// Writes a text with a zero at its end; a text that is too long is cut between two characters.
func write(_ text: String, to buffer: UnsafeMutableRawBufferPointer) {
    guard buffer.count > 0 else { return }
    let bytes = Array(text.utf8)
    var count = min(bytes.count, buffer.count - 1)
    // Bytes after the first of a character begin with the bits 10.
    if count < bytes.count { while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 } }
    for index in 0..<count { unsafe buffer[index] = bytes[index] }
    unsafe buffer[count] = 0
}

/// The characters of a constant, which live as long as the process.
func characters(of text: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Names a status; see `gesture.h`.
@c @implementation
public func gesture_status_name(_ status: gesture_status) -> UnsafePointer<CChar>? {
    guard let known = CallStatus.allCases.first(where: { $0.code == status }) else { return nil }
    return unsafe characters(of: known.name)
}

/// The library's version; see `gesture.h`.
@c @implementation
public func gesture_version() -> UnsafePointer<CChar>? { unsafe versionText.characters }

/// The version as characters that are never freed.
private let versionText = PermanentText(GestureEngine.version)

/// A text whose characters live as long as the process.
@safe
struct PermanentText: @unchecked Sendable {
    /// Never written after `init`, and never freed.
    let characters: UnsafePointer<CChar>

    init(_ text: String) {
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
        unsafe write(text, to: UnsafeMutableRawBufferPointer(copy))
        unsafe characters = UnsafePointer(copy.baseAddress!)
    }
}
