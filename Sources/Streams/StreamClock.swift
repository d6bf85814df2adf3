import Platform
import Vocabulary

/// The clock that times steps: the system's, or one that a test moves. Frames have their own timestamps.
package struct StreamClock: Sendable {
    /// Nanoseconds from a fixed moment; never goes back.
    package let now: @Sendable () -> Int64

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The system's clock. It also runs while the device sleeps, unlike the clocks of some cameras.
    package static let system = {
        #if hasFeature(Embedded)
            return StreamClock { Int64(HostClock.milliseconds() * 1e6) }
        #else
            let clock = ContinuousClock()
            let start = clock.now
            return StreamClock { start.duration(to: clock.now).saturatedNanoseconds }
        #endif
    }()
}
