public import Frames

/// The eight orientations are the eight ways to lay a square on itself: four turns, and four turns of the mirrored square.
/// Read as what is done to a stored picture to set it upright, they can be done one after the other and undone.
extension ImageOrientation {
    /// What this one and then `next` come to. `orientation.followed(by: .upMirrored)` is an orientation and the mirror of
    /// `FrameGeometry` in one.
    public func followed(by next: ImageOrientation) -> ImageOrientation {
        // A mirror after a turn is the opposite turn after the mirror.
        ImageOrientation(
            quarterTurns: next.quarterTurns + (next.isReflection ? -quarterTurns : quarterTurns),
            isReflection: isReflection != next.isReflection)
    }

    /// What undoes this one. The two quarter turns undo each other, the other six themselves.
    public var inverse: ImageOrientation {
        isReflection ? self : ImageOrientation(quarterTurns: -quarterTurns, isReflection: false)
    }

    /// Whether a left hand comes out as a right hand.
    public var isReflection: Bool {
        switch self {
        case .up, .right, .down, .left: false
        case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored: true
        }
    }

    /// Clockwise turns by 90 degrees, 0...3, after left and right have changed places where it is a reflection.
    package var quarterTurns: Int {
        switch self {
        case .up, .upMirrored: 0
        case .right, .rightMirrored: 1
        case .down, .downMirrored: 2
        case .left, .leftMirrored: 3
        }
    }

    private init(quarterTurns: Int, isReflection: Bool) {
        // The low two bits of a negative number are its remainder too.
        switch quarterTurns & 3 {
        case 0: self = isReflection ? .upMirrored : .up
        case 1: self = isReflection ? .rightMirrored : .right
        case 2: self = isReflection ? .downMirrored : .down
        default: self = isReflection ? .leftMirrored : .left
        }
    }
}
