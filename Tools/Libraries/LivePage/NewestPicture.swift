package import PageSession
import Platform

/// Holds one picture until the engine is free. A newer picture replaces it, and both are counted.
package final class NewestPicture: Sendable {
    private struct State {
        var picture: CameraPicture?
        var arrival: ContinuousClock.Instant?
        var counts = PictureCounts()
    }

    private let state = Locked(State())

    package init() {}

    package func put(_ picture: CameraPicture, at arrival: ContinuousClock.Instant) {
        state.withLock { state in
            state.counts.received += 1
            if state.picture != nil { state.counts.superseded += 1 }
            (state.picture, state.arrival) = (picture, arrival)
        }
    }

    /// The picture, which leaves the holder, with its time of arrival and the counts so far.
    package func take() -> (picture: CameraPicture, arrival: ContinuousClock.Instant, counts: PictureCounts)? {
        state.withLock { state in
            guard let picture = state.picture, let arrival = state.arrival else { return nil }
            state.picture = nil
            return (picture, arrival, state.counts)
        }
    }
}
