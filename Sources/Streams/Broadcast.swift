import Platform

/// Sends values to any number of listeners, each with a bounded stream of its own.
///
/// A listener gets everything from its subscription on; another listener's cancellation does not affect it. Values sent
/// before the first listener wait for it. A listener that is slower than the values loses the oldest; `lost` counts them.
///
/// `share()` of swift-async-algorithms would not do. It pulls from one sequence by a task, so an event would wait for the
/// cooperative pool before it is buffered. It does not count lost values, and it would be a dependency of every app.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct Listeners {
        /// The first listener's, until it comes.
        var unclaimed: AsyncStream<Element>?
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
        var lost = 0
    }

    private let limit: Int
    private let listeners = Locked(Listeners())

    /// - limit: values that may wait for each listener, 1 or more.
    package init(limit: Int) {
        self.limit = limit
        let first = subscribe()
        listeners.withLock { $0.unclaimed = first }
    }

    /// A stream of what is sent from now on, the first one of all that was sent; ends with `finish`.
    package func stream() -> AsyncStream<Element> {
        let first = listeners.withLock { listeners in
            defer { listeners.unclaimed = nil }
            return listeners.unclaimed
        }
        return first ?? subscribe()
    }

    private func subscribe() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(limit))
        let number = listeners.withLock { listeners -> Int? in
            guard !listeners.isFinished else { return nil }
            listeners.nextNumber += 1
            listeners.continuations[listeners.nextNumber] = continuation
            return listeners.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        // A termination from now on, or one that was before, calls it at once.
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        // Released outside the lock: a stream that ends calls back.
        let removed = listeners.withLock { $0.continuations.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Gives the value to every listener.
    package func send(_ value: Element) {
        listeners.withLock { listeners in
            for continuation in listeners.continuations.values {
                if case .dropped = continuation.yield(value) { listeners.lost += 1 }
            }
        }
    }

    /// Ends every listener's stream once it has taken what waits for it.
    package func finish() {
        let continuations = listeners.withLock { listeners in
            defer { listeners.continuations = [:] }
            listeners.isFinished = true
            return listeners.continuations
        }
        for continuation in continuations.values { continuation.finish() }
    }

    /// Values given up for listeners that were too slow, over all of them.
    package var lost: Int { listeners.withLock { $0.lost } }
}
