import ModelFile

extension TFLiteError: CustomStringConvertible {
    /// One sentence for the user.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .notTFLite: "The file is not a TFLite file."
        case .malformed(let structure, let offset):
            "The TFLite file is broken at byte \(offset), in a \(structure.rawValue)."
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

extension ZipArchive.Fault: CustomStringConvertible {
    /// One sentence for the user.
    package var description: String {
        switch self {
        case .directory: "The zip archive has no directory at its end."
        case .malformed(let offset): "The zip archive is broken at byte \(offset)."
        case .tooManyEntries(let limit): "The zip archive has more than \(limit) members."
        case .unsupported: "The zip archive spans several files or needs 64-bit sizes."
        case .name(let name): "The zip archive has a member with the invalid name '\(name.excerpt())'."
        case .encrypted(let name): "\(name.excerpt()) of the zip archive is encrypted."
        case .compressed(let name, let method):
            "\(name.excerpt()) of the zip archive is compressed (method \(method)); uncompressed members can be read."
        case .contradiction(let name): "The zip archive's two headers of \(name.excerpt()) contradict each other."
        case .overlap(let name): "\(name.excerpt()) of the zip archive overlaps the member before."
        case .checksum(let name): "\(name.excerpt()) of the zip archive differs from the checksum in its header."
        case .tooDeep(let name, let limit):
            "\(name.excerpt()) is an archive inside \(limit) others; archives are read \(limit) deep."
        }
    }
}
