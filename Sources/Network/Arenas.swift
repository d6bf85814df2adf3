import Platform

/// Memory in which a network runs: 64-byte aligned, zeroed when it is allocated.
///
/// `@unchecked Sendable`: one stream at a time has it.
@safe
final class Arena: @unchecked Sendable {
    private let bytes: AlignedBuffer<UInt8>

    init(byteCount: Int) { bytes = AlignedBuffer(count: byteCount) }

    /// Valid as long as the arena.
    var base: UnsafeMutablePointer<UInt8> { unsafe bytes.base }
}

/// Arenas that the streams of a network use in turn: as many as have run at once, and not one for each stream.
///
/// Between two frames a stream needs nothing that is in its arena. The arena that was given back last is taken first,
/// because it may still be in the cache.
final class Arenas: Sendable {
    private let free = Locked<[Arena]>([])

    /// A free arena, or a new one. All that `make` makes are alike.
    func take(or make: () -> Arena) -> Arena { free.withLock { $0.popLast() } ?? make() }

    func giveBack(_ arena: Arena) { free.withLock { $0.append(arena) } }
}
