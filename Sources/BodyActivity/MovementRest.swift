import Platform

/// Finds when a body was last still before a movement, from the movement's progress.
///
/// A body is still while its progress is at most 0.03 above its restLevel value. The restLevel value falls with the progress
/// and rises towards it with a time constant of 1 s, so a body that stays somewhere is still there.
struct MovementDeparture: Sendable {
    /// The latest moment in which the body was still.
    private(set) var time: Duration = .zero
    private var restLevel = Double.infinity

    private static let tolerance = 0.03
    private static let adoption = 1.0

    mutating func follow(_ progress: Double, at time: Duration, after elapsed: Double) {
        if progress <= restLevel + Self.tolerance { self.time = time }
        guard progress > restLevel else {
            restLevel = progress
            return
        }
        restLevel += (1 - Math.exponential(-elapsed / Self.adoption)) * (progress - restLevel)
    }

    /// The body was still at `time`, at this progress.
    mutating func restart(_ progress: Double = .infinity, at time: Duration) {
        restLevel = progress
        self.time = time
    }
}

/// Finds when a body is still again after a movement, from the movement's progress.
///
/// It is still when its progress is at most 0.05. It was still at its lowest progress when it has risen from it by 0.05,
/// or has not fallen by 0.03 more for 150 ms.
struct MovementArrival: Sendable {
    /// When the body came to rest, as far as is known.
    private(set) var time: Duration
    /// The lowest progress so far.
    private(set) var lowest: Double
    let isShallow: Bool

    private static let rest = 0.05
    private static let rise = 0.05
    private static let fall = 0.03
    private static let stillness = Duration.milliseconds(150)

    init(_ progress: Double, at time: Duration, isShallow: Bool) {
        lowest = progress
        self.time = time
        self.isShallow = isShallow
    }

    /// Takes in a frame. Returns whether the body has come to rest.
    mutating func follow(_ progress: Double, at time: Duration) -> Bool {
        if progress <= Self.rest || progress < lowest - Self.fall { (lowest, self.time) = (progress, time) }
        return progress <= Self.rest || progress > lowest + Self.rise || time - self.time >= Self.stillness
    }
}
