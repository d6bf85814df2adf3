// What the harness takes from the system: bytes out, and memory whose end is guarded.

/// Memory for one buffer. A kernel that reads or writes past the edge that the buffer touches dies.
struct GuardedMemory: ~Copyable {
    /// What holds marks, with the buffer in it.
    let region: UnsafeMutableRawBufferPointer
    /// Of the buffer.
    let base: UnsafeMutableRawPointer
    private let allocation: UnsafeMutableRawBufferPointer?

    #if arch(wasm32)
        /// One buffer at a time lies at the end of the memory; the others have marks alone.
        init(_ count: Int, _ edge: Buffer.Edge) {
            let margin = 256
            if edge == .after, lastBytes.isFree, count + margin <= lastBytes.count {
                lastBytes.isFree = false
                base = lastBytes.end - count
                region = UnsafeMutableRawBufferPointer(start: base - margin, count: count + margin)
                allocation = nil
                return
            }
            let room = (count + 63) / 64 * 64
            region = .allocate(byteCount: room + 2 * margin, alignment: 64)
            base = region.baseAddress! + margin + (edge == .after ? room - count : 0)
            allocation = region
        }

        deinit {
            if let allocation { allocation.deallocate() } else { lastBytes.isFree = true }
        }
    #else
        init(_ count: Int, _ edge: Buffer.Edge) {
            let page = 65_536
            let inner = (count + page - 1) / page * page
            // PROT_NONE; MAP_PRIVATE | MAP_ANONYMOUS.
            guard let mapping = mmap(nil, inner + 2 * page, 0, 0x22, -1, 0), Int(bitPattern: mapping) != -1 else {
                fatalError()
            }
            let first = mapping + page
            guard inner == 0 || mprotect(first, inner, 3) == 0 else { fatalError() }
            region = UnsafeMutableRawBufferPointer(start: first, count: inner)
            base = edge == .before ? first : first + (inner - count)
            allocation = UnsafeMutableRawBufferPointer(start: mapping, count: inner + 2 * page)
        }

        deinit { if let allocation { munmap(allocation.baseAddress, allocation.count) } }
    #endif
}

#if arch(wasm32)
    /// The end of the memory: what is read behind it traps.
    struct LastBytes {
        let end: UnsafeMutableRawPointer
        let count: Int
        var isFree = true
    }

    // The program has one thread.
    nonisolated(unsafe) var lastBytes = LastBytes(end: UnsafeMutableRawPointer(bitPattern: 1)!, count: 0)

    @_extern(wasm, module: "env", name: "write")
    private func write(_ bytes: UnsafePointer<UInt8>, _ count: Int)

    private func writeOut(_ bytes: UnsafePointer<UInt8>, _ count: Int) { write(bytes, count) }
#else
    @_extern(c, "write") @discardableResult
    private func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int

    @_extern(c, "mmap")
    private func mmap(
        _ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32,
        _ offset: Int
    ) -> UnsafeMutableRawPointer?

    @_extern(c, "mprotect")
    private func mprotect(_ address: UnsafeMutableRawPointer?, _ count: Int, _ protection: Int32) -> Int32

    @_extern(c, "munmap") @discardableResult
    private func munmap(_ address: UnsafeMutableRawPointer?, _ count: Int) -> Int32

    /// Straight to the output, without a buffer: what was written stays when a kernel dies afterwards.
    private func writeOut(_ bytes: UnsafePointer<UInt8>, _ count: Int) { write(1, bytes, count) }
#endif

func write(_ text: StaticString) { writeOut(text.utf8Start, text.utf8CodeUnitCount) }

func write(_ value: Int) {
    if value < 0 { write("-") }
    let magnitude = value.magnitude
    if magnitude >= 10 { write(Int(magnitude / 10)) }
    var digit = UInt8(48 + magnitude % 10)
    writeOut(&digit, 1)
}
