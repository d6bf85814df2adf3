package import ModelFile

/// Why an ONNX model was refused.
package enum ONNXFault: Error, Sendable, Equatable {
    case wire(ProtobufFault)
    /// The file has no graph, or a field that may stand once stands twice.
    case structure(String)
    /// More than are accepted.
    case tooMany(String, limit: Int)
    case tensor(String, TensorFault)
    /// An operator with quantised weights outside of DequantizeLinear.
    case quantisedOperator(String)
    /// A BatchNorm with another epsilon than the network's.
    case epsilon(String, Float)
    /// Weights in sparse storage.
    case sparse
    /// Two values of the graph have this name.
    case nameTwice(String)
    /// The graph computes something else than the network.
    case otherNetwork(OtherNetwork)
    /// A file beside the model was rejected.
    case dataFile(String, ModelFileError)

    package enum TensorFault: Sendable, Equatable {
        /// The values are in another file, whose name or folder is unknown.
        case external
        /// This path of a file with values is no regular file in the model's folder.
        case externalPath(String)
        /// The file with the values, of this name, does not exist.
        case externalMissing(String)
        /// The values lie outside of the file of this name.
        case externalRange(String)
        /// The tensor is one segment of a larger one.
        case segment
        /// A dimension is negative, or the product is beyond the limit.
        case shape([Int])
        case tooManyDimensions(limit: Int)
        /// A type without numbers, or one that is not read, by its number.
        case type(Int)
        /// No values, or values in a field that is not its type's, or in several.
        case dataField
        case elementCount(expected: Int, found: Int)
        /// A number outside the range of its type.
        case range
        /// Scales or zero points that do not fit it.
        case dequantisation
    }
}
