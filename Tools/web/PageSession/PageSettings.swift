import GestureEngine

/// Everything about a stream that the page can change.
package struct PageSettings: Sendable, Equatable {
    /// Nominal frames a second: 30, 60 or 120.
    package var rate = 30
    /// Whether the user sees a mirrored picture. Swipes are then named as the user sees them.
    package var isMirrored = false
    /// The confidence that begins a gesture of any class, 0 or more and below 1; nil for the model's own.
    var beginConfidence: Float?
    /// Slots that begin a gesture, 1...600; nil for the model's own.
    var beginFrames: Int?
    /// Slots that end it, likewise.
    var endFrames: Int?
    /// Labels of classes that may not begin. Others have no effect.
    var deniedClasses: Set<String> = []
    /// Whether a fist, a victory sign and I-love-you are gestures when they are held.
    package var hasHeldPoses = false
    /// Hands that are followed at once, 1...4; nil for as many as the session began with.
    var maximumHands: Int?
    /// What is shown and counted of people; nil looks for none.
    var bodies: BodyMode?
    /// How hands point; nil makes no pointers. Without effect for pixels.
    var pointer: HandPointer.Configuration?

    package init() {}
}
