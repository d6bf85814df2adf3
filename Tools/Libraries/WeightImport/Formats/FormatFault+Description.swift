import ModelFile
import NumPyFormat

extension NumPyFault {
    /// What is wrong with the array, to follow its name.
    var clause: String {
        switch self {
        case .member: "of the archive is no array: its name does not end in .npy"
        case .header(let fault): fault.clause
        case .truncated: "ends inside its header"
        case .type(let type): "has elements of the type '\(type.excerpt())'; only numbers can be read"
        case .tooManyDimensions(let count, let limit): "has \(count) dimensions; \(limit) is the limit"
        case .shape(let shape): "has the shape \(shape), which is too large"
        case .size(let expected, let found): "has \(found) bytes of elements; its shape and type need \(expected)"
        }
    }
}

extension TorchFault: CustomStringConvertible {
    /// One sentence for the user, or two.
    package var description: String {
        switch self {
        case .pickleMissing: "The PyTorch file has not exactly one data.pkl."
        case .byteOrder: "The PyTorch file states an unknown byte order."
        case .pickle(let fault): fault.description
        case .keyTwice(let key): "A dictionary of the PyTorch file has the key \(key.excerpt()) twice."
        case .noTensors: "The PyTorch file has no dictionary of tensors."
        case .entry(let name, let available):
            (name.isEmpty
                ? "Several dictionaries of the PyTorch file have tensors"
                : "The PyTorch file has no tensors called \(name.excerpt())")
                + (available.isEmpty
                    ? "."
                    : ". Choose one with --entry: \(available.prefix(20).map { $0.excerpt() }.joined(separator: ", ")).")
        case .unreadable(let tensor, let kind):
            "\(tensor.excerpt()) is a value of another kind than a plain tensor (\(kind.excerpt())), which is not read. "
                + Self.advice(kind) + " Then save the state dict again."
        case .storage(let tensor, let key):
            "The elements of \(tensor.excerpt()), in data/\(key.excerpt()) of the PyTorch file, are missing or have "
                + "another size than it states."
        case .view(let tensor): "The sizes and strides of \(tensor.excerpt()) lead outside its elements."
        }
    }
}

extension TorchFault {
    /// The call that makes a plain tensor of a value of this kind.
    fileprivate static func advice(_ kind: String) -> String {
        if kind.contains("sparse") { return "Sparse tensors: call tensor.to_dense()." }
        if kind.contains("qtensor") || kind.contains("quantized") {
            return "Quantised tensors: call tensor.dequantize()."
        }
        if kind.contains("numpy") { return "NumPy arrays: call torch.from_numpy(array)." }
        if kind.contains("Complex") || kind.contains("complex") {
            return "Complex numbers: the network's weights are float; save tensor.real."
        }
        return "Tensors of float8 and other newer types: call tensor.float()."
    }
}

extension PickleFault: CustomStringConvertible {
    /// One sentence for the user, or two.
    package var description: String {
        switch self {
        case .proto(let version?):
            "The checkpoint's pickle has protocol \(version); only 2, torch.save's default, is read."
        case .proto: "The checkpoint's data.pkl is no pickle of protocol 2."
        case .opcode(let code, let offset):
            "The checkpoint's pickle has the instruction 0x\(String(code, radix: 16)) at byte \(offset), which no state "
                + "dict needs."
        case .global(let module, let name):
            "The checkpoint's pickle names \(module.excerpt()).\(name.excerpt()), which is not run. Save only the "
                + "state dict, a dictionary of tensors."
        case .call(let name, let offset): "The checkpoint's pickle calls \(name) in an unknown way at byte \(offset)."
        case .ended: "The checkpoint's pickle ends too early."
        case .operand(let offset):
            "The checkpoint's pickle is broken at byte \(offset): an instruction lacks the values that it needs."
        case .argument(let offset): "The checkpoint's pickle is broken at byte \(offset)."
        case .trailingBytes(let count): "The checkpoint's pickle has \(count) bytes after its end."
        case .tooLarge(let limit): "The checkpoint's pickle is too large: it exceeds the limit of \(limit.clause)."
        }
    }
}

extension PickleFault.Limit {
    fileprivate var clause: String {
        switch self {
        case .values: "\(Pickle.nodeLimit) values"
        case .stack: "\(Pickle.stackLimit) values on its stack"
        case .marks: "\(Pickle.markLimit) marks"
        case .memo: "\(Pickle.memoLimit) remembered values"
        case .text: "\(Pickle.textLimit) bytes for a text"
        }
    }
}

extension ONNXFault: CustomStringConvertible {
    /// One sentence for the user, or two.
    package var description: String {
        switch self {
        case .wire(let fault): fault.description
        case .structure(let fault): "The ONNX model has \(fault)."
        case .tooMany(let kind, let limit): "The ONNX model has more than \(limit) \(kind), the limit."
        case .tensor(let name, let fault): "The ONNX model's constant \(name.excerpt()) \(fault.clause)."
        case .quantisedOperator(let operation):
            "The ONNX model has the operator \(operation.excerpt()). Quantised weights are read where DequantizeLinear "
                + "follows them (QDQ format)."
        case .epsilon(let name, let value):
            "BatchNorm \(name.excerpt()) has the epsilon \(value) instead of \(FoldedNetwork.batchNormEpsilon). Fold "
                + "it into its convolution before the export."
        case .sparse:
            "The ONNX model has sparse constants, which cannot be read. Export the model with dense weights "
                + "(weight.to_dense())."
        case .otherNetwork(let other): other.description
        case .dataFile(let name, let error): "\(name.excerpt()), which has the model's weights: \(error.description)"
        case .nameTwice(let name): "The ONNX model has two values called \(name.excerpt())."
        }
    }
}

extension ONNXFault.TensorFault {
    fileprivate var clause: String {
        switch self {
        case .external:
            "has its values in another file, which is not given. Save the model as one file: "
                + "onnx.save(onnx.load(\"model.onnx\"), \"one-file.onnx\")"
        case .externalPath(let path):
            "has its values in \(path.excerpt()). Only regular files in the model's own folder are read. Save the model as "
                + "one file: onnx.save(onnx.load(\"model.onnx\"), \"one-file.onnx\")"
        case .externalMissing(let name):
            "has its values in \(name.excerpt()), which is not beside the model. Put that file into the model's folder, or "
                + "export with external_data=False"
        case .externalRange(let name): "has its values outside of \(name.excerpt())"
        case .segment: "is a segment of a larger tensor"
        case .shape(let shape): "has the shape \(shape), which is negative or too large"
        case .tooManyDimensions(let limit): "has more than \(limit) dimensions, the limit"
        case .type(let type): "has elements of type \(type), which cannot be read"
        case .dataField: "has no values, values of another type, or values in several fields"
        case .elementCount(let expected, let found): "has \(found) elements; its shape needs \(expected)"
        case .range: "has a number outside the range of its type"
        case .dequantisation: "has scales or zero points that do not fit it or are not constant"
        }
    }
}

extension ProtobufFault: CustomStringConvertible {
    /// One sentence for the user.
    package var description: String {
        switch self {
        case .number(let offset): "The ONNX model is broken at byte \(offset): a number is too long."
        case .field(let offset): "The ONNX model is broken at byte \(offset): a field has an unknown kind."
        case .kind(let field, let offset):
            "The ONNX model is broken at byte \(offset): field \(field) has the wrong kind."
        case .length(let offset): "The ONNX model is broken at byte \(offset): a field goes beyond its message."
        case .text(let offset): "The ONNX model is broken at byte \(offset): a text is not UTF-8."
        }
    }
}
