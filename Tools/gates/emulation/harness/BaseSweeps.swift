import KernelInterface

/// A tier's kernels of floats, frames and maps against the portable tier: those of floats within the error that their sums
/// may have, the others bit for bit.
struct BaseSweeps {
    private let portable, tested: KernelTable
    /// Whether the kernels under test are given one wrong number a case, to prove that the harness sees it.
    let sabotage: Bool
    private(set) var failures = 0
    /// Whether a kernel's wrong numbers all went unseen.
    private(set) var isBlind = false
    private var turn = 0
    var generator = SplitMix64(seed: 2027)

    // Of the kernel that is swept now.
    private var cases = 0
    private var before = 0

    init(_ portable: KernelTable, _ tested: KernelTable, sabotage: Bool) {
        self.portable = portable
        self.tested = tested
        self.sabotage = sabotage
    }

    /// The portable tier or the one under test.
    func table(_ isPortable: Bool) -> KernelTable { isPortable ? portable : tested }

    /// Sweeps everything, floats on request.
    mutating func run(hasFloats: Bool) {
        if hasFloats {
            sweep("convolve") { $0.convolve() }
            sweep("depthwise") { $0.depthwise() }
            sweep("float stem") { $0.floatStem() }
            sweep("float depthwise 3x3") { $0.floatDepthwise3x3() }
            sweep("float depthwise 7x7") { $0.floatDepthwise7x7() }
            sweep("float bias") { $0.floatBias() }
            sweep("float gemm") { $0.floatGEMM() }
        }
        sweep("crop packed") { $0.cropPacked() }
        sweep("crop planar") { $0.cropPlanar() }
        sweep("resize") { $0.resize() }
        sweep("area rows") { $0.areaRows() }
        sweep("area line") { $0.areaLine() }
        sweep("map add") { $0.mapAdd() }
        sweep("map maximum") { $0.mapMaxPool() }
        sweep("map columns") { $0.mapInterpolateColumns() }
        sweep("map rows") { $0.mapInterpolateRows() }
    }

    private mutating func sweep(_ kernel: StaticString, _ body: (inout BaseSweeps) -> Void) {
        write(kernel)
        write(": ")
        cases = 0
        before = failures
        body(&self)
        if failures > before { write("\n    ") } else if sabotage { isBlind = true }
        write(cases)
        write(" cases, ")
        write(failures - before)
        write(" failures\n")
    }

    /// The guard page of the next case's buffers.
    mutating func nextEdge() -> Buffer.Edge {
        turn += 1
        return turn % 2 == 0 ? .after : .before
    }

    /// Counts a case.
    mutating func check(_ agrees: Bool, _ shape: [Int]) {
        cases += 1
        guard !agrees else { return }
        failures += 1
        guard failures - before < 20 else { return }
        write("\n    FAIL:")
        for dimension in shape {
            write(" ")
            write(dimension)
        }
    }

    mutating func bytes(_ count: Int, _ edge: Buffer.Edge) -> Buffer {
        let buffer = Buffer(count, edge)
        for index in 0..<count { buffer.bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
        return buffer
    }

    /// Whether two outputs are the same and nothing beside them was written.
    func areEqual(_ a: borrowing Buffer, _ b: borrowing Buffer) -> Bool {
        a.difference(from: b) == nil && a.isIntact && b.isIntact
    }
}
