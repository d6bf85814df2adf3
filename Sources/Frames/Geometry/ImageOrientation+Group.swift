/// The eight orientations as a group: the four turns of a square, and the four turns of the mirrored square. As
/// operations that set a stored image upright they can be combined and inverted.
extension ImageOrientation {
    /// This orientation, then `next`. `orientation.followed(by: .upMirrored)` combines an orientation with a
    /// mirror.
    public func followed(by next: ImageOrientation) -> ImageOrientation {
        // A mirror after a turn is the opposite turn after the mirror.
        ImageOrientation(
            quarterTurns: next.quarterTurns + (next.isReflection ? -quarterTurns : quarterTurns),
            isReflection: isReflection != next.isReflection)
    }

    /// The orientation that undoes this one. The two quarter turns are each other's inverse; the other six are their
    /// own.
    public var inverse: ImageOrientation {
        isReflection ? self : ImageOrientation(quarterTurns: -quarterTurns, isReflection: false)
    }

    /// Whether it turns a left hand into a right hand.
    public var isReflection: Bool {
        switch self {
        case .up, .right, .down, .left: false
        case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored: true
        }
    }

    /// Clockwise turns by 90 degrees, 0...3, which follow the mirror if it is a reflection.
    package var quarterTurns: Int {
        switch self {
        case .up, .upMirrored: 0
        case .right, .rightMirrored: 1
        case .down, .downMirrored: 2
        case .left, .leftMirrored: 3
        }
    }

    private init(quarterTurns: Int, isReflection: Bool) {
        // The low two bits of a negative number are also its remainder.
        switch quarterTurns & 3 {
        case 0: self = isReflection ? .upMirrored : .up
        case 1: self = isReflection ? .rightMirrored : .right
        case 2: self = isReflection ? .downMirrored : .down
        default: self = isReflection ? .leftMirrored : .left
        }
    }
}
