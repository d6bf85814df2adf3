/// Memory whose one end, or the marks there, no kernel may pass: see `GuardedMemory`. What lies around the buffer is `Buffer.fill`, and
/// `isIntact` says whether it still is.
struct Buffer: ~Copyable {
    /// The end that the buffer touches.
    enum Edge { case before, after }

    static let fill: UInt8 = 0x88

    let count: Int
    private let memory: GuardedMemory

    init(_ count: Int, _ edge: Edge) {
        self.count = count
        memory = GuardedMemory(count, edge)
        memory.region.initializeMemory(as: UInt8.self, repeating: Buffer.fill)
    }

    var base: UnsafeMutableRawPointer { memory.base }
    var bytes: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    /// Whether nothing outside the buffer was written.
    var isIntact: Bool {
        let region = memory.region
        guard var p = region.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
        let end = p + region.count
        while p < end {
            if p == bytes { p += count }
            if p < end {
                guard p.pointee == Buffer.fill else { return false }
                p += 1
            }
        }
        return true
    }

    /// The first byte in which two buffers of one size differ.
    borrowing func difference(from other: borrowing Buffer) -> Int? {
        var index = 0
        while index < count {
            if bytes[index] != other.bytes[index] { return index }
            index += 1
        }
        return nil
    }
}
