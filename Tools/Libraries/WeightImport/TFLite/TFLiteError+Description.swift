import ModelFile

extension TFLiteError: CustomStringConvertible {
    /// One sentence for the user.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .notTFLite: "The file is not a TFLite file."
        case .malformed(let structure, let offset):
            "The TFLite file is broken at byte \(offset), in a \(structure.rawValue)."
        case .tooMany(.string, let count, let limit):
            "The TFLite file has a name of \(count) bytes; \(limit) is the limit."
        case .tooMany(let structure, let count, let limit):
            "The TFLite file has a list of \(count) entries in a \(structure.rawValue); \(limit) is the limit."
        case .version(let version): "The TFLite file has schema version \(version); only 3 can be read."
        case .subgraphCount(let count): "The TFLite file has \(count) subgraphs; only files with one can be read."
        case .ends(let tensor): "Tensor \(tensor) of the TFLite file cannot be an input or output of the graph."
        case .tensor(let name, let fault): "The tensor \(name.excerpt()) \(fault.clause)."
        case .operation(let index, let operation, let fault):
            "Operator \(index), \(operation.excerpt()), \(fault.clause)."
        case .graph(let fault): fault.description
        }
    }
}

extension TFLiteError.TensorFault {
    fileprivate var clause: String {
        switch self {
        case .shape(let shape): "cannot have the shape \(shape)"
        case .type(let found, let expected): "is \(found) instead of \(expected)"
        case .byteCount(let expected, let found): "has \(found) bytes; its shape and type need \(expected)"
        case .externalBuffer(let offset, let size, let fileSize):
            "has \(size) bytes of values at byte \(offset); the file has \(fileSize) bytes"
        case .buffer(let index): "names the buffer \(index), which does not exist"
        case .notFinite(let index): "has NaN or infinity at element \(index)"
        case .sparsity: "has a sparse storage that contradicts its shape or values"
        case .variable: "is a variable, which keeps its value between runs; such graphs cannot be read"
        }
    }
}

extension TFLiteError.OperationFault {
    fileprivate var clause: String {
        switch self {
        case .unsupported: "is not supported"
        case .activation(let name): "has the fused activation \(name), which is not supported"
        case .dilation(let y, let x): "has a dilation of \(y)x\(x); only 1x1 can be read"
        case .depthMultiplier(let multiplier): "has a depth multiplier of \(multiplier); only 1 can be read"
        case .option(let name, let number): "cannot have \(number) for \(name)"
        case .optionsType(let type): type == 0 ? "lacks its options" : "has options of another operator (type \(type))"
        case .operandCount(let inputs, let outputs): "cannot have \(inputs) inputs and \(outputs) outputs"
        case .operand(let index): "names the tensor \(index), which does not exist"
        case .notConstant(let name): "needs a constant for \(name.excerpt())"
        case .constant(let name): "has the constant \(name.excerpt()) where a computed value is needed"
        case .constantOperand(let name): "has a constant for its \(name) that cannot be read here"
        }
    }
}
