import Synchronization

/// Notices that a program has given nothing for too long. Only the time in which somebody waits for it counts: a program
/// whose output nobody takes is not to blame.
///
/// The time is counted in looks at it, not read from a clock, so that one in which this process did not run either, stopped or
/// starved, does not count.
final class StallWatch: Sendable {
    private struct State {
        var isWaiting = false
        /// Waits so far.
        var waits = 0
        var hasExpired = false
    }

    /// Looks within the limit.
    private static let looks = 8

    private let limit: Duration
    private let state = Mutex(State())

    init(limit: Duration) { self.limit = limit }

    /// Somebody waits for the program from now on.
    func begin() {
        state.withLock { state in
            state.isWaiting = true
            state.waits += 1
        }
    }

    /// It has given something, or has ended.
    func end() { state.withLock { $0.isWaiting = false } }

    /// Whether a wait was longer than the limit.
    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// Looks until the task is cancelled or a wait has lasted longer than the limit, by up to an eighth of it.
    /// - Parameter stop: called once in the second case.
    func watch(_ stop: () -> Void) async {
        var current = 0
        var seen = 0
        while seen < Self.looks {
            do { try await Task.sleep(for: limit / Self.looks) } catch { return }
            let wait = state.withLock { $0.isWaiting ? $0.waits : 0 }
            seen = wait > 0 && wait == current ? seen + 1 : 0
            current = wait
        }
        state.withLock { $0.hasExpired = true }
        stop()
    }
}
