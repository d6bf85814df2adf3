import ModelFile

/// The classes and functions that the pickle of a state dict names. They are names only; nothing of them is run.
enum PickleGlobal: Equatable {
    case orderedDictionary
    case rebuildTensor
    case rebuildParameter
    case storage(StorageType)

    /// The element types of storages, by PyTorch's names of their classes.
    enum StorageType: String {
        case float64 = "DoubleStorage"
        case float32 = "FloatStorage"
        case float16 = "HalfStorage"
        case bfloat16 = "BFloat16Storage"
        case int64 = "LongStorage"
        case int32 = "IntStorage"
        case int16 = "ShortStorage"
        case int8 = "CharStorage"
        case uint8 = "ByteStorage"
        case bool = "BoolStorage"

        var element: TensorType {
            switch self {
            case .float64: .float64
            case .float32: .float32
            case .float16: .float16
            case .bfloat16: .bfloat16
            case .int64: .int64
            case .int32: .int32
            case .int16: .int16
            case .int8: .int8
            case .uint8: .uint8
            case .bool: .bool
            }
        }
    }

    /// Nil for any other.
    init?(module: String, name: String) {
        switch (module, name) {
        case ("collections", "OrderedDict"): self = .orderedDictionary
        case ("torch._utils", "_rebuild_tensor_v2"): self = .rebuildTensor
        case ("torch._utils", "_rebuild_parameter"), ("torch._utils", "_rebuild_parameter_with_state"):
            self = .rebuildParameter
        case ("torch", _):
            guard let type = StorageType(rawValue: name) else { return nil }
            self = .storage(type)
        default: return nil
        }
    }

    /// The name in Python.
    var name: String {
        switch self {
        case .orderedDictionary: "collections.OrderedDict"
        case .rebuildTensor: "torch._utils._rebuild_tensor_v2"
        case .rebuildParameter: "torch._utils._rebuild_parameter"
        case .storage(let type): "torch.\(type.rawValue)"
        }
    }
}
