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
/// | `post.median_frames`, `post.begin_frames`, `post.begin_confidence`, `post.end_frames` | defaults of recognition |
/// | `post.return_ms`, `post.return_strokes` | likewise: milliseconds, and a JSON object from labels to labels; none without them |
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
        /// Logit vectors in the median, odd.
        package var medianFrames: Int
        /// Consecutive frames of one class that begin a gesture.
        package var beginFrames: Int
        /// Probability that each of them must exceed, 0 to 1.
        package var beginConfidence: Float
        /// Consecutive frames of another class, or of none, that end it.
        package var endFrames: Int
        /// Milliseconds after a gesture's end in which its return stroke does not begin.
        package var returnMilliseconds: Int
        /// Label of a gesture to that of what its way back looks like; neither is null's.
        package var returnStrokes: [String: String]

        /// The defaults are the project's behaviour specification's.
        package init(
            medianFrames: Int = 5, beginFrames: Int = 3, beginConfidence: Float = 0.85, endFrames: Int = 2,
            returnMilliseconds: Int = 0, returnStrokes: [String: String] = [:]
        ) {
            self.medianFrames = medianFrames
            self.beginFrames = beginFrames
            self.beginConfidence = beginConfidence
            self.endFrames = endFrames
            self.returnMilliseconds = returnMilliseconds
            self.returnStrokes = returnStrokes
        }
    }

    package static let format = "gesture-model"
    /// Version 1 had no content hash. It is refused: a file of this version could else lose the hash by damage alone.
    package static let version = 2
    package static let activationScalePrefix = "activation_scale."
    /// Most classes, and most frames in any count of `PostProcessing`.
    package static let countLimit = 1024
    /// Longest `PostProcessing.returnMilliseconds`.
    package static let returnLimit = 60_000

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
