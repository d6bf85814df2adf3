import ModelFile
import Platform

/// The memory in which a plan runs: every value of its graph.
///
/// `@unchecked Sendable`: one unit at a time has it.
@safe
final class GraphArena: @unchecked Sendable {
    private let bytes: AlignedBuffer<UInt8>

    init(of plan: GraphPlan) {
        bytes = AlignedBuffer(count: plan.arenaBytes)
        // Inputs share their memory with no other value.
        for index in plan.graph.inputs { unsafe plan.places[index].clearBorder(in: bytes.base) }
    }

    /// Valid as long as the arena.
    var base: UnsafeMutablePointer<UInt8> { unsafe bytes.base }
}

/// Arenas that the streams of a plan use in turn: as many as have run at once, and not one for each stream.
///
/// Between two frames a stream needs nothing that is in its arena. The arena that was returned last is taken first,
/// because it may still be in the cache.
package final class GraphArenas: Sendable {
    private let free = Locked<[GraphArena]>([])

    /// A free arena, or a new one.
    func take(for plan: GraphPlan) -> GraphArena { free.withLock { $0.popLast() } ?? GraphArena(of: plan) }

    func giveBack(_ arena: GraphArena) { free.withLock { $0.append(arena) } }
}
