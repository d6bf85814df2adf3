import Platform

/// Sends values to any number of listeners, each with a bounded stream of its own.
///
/// A listener gets everything from its subscription on; another listener's cancellation does not affect it. Values sent
/// before the first listener wait for it. A listener that is too slow loses the oldest values; `lost` counts them.
///
/// `share()` of swift-async-algorithms would not do. It pulls from one sequence by a task, so an event would wait for
/// the cooperative pool before it is buffered. It counts no lost values, and it would be a dependency of every app.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct Listeners {
        /// The stream of the first listener, until it subscribes.
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

    /// A stream of the values sent from now on; the first stream also has those sent before. It ends with `finish`.
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
        // If the stream has already terminated, this is called at once.
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        // Released outside the lock, because a stream that ends calls back.
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

    /// Ends every listener's stream after the values that wait for it.
    package func finish() {
        let continuations = listeners.withLock { listeners in
            defer { listeners.continuations = [:] }
            listeners.isFinished = true
            return listeners.continuations
        }
        for continuation in continuations.values { continuation.finish() }
    }

    /// Values dropped because a listener was too slow, summed over all listeners.
    package var lost: Int { listeners.withLock { $0.lost } }
}
