import Platform

/// A pose of a hand: directions of its embeddings, and how far from them an embedding still shows the pose.
///
/// Embeddings are the 128 values, 0 or above, that the gesture embedder of MediaPipe's gesture recognizer makes of a hand's
/// points. Only their direction counts: distances are chords between unit vectors, 0...1.41. In photographs of 218 people
/// two hands in the same pose are 0.4 apart at the median, and hands in different poses 1.2.
package struct PoseTemplate: Sendable, Equatable {
    /// Values of an embedding.
    package static let width = 128
    /// Maximum number of centres of a pose.
    package static let centreLimit = 4
    /// Share of the radius over which a score falls from 1 to 0; at the radius it is a half.
    private static let edge: Float = 0.3

    /// [centre][value], unit vectors; 1 to 4 of them.
    package let centres: [Float]
    /// Distance at which the score is a half, above 0, at most 1.
    package let radius: Float
    /// The pose of the networks that this is, as a place in their scores, 1...7; nil for any other pose. Those networks
    /// know a pose of theirs from all sides, which one example does not show.
    package let known: Int?

    /// The places of the poses that the networks know; 0 is any other pose.
    package static let knownPlaces = 1...7

    /// Nil unless there are 1 to 4 unit vectors and the other values are in their ranges.
    package init?(centres: [Float], radius: Float, known: Int? = nil) {
        guard known.map(Self.knownPlaces.contains) ?? true else { return nil }
        guard (1...Self.centreLimit).contains(centres.count / Self.width), centres.count.isMultiple(of: Self.width),
            radius > 0, radius <= 1
        else { return nil }
        for start in stride(from: 0, to: centres.count, by: Self.width) {
            let square = centres[start..<start + Self.width].reduce(Float(0)) { $0 + $1 * $1 }
            // NaN fails the comparison.
            guard abs(square - 1) < 1e-3 else { return nil }
        }
        self.centres = centres
        self.radius = radius
        self.known = known
    }

    package var centreCount: Int { centres.count / Self.width }

    /// The distance of a unit vector from the nearest centre.
    func distance(_ direction: Span<Float>) -> Float {
        var best = -Float.infinity
        for centre in 0..<centreCount {
            var dot: Float = 0
            for index in 0..<Self.width { dot += centres[centre * Self.width + index] * direction[index] }
            best = max(best, dot)
        }
        return max(2 - 2 * best, 0).squareRoot()
    }

    /// How surely a direction at this distance shows the pose, 0...1.
    func score(_ distance: Float) -> Float {
        min(max(0.5 + (radius - distance) / (Self.edge * radius), 0), 1)
    }

    /// Divides an embedding by its length. Returns false, and leaves it unchanged, if it has none.
    static func normalise(_ embedding: inout MutableSpan<Float>) -> Bool {
        var square: Float = 0
        for index in embedding.indices { square += embedding[index] * embedding[index] }
        guard square > 1e-12, square < .infinity else { return false }
        let factor = 1 / square.squareRoot()
        for index in embedding.indices { embedding[index] *= factor }
        return true
    }
}

/// The poses among a user's gestures, prepared for the frame loop.
package struct UserPoses: Sendable {
    /// By the index of the gesture among the user's; nil for gestures without a pose.
    private let templates: [PoseTemplate?]
    private var direction = [Float](repeating: 0, count: PoseTemplate.width)

    /// Nil if no gesture is a pose.
    package init?(_ gestures: UserGestures) {
        templates = gestures.gestures.map { $0.pose }
        guard templates.contains(where: { $0 != nil }) else { return nil }
    }

    /// The score of each gesture for a hand, in the order of the gestures. Only the pose with the highest score has one,
    /// of equal ones the nearest; an embedding of zeros has none. Allocates nothing.
    /// - Parameter poses: the networks' scores, in their order.
    package mutating func scores(_ embedding: Span<Float>, poses: SIMD8<Float> = SIMD8()) -> SIMD16<Float> {
        var scores = SIMD16<Float>()
        var span = direction.mutableElementSpan
        for index in 0..<PoseTemplate.width { span[index] = embedding[index] }
        guard PoseTemplate.normalise(&span) else { return scores }
        var best: (index: Int, score: Float, distance: Float)?
        for index in templates.indices {
            guard let template = templates[index] else { continue }
            // In units of its own radius, so that a narrow pose is not called at the edge of a wide one.
            let distance = template.distance(direction.elementSpan)
            let score = max(template.score(distance), template.known.map { poses[$0] } ?? 0)
            let share = distance / template.radius
            if let known = best, (known.score, -known.distance) >= (score, -share) { continue }
            best = (index, score, share)
        }
        if let best { scores[best.index] = best.score }
        return scores
    }
}
