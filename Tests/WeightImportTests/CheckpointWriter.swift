import ModelFile

/// Checkpoints in the formats of others, written by their descriptions and with every field as a test wants it.
enum CheckpointWriter {
    struct Tensor {
        var name: String
        var shape: [Int]
        var values: [Float]
    }

    static func little(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func bytes(_ values: [Float]) -> [UInt8] { values.flatMap { little(Int($0.bitPattern), 4) } }

    // MARK: NumPy

    /// - Parameters:
    ///   - order: the text of `fortran_order`.
    ///   - shape: the text of the tuple.
    static func npy(
        type: String = "'<f4'", order: String = "False", shape: String, _ data: [UInt8], version: UInt8 = 1,
        length: Int? = nil
    ) -> [UInt8] {
        let text = "{'descr': \(type), 'fortran_order': \(order), 'shape': \(shape), }"
        let width = version == 1 ? 2 : 4
        let count = (10 + text.utf8.count + 1 + 63) / 64 * 64 - 8 - width
        let header = Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count - 1) + [0x0A]
        return [0x93] + Array("NUMPY".utf8) + [version, 0] + little(length ?? count, width) + header + data
    }

    static func npy(_ tensor: Tensor) -> [UInt8] {
        let axes = tensor.shape.map { "\($0), " }.joined()
        return npy(shape: "(\(axes))", bytes(tensor.values))
    }

    static func npz(_ tensors: [Tensor]) -> [UInt8] {
        GraphSourceTests.archive(tensors.map { .init(name: $0.name + ".npy", data: npy($0)) })
    }

    // MARK: PyTorch

    /// Instructions of pickles (protocol 2), each as `torch.save` writes it.
    enum Pickle {
        static let begin: [UInt8] = [0x80, 2]
        static let stop: [UInt8] = [0x2E]
        static let mark: [UInt8] = [0x28]
        static let dictionary: [UInt8] = [0x7D]
        static let setItems: [UInt8] = [0x75]
        static let tuple: [UInt8] = [0x74]
        static let reduce: [UInt8] = [0x52]
        static let emptyTuple: [UInt8] = [0x29]
        static let falsehood: [UInt8] = [0x89]
        static let orderedDictionary = global("collections", "OrderedDict") + emptyTuple + reduce

        static func global(_ module: String, _ name: String) -> [UInt8] { Array("c\(module)\n\(name)\n".utf8) }
        static func text(_ text: String) -> [UInt8] { [0x58] + little(text.utf8.count, 4) + Array(text.utf8) }
        static func integer(_ value: Int) -> [UInt8] {
            // LONG1 for what BININT cannot hold.
            Int32(exactly: value) == nil ? [0x8A, 8] + little(value, 8) : [0x4A] + little(value, 4)
        }
        static func integers(_ values: [Int]) -> [UInt8] { mark + values.flatMap(integer) + tuple }

        static func storage(_ key: String, type: String = "FloatStorage", count: Int) -> [UInt8] {
            mark + text("storage") + global("torch", type) + text(key) + text("cpu") + integer(count) + tuple + [0x51]
        }

        static func tensor(
            _ storage: [UInt8], offset: Int = 0, shape: [Int], strides: [Int]
        ) -> [UInt8] {
            global("torch._utils", "_rebuild_tensor_v2") + mark + storage + integer(offset) + integers(shape)
                + integers(strides) + falsehood + orderedDictionary + tuple + reduce
        }

        static func dictionary(_ items: [(String, [UInt8])]) -> [UInt8] {
            dictionary + mark + items.flatMap { text($0.0) + $0.1 } + setItems
        }
    }

    static func strides(_ shape: [Int]) -> [Int] {
        shape.indices.map { shape[($0 + 1)...].reduce(1, *) }
    }

