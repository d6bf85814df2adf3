import KernelInterface

/// Runs every tier on the same case and counts what agrees.
/// - Kernels: a tier's kernels of one kind.
struct Comparison<Kernels> {
    /// Packs parameters for a tier into memory, or with nil only says how many bytes that takes.
    typealias Pack = (Kernels, Parameters, UnsafeMutableRawPointer?) -> Int

    private let kernel: StaticString
    /// The portable tier's, which is the reference, and those under test.
    private let tables: [Kernels]
    /// Whether the tiers under test are given one wrong weight a case, to prove that the harness sees it.
    private let sabotage: Bool
    private var cases = 0
    private var bytes = 0
    private(set) var failures = 0

    init(_ kernel: StaticString, _ tables: [Kernels], sabotage: Bool) {
        self.kernel = kernel
        self.tables = tables
        self.sabotage = sabotage
        write(kernel)
        write(": ")
    }

    /// One case: packs `parameters` for each tier, runs it, and compares its output with the portable tier's, every byte.
    /// - outBytes: size of the output. Bytes from `compared` on, if there are such, only have to be inside of it.
    /// - shape: printed where tiers differ.
    mutating func run(
        _ parameters: Parameters, outBytes: Int, compared: Int? = nil, edge: Buffer.Edge, shape: [Int], pack: Pack,
        body: (Kernels, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    ) {
        let compared = compared ?? outBytes
        let reference = output(0, parameters, outBytes, edge, shape, pack, body)
        cases += 1
        bytes += compared
        for tier in 1..<tables.count {
            let found = output(tier, parameters, outBytes, edge, shape, pack, body)
            guard let index = reference.difference(from: found), index < compared else { continue }
            fail("differs", tier, shape)
            if failures < 20 {
                write("; byte ")
                write(index)
                write(": ")
                write(Int(reference.bytes[index]))
                write(" and ")
                write(Int(found.bytes[index]))
            }
        }
    }

    private mutating func output(
        _ tier: Int, _ parameters: Parameters, _ outBytes: Int, _ edge: Buffer.Edge, _ shape: [Int],
        _ pack: Pack, _ body: (Kernels, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
    ) -> Buffer {
        let table = tables[tier]
        var parameters = parameters
        if sabotage, tier > 0 { parameters.weights[0] ^= 64 }
        let size = pack(table, parameters, nil)
        let packed = Buffer(size, edge)
        packed.bytes.update(repeating: 0, count: size)
        let written = pack(table, parameters, packed.base)
        if size % 64 != 0 || written != size || !packed.isIntact { fail("packs outside its size", tier, shape) }
        let out = Buffer(outBytes, edge)
        body(table, packed.base, out.base)
        if !out.isIntact { fail("writes outside its output", tier, shape) }
        return out
    }

    private mutating func fail(_ reason: StaticString, _ tier: Int, _ shape: [Int]) {
        failures += 1
        guard failures < 20 else { return }
        write("\n    FAIL tier ")
        write(tier)
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
