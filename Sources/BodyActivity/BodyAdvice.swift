import Preprocessing

/// What the user should be asked to do.
public struct BodyAdvice: OptionSet, Sendable, Hashable, Codable {
    /// One bit for each advice.
    public let rawValue: UInt8

    /// Makes advice from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Step back into the frame.
    public static let stepBackIn = BodyAdvice(rawValue: 1 << 0)
    /// Turn to face the camera, or put the camera in front: the activity is best seen from there.
    public static let faceCamera = BodyAdvice(rawValue: 1 << 1)
    /// Turn a side to the camera, or put the camera at the side.
    public static let turnSideways = BodyAdvice(rawValue: 1 << 2)
    /// Come closer: the body is less than a third of the frame's height and of its width.
    public static let comeCloser = BodyAdvice(rawValue: 1 << 3)
    /// Make more light.
    public static let tooDark = BodyAdvice(rawValue: 1 << 4)
    /// Make less light.
    public static let tooBright = BodyAdvice(rawValue: 1 << 5)
    /// Lock the camera's exposure again: the light has changed since the first seconds.
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
    /// The words of commands and logs, in the order of the bits.
    package var names: [String] {
        let all = [
            "step back in", "face the camera", "turn sideways", "come closer", "too dark", "too bright",
            "exposure drifted",
        ]
        return all.indices.filter { rawValue >> UInt8($0) & 1 == 1 }.map { all[$0] }
    }
}
