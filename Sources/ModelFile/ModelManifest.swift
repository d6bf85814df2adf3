/// What a gesture model says about itself: a typed view of the safetensors file's `__metadata__`.
///
/// | key | value |
/// |---|---|
/// | `format`, `format_version` | `gesture-model`, `2` |
/// | `content_xxh64` | the file's `ContentHash`, which `ModelFile` checks and writes; no part of the manifest |
/// | `network` | the network's name |
/// | `precision` | `int8`, `float16` or `float32` |
/// | `labels` | the classes in the order of the logits, a JSON array of strings |
/// | `null_index` | which of them means "no gesture" |
/// | `activation_scale.<layer>` | the scale of that layer's output; int8 models have one a layer but the classifier |
/// | `post.median_ms`, `post.begin_ms`, `post.begin_confidence`, `post.end_ms` | defaults of recognition, times in milliseconds |
/// | `post.median_frames`, `post.begin_frames`, `post.end_frames` | instead of those three: columns of the model |
/// | `post.unsure_end_ms` | likewise, may be absent |
/// | `post.class_confidence` | what replaces `post.begin_confidence` for single classes: a JSON object from labels to decimals, as text; may be absent |
/// | `post.return_ms`, `post.return_strokes` | likewise: milliseconds, and a JSON object from labels to labels; none without them |
/// | `post.once_ms` | within so many milliseconds a class is told once; 0 without it |
/// | `calibration`, `training`, `source_sha256` | provenance; each may be absent |
///
/// Other keys are kept in `additional` and written back.
package struct ModelManifest: Sendable, Equatable {
    /// How the weights are stored; raw values are the metadata's.
    package enum Precision: String, Sendable, CaseIterable {
        case int8
        case float16
        case float32
    }

    /// What turns logits into events unless the app says otherwise.
    package struct PostProcessing: Sendable, Equatable {
        /// Logit vectors in the median; in frames an odd number.
        package var median: RecognitionExtent
        /// Of one class without a break, which begins a gesture.
        package var begin: RecognitionExtent
        /// Probability that each of its frames must exceed, 0 to 1.
        package var beginConfidence: Float
        /// The same for single classes by their labels, null's not among them; 0 or more, less than 1.
        package var classConfidence: [String: Float]
        /// Of another class, or of none, without a break, which ends it.
        package var end: RecognitionExtent
        /// Without the class, however unsure, which ends it; nil is 12 frames beside an end in frames, and 400 ms beside one in
        /// milliseconds, but never less than the end.
        package var unsureEndMilliseconds: Int?
        /// Milliseconds after a gesture's end in which its return stroke does not begin.
        package var returnMilliseconds: Int
        /// Label of a gesture to that of what its way back looks like; neither is null's.
        package var returnStrokes: [String: String]
        /// Milliseconds within which the same class is the same gesture.
        package var onceMilliseconds: Int

        /// The defaults are the project's behaviour specification's.
        package init(
            median: RecognitionExtent = .frames(5), begin: RecognitionExtent = .frames(3),
            beginConfidence: Float = 0.85, classConfidence: [String: Float] = [:], end: RecognitionExtent = .frames(2),
            unsureEndMilliseconds: Int? = nil, returnMilliseconds: Int = 0, returnStrokes: [String: String] = [:],
            onceMilliseconds: Int = 0
        ) {
            self.median = median
            self.begin = begin
            self.beginConfidence = beginConfidence
            self.classConfidence = classConfidence
            self.end = end
            self.unsureEndMilliseconds = unsureEndMilliseconds
            self.returnMilliseconds = returnMilliseconds
            self.returnStrokes = returnStrokes
            self.onceMilliseconds = onceMilliseconds
        }

        /// What `unsureEndMilliseconds` says, or what stands for nil.
        package var unsureEnd: RecognitionExtent {
            if let unsureEndMilliseconds { return .milliseconds(unsureEndMilliseconds) }
            return switch end {
            case .frames(let count): .frames(max(count, 12))
            case .milliseconds(let count): .milliseconds(max(count, 400))
            }
        }

        /// The same with every count in milliseconds, where columns have a rate; else as it is.
        package func inMilliseconds(columnRate: Int?) -> PostProcessing {
            var post = self
            post.median = median.inMilliseconds(columnRate: columnRate)
            post.begin = begin.inMilliseconds(columnRate: columnRate)
            post.end = end.inMilliseconds(columnRate: columnRate)
            return post
        }
    }

    package static let format = "gesture-model"
    /// Version 1 had no content hash. It is refused: a file of this version could else lose the hash by damage alone.
    package static let version = 2
    package static let activationScalePrefix = "activation_scale."
    /// Most classes, and most frames in any count of `PostProcessing`.
    package static let countLimit = 1024
    /// Longest `PostProcessing.returnMilliseconds` and `onceMilliseconds`.
    package static let returnLimit = 60_000
    /// Longest median in milliseconds: 31 slots at 120 a second.
    package static let medianLimit = 266
    /// Longest of the other counts in milliseconds: 600 slots at 120 a second.
    package static let extentLimit = 5000

    package var network: String
    package var precision: Precision
    /// Class names in the order of the logits: at least two, none empty, none twice.
    package var labels: [String]
    /// Index of the class that means "no gesture".
    package var nullIndex: Int
    /// Layer name to the scale of its output: the real value of one step of the uint8 code.
    package var activationScales: [String: Float]
    package var postProcessing: PostProcessing
    /// What the activation scales were measured on.
    package var calibration: String?
    /// How the weights came to be.
    package var training: String?
    /// SHA-256 of the checkpoint that the model was made of, 64 lowercase hexadecimal digits.
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
