package import Tracking

/// A person recognised in one image.
public struct BodyObservation: Sendable, Equatable {
    /// How likely there is a body, by the network, 0...1.
    public let confidence: Float
    /// The joints with Vision's names and coordinates.
    public let joints: BodyJoints
    /// The 33 points from which the joints were made, from the top left, with depth and metres.
    public let body: TrackedBody
    /// When the image was taken, as the caller gave it.
    public let time: Duration
    /// What may make the points inaccurate.
    public let quality: BodyQuality

    /// The observations of one frame's bodies, in the bodies' order.
    package static func all(_ bodies: [TrackedBody], in frame: FrameSize, at time: Duration) -> [BodyObservation] {
        let found = bodies.map { (body: $0, joints: BodyJoints($0)) }
        let boxes = found.map { BodyQuality.box(of: $0.body, frame) }
        return found.enumerated().map { index, person in
            var quality = BodyQuality(person.joints, box: boxes[index], frame)
            let isCrowded = boxes.indices.contains { $0 != index && boxes[$0].overlaps(boxes[index]) }
            if isCrowded { quality.insert(.crowded) }
            return BodyObservation(
                confidence: person.body.presence, joints: person.joints, body: person.body, time: time,
                quality: quality)
        }
    }
}

/// What may make the points inaccurate. This is advice for the app: the points are given in any case.
public struct BodyQuality: OptionSet, Sendable, Hashable {
    /// One bit for each flag.
    public let rawValue: UInt8

    /// Makes flags from their bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The person is too far away: the longer side of the body's box is less than a third of the frame's height. The
    /// box includes points estimated outside the frame. A third is Apple's advice.
    public static let tooSmall = BodyQuality(rawValue: 1 << 0)

    /// At most half of the face, torso, arms and legs are recognised, each by more than half of its joints.
    public static let keyRegionsHidden = BodyQuality(rawValue: 1 << 1)

    /// The box of another recognised body overlaps this one's.
    public static let crowded = BodyQuality(rawValue: 1 << 2)
}

extension BodyQuality {
    /// Minimum length, normalised by the frame's height.
    private static let minimumLength: Float = 1.0 / 3

    private static let keyRegions: [BodyJoints.Group] = [.face, .torso, .leftArm, .rightArm, .leftLeg, .rightLeg]

    /// The box around all points of a body, in pixels.
    struct Box {
        let minimum: SIMD2<Float>
        let maximum: SIMD2<Float>

        func overlaps(_ other: Box) -> Bool {
            let shared = pointwiseMin(maximum, other.maximum) - pointwiseMax(minimum, other.minimum)
            return shared.x > 0 && shared.y > 0
        }
    }

    static func box(of body: TrackedBody, _ frame: FrameSize) -> Box {
        var (minimum, maximum) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
        for index in 0..<TrackedBody.Points.count {
            let point = SIMD2(body.landmarks[index].x, body.landmarks[index].y)
            minimum = pointwiseMin(minimum, point)
            maximum = pointwiseMax(maximum, point)
        }
        let sides = SIMD2(Float(frame.width), Float(frame.height))
        return Box(minimum: minimum * sides, maximum: maximum * sides)
    }

    init(_ joints: BodyJoints, box: Box, _ frame: FrameSize) {
        self = []
        let length = (box.maximum - box.minimum).max()
        // NaN counts as too small.
        if !(length >= Self.minimumLength * Float(frame.height)) { insert(.tooSmall) }
        let visible = Self.keyRegions.count { region in
            2 * region.joints.count { joints[$0] != nil } > region.joints.count
        }
        if 2 * visible <= Self.keyRegions.count { insert(.keyRegionsHidden) }
    }
}
