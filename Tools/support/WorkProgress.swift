import Foundation
import Synchronization

/// How far work has come, on one line of standard error that is written again and again; nothing where standard error is
/// no terminal, and nothing in the first two seconds.
package final class WorkProgress: Sendable {
    private let title: String
    private let total: Double?
    private let unit: String
    private let isShown: Bool
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant
    private let nextTime: Mutex<ContinuousClock.Instant>

    /// - Parameters:
    ///   - title: what is done, before the numbers.
    ///   - total: the amount of work; nil if it is not known.
    ///   - unit: what is counted, in the plural; empty for a share alone.
    package init(_ title: String, total: Double?, unit: String = "", quiet: Bool) {
        self.title = title
        self.total = total
        self.unit = unit
        isShown = !quiet && TextStyle.isTerminal(STDERR_FILENO)
        begin = clock.now
        nextTime = Mutex(begin + .seconds(2))
    }

    /// Shows that so much of the total is done, unless the line was written a moment ago.
    package func update(_ done: Double) {
        guard isShown else { return }
        let now = clock.now
        let isDue = nextTime.withLock { next in
            guard now >= next else { return false }
            next = now + .milliseconds(200)
            return true
        }
        guard isDue else { return }
        Terminal.showProgress(
            Self.line(title, done: done, total: total, unit: unit, elapsed: (now - begin) / .seconds(1)))
    }

    package func update(_ done: Int) { update(Double(done)) }

    /// Removes the line. Any other text of `Terminal` does so, too.
    package func finish() { Terminal.clearProgress() }

    /// `accuracy: 12 of 32 clips, 38 %, 1:20 left`.
    /// - elapsed: seconds since the work began.
    package static func line(
        _ title: String, done: Double, total: Double?, unit: String, elapsed: Double
    ) -> String {
        guard let total, total > 0 else {
            let count = unit.isEmpty ? "" : "\(Int(done)) \(unit), "
            return "\(title): \(count)\(time(elapsed)) so far"
        }
        let share = min(1, max(0, done / total))
        let count = unit.isEmpty ? "" : "\(Int(done)) of \(Int(total)) \(unit), "
        let left = share > 0 ? ", \(time(elapsed * (1 - share) / share)) left" : ""
        return "\(title): \(count)\(Int(100 * share)) %\(left)"
    }

    /// `0:07`, `1:20` or `2:03:00`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds.isFinite ? seconds : 0), 359_999).rounded(.up))
        let tail = String(format: "%02d", whole % 60)
        guard whole >= 3600 else { return "\(whole / 60):\(tail)" }
        return "\(whole / 3600):" + String(format: "%02d", whole / 60 % 60) + ":" + tail
    }
}
