import CGesture
import Frames
import GestureEngine
import HandTracking
import Scheduling
import Vocabulary

extension GestureEngine.Configuration {
    /// The configuration of a stream, a hand tracker or a still image.
    /// - Parameter options: NULL means the defaults.
    init(_ options: UnsafePointer<gesture_options>?) throws(CallFailure) {
        let options =
            unsafe try CallersStruct.read(options, "gesture_options", empty: gesture_options()) ?? gesture_options()
        guard let rate = PacingConfiguration.Rate(rawValue: options.rate == 0 ? 30 : Int(options.rate)) else {
            throw .value("gesture_options.rate", options.rate, mustBe: "30, 60 or 120, or 0 for 30")
        }
        self.init(rate: rate)
        orientation = try ImageOrientation(options: options)
        if options.maximum_hands != 0 { maximumHands = Int(options.maximum_hands) }
        if options.minimum_palm_score != 0 { advanced.hands.minimumPalmScore = options.minimum_palm_score }
        if options.minimum_presence != 0 { advanced.hands.minimumPresence = options.minimum_presence }
        if try Self.flag(options.held_poses, "held_poses") { heldPoses = HeldPoseConfiguration() }
        if try Self.flag(options.smooths_landmarks, "smooths_landmarks") {
            advanced.hands.isSmoothed = true
        }
        if try Self.flag(options.detects_in_every_frame, "detects_in_every_frame") {
            advanced.hands.detectionInterval = .zero
            advanced.hands.stillness = nil
        }
        switch options.sensitivity {
        case -1: sensitivity = .low
        case 0: sensitivity = .medium
        case 1: sensitivity = .high
        default: throw .value("gesture_options.sensitivity", options.sensitivity, mustBe: "-1, 0 or 1")
        }
        do { try validate() } catch { throw CallFailure(.invalidArgument, error.description) }
    }

    private static func flag(_ value: Int32, _ name: String) throws(CallFailure) -> Bool {
        guard value == 0 || value == 1 else { throw .value("gesture_options." + name, value, mustBe: "0 or 1") }
        return value == 1
    }
}

extension ImageOrientation {
    fileprivate init(options: gesture_options) throws(CallFailure) {
        guard
            let orientation = ImageOrientation(
                rawValue: options.orientation == 0 ? GESTURE_ORIENTATION_UP : Int(options.orientation))
        else { throw .value("gesture_options.orientation", options.orientation, mustBe: "from 1 to 8, or 0 for 1") }
        self = orientation
    }
}
