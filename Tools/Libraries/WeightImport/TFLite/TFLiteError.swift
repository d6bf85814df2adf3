package import ModelFile

/// Why a TFLite file was not made into a graph. Every case carries what a message needs; none is a sentence.
package enum TFLiteError: Error, Sendable, Equatable {
    /// The file could not be read.
    case file(ModelFileError)
    /// The bytes do not say `TFL3` where a TFLite file does.
    case notTFLite
    /// The flatbuffer breaks: what was to be read would begin or end outside the bytes, or cannot stand there.
    case malformed(Structure, offset: Int)
    /// A list or a file is longer than accepted.
    case tooMany(Structure, count: Int, limit: Int)
    /// A schema version other than 3.
    case version(Int)
    /// A file of none or several subgraphs.
    case subgraphCount(Int)
    /// An input or output of the graph that is a constant, or a tensor that there is not.
    case ends(tensor: Int)
    case tensor(String, TensorFault)
    /// The operator at `index` of the file; `operation` is its name in the schema.
    case operation(Int, operation: String, OperationFault)
    /// The graph that was read cannot be run.
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
        /// A type other than its place needs, by its name in the schema.
        case type(found: String, expected: String)
        /// Its constant has another number of bytes than its shape and type need.
        case byteCount(expected: Int, found: Int)
        /// Its constant lies behind the flatbuffer, and there is no room for it in the file.
        case externalBuffer(offset: Int, size: Int, fileSize: Int)
        /// Its index of a buffer is none.
        case buffer(Int)
        /// A constant that is NaN or infinite.
        case notFinite(index: Int)
        /// The description of its sparse storage contradicts its shape or its values.
        case sparsity
        /// It keeps a state between runs.
        case variable
    }

    package enum OperationFault: Sendable, Equatable {
        /// An operator that cannot be read; `operation` names it.
        case unsupported
        /// A fused activation that cannot be read, by its name in the schema.
        case activation(String)
        /// A dilation other than 1.
        case dilation(Int, Int)
        /// More than one output channel an input channel.
        case depthMultiplier(Int)
        /// An option with a value that the operator cannot have here.
        case option(String, Int)
        /// Its options are of another operator.
        case optionsType(Int)
        /// It has fewer or more inputs or outputs than it may.
        case operandCount(inputs: Int, outputs: Int)
        /// An index that is no tensor's, or a missing operand.
        case operand(Int)
        /// The tensor must be a constant and is not.
        case notConstant(String)
        /// The tensor must not be a constant and is one.
        case constant(String)
        /// A constant operand has another shape or other values than can be read.
        case constantOperand(String)
    }
}
