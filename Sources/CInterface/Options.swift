import CGesture
import Frames
import GestureEngine
import HandPointer
import HandTracking
import Scheduling
import Vocabulary

extension GestureEngine.Configuration {
    /// The configuration of a stream, a hand tracker or a still image.
    /// - Parameters:
    ///   - options: NULL means the defaults.
    ///   - engine: whose thresholds those of the options change.
    init(_ options: UnsafePointer<gesture_options>?, of engine: GestureEngine) throws(CallFailure) {
        let options =
            unsafe try CallersStruct.read(options, "gesture_options", empty: gesture_options()) ?? gesture_options()
        guard let rate = unsafe PacingConfiguration.Rate(rawValue: options.rate == 0 ? 30 : Int(options.rate)) else {
            throw unsafe .value("gesture_options.rate", options.rate, mustBe: "30, 60 or 120, or 0 for 30")
        }
        self.init(rate: rate)
        orientation = unsafe try ImageOrientation(exif: options.orientation, "gesture_options.orientation")
        if unsafe options.maximum_hands != 0 { maximumHands = unsafe Int(options.maximum_hands) }
        if unsafe options.minimum_palm_score != 0 {
            advanced.hands.minimumPalmScore = unsafe options.minimum_palm_score
        }
        if unsafe options.minimum_presence != 0 { advanced.hands.minimumPresence = unsafe options.minimum_presence }
        let holds = unsafe try flag(options.held_poses, "gesture_options.held_poses")
        let pinches = unsafe try flag(options.pinch, "gesture_options.pinch")
        if holds || pinches {
            heldPoses = HeldPoseConfiguration(
                gestures: holds ? HeldPoseConfiguration.defaultGestures : [:], pinch: pinches ? "pinch" : nil)
        }
        if unsafe try flag(options.is_smoothed, "gesture_options.is_smoothed") {
            advanced.hands.isSmoothed = true
        }
        if unsafe try flag(options.detects_in_every_frame, "gesture_options.detects_in_every_frame") {
            advanced.hands.detectionInterval = .zero
            advanced.hands.stillness = nil
        }
        switch unsafe options.sensitivity {
        case -1: sensitivity = .low
        case 0: sensitivity = .medium
        case 1: sensitivity = .high
        default: throw unsafe .value("gesture_options.sensitivity", options.sensitivity, mustBe: "-1, 0 or 1")
        }
        if let set = unsafe options.user_gestures {
            userGestures = unsafe try userGestureSets.object(set).gestures
        }
        unsafe try setPointer(options)
        unsafe try setWake(options)
        unsafe try setRecognition(options, of: engine)
        do { try validate() } catch { throw CallFailure(error) }
    }

    private mutating func setPointer(_ options: gesture_options) throws(CallFailure) {
        let numbers = unsafe [
            options.pointer_x, options.pointer_y, options.pointer_width, options.pointer_height,
        ]
        let region =
            numbers.allSatisfy { $0 == 0 }
            ? HandPointer.Configuration.Region()
            : HandPointer.Configuration.Region(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        switch unsafe Int(options.pointer) {
        case GESTURE_POINTER_NONE: pointer = nil
        case GESTURE_POINTER_MIRRORED: pointer = HandPointer.Configuration(region: region)
        case GESTURE_POINTER_UNMIRRORED: pointer = HandPointer.Configuration(region: region, isMirrored: false)
        default: throw unsafe .value("gesture_options.pointer", options.pointer, mustBe: "from 0 to 2")
        }
    }

    private mutating func setWake(_ options: gesture_options) throws(CallFailure) {
        guard unsafe options.wake_pose != 0 else { return }
        let poses = TrackedHand.Pose.Name.allCases
        guard unsafe poses.indices.contains(Int(options.wake_pose)) else {
            throw unsafe .value("gesture_options.wake_pose", options.wake_pose, mustBe: "from 0 to \(poses.count - 1)")
        }
        var wake = Wake(pose: unsafe poses[Int(options.wake_pose)])
        if unsafe options.wake_hold != 0 { wake.hold = unsafe .nanoseconds(options.wake_hold) }
        if unsafe options.wake_window != 0 { wake.window = unsafe .nanoseconds(options.wake_window) }
        advanced.wake = wake
    }

    /// Changes the thresholds and classes of the model's file, if the options say something of them.
    private mutating func setRecognition(_ options: gesture_options, of engine: GestureEngine) throws(CallFailure) {
        let confidence = unsafe options.begin_confidence
        let allowed = unsafe try Self.labels(
            options.allowed_classes, options.allowed_class_count, "gesture_options.allowed_classes")
        let denied = unsafe try Self.labels(
            options.denied_classes, options.denied_class_count, "gesture_options.denied_classes")
        let thresholds = unsafe try Self.thresholds(options.thresholds, options.threshold_count)
        guard confidence != 0 || allowed != nil || denied != nil || !thresholds.isEmpty else { return }
        var rules = engine.defaultRecognition(at: rate, sensitivity: sensitivity)
        if confidence != 0 { rules.setBeginConfidence(ofAllClasses: confidence) }
        for (label, confidence) in thresholds {
            rules.overrides[.label(label), default: .init()].beginConfidence = confidence
        }
        rules.allowedClasses = allowed.map { Set($0.map { .label($0) }) }
        rules.deniedClasses = Set((denied ?? []).map { .label($0) })
        recognition = rules
    }

    /// The caller's labels; nil for NULL.
    private static func labels(
        _ labels: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
    ) throws(CallFailure) -> [String]? {
        let labels = unsafe try elements(labels, count, name)
        guard unsafe labels.baseAddress != nil else { return nil }
        var texts: [String] = []
        for index in labels.indices {
            guard let text = unsafe try Networks.text(labels[index], "\(name)[\(index)]") else {
                throw .null("\(name)[\(index)]")
            }
            texts.append(text)
        }
        return texts
    }

    private static func thresholds(
        _ thresholds: UnsafePointer<gesture_threshold>?, _ count: Int
    ) throws(CallFailure) -> [(label: String, confidence: Float)] {
        let name = "gesture_options.thresholds"
        var found: [(label: String, confidence: Float)] = []
        let thresholds = unsafe try elements(thresholds, count, name)
        for index in thresholds.indices {
            guard let label = unsafe try Networks.text(thresholds[index].label, "\(name)[\(index)].label") else {
                throw .null("\(name)[\(index)].label")
            }
            unsafe found.append((label, thresholds[index].confidence))
        }
        return found
    }
}

/// A flag of a caller's struct.
func flag(_ value: Int32, _ name: String) throws(CallFailure) -> Bool {
    guard value == 0 || value == 1 else { throw .value(name, value, mustBe: "0 or 1") }
    return value == 1
}

extension ImageOrientation {
    /// - Parameter name: of the field, for sentences.
    init(exif value: Int32, _ name: String) throws(CallFailure) {
        guard let orientation = ImageOrientation(rawValue: value == 0 ? GESTURE_ORIENTATION_UP : Int(value)) else {
            throw .value(name, value, mustBe: "from 1 to 8, or 0 for 1")
        }
        self = orientation
    }
}
