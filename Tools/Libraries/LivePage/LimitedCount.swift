import Platform

/// How many of a kind there are at once, up to a limit.
final class LimitedCount: Sendable {
    let limit: Int
    private let count = Locked(0)

    init(limit: Int) { self.limit = limit }

    /// - Returns: false if there are as many as the limit.
    func enter() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}
