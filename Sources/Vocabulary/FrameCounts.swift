/// Exact counts of a stream's frames by outcome. Frames in = `run + surplus + drops`; columns written =
/// `run + repeats`.
public struct FrameCounts: Codable, Sendable, Hashable {
    /// Frames admitted to the grid.
    public package(set) var run = 0
    /// Columns repeated instead of missing frames.
    public package(set) var repeats = 0
    /// Frames left out because the camera is faster than the grid.
    public package(set) var surplus = 0
    /// Runs that discarded everything before them.
    public package(set) var resets = 0
    /// Frames dropped with `DropReason.equalTimestamp`.
    public package(set) var equalTimestamps = 0
    /// Frames dropped with `DropReason.backwardTimestamp`.
    public package(set) var backwardTimestamps = 0
    /// Frames dropped with `DropReason.beyondHorizon`.
    public package(set) var beyondHorizon = 0
    /// Frames dropped with `DropReason.unconfirmedJump`.
    public package(set) var unconfirmedJumps = 0

    /// Why a frame's timestamp was refused.
    public enum DropReason: Sendable, Equatable, CaseIterable {
        /// Equal to the timestamp of the frame before.
        case equalTimestamp
        /// Earlier than the frame before.
        case backwardTimestamp
        /// Beyond 2^62 nanoseconds, 146 years, before or after the origin of the clock.
        case beyondHorizon
        /// More than a second after the frame before, and not yet confirmed by the following frames. A steady step of up
        /// to five seconds is confirmed by the third frame.
        case unconfirmedJump
    }

    /// Makes counts of zero.
    package init() {}

    /// Frames dropped, for all reasons.
    public var drops: Int {
        equalTimestamps + backwardTimestamps + beyondHorizon + unconfirmedJumps
    }

    package mutating func count(_ reason: DropReason) {
        switch reason {
        case .equalTimestamp: equalTimestamps += 1
        case .backwardTimestamp: backwardTimestamps += 1
        case .beyondHorizon: beyondHorizon += 1
        case .unconfirmedJump: unconfirmedJumps += 1
        }
    }
}
