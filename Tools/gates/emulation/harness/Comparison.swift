import KernelInterface

/// The tiers in order: the reference, then the two under test, whose names are `testedTiers`.
enum Tier: Int {
    case portable, first, second

    static let count = 3

    var name: StaticString {
        switch self {
        case .portable: "portable"
        case .first: testedTiers.0
        case .second: testedTiers.1
        }
    }
}

/// Runs every tier on the same case and counts what agrees.
struct Comparison {
    private let kernel: StaticString
    private let tables: [Int8Kernels]
    /// Whether the tiers under test are given one wrong weight a case, to prove that the harness sees it.
    private let sabotage: Bool
    private var cases = 0
    private var bytes = 0
    private(set) var failures = 0

    init(_ kernel: StaticString, _ tables: [Int8Kernels], sabotage: Bool) {
        self.kernel = kernel
        self.tables = tables
        self.sabotage = sabotage
        write(kernel)
        write(": ")
    }

    /// One case: packs `parameters` for each tier, runs it, and compares the tiers' outputs with each other, every byte.
    /// - outBytes: size of the output. Bytes from `compared` on only have to be inside of it.
    /// - shape: printed where tiers differ.
    mutating func run(
        _ parameters: Parameters, outBytes: Int, compared: Int, edge: Buffer.Edge, shape: [Int],
        pack: (Int8Kernels) -> Int8Kernels.Pack,
        body: (Int8Kernels, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    ) {
        let reference = output(.portable, parameters, outBytes, edge, shape, pack, body)
        let first = output(.first, parameters, outBytes, edge, shape, pack, body)
        let second = output(.second, parameters, outBytes, edge, shape, pack, body)
        cases += 1
        bytes += compared
        compare(reference, first, compared, .portable, .first, shape)
        compare(reference, second, compared, .portable, .second, shape)
        compare(first, second, compared, .first, .second, shape)
    }

    private mutating func output(
        _ tier: Tier, _ parameters: Parameters, _ outBytes: Int, _ edge: Buffer.Edge, _ shape: [Int],
        _ pack: (Int8Kernels) -> Int8Kernels.Pack,
        _ body: (Int8Kernels, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    ) -> Buffer {
        let table = tables[tier.rawValue]
        var weights = parameters.weights
        if sabotage, tier != .portable { weights[0] ^= tier == .first ? 64 : 32 }
        let (channels, depth) = (parameters.channels, parameters.depth)
        let size = pack(table)(nil, nil, nil, channels, depth, nil)
        let packed = Buffer(size, edge)
        packed.bytes.update(repeating: 0, count: size)
        let written = weights.withUnsafeBufferPointer { weights in
            parameters.bias.withUnsafeBufferPointer { bias in
                parameters.multiplier.withUnsafeBufferPointer { multiplier in
                    pack(table)(
                        weights.baseAddress, bias.baseAddress, multiplier.baseAddress, channels, depth, packed.base)
                }
            }
        }
        if size % 64 != 0 || written != size || !packed.isIntact { fail("packs outside its size", tier, tier, shape) }
        let out = Buffer(outBytes, edge)
        body(table, packed.base, out.base)
        if !out.isIntact { fail("writes outside its output", tier, tier, shape) }
        return out
    }

    private mutating func compare(
        _ a: borrowing Buffer, _ b: borrowing Buffer, _ compared: Int, _ first: Tier, _ second: Tier, _ shape: [Int]
    ) {
        guard let index = a.difference(from: b), index < compared else { return }
        fail("differ", first, second, shape)
        if failures < 20 {
            write("; byte ")
            write(index)
            write(": ")
            write(Int(a.bytes[index]))
            write(" and ")
            write(Int(b.bytes[index]))
        }
    }

    private mutating func fail(_ reason: StaticString, _ first: Tier, _ second: Tier, _ shape: [Int]) {
        failures += 1
        guard failures < 20 else { return }
        write("\n    FAIL ")
        write(first.name)
        write(" ")
        write(second.name)
        write(" ")
        write(reason)
        write(":")
        for dimension in shape {
            write(" ")
            write(dimension)
        }
    }

    /// Ends the kernel's line of the report.
    func summarise() {
        if failures > 0 { write("\n    ") }
        write(cases)
        write(" cases, ")
        write(bytes)
        write(" bytes a tier, ")
        write(failures)
        write(" failures\n")
    }
}
