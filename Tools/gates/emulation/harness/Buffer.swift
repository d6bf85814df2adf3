/// Memory between two forbidden pages, against one of them: a kernel that reads or writes past that end dies. What the
/// pages hold beside the buffer is `Buffer.fill`, and `isIntact` says whether it still is.
struct Buffer: ~Copyable {
    /// The forbidden page that the buffer touches.
    enum Edge { case before, after }

    static let fill: UInt8 = 0x88
    private static let page = 65_536

    let base: UnsafeMutableRawPointer
    let count: Int
    private let mapping: UnsafeMutableRawPointer
    private let mapped: Int

    init(_ count: Int, _ edge: Edge) {
        let inner = (count + Buffer.page - 1) / Buffer.page * Buffer.page
        mapped = inner + 2 * Buffer.page
        // PROT_NONE; MAP_PRIVATE | MAP_ANONYMOUS.
        guard let mapping = mmap(nil, mapped, 0, 0x22, -1, 0), Int(bitPattern: mapping) != -1 else {
            fatalError()
        }
        let first = mapping + Buffer.page
        guard inner == 0 || mprotect(first, inner, 3) == 0 else { fatalError() }
        self.mapping = mapping
        self.count = count
        base = edge == .before ? first : first + (inner - count)
        first.initializeMemory(as: UInt8.self, repeating: Buffer.fill, count: inner)
    }

    deinit { munmap(mapping, mapped) }

    var bytes: UnsafeMutablePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

    /// Whether nothing outside the buffer was written.
    var isIntact: Bool {
        var p = (mapping + Buffer.page).assumingMemoryBound(to: UInt8.self)
        let end = (mapping + (mapped - Buffer.page)).assumingMemoryBound(to: UInt8.self)
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
