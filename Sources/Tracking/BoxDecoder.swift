import Platform

/// Decodes the two outputs of a single-shot detector into detections, like MediaPipe's `TensorsToDetectionsCalculator`
/// and its weighted `NonMaxSuppressionCalculator`.
///
/// A score is clipped to -100...100 and passed through the logistic function; boxes below the minimum do not count.
/// Then, from the box with the highest score down, all boxes that overlap it by more than a threshold (intersection
/// over union) become one detection: edges and key points are means weighted by the scores, the score is the highest.
///
/// Inputs may be any floats: a box counts only if its score and all its numbers are finite and its sides above zero.
/// Allocates nothing after initialisation; the time is one pass over the scores and, for each detection, one over the
/// boxes that count.
package struct BoxDecoder: ~Copyable {
    /// Scores are clipped to this on both sides.
    private static let scoreLimit: Float = 100

    private let anchors: BoxAnchors
    private let minimumScore: Float
    private let overlap: Float
    /// A logit below this has a score that is below the minimum by more than any rounding error.
    private let logitFloor: Float
    private var candidates: [Candidate] = []

    private struct Candidate {
        var minimum: SIMD2<Float>
        var maximum: SIMD2<Float>
        var score: Float
        var index: Int32

        var area: Float {
            let size = maximum - minimum
            return size.x * size.y
        }

        /// Intersection over union.
        func overlap(_ other: Candidate) -> Float {
            let size = pointwiseMin(maximum, other.maximum) - pointwiseMax(minimum, other.minimum)
            guard size.x > 0, size.y > 0 else { return 0 }
            let shared = size.x * size.y
            let union = area + other.area - shared
            return union > 0 ? shared / union : 0
        }
    }

    /// - Parameters:
    ///   - minimumScore: boxes below it do not count; 0.01...0.99.
    ///   - overlap: boxes that overlap by more than this are one detection; 0...1.
    package init(_ anchors: BoxAnchors, minimumScore: Float, overlap: Float) {
        self.anchors = anchors
        self.minimumScore = minimumScore
        self.overlap = overlap
        logitFloor = Math.logarithm(minimumScore / (1 - minimumScore)) - 0.001
        candidates.reserveCapacity(anchors.count)
    }

    /// Decodes the detections of an image, the highest score first.
    /// - Parameters:
    ///   - boxes: `BoxAnchors.count` times `numbersPerBox`: x and y of the centre from the anchor, width, height, and x
    ///     and y of the key points from the anchor, in pixels of the detector's image.
    ///   - scores: `BoxAnchors.count` logits.
    ///   - limit: the most detections to decode.
    ///   - detections: emptied, then filled; allocates nothing if its capacity is `limit`.
    package mutating func decode(
        boxes: Span<Float>, scores: Span<Float>, limit: Int, into detections: inout [BoxDetection]
    ) {
        precondition(boxes.count == anchors.count * anchors.numbersPerBox && scores.count == anchors.count)
        detections.removeAll(keepingCapacity: true)
        candidates.removeAll(keepingCapacity: true)
        // Comparisons with NaN are false, so a NaN score is rejected.
        for index in 0..<anchors.count where scores[index] >= logitFloor {
            if let candidate = candidate(index, boxes, scores[index]) { candidates.append(candidate) }
        }
        while detections.count < limit, let best = best {
            detections.append(merge(around: best, boxes))
        }
    }

    private func candidate(_ index: Int, _ boxes: Span<Float>, _ logit: Float) -> Candidate? {
        let clipped = min(max(logit, -Self.scoreLimit), Self.scoreLimit)
        let score = 1 / (1 + Math.exponential(-clipped))
        guard score >= minimumScore else { return nil }
        let first = index * anchors.numbersPerBox
        for coordinate in first..<(first + anchors.numbersPerBox) where !boxes[coordinate].isFinite { return nil }
        let center = point(first, boxes) + anchors.centers[index]
        let half = point(first + 2, boxes) / 2
        guard half.x > 0, half.y > 0 else { return nil }
        let candidate = Candidate(minimum: center - half, maximum: center + half, score: score, index: Int32(index))
        // Sums of huge numbers are not finite, and far from the anchor the size of a box may be lost to rounding.
        let area = candidate.area
        return area > 0 && area.isFinite ? candidate : nil
    }

    /// Two coordinates, normalised to the image.
    private func point(_ first: Int, _ boxes: Span<Float>) -> SIMD2<Float> {
        SIMD2(boxes[first], boxes[first + 1]) / Float(anchors.side)
    }

    /// The candidate with the highest score; of equal scores, the first anchor's.
    private var best: Candidate? {
        var best: Candidate?
        for candidate in candidates where candidate.score > best?.score ?? -1 { best = candidate }
        return best
    }

    /// Removes and merges the candidates that overlap one, including itself.
    private mutating func merge(around best: Candidate, _ boxes: Span<Float>) -> BoxDetection {
        var detection = BoxDetection(
            minimum: .zero, maximum: .zero, keyPoints: .init(repeating: .zero), score: best.score)
        var total: Float = 0
        var kept = 0
        for index in candidates.indices {
            let candidate = candidates[index]
            guard candidate.index == best.index || candidate.overlap(best) > overlap else {
                candidates[kept] = candidate
                kept += 1
                continue
            }
            total += candidate.score
            detection.minimum += candidate.minimum * candidate.score
            detection.maximum += candidate.maximum * candidate.score
            let first = Int(candidate.index) * anchors.numbersPerBox + 4
            let anchor = anchors.centers[Int(candidate.index)]
            for keyPoint in 0..<anchors.keyPointCount {
                detection.keyPoints[keyPoint] += (point(first + 2 * keyPoint, boxes) + anchor) * candidate.score
            }
        }
        candidates.removeSubrange(kept...)
        detection.minimum /= total
        detection.maximum /= total
        for keyPoint in 0..<anchors.keyPointCount { detection.keyPoints[keyPoint] /= total }
        return detection
    }
}
