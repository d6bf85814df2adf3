extension SafetensorsFile {
    /// The values of a tensor of `F32`, `F16`, `BF16` or `F64`, row-major.
    ///
    /// NaN and infinities are kept; an `F64` beyond the range of `Float` becomes infinity.
    package func floats(_ name: String) throws(ModelFileError) -> [Float] {
        let tensor = try tensor(named: name)
        let raw = rawBytes(of: tensor)
        let count = tensor.elementCount
        var values: [Float] = []
        values.reserveCapacity(count)
        switch tensor.type {
        case .float32:
            for index in 0..<count { values.append(Float(bitPattern: raw.littleEndian(UInt32.self, at: index))) }
        case .float16:
            for index in 0..<count { values.append(HalfPrecision.float(raw.littleEndian(UInt16.self, at: index))) }
        case .bfloat16:
            for index in 0..<count {
                values.append(HalfPrecision.float(brain: raw.littleEndian(UInt16.self, at: index)))
            }
        case .float64:
            for index in 0..<count {
                values.append(Float(Double(bitPattern: raw.littleEndian(UInt64.self, at: index))))
            }
        default:
            throw .wrongType(tensor: name, expected: "F32, F16, BF16 or F64", found: tensor.type.rawValue)
        }
        return values
    }

    /// The values of an `I8` tensor, row-major.
    package func int8s(_ name: String) throws(ModelFileError) -> [Int8] {
        let tensor = try tensor(named: name)
        guard tensor.type == .int8 else {
            throw .wrongType(tensor: name, expected: TensorType.int8.rawValue, found: tensor.type.rawValue)
        }
        // Copies the bytes as a whole; element by element it took a tenth of the time to load a model.
        return unsafe bytes.withUnsafeBytes { unsafe [Int8]($0[tensor.byteRange].bindMemory(to: Int8.self)) }
    }
}

extension Span<UInt8> {
    /// The integer at `index` of a packed little-endian sequence. Traps outside the span.
    fileprivate func littleEndian<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type, at index: Int) -> T {
        let size = T.bitWidth / 8
        var value: T = 0
        for byte in 0..<size { value |= T(truncatingIfNeeded: self[index * size + byte]) << T(8 * byte) }
        return value
    }
}
