/// A gesture model's description of itself: a typed view of the safetensors file's `__metadata__`.
///
/// | key | value |
/// |---|---|
/// | `format`, `format_version` | `gesture-model`, `2` |
/// | `content_xxh64` | the file's `ContentHash`, which `ModelFile` checks and writes; not part of the manifest |
/// | `network` | the network's name |
/// | `precision` | `int8`, `float16` or `float32` |
/// | `labels` | the classes in the order of the logits, a JSON array of strings |
/// | `null_index` | index of the class that means "no gesture" |
/// | `activation_scale.<layer>` | scale of that layer's output; int8 models have one per layer except the classifier |
/// | `post.median_ms`, `post.begin_ms`, `post.end_ms` | defaults of recognition, in milliseconds |
/// | `post.median_frames`, `post.begin_frames`, `post.end_frames` | instead of those three, in columns of the model |
/// | `post.begin_confidence` | default of recognition |
/// | `post.steady_ms`, `post.steady_confidence` | milliseconds of one class above a lower probability; may be absent |
/// | `post.unsure_end_ms` | likewise, in milliseconds; may be absent |
/// | `post.class_confidence` | replaces `post.begin_confidence` for single classes; may be absent |
/// | `post.return_ms`, `post.return_strokes` | milliseconds, and a map from labels to labels; may be absent |
/// | `post.once_ms` | milliseconds within which a class is reported once; 0 if absent |
/// | `post.taught` | a JSON array of labels whose classes take from null's probability alone; may be absent |
/// | `calibration`, `training`, `source_sha256` | provenance; each may be absent |
///
/// `post.class_confidence` is a JSON object from labels to decimals as strings, `post.return_strokes` one from labels
/// to labels. Other keys are kept in `additional` and written back.
package struct ModelManifest: Sendable, Equatable {
    /// How the weights are stored; raw values are the metadata's.
    package enum Precision: String, Sendable, CaseIterable {
        case int8
        case float16
        case float32
    }

    /// Defaults for turning logits into events.
    package struct PostProcessing: Sendable, Equatable {
        /// Number of logit vectors in the median; odd if in frames.
        package var median: RecognitionExtent
        /// How long one class must last without a break to begin a gesture.
        package var begin: RecognitionExtent
        /// Probability that each of its frames must exceed, 0...1.
        package var beginConfidence: Float
        /// The same for single classes by label, without null's; from 0 to below 1.
        package var classConfidence: [String: Float]
        /// What begins a gesture, too.
        package var steady: Steady?
        /// How long another class, or none, must last without a break to end it.
        package var end: RecognitionExtent
        /// How long the class must be absent to end it, however unsure the others are. Nil means 12 frames if `end` is
        /// in frames and 400 ms if it is in milliseconds, but never less than `end`.
        package var unsureEndMilliseconds: Int?
        /// Milliseconds after a gesture's end in which its return stroke cannot begin.
        package var returnMilliseconds: Int
        /// From a gesture's label to the label of its return stroke; neither is null's.
        package var returnStrokes: [String: String]
        /// Milliseconds within which the same class counts as the same gesture.
        package var mergeWindowMilliseconds: Int
        /// Labels of the classes that were added to a trained model, without null's: see `Recognizer`.
        package var taught: [String]

        /// The defaults count frames: a median of five, three to begin a gesture, two to end it.
        package init(
            median: RecognitionExtent = .frames(5), begin: RecognitionExtent = .frames(3),
            beginConfidence: Float = 0.85, classConfidence: [String: Float] = [:], steady: Steady? = nil,
            end: RecognitionExtent = .frames(2),
            unsureEndMilliseconds: Int? = nil, returnMilliseconds: Int = 0, returnStrokes: [String: String] = [:],
            mergeWindowMilliseconds: Int = 0, taught: [String] = []
        ) {
            self.median = median
            self.begin = begin
            self.beginConfidence = beginConfidence
            self.classConfidence = classConfidence
            self.steady = steady
            self.end = end
            self.unsureEndMilliseconds = unsureEndMilliseconds
            self.returnMilliseconds = returnMilliseconds
            self.returnStrokes = returnStrokes
            self.mergeWindowMilliseconds = mergeWindowMilliseconds
            self.taught = taught
        }

        /// `unsureEndMilliseconds`, or its default.
        package var unsureEnd: RecognitionExtent {
            if let unsureEndMilliseconds { return .milliseconds(unsureEndMilliseconds) }
            return switch end {
            case .frames(let count): .frames(max(count, 12))
            case .milliseconds(let count): .milliseconds(max(count, 400))
            }
        }

        /// The same with all counts in milliseconds, if columns have a rate; otherwise unchanged.
        package func inMilliseconds(columnRate: Int?) -> PostProcessing {
            var post = self
            post.median = median.inMilliseconds(columnRate: columnRate)
            post.begin = begin.inMilliseconds(columnRate: columnRate)
            post.end = end.inMilliseconds(columnRate: columnRate)
            return post
        }
    }

    /// See `RecognitionConfiguration.Steady`; the confidence is from 0 to below 1.
    package struct Steady: Sendable, Equatable {
        package let milliseconds: Int
        package let confidence: Float

        package init(milliseconds: Int, confidence: Float) {
            self.milliseconds = milliseconds
            self.confidence = confidence
        }
    }

    package static let format = "gesture-model"
    /// Version 1 had no content hash. It is refused, because a damaged version could otherwise turn the hash off.
    package static let version = 2
    package static let activationScalePrefix = "activation_scale."
    /// Maximum number of classes, and of frames in any count of `PostProcessing`.
    package static let countLimit = 1024
    /// Longest `PostProcessing.returnMilliseconds` and `mergeWindowMilliseconds`.
    package static let returnLimit = 60_000
    /// Longest median in milliseconds: 31 slots at 120 per second.
    package static let medianLimit = 266
    /// Longest other count in milliseconds: 600 slots at 120 per second.
    package static let extentLimit = 5000

    package var network: String
    package var precision: Precision
    /// Class names in the order of the logits: at least two, distinct and not empty.
    package var labels: [String]
    /// Index of the class that means "no gesture".
    package var nullIndex: Int
    /// From layer name to the scale of its output: the float value of one step of the uint8 output.
    package var activationScales: [String: Float]
    package var postProcessing: PostProcessing
    /// The data on which the activation scales were measured.
    package var calibration: String?
    /// How the weights were trained.
    package var training: String?
    /// SHA-256 of the checkpoint from which the model was made, 64 lowercase hexadecimal digits.
    package var sourceSHA256: String?
    /// Metadata of other keys.
    package var additional: [String: String]

    package init(
        network: String, precision: Precision, labels: [String], nullIndex: Int,
        activationScales: [String: Float] = [:], postProcessing: PostProcessing = PostProcessing(),
        calibration: String? = nil, training: String? = nil, sourceSHA256: String? = nil,
        additional: [String: String] = [:]
    ) {
        self.network = network
        self.precision = precision
        self.labels = labels
        self.nullIndex = nullIndex
        self.activationScales = activationScales
        self.postProcessing = postProcessing
        self.calibration = calibration
        self.training = training
        self.sourceSHA256 = sourceSHA256
        self.additional = additional
    }
}
