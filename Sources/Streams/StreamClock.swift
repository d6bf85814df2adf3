import Vocabulary

/// The clock that steps are timed with: the system's, or one that a test moves. Frames bring their own times.
package struct StreamClock: Sendable {
    /// Nanoseconds from a fixed moment; never goes back.
    package let now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Runs on while the device sleeps, as cameras' clocks do not have to.
    package static let system = {
        let clock = ContinuousClock()
        let start = clock.now
        return StreamClock { start.duration(to: clock.now).saturatedNanoseconds }
    }()
}