    /// The pickle of a dictionary of tensors, whose storages have the tensors' places as keys.
    static func stateDictionary(_ tensors: [Tensor]) -> [UInt8] {
        Pickle.dictionary(
            tensors.enumerated().map { index, tensor in
                let storage = Pickle.storage("\(index)", count: tensor.values.count)
                return (tensor.name, Pickle.tensor(storage, shape: tensor.shape, strides: strides(tensor.shape)))
            })
    }

    /// - Parameter value: the pickle without its first and last instruction.
    static func torch(
        _ value: [UInt8], storages: [(key: String, data: [UInt8])], byteOrder: String? = "little",
        others: [GraphSourceTests.Member] = []
    ) -> [UInt8] {
        var members = [
            GraphSourceTests.Member(name: "archive/data.pkl", data: Pickle.begin + value + Pickle.stop)
        ]
        if let byteOrder { members.append(.init(name: "archive/byteorder", data: Array(byteOrder.utf8))) }
        members += storages.map { .init(name: "archive/data/\($0.key)", data: $0.data) }
        members.append(.init(name: "archive/version", data: Array("3\n".utf8)))
        return GraphSourceTests.archive(members + others)
    }

    static func torch(_ tensors: [Tensor], wrappedIn key: String? = nil) -> [UInt8] {
        let state = stateDictionary(tensors)
        let value =
            key.map { Pickle.dictionary([("epoch", Pickle.integer(3)), ($0, state), ("best", Pickle.integer(-1))]) }
            ?? state
        return torch(
            value, storages: tensors.enumerated().map { (key: "\($0.offset)", data: bytes($0.element.values)) })
    }

    // MARK: ONNX

    /// Fields of messages in the wire format of protocol buffers.
    enum Wire {
        static func varint(_ value: UInt64) -> [UInt8] {
            value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
        }
        static func number(_ field: Int, _ value: Int) -> [UInt8] {
            varint(UInt64(field << 3)) + varint(UInt64(bitPattern: Int64(value)))
        }
        static func bytes(_ field: Int, _ content: [UInt8]) -> [UInt8] {
            varint(UInt64(field << 3 | 2)) + varint(UInt64(content.count)) + content
        }
        static func text(_ field: Int, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }
        static func float(_ field: Int, _ value: Float) -> [UInt8] {
            varint(UInt64(field << 3 | 5)) + little(Int(value.bitPattern), 4)
        }
    }

    /// A constant; its values are given as fields.
    static func onnxTensor(_ name: String, type: Int = 1, _ shape: [Int], _ values: [UInt8]) -> [UInt8] {
        shape.flatMap { Wire.number(1, $0) } + Wire.number(2, type) + values + Wire.text(8, name)
    }

    static func onnxTensor(_ tensor: Tensor) -> [UInt8] {
        onnxTensor(tensor.name, tensor.shape, Wire.bytes(9, bytes(tensor.values)))
    }

    static func onnxNode(
        _ operation: String, name: String = "", _ inputs: [String], _ outputs: [String], attributes: [[UInt8]] = []
    ) -> [UInt8] {
        inputs.flatMap { Wire.text(1, $0) } + outputs.flatMap { Wire.text(2, $0) } + Wire.text(3, name)
            + Wire.text(4, operation) + attributes.flatMap { Wire.bytes(5, $0) }
    }

    static func onnx(
        constants: [[UInt8]], nodes: [[UInt8]] = [], metadata: [(String, String)] = [], graph: [UInt8] = []
    ) -> [UInt8] {
        let content = nodes.flatMap { Wire.bytes(1, $0) } + constants.flatMap { Wire.bytes(5, $0) } + graph
        // The version of the format, the producer, the operators' version.
        return Wire.number(1, 8) + Wire.text(2, "test") + Wire.bytes(7, content)
            + metadata.flatMap { Wire.bytes(14, Wire.text(1, $0.0) + Wire.text(2, $0.1)) }
            + Wire.bytes(8, Wire.number(2, 17))
    }

    static func onnx(_ tensors: [Tensor]) -> [UInt8] { onnx(constants: tensors.map(onnxTensor)) }
}
