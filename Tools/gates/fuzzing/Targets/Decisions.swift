/// Bytes that decide, one after another; zeros when none are left.
struct Decisions {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
    mutating func number() -> Int { Int(Int16(bitPattern: UInt16(byte()) | UInt16(byte()) << 8)) }
    mutating func word() -> Int64 {
        Int64(bitPattern: (0..<8).reduce(UInt64(0)) { sum, _ in sum << 8 | UInt64(byte()) })
    }

    /// Mostly one of these values, else any of 16 or 32 bits.
    mutating func choice(_ values: [Int]) -> Int {
        let index = Int(byte())
        if index < 216 { return values[index % values.count] }
        return index < 248 ? number() : Int(Int32(truncatingIfNeeded: word()))
    }

    /// Mostly 0...1.1 in steps of 1/200, else any float.
    mutating func share() -> Float {
        let value = byte()
        return value <= 220 ? Float(value) / 200 : Float(bitPattern: UInt32(truncatingIfNeeded: word()))
    }
}
