/// The element types of the safetensors format; raw values are their names in the header.
package enum TensorType: String, Sendable, Equatable, CaseIterable {
    case bool = "BOOL"
    case uint8 = "U8"
    case int8 = "I8"
    case float8E5M2 = "F8_E5M2"
    case float8E4M3 = "F8_E4M3"
    case int16 = "I16"
    case uint16 = "U16"
    case float16 = "F16"
    case bfloat16 = "BF16"
    case int32 = "I32"
    case uint32 = "U32"
    case float32 = "F32"
    case float64 = "F64"
    case int64 = "I64"
    case uint64 = "U64"

    /// Bytes of one element.
    package var byteCount: Int {
        switch self {
        case .bool, .uint8, .int8, .float8E5M2, .float8E4M3: 1
        case .int16, .uint16, .float16, .bfloat16: 2
        case .int32, .uint32, .float32: 4
        case .float64, .int64, .uint64: 8
        }
    }

    /// Bytes of a tensor of this shape; nil if a dimension is negative or the product overflows.
    ///
    /// An overflow among the other dimensions counts even if one is zero, because readers that multiply in another
    /// order would see it.
    package func byteCount(shape: [Int]) -> Int? {
        var bytes = byteCount
        var isEmpty = false
        for dimension in shape {
            guard dimension >= 0 else { return nil }
            if dimension == 0 {
                isEmpty = true
                continue
            }
            let (product, overflow) = bytes.multipliedReportingOverflow(by: dimension)
            if overflow { return nil }
            bytes = product
        }
        return isEmpty ? 0 : bytes
    }
}
