import KernelInterface

/// Random numbers that are the same in every run.
struct Generator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // SplitMix64 of Steele, Lea and Flood.
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    mutating func number(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + (range.upperBound - range.lowerBound) * Float(next() >> 40) / 16_777_216
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[integer(0...values.count - 1)] }

    /// Bytes of one of several kinds: any, both ends of their range, or 255 alone.
    mutating func bytes(_ count: Int) -> [UInt8] {
        let kind = integer(0...5)
        return (0..<count).map { _ in
            let value = UInt8(truncatingIfNeeded: next())
            return kind == 0 ? 255 : kind == 1 ? (value & 1 == 0 ? 0 : 255) : value < 24 ? 0 : value > 231 ? 255 : value
        }
    }

    /// Shares of `count` that add up to `unit`; some of the time one has all.
    mutating func shares(_ count: Int, of unit: Int) -> [Int16] {
        var cuts = [0, unit]
        let isOne = integer(0...2) == 0
        for _ in 1..<max(count, 1) { cuts.append(isOne ? unit : integer(0...unit)) }
        cuts.sort()
        return (0..<count).map { Int16(cuts[$0 + 1] - cuts[$0]) }
    }
}

/// Memory between guard bytes. Its pointers are valid as long as the object lives.
final class Guarded {
    private static let margin = 256
    private static let mark: UInt8 = 0x88
    private let memory: UnsafeMutableRawPointer
    private let count: Int
    private let start: Int
    var base: UnsafeMutableRawPointer { memory + start }

    /// Zeros, or marks as they are around the memory.
    init(count: Int, misalignment: Int = 0, isZeroed: Bool = false) {
        self.count = count
        start = Self.margin + misalignment
        memory = .allocate(byteCount: count + 2 * Self.margin + 64, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: Self.mark, count: count + 2 * Self.margin + 64)
        if isZeroed { base.initializeMemory(as: UInt8.self, repeating: 0, count: count) }
    }

    convenience init(_ bytes: [UInt8], misalignment: Int = 0) {
        self.init(count: bytes.count, misalignment: misalignment)
        for (index, byte) in bytes.enumerated() { base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self) }
    }

    deinit { memory.deallocate() }

    func bound<Element>(to type: Element.Type) -> UnsafeMutablePointer<Element> {
        base.assumingMemoryBound(to: type)
    }

    private func byte(_ index: Int) -> UInt8 { memory.load(fromByteOffset: index, as: UInt8.self) }

    var isIntact: Bool {
        (0..<start).allSatisfy { byte($0) == Self.mark }
            && (start + count..<count + 2 * Self.margin + 64).allSatisfy { byte($0) == Self.mark }
    }

    /// Whether the first bytes of both are the same, or all.
    func equals(_ other: Guarded, first: Int? = nil) -> Bool {
        (0..<(first ?? count)).allSatisfy { byte(start + $0) == other.byte(other.start + $0) }
    }
}

/// The end of the program's memory: what is read behind it traps.
struct LastPage {
    let end: UnsafeMutableRawPointer
    let byteCount: Int

    /// Copies bytes so that they end with the page.
    func place(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
        precondition(bytes.count <= byteCount)
        let start = (end - bytes.count).assumingMemoryBound(to: UInt8.self)
        for (index, byte) in bytes.enumerated() { start[index] = byte }
        return start
    }
}

/// What is compared: two tiers' kernels on the same arguments.
struct Comparison {
    private(set) var cases = 0
    private(set) var differences = 0
    /// The first difference.
    private(set) var first = ""
    let portable, tier: KernelTable
    let page: LastPage

    init(_ portable: KernelTable, _ tier: KernelTable, _ page: LastPage) {
        self.portable = portable
        self.tier = tier
        self.page = page
    }

    /// Notes a case that both tiers have computed.
    mutating func note(_ agrees: Bool, _ description: @autoclosure () -> String) {
        cases += 1
        guard !agrees else { return }
        if differences == 0 { first = description() }
        differences += 1
    }
}
