import Frames

/// What the user is to be asked to do.
public struct BodyAdvice: OptionSet, Sendable, Hashable, Codable {
    /// One bit an advice.
    public let rawValue: UInt8

    /// Advice by its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Step back into the picture.
    public static let stepBackIn = BodyAdvice(rawValue: 1 << 0)
    /// Turn to face the camera, or put it in front: the activity is best seen from there.
    public static let faceCamera = BodyAdvice(rawValue: 1 << 1)
    /// Turn a side to the camera, or put it there.
    public static let turnSideways = BodyAdvice(rawValue: 1 << 2)
    /// Come closer: the body is less than a third of the picture's height.
    public static let comeCloser = BodyAdvice(rawValue: 1 << 3)
    /// Make more light.
    public static let tooDark = BodyAdvice(rawValue: 1 << 4)
    /// Make less light.
    public static let tooBright = BodyAdvice(rawValue: 1 << 5)
    /// Lock the camera's exposure anew: the light is not that of the first seconds any more.
    public static let exposureDrifted = BodyAdvice(rawValue: 1 << 6)

    init(_ flags: QualityFlags) {
        self = []
        if flags.contains(.subjectTooSmall) { insert(.comeCloser) }
        if flags.contains(.lowLight) { insert(.tooDark) }
        if flags.contains(.overexposed) { insert(.tooBright) }
        if flags.contains(.exposureDrift) { insert(.exposureDrifted) }
    }
}

extension BodyAdvice {
    /// The words that commands and logs use, in the order of the bits.
    package var names: [String] {
        let all = [
            "step back in", "face the camera", "turn sideways", "come closer", "too dark", "too bright",
            "exposure drifted",
        ]
        return all.indices.filter { rawValue >> UInt8($0) & 1 == 1 }.map { all[$0] }
    }
}
