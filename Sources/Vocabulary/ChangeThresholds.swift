/// The amount of change in a frame, 0...1 (`ChangeMeter`), from which on something is taken to move. The trackers' own
/// threshold is the public `stillness` of their configurations, in luma values of a block (`SceneBlocks`).
package enum ChangeThresholds {
    /// The body is looked at above this amount.
    package static let arms = 0.002
    /// A stream may become idle below this amount.
    package static let idle = 0.002
    /// One frame above this amount ends idleness.
    package static let wake = 0.004
}
