import Platform

/// Memory in which a network runs: page-aligned, and 0 until it is written. A page that was never touched takes no memory.
///
/// `@unchecked Sendable`: one stream at a time has it.
@safe
package final class Arena: @unchecked Sendable {
    /// Valid as long as the arena.
    package let base: UnsafeMutablePointer<UInt8>
    private let byteCount: Int
    private var isPrepared = false

    package init(byteCount: Int) {
        self.byteCount = byteCount
        unsafe base = WorkMemory.reserve(byteCount: byteCount).assumingMemoryBound(to: UInt8.self)
    }

    deinit { unsafe WorkMemory.releaseReserved(base, byteCount: byteCount) }

    /// Has the bytes written that stay the same in every run, before the first one.
    package func prepare(_ write: (UnsafeMutablePointer<UInt8>) -> Void) {
        guard !isPrepared else { return }
        unsafe write(base)
        isPrepared = true
    }
}

/// Arenas that the streams of a network use in turn.
///
/// Between two frames a stream needs nothing that is in its arena. Each stream reserves one when it is made, so a frame
/// never has to allocate. The arena that was given back last is taken first, because it may still be in the cache. So only as many
/// are ever touched, and take memory, as streams have run at once.
package final class Arenas: Sendable {
    private let free = Locked<(arenas: [Arena], reserved: Int)>(([], 0))

    package init() {}

    /// Adds an arena of one more stream.
    package func reserve(byteCount: Int) {
        let arena = Arena(byteCount: byteCount)
        free.withLock { free in
            free.reserved += 1
            free.arenas.reserveCapacity(free.reserved)
            free.arenas.insert(arena, at: 0)
        }
    }

    /// Drops the arena that has waited longest. For each stream that reserved one, once it has given back what it took.
    package func release() {
        free.withLock { free in
            free.reserved -= 1
            _ = free.arenas.removeFirst()
        }
    }

    /// The arena that was given back last. Each stream may have one at a time.
    package func take() -> Arena { free.withLock { $0.arenas.removeLast() } }

    package func giveBack(_ arena: Arena) { free.withLock { $0.arenas.append(arena) } }
}
