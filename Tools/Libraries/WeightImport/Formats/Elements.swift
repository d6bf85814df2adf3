import ModelFile

/// The elements of a float tensor in the bytes of a file, in their order there.
struct FloatElements {
    private let bytes: ArraySlice<UInt8>
    private let type: TensorType
    private let isBigEndian: Bool

    /// Nil if the elements are not floats that can be read, or if `bytes` is no whole number of them.
    init?(_ bytes: ArraySlice<UInt8>, type: TensorType, isBigEndian: Bool = false) {
        switch type {
        case .float16, .bfloat16, .float32, .float64: break
        default: return nil
        }
        guard bytes.count % type.byteCount == 0 else { return nil }
        self.bytes = bytes
        self.type = type
        self.isBigEndian = isBigEndian
    }

    var count: Int { bytes.count / type.byteCount }

    /// The element at `index`; a float64 beyond the range of Float becomes infinity. Traps outside the elements.
    subscript(index: Int) -> Float {
        let size = type.byteCount
        let start = bytes.startIndex + index * size
        var bits: UInt64 = 0
        for byte in 0..<size {
            bits |= UInt64(bytes[start + byte]) << UInt64(8 * (isBigEndian ? size - 1 - byte : byte))
        }
        return switch type {
        case .float16: HalfPrecision.float(UInt16(truncatingIfNeeded: bits))
        case .bfloat16: HalfPrecision.float(brain: UInt16(truncatingIfNeeded: bits))
        case .float64: Float(Double(bitPattern: bits))
        default: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        }
    }

    /// All elements.
    var values: [Float] { (0..<count).map { self[$0] } }

    /// The elements of a tensor of this shape, row-major.
    /// - Parameters:
    ///   - offset: the element that all indices 0 lead to.
    ///   - strides: the elements from one index of a dimension to the next. All that they lead to must exist.
    func values(shape: [Int], offset: Int, strides: [Int]) -> [Float] {
        let count = shape.reduce(1, *)
        guard count > 0 else { return [] }
        guard strides != Self.rowMajor(shape) else { return (offset..<offset + count).map { self[$0] } }
        return Self.indices(shape: shape, offset: offset, strides: strides).map { self[$0] }
    }

    /// The elements that these strides lead to, row-major.
    static func indices(shape: [Int], offset: Int, strides: [Int]) -> [Int] {
        let count = shape.reduce(1, *)
        guard count > 0 else { return [] }
        var elements: [Int] = []
        elements.reserveCapacity(count)
        var indices = [Int](repeating: 0, count: shape.count)
        var element = offset
        for _ in 0..<count {
            elements.append(element)
            for dimension in shape.indices.reversed() {
                indices[dimension] += 1
                element += strides[dimension]
                if indices[dimension] < shape[dimension] { break }
                element -= shape[dimension] * strides[dimension]
                indices[dimension] = 0
            }
        }
        return elements
    }

    /// The strides of a tensor of this shape without gaps, the last dimension innermost.
    static func rowMajor(_ shape: [Int]) -> [Int] {
        var strides = [Int](repeating: 1, count: shape.count)
        for index in shape.indices.dropLast().reversed() { strides[index] = strides[index + 1] * shape[index + 1] }
        return strides
    }
}

/// Limits that all readers of checkpoints keep, many times what a checkpoint of the network needs.
enum CheckpointLimit {
    static let tensors = SafetensorsFile.tensorLimit
    static let nameBytes = SafetensorsFile.nameLimit
    static let rank = SafetensorsFile.rankLimit
    /// Elements of all tensors together: their floats stay below the largest file.
    static let elements = Checkpoint.sizeLimit / 4

    /// The product of the dimensions if it is at most `limit`; nil for more, and for a negative dimension.
    ///
    /// A zero makes the product 0, but the other dimensions are limited all the same.
    static func elementCount(_ shape: [Int], limit: Int = elements) -> Int? {
        var product = 1
        for dimension in shape where dimension != 0 {
            guard dimension > 0, dimension <= limit / product else { return nil }
            product *= dimension
        }
        return shape.contains(0) ? 0 : product
    }
}
