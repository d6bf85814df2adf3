package import ModelFile

/// Why a checkpoint could not be imported. `description` makes a sentence of it.
package enum ImportError: Error, Sendable, Equatable {
    /// A file of tensors or a JSON text was rejected.
    case file(ModelFileError)
    /// The format of the bytes is unknown.
    case unknownFormat
    /// The format is known but cannot be read.
    case unsupportedFormat(ModelFileError.FileFormat)
    /// Neither a TFLite file nor a bundle of such files, but of this format; nil for an unknown one.
    case noNetwork(ModelFileError.FileFormat?)
    /// Not an archive of arrays, but of this format; nil for an unknown one.
    case noArrays(ModelFileError.FileFormat?)
    /// A JSON text of this content is needed, and the bytes are of this format; nil for an unknown one.
    case json(JSONContent, found: ModelFileError.FileFormat?)
    /// The file's extension and its bytes indicate different formats.
    case formatConflict(fileExtension: String, found: ModelFileError.FileFormat)

    /// A TFLite file was rejected.
    case tflite(TFLiteError)
    /// A zip archive was rejected.
    case archive(ZipArchive.Fault)
    /// A NumPy array, or an archive of them, was rejected.
    case numpy(tensor: String, NumPyFault)
    /// A PyTorch file was rejected.
    case torch(TorchFault)
    /// An ONNX model was rejected.
    case onnx(ONNXFault)
    /// A dictionary was chosen of a file of this format, which has none.
    case entryUnused(ModelFileError.FileFormat)
    /// The tensors have more elements together than are read.
    case tooManyElements(limit: Int)
    /// A bundle has no network with this name; the name is empty if none was given and the bundle has not exactly one.
    case entryMissing(String, available: [String])

    /// The file lists the files that a checkpoint is divided into.
    case shardIndex([String])
    /// The checkpoint has several networks, whose tensors have these prefixes.
    case severalNetworks([String])
    /// No tensor's name begins with the requested prefix.
    case prefixMissing(String)
    /// Two tensors of the checkpoint have the same name once prefixes are dropped and names mapped.
    case nameCollision(name: String, first: String, second: String)
    /// The name map renames a tensor that the checkpoint does not have.
    case mapSourceMissing(String)
    /// The name map renames this tensor to something other than text.
    case mapValue(String)
    /// The name map gives two tensors the same name.
    case mapTargetTwice(String)
    /// The checkpoint's tensors differ from the network's.
    case mismatch(TensorMismatch)

    /// An element is NaN or infinite, in the checkpoint or (for F64) after conversion to float32.
    case notFinite(tensor: String, index: Int)
    /// A running variance is below zero.
    case negativeVariance(tensor: String, index: Int)
    /// Folding BatchNorm into this channel leaves the range of float32.
    case foldOverflow(layer: String, channel: Int)
    /// Values that the model stores as float16 exceed 65,504: `count` in this tensor; this is the first.
    case halfOverflow(tensor: String, index: Int, value: Float, count: Int)
    /// No float16 scale keeps this channel's weights within 127 steps and its bias within 2^30.
    case scaleOverflow(layer: String, channel: Int)

    /// The class labels are not a list that a manifest can hold, or lack the null class.
    case labels([String], nullLabel: String)
    /// A text of labels is a map between labels and indices; these are its labels by their indices, if they can be told.
    case labelMap([String])
    /// A text of labels has a key other than `labels` and `null`.
    case headKey(String)
    /// A text of labels has no `labels`.
    case headWithoutLabels
    /// The labels are more or fewer than the classifier's rows.
    case headCount(labels: Int, rows: Int)
    /// The class labels break a rule of models.
    case label(ModelManifest.LabelFault)
    /// No row of the classifier has the label for no gesture.
    case headWithoutNull(String)
    /// These gestures of the project are not among the classifier's classes.
    case headDrops([String])
    /// An int8 model needs activation scales, which are measured on frames, and there were no frames.
    case calibrationRequired
    /// A default of recognition, given by this option, is out of range or does not fit the model.
    case setting(option: String, value: String, rule: String)
    /// A calibration frame has another size than 224x224.
    case frameSize(found: Int)
    /// An input of a graph has another number of elements than its shape, or there are more or fewer inputs.
    case inputSize(value: String, expected: Int, found: Int)
    /// An int8 graph that is to be corrected was not made from this network, or has been corrected already.
    case otherGraph
    /// A percentile outside 50 to 100.
    case percentile(Double)
    /// A layer's output became NaN on the calibration frames.
    case activationNotFinite(layer: String)

    /// The model has more bytes than the format allows.
    case modelTooLarge(bytes: Int, limit: Int)
}

extension ImportError: FileError {
    /// Whether `description` names the file.
    package var namesItsFile: Bool {
        switch self {
        case .file(let error): error.namesItsFile
        default: false
        }
    }
}

/// What a JSON text from the user has to contain.
package enum JSONContent: Sendable, Equatable {
    case labels
    case head
    case names
}

/// All differences between a checkpoint's tensors and the network's; lists are in the network's order or sorted.
package struct TensorMismatch: Sendable, Equatable {
    package struct Shape: Sendable, Equatable {
        package let tensor: String
        package let expected: [Int]
        package let found: [Int]
    }

    package struct ElementType: Sendable, Equatable {
        package let tensor: String
        package let found: String

        package init(tensor: String, found: String) {
            self.tensor = tensor
            self.found = found
        }
    }

    package var missing: [String] = []
    package var unexpected: [String] = []
    package var shapes: [Shape] = []
    /// Tensors whose elements are not floats.
    package var types: [ElementType] = []

    package init() {}

    package var isEmpty: Bool { self == TensorMismatch() }
}

/// Returns what `body` returns, and rethrows its errors as `ImportError`.
func importing<T>(_ body: () throws(ModelFileError) -> T) throws(ImportError) -> T {
    do throws(ModelFileError) {
        return try body()
    } catch {
        throw .file(error)
    }
}
