import Platform

/// The hand of a recording, slot by slot: its embedding and where its palm is.
package struct HandTrace: Sendable, Equatable {
    /// Slots a second.
    package let rate: Int
    /// [slot][128], 0 or above; zeros where no hand is seen.
    package private(set) var embeddings: [Float] = []
    /// [slot]: the palm's position and size, in heights of the frame.
    package private(set) var palms: [SIMD3<Float>] = []
    /// [slot]: the scores of the pose networks, in their order; zeros without a hand.
    package private(set) var poses: [SIMD8<Float>] = []

    package init(rate: Int) { self.rate = rate }

    package var slotCount: Int { palms.count }

    /// Adds a slot. Requires 128 values.
    package mutating func add(_ embedding: [Float], palm: SIMD3<Float>, poses: SIMD8<Float> = SIMD8()) {
        precondition(embedding.count == PoseTemplate.width)
        self.poses.append(poses)
        embeddings += embedding
        palms.append(palm)
    }
}

extension GestureRecording {
    /// Whether a hand is held still in it for half a second.
    package var holdsPose: Bool { !PoseHold.all(in: self).isEmpty }

    /// Checks whether the recording can teach a gesture of this kind, as `GestureEnrolment` does.
    /// - Parameter index: of the recording, for the error.
    package func check(as kind: EnrolmentConfiguration.Kind, index: Int) throws(EnrolmentError) {
        _ = try RecordingContent(self, index: index, as: kind)
    }

    /// How far the palm travels while the hand shows a pose, in sizes of the palm: the diagonal of all its places.
    func travel(showing pose: PoseHold) -> Double {
        guard let trace = hand else { return 0 }
        let shown = (0..<trace.slotCount).filter { slot in
            pose.slots.contains(slot) || pose.resembles(slot, of: trace)
        }
        guard let first = shown.first else { return 0 }
        var (lowest, highest) = (trace.palms[first], trace.palms[first])
        for slot in shown {
            lowest = pointwiseMin(lowest, trace.palms[slot])
            highest = pointwiseMax(highest, trace.palms[slot])
        }
        let extent = highest - lowest
        return highest.z > 0 ? Double((extent.x * extent.x + extent.y * extent.y).squareRoot() / highest.z) : 0
    }
}

/// The part of a recording in which a hand is held still in one pose.
///
/// Half a second is still if a hand is seen in seven tenths of its slots, if every embedding is within 0.5 of their mean
/// direction, and if the palm stays within 0.7 of its size: what `HeldPoseConfiguration` calls held.
struct PoseHold: Equatable {
    /// The held slots.
    let slots: Range<Int>
    /// The mean direction of their embeddings, a unit vector.
    let direction: [Float]
    /// The distance from it that nineteen of twenty slots keep.
    let spread: Float
    /// The place of the networks' pose whose mean score is above a half; nil if none is.
    let known: Int?

    private static let seen: Float = 0.7
    private static let steadiness: Float = 0.5
    private static let distanceLimit: Float = 0.7
    private static let width = PoseTemplate.width

    /// All holds of a recording, in order; none without a trace.
    static func all(in recording: GestureRecording) -> [PoseHold] {
        guard let trace = recording.hand, trace.rate > 1 else { return [] }
        let directions = (0..<trace.slotCount).map { direction($0, of: trace) }
        let length = trace.rate / 2
        var holds: [PoseHold] = []
        // The end of the first of the still half seconds that follow each other: after a change of pose others follow.
        var first: Int?
        for end in length...max(length, directions.count) + 1 {
            if end <= directions.count, isStill(end - length..<end, directions, trace) {
                first = first ?? end
            } else if let begun = first {
                if let hold = PoseHold(begun - length..<end - 1, directions, trace) { holds.append(hold) }
                first = nil
            }
        }
        return holds
    }

    /// The direction of a slot's embedding; nil without a hand.
    private static func direction(_ slot: Int, of trace: HandTrace) -> [Float]? {
        var values = Array(trace.embeddings[slot * width..<(slot + 1) * width])
        var span = values.mutableElementSpan
        return PoseTemplate.normalise(&span) ? values : nil
    }

    /// Whether a slot shows the same pose.
    func resembles(_ slot: Int, of trace: HandTrace) -> Bool {
        Self.direction(slot, of: trace).map { Self.distance($0, direction) < Self.steadiness } ?? false
    }

    private init?(_ slots: Range<Int>, _ directions: [[Float]?], _ trace: HandTrace) {
        let seen = slots.compactMap { directions[$0] }
        guard let mean = Self.mean(seen) else { return nil }
        let distances = seen.map { Self.distance($0, mean) }.sorted()
        self.slots = slots
        direction = mean
        let sum = slots.reduce(SIMD8<Float>()) { $0 + trace.poses[$1] }
        known = PoseTemplate.knownPlaces.first { sum[$0] > 0.5 * Float(seen.count) }
        spread = distances[min(distances.count * 19 / 20, distances.count - 1)]
    }

    private static func isStill(_ slots: Range<Int>, _ directions: [[Float]?], _ trace: HandTrace) -> Bool {
        let seen = slots.filter { directions[$0] != nil }
        guard Float(seen.count) > Self.seen * Float(slots.count), let mean = mean(seen.compactMap { directions[$0] })
        else { return false }
        var (lowest, highest) = (trace.palms[seen[0]], trace.palms[seen[0]])
        for slot in seen {
            guard let direction = directions[slot], distance(direction, mean) < steadiness else { return false }
            lowest = pointwiseMin(lowest, trace.palms[slot])
            highest = pointwiseMax(highest, trace.palms[slot])
        }
        let extent = highest - lowest
        return (extent.x * extent.x + extent.y * extent.y).squareRoot() < distanceLimit * highest.z
    }

    /// The direction of the sum of unit vectors; nil without any.
    static func mean(_ directions: [[Float]]) -> [Float]? {
        guard let first = directions.first else { return nil }
        var sum = [Float](repeating: 0, count: first.count)
        for direction in directions { for index in sum.indices { sum[index] += direction[index] } }
        var span = sum.mutableElementSpan
        return PoseTemplate.normalise(&span) ? sum : nil
    }

    /// The chord between two unit vectors.
    static func distance(_ one: [Float], _ other: [Float]) -> Float {
        max(2 - 2 * zip(one, other).reduce(Float(0)) { $0 + $1.0 * $1.1 }, 0).squareRoot()
    }
}
