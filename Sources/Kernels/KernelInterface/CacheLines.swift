/// Reads ahead of a kernel: memory is waited for once, in a stream or side by side, and not at each step of the kernel.
package enum CacheLines {
    /// Bytes of a cache line, or half of one.
    private static let byteCount = 64

    /// Reads a byte of every cache line from `range` on.
    /// - Parameters:
    ///   - start: all bytes of `range` after it are readable.
    ///   - sum: changes with what was read. Store it where it does no harm, so that the reads are not optimised away.
    @unsafe @inline(__always)
    package static func read(_ start: UnsafePointer<UInt8>, _ range: Range<Int>, _ sum: inout UInt8) {
        var byte = range.lowerBound
        while byte < range.upperBound {
            unsafe sum &+= start[byte]
            byte += byteCount
        }
    }
}
