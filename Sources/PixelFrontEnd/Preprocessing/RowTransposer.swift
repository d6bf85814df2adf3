import Platform

/// Turns a few output lines by transposing blocks of 8 x 8 bytes in registers.
@safe
struct RowTransposer: ~Copyable {
    /// Number of lines it holds.
    static let lineCount = 8

    private static let byteCount = lineCount * Preprocessor.side

    private let memory = MemoryOwner(byteCount: byteCount)
    private let bytes: UnsafeMutablePointer<UInt8>

    init() {
        // The last block of a line is read completely.
        unsafe bytes = memory.base.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    }

    /// Memory for 224 bytes. `index` is below `lineCount`.
    @unsafe
    func line(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe bytes + index * Preprocessor.side
    }

    /// square[p * 224 + l] = line(l)[p] for 0 <= l < lines, 0 <= p < pixels.
    /// - Parameters:
    ///   - lines: 1...lineCount.
    ///   - pixels: 1...224.
    ///   - square: address of the first line's first pixel; only the bytes named above are written.
    @unsafe
    func write(lines: Int, pixels: Int, into square: UnsafeMutablePointer<UInt8>) {
        let side = Preprocessor.side
        var p = 0
        while p < pixels {
            let block = transposed(at: p)
            let rows = pixels - p
            let target = unsafe square + p * side
            unsafe store(block.r0, lines, target)
            if rows > 1 { unsafe store(block.r1, lines, target + side) }
            if rows > 2 { unsafe store(block.r2, lines, target + 2 * side) }
            if rows > 3 { unsafe store(block.r3, lines, target + 3 * side) }
            if rows > 4 { unsafe store(block.r4, lines, target + 4 * side) }
            if rows > 5 { unsafe store(block.r5, lines, target + 5 * side) }
            if rows > 6 { unsafe store(block.r6, lines, target + 6 * side) }
            if rows > 7 { unsafe store(block.r7, lines, target + 7 * side) }
            p += 8
        }
    }

    /// Eight bytes of every line from pixel `p` on; the low byte of each result is from the first line. Blocks of four
    /// by four are swapped, then of two by two within each, then single bytes. 224 is a multiple of 8.
    @inline(__always)
    private func transposed(at p: Int) -> Block {
        var b = Block(
            r0: eight(0, p), r1: eight(1, p), r2: eight(2, p), r3: eight(3, p), r4: eight(4, p), r5: eight(5, p),
            r6: eight(6, p), r7: eight(7, p))
        let fours: UInt64 = 0x0000_0000_FFFF_FFFF
        exchange(&b.r0, &b.r4, 32, fours)
        exchange(&b.r1, &b.r5, 32, fours)
        exchange(&b.r2, &b.r6, 32, fours)
        exchange(&b.r3, &b.r7, 32, fours)
        let twos: UInt64 = 0x0000_FFFF_0000_FFFF
        exchange(&b.r0, &b.r2, 16, twos)
        exchange(&b.r1, &b.r3, 16, twos)
        exchange(&b.r4, &b.r6, 16, twos)
        exchange(&b.r5, &b.r7, 16, twos)
        let ones: UInt64 = 0x00FF_00FF_00FF_00FF
        exchange(&b.r0, &b.r1, 8, ones)
        exchange(&b.r2, &b.r3, 8, ones)
        exchange(&b.r4, &b.r5, 8, ones)
        exchange(&b.r6, &b.r7, 8, ones)
        return b
    }

    private struct Block {
        var r0, r1, r2, r3, r4, r5, r6, r7: UInt64
    }

    @inline(__always)
    private func eight(_ index: Int, _ p: Int) -> UInt64 {
        UInt64(littleEndian: unsafe UnsafeRawPointer(line(index) + p).loadUnaligned(as: UInt64.self))
    }

    /// Swaps the high half of every pair (`low` and its neighbour) in the upper row with the low half in the lower row.
    @inline(__always)
    private func exchange(_ upper: inout UInt64, _ lower: inout UInt64, _ shift: UInt64, _ low: UInt64) {
        let difference = ((upper &>> shift) ^ lower) & low
        upper ^= difference &<< shift
        lower ^= difference
    }

    /// Stores the same pixel of all lines. Only the bytes of `lines` are written.
    @inline(__always)
    private func store(_ pixels: UInt64, _ lines: Int, _ target: UnsafeMutablePointer<UInt8>) {
        let target = UnsafeMutableRawPointer(target)
        if lines == Self.lineCount {
            unsafe target.storeBytes(of: pixels.littleEndian, as: UInt64.self)
            return
        }
        for line in 0..<lines {
            unsafe target.storeBytes(
                of: UInt8(truncatingIfNeeded: pixels &>> UInt64(8 * line)), toByteOffset: line, as: UInt8.self)
        }
    }
}
