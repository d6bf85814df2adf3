public import ModelFile
public import Vocabulary

/// Why a gesture could not be enrolled, or a file of enrolled gestures not be read. Every case carries its numbers; log-odds
/// are natural logarithms of p / (1 - p), so 0 is 50% and 1.73 is 85%.
public enum EnrolmentError: Error, Sendable, Equatable {
    // MARK: Files

    /// The file is broken, or a key or tensor is missing, superfluous or malformed.
    case file(ModelFileError)
    /// The file is of another kind; nil where it does not say.
    case wrongFormat(expected: String, found: String?)
    /// Made with another model: the SHA-256 of both.
    case otherModel(expected: String, found: String)

    /// A bank has room for so many classes.
    case tooManyClasses(Int, limit: Int)

    // MARK: Labels

    /// A label that is empty, too long, or has control characters.
    case invalidLabel(String)
    /// The model or another user gesture has this label.
    case labelTaken(String)
    /// No user gesture has this label.
    case unknownLabel(String)
    /// There is no room for another gesture.
    case tooManyGestures(limit: Int)

    // MARK: Recordings

    /// Values that are not whole slots, or another number of slots in features and logits.
    case recordingShape(features: Int, logits: Int)
    /// A recording of a model with other numbers of features or classes.
    case otherRecording(recording: Int, features: Int, classes: Int)
    /// A feature, or where `feature` is nil a logit, of this slot is not a finite number.
    case notFinite(slot: Int, feature: Int?)
    /// A number of examples that cannot be used.
    case recordingCount(Int, allowed: ClosedRange<Int>)
    /// The slots that are said to show the gesture are none, or not all in the recording.
    case gestureRange(recording: Int, Range<Int>, slots: Int)
    /// Too few slots to find the gesture in.
    case tooShort(recording: Int, slots: Int, required: Int)
    /// The recording's middle differs from its start and end by less than this many times what they differ among themselves.
    case noActivity(recording: Int, contrast: Double, required: Double)
    /// Two examples are the same recording.
    case duplicateRecording(Int, Int)
    /// Too few slots that do not show the gesture: neither a bank, nor a recording of nothing, nor rest in the examples.
    case noBackground(slots: Int, required: Int)

    // MARK: Collisions

    /// So many of the examples are recognised as an existing class already.
    case alreadyRecognised(label: String, recordings: Int, of: Int)
    /// This share of an existing class's columns, which the fit had not seen, would be taken for the new gesture.
    case firesOnClass(label: String, share: Double, limit: Double)
    /// This share of a background recording's slots, which the fit had not seen, would be taken for the new gesture.
    case firesOnBackground(recording: Int, share: Double, limit: Double)
    /// Too many examples, these, are not recognised by a fit of all the others: the lowest of their best log-odds that last
    /// long enough. One among many is likely another gesture; most of them are too few or too different.
    case examplesDisagree(recordings: [Int], of: Int, logOdds: Double, required: Double)
    /// The same by the fit that saw them.
    case inseparable(recordings: [Int], of: Int, logOdds: Double, required: Double)

    // MARK: Numbers

    /// A value of the configuration is out of its range.
    case configuration(ConfigurationError)
    /// The solve did not reach its minimum: half the squared Newton decrement that was left.
    case notConverged(decrement: Double)
}
