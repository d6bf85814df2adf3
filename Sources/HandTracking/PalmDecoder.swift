import Platform

/// From the two outputs of the palm detector to the palms of a picture, as MediaPipe's `TensorsToDetectionsCalculator` and
/// its weighted `NonMaxSuppressionCalculator` do it.
///
/// A score is clipped to -100...100 and goes through the logistic function; boxes below the minimum do not count. Then, from the
/// surest box down, all boxes that overlap it by more than a threshold (intersection over union) become one palm: edges and
/// key points are means weighted by the scores, the score is the surest box's.
///
/// Any numbers may come: a box counts only if its score and all that belongs to it are finite and its sides above zero. Allocates
/// nothing after it was made; the time is that of a pass over the scores and, for each palm, over the boxes that count.
package struct PalmDecoder: ~Copyable {
    /// Numbers of a box: centre, size, seven key points.
    package static let coordinatesPerBox = 4 + 2 * PalmDetection.keyPointCount
    /// What a score is clipped to on both sides.
    private static let scoreLimit: Float = 100

    private let minimumScore: Float
    private let overlap: Float
    /// A logit below this has a score below the minimum by more than any rounding.
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
    ///   - overlap: boxes that overlap by more than this are one palm; 0...1.
    package init(minimumScore: Float, overlap: Float) {
        self.minimumScore = minimumScore
        self.overlap = overlap
        logitFloor = Math.logarithm(minimumScore / (1 - minimumScore)) - 0.001
        candidates.reserveCapacity(PalmAnchors.count)
    }

    /// The palms of a picture, the surest first.
    /// - Parameters:
    ///   - boxes: `PalmAnchors.count` times `coordinatesPerBox`: x and y of the centre from the anchor, width, height, and x and
    ///     y of seven key points from the anchor, in pixels of the detector's picture.
    ///   - scores: `PalmAnchors.count` logits.
    ///   - limit: palms that are wanted at most.
    ///   - palms: emptied, then filled; allocates nothing if its capacity is `limit`.
    package mutating func decode(
        boxes: Span<Float>, scores: Span<Float>, limit: Int, into palms: inout [PalmDetection]
    ) {
        precondition(boxes.count == PalmAnchors.count * Self.coordinatesPerBox && scores.count == PalmAnchors.count)
        palms.removeAll(keepingCapacity: true)
        candidates.removeAll(keepingCapacity: true)
        // Not a number is above nothing.
        for index in 0..<PalmAnchors.count where scores[index] >= logitFloor {
            if let candidate = candidate(index, boxes, scores[index]) { candidates.append(candidate) }
        }
        while palms.count < limit, let best = best {
            palms.append(merge(around: best, boxes))
        }
    }

    private func candidate(_ index: Int, _ boxes: Span<Float>, _ logit: Float) -> Candidate? {
        let clipped = min(max(logit, -Self.scoreLimit), Self.scoreLimit)
        let score = 1 / (1 + Math.exponential(-clipped))
        guard score >= minimumScore else { return nil }
        let first = index * Self.coordinatesPerBox
        for coordinate in first..<(first + Self.coordinatesPerBox) where !boxes[coordinate].isFinite { return nil }
        let center = point(first, boxes) + PalmAnchors.center(index)
        let half = point(first + 2, boxes) / 2
        guard half.x > 0, half.y > 0 else { return nil }
        let candidate = Candidate(minimum: center - half, maximum: center + half, score: score, index: Int32(index))
        // The sums of huge numbers are not finite, and the size of a box far away may be lost in them.
        let area = candidate.area
        return area > 0 && area.isFinite ? candidate : nil
    }

    /// Two coordinates in shares of the picture.
    private func point(_ first: Int, _ boxes: Span<Float>) -> SIMD2<Float> {
        SIMD2(boxes[first], boxes[first + 1]) / Float(PalmAnchors.side)
    }

    /// The surest candidate; of several, that of the first anchor.
    private var best: Candidate? {
        var best: Candidate?
        for candidate in candidates where candidate.score > best?.score ?? -1 { best = candidate }
        return best
    }

    /// Takes out what overlaps a candidate, itself among it.
    private mutating func merge(around best: Candidate, _ boxes: Span<Float>) -> PalmDetection {
        var palm = PalmDetection(minimum: .zero, maximum: .zero, keyPoints: .init(repeating: .zero), score: best.score)
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
            palm.minimum += candidate.minimum * candidate.score
            palm.maximum += candidate.maximum * candidate.score
            let first = Int(candidate.index) * Self.coordinatesPerBox + 4
            let anchor = PalmAnchors.center(Int(candidate.index))
            for keyPoint in 0..<PalmDetection.keyPointCount {
                palm.keyPoints[keyPoint] += (point(first + 2 * keyPoint, boxes) + anchor) * candidate.score
            }
        }
        candidates.removeSubrange(kept...)
        palm.minimum /= total
        palm.maximum /= total
        for keyPoint in 0..<PalmDetection.keyPointCount { palm.keyPoints[keyPoint] /= total }
        return palm
    }
}
