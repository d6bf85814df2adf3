import Synchronization

/// Detects that a program has produced no output for too long. Only the time in which its output is awaited counts.
///
/// The time is counted in checks, not read from a clock, so that time in which this process was stopped or starved does
/// not count either.
final class StallWatch: Sendable {
    private struct State {
        var isWaiting = false
        /// Waits so far.
        var waits = 0
        var hasExpired = false
    }

    /// Checks within the limit.
    private static let looks = 8

    private let limit: Duration
    private let state = Mutex(State())

    init(limit: Duration) { self.limit = limit }

    /// Begins a wait for the program.
    func begin() {
        state.withLock { state in
            state.isWaiting = true
            state.waits += 1
        }
    }

    /// Ends a wait: the program has produced output or ended.
    func end() { state.withLock { $0.isWaiting = false } }

    /// Whether a wait was longer than the limit.
    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// Checks until the task is cancelled or a wait has exceeded the limit, by at most an eighth of it.
    /// - Parameter stop: called once if the limit is exceeded.
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
