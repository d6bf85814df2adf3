/// What is wrong with the times of a stream's frames, so that it cannot recognise gestures.
public enum TimeFault: Int, Sendable, Hashable, CaseIterable {
    /// Ten frames in a row have the same time.
    case neverAdvances
    /// The same, and it is a whole number of seconds above zero.
    case wholeSeconds
    /// The same, and neighbouring times of 32-bit floats are a quarter of a second or more apart there.
    case lowPrecision
    /// Ten frames in a row are earlier than the one before.
    case runsBackward
    /// Ten frames in a row are 5 to 500 seconds apart, as if milliseconds were given as seconds.
    case thousandfold
    /// Ten frames in a row are beyond 2^62 nanoseconds, 146 years, from the origin of the clock.
    case beyondHorizon
    /// Ten frames in a row do not follow the one before within a second, in some other way.
    case irregular
    /// A hundred frames in a row fall into a slot that is filled, as if the times had a larger unit.
    case tooClose
    /// Each of ten frames in a row starts the stream anew, because more than 15 slots lie between them.
    case tooSlow
}

extension TimeFault {
    /// What is wrong and what to do, for users.
    public var sentences: String {
        switch self {
        case .neverAdvances:
            """
            The frames' times never advance: ten in a row have the same time, and all but the first are dropped. If the \
            source has no times, give the frame's number divided by the rate.
            """
        case .wholeSeconds:
            """
            The frames' times are whole seconds: ten in a row have the same time, and all but the first are dropped. \
            Give times with fractions of a second.
            """
        case .lowPrecision:
            """
            The frames' times have the low precision of 32-bit floats: ten in a row have the same time, and all but the \
            first are dropped. Give times in double precision.
            """
        case .runsBackward:
            """
            The frames' times run backward: ten in a row are earlier than the one before, and they are dropped. Give \
            frames in the order of their times.
            """
        case .thousandfold:
            """
            The frames' times advance about a thousand times too fast: ten in a row are more than five seconds apart, \
            and they are dropped. Milliseconds were probably given as seconds.
            """
        case .beyondHorizon:
            """
            The frames' times are more than 146 years from the clock's origin, and the frames are dropped. The times \
            probably have another unit than is expected.
            """
        case .irregular:
            """
            The frames' times jump: none of ten in a row follows the one before within a second, and they are dropped. \
            Give the times at which one camera took the frames.
            """
        case .tooClose:
            """
            The frames' times hardly advance: a hundred in a row fall into a slot that is filled. The times probably \
            have another unit than is expected.
            """
        case .tooSlow:
            """
            The frames come too seldom: each is more than 15 slots after the one before and starts the stream anew, so \
            no gesture that moves can be recognised. Give frames more often, or a lower rate of the stream.
            """
        }
    }
}
