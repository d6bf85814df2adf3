package import ModelFile

/// Why a TFLite file could not be read as a graph. Every case carries data for a message; none is a sentence.
package enum TFLiteError: Error, Sendable, Equatable {
    /// The file could not be read.
    case file(ModelFileError)
    /// The bytes lack the `TFL3` of a TFLite file.
    case notTFLite
    /// The flatbuffer is broken: a structure would begin or end outside the bytes, or has an invalid value.
    case malformed(Structure, offset: Int)
    /// A list or a file is longer than the limit.
    case tooMany(Structure, count: Int, limit: Int)
    /// A schema version other than 3.
    case version(Int)
    /// A file without subgraphs or with several.
    case subgraphCount(Int)
    /// An input or output of the graph that is a constant or a tensor that does not exist.
    case ends(tensor: Int)
    case tensor(String, TensorFault)
    /// The operator at `index` of the file; `operation` is its name in the schema.
    case operation(Int, operation: String, OperationFault)
    /// The graph was read but cannot be run.
    case graph(ModelFileError.GraphFault)

    /// Parts of the schema.
    package enum Structure: String, Sendable, Equatable {
        case file
        case table
        case vector
        case string
        case model
        case operatorCode = "operator code"
        case buffer
        case subgraph
        case tensor
        case operation = "operator"
        case options
        case sparsity
    }

    package enum TensorFault: Sendable, Equatable {
        /// Not up to 6 positive dimensions whose product is within `NetworkGraph.elementLimit`.
        case shape([Int])
        /// Not the expected type, by its name in the schema.
        case type(found: String, expected: String)
        /// Its constant has not the number of bytes that its shape and type need.
        case byteCount(expected: Int, found: Int)
        /// Its constant lies after the flatbuffer, outside the file.
        case externalBuffer(offset: Int, size: Int, fileSize: Int)
        /// Its index of a buffer is invalid.
        case buffer(Int)
        /// A constant that is NaN or infinite.
        case notFinite(index: Int)
        /// The description of its sparse storage contradicts its shape or its values.
        case sparsity
        /// It keeps a state between runs.
        case variable
    }

    package enum OperationFault: Sendable, Equatable {
        /// The operator `operation` is not supported.
        case unsupported
        /// A fused activation that is not supported, by its name in the schema.
        case activation(String)
        /// A dilation other than 1.
        case dilation(Int, Int)
        /// More than one output channel per input channel.
        case depthMultiplier(Int)
        /// An option with a value that is not allowed here.
        case option(String, Int)
        /// Its options belong to another operator.
        case optionsType(Int)
        /// Too few or too many inputs or outputs.
        case operandCount(inputs: Int, outputs: Int)
        /// An index without a tensor, or a missing operand.
        case operand(Int)
        /// The tensor must be a constant but is not.
        case notConstant(String)
        /// The tensor is a constant but must not be.
        case constant(String)
        /// A constant operand has a shape or values that are not supported.
        case constantOperand(String)
    }
}
