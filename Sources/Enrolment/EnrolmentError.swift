public import ModelFile
public import Vocabulary

/// Why a gesture cannot be enrolled, or a file of enrolled gestures cannot be read. Every case carries its numbers.
/// Log-odds are natural logarithms of p / (1 - p): 0 is 50% and 1.73 is 85%.
public enum EnrolmentError: Error, Sendable, Equatable {
    // MARK: Files

    /// The file is broken, or a key or tensor is missing, superfluous or malformed.
    case file(ModelFileError)
    /// The file has another format; nil if it names none.
    case wrongFormat(expected: String, found: String?)
    /// The file was made with another model; the SHA-256 of both.
    case otherModel(expected: String, found: String)

    /// The model has more classes than a bank can hold.
    case tooManyClasses(Int, limit: Int)

    // MARK: Labels

    /// The label is empty, too long, or has control characters.
    case invalidLabel(String)
    /// The model or another user gesture has this label.
    case labelTaken(String)
    /// No user gesture has this label.
    case unknownLabel(String)
    /// No more gestures can be added.
    case tooManyGestures(limit: Int)

    // MARK: Recordings

    /// The values are not whole slots, or features and logits differ in the number of slots.
    case recordingShape(features: Int, logits: Int)
    /// The recording's model has another number of features or classes.
    case otherRecording(recording: Int, features: Int, classes: Int)
    /// A feature of this slot is not finite, or a logit if `feature` is nil.
    case notFinite(slot: Int, feature: Int?)
    /// The number of examples cannot be used.
    case recordingCount(Int, allowed: ClosedRange<Int>)
    /// The given slots of the gesture are empty or not all in the recording.
    case gestureRange(recording: Int, Range<Int>, slots: Int)
    /// The recording is too short to find the gesture in it; both numbers are seconds from its first frame on.
    case tooShort(recording: Int, seconds: Double, required: Double)
    /// The recording's middle differs from its start and end by less than this multiple of their own differences.
    case noActivity(recording: Int, contrast: Double, required: Double)
    /// No hand is held still in the recording of a pose.
    case noHold(recording: Int)
    /// Two examples are the same recording.
    case duplicateRecording(Int, Int)
    /// Too few seconds without the gesture: those of the bank, of the background recordings and of the rest in the examples
    /// are counted together.
    case noBackground(seconds: Double, required: Double)

    // MARK: Collisions

    /// That many of the examples are already recognised as an existing class.
    case alreadyRecognised(label: String, recordings: Int, of: Int)
    /// This share of an existing class's columns, unseen by the fit, would be taken for the new gesture.
    case firesOnClass(label: String, share: Double, limit: Double)
    /// This share of a background recording's slots, unseen by the fit, would be taken for the new gesture.
    case firesOnBackground(recording: Int, share: Double, limit: Double)
    /// A movement is made up so often a minute in the background that comes with the model, and with a bias that makes it
    /// seldom enough only `found` of its examples are events.
    case madeUp(perMinute: Double, limit: Double, found: Int, of: Int)
    /// Too many examples are not recognised by a fit of all the others; `logOdds` is the lowest of their best sustained
    /// log-odds. A single one is probably another gesture; if it is most of them, they are too few or too different.
    case examplesDisagree(recordings: [Int], of: Int, logOdds: Double, required: Double)
    /// The same for the fit of the examples.
    case inseparable(recordings: [Int], of: Int, logOdds: Double, required: Double)

    // MARK: Poses

    /// The poses of these recordings are farther than `limit` from those of all others.
    case posesDiffer(recordings: [Int], distance: Double, limit: Double)
    /// Another pose of the user's is nearer than `required`.
    case poseTooNear(label: String, distance: Double, required: Double)
    /// A background recording shows a pose that is nearer than `required`.
    case poseInBackground(recording: Int, distance: Double, required: Double)

    // MARK: Numbers

    /// A value of the configuration is out of its range.
    case configuration(ConfigurationError)
    /// The solve did not converge; half the squared Newton decrement that was left.
    case notConverged(decrement: Double)
}
