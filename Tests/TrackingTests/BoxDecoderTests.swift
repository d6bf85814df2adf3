import Foundation
import Platform
import Testing
import Tracking
import Vocabulary

/// The anchors of the palm detector.
private let anchors = BoxAnchors(side: 192, keyPointCount: 7, maps: [(cells: 24, perCell: 2), (cells: 12, perCell: 6)])

/// The definition of the decoder, in real numbers, step by step.
private struct BoxReference {
    var minimum: SIMD2<Double>
    var maximum: SIMD2<Double>
    var keyPoints: [SIMD2<Double>]
    var score: Double

    /// All anchors, layer by layer, as single-shot detectors lay them out.
    static let anchors: [SIMD2<Double>] = {
        var anchors: [SIMD2<Double>] = []
        for (stride, count) in [(8, 2), (16, 6)] {
            for y in 0..<(192 / stride) {
                for x in 0..<(192 / stride) {
                    for _ in 0..<count {
                        anchors.append(SIMD2(Double(x) + 0.5, Double(y) + 0.5) * Double(stride) / 192)
                    }
                }
            }
        }
        return anchors
    }()

    init?(_ index: Int, _ boxes: [Float], _ scores: [Float], minimumScore: Double) {
        let numbers = boxes[(18 * index)..<(18 * index + 18)].map(Double.init)
        let logit: Double = min(max(Double(scores[index]), -100), 100)
        score = 1 / (1 + exp(-logit))
        guard score >= minimumScore, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
        let anchor = Self.anchors[index]
        let middle = SIMD2(numbers[0], numbers[1]) / 192 + anchor
        let size = SIMD2(numbers[2], numbers[3]) / 192
        minimum = middle - size / 2
        maximum = middle + size / 2
        keyPoints = stride(from: 4, to: 18, by: 2).map { (place: Int) -> SIMD2<Double> in
            SIMD2(numbers[place], numbers[place + 1]) / 192 + anchor
        }
    }

    func overlap(_ other: Self) -> Double {
        func area(_ size: SIMD2<Double>) -> Double { max(size.x, 0) * max(size.y, 0) }
        let low = SIMD2(max(minimum.x, other.minimum.x), max(minimum.y, other.minimum.y))
        let high = SIMD2(min(maximum.x, other.maximum.x), min(maximum.y, other.maximum.y))
        guard high.x > low.x, high.y > low.y else { return 0 }
        let shared = area(high - low)
        return shared / (area(maximum - minimum) + area(other.maximum - other.minimum) - shared)
    }

    static func palms(
        _ boxes: [Float], _ scores: [Float], minimumScore: Double = 0.5, overlap: Double = 0.3
    ) -> [BoxReference] {
        var rest = (0..<2_016).compactMap { Self($0, boxes, scores, minimumScore: minimumScore) }
        var palms: [BoxReference] = []
        while let best = rest.max(by: { $0.score < $1.score }) {
            let group = rest.filter { $0.overlap(best) > overlap }
            rest.removeAll { $0.overlap(best) > overlap }
            let total = group.reduce(0) { $0 + $1.score }
            func mean(_ value: (BoxReference) -> SIMD2<Double>) -> SIMD2<Double> {
                group.reduce(.zero) { $0 + value($1) * $1.score } / total
            }
            var palm = best
            palm.minimum = mean(\.minimum)
            palm.maximum = mean(\.maximum)
            palm.keyPoints = (0..<7).map { index in mean { $0.keyPoints[index] } }
            palms.append(palm)
        }
        return palms
    }
}

/// Outputs of a detector as they are on a picture: most scores far below zero, groups of anchors that agree about a palm.
private func randomDetectorOutput(palms: Int, using random: inout SplitMix64) -> (boxes: [Float], scores: [Float]) {
    var boxes = (0..<(2_016 * 18)).map { _ in Float(random.unit() * 40 - 20) }
    var scores = (0..<2_016).map { _ in Float(-20 * random.unit() - 0.01) }
    for _ in 0..<palms {
        let place = SIMD2(random.unit(), random.unit())
        let size = 10 + 60 * random.unit()
        for _ in 0..<12 {
            let index = Int(random.next(below: 2_016))
            let anchor = BoxReference.anchors[index]
            scores[index] = Float(8 * random.unit() - 1)
            let jitter = { (random: inout SplitMix64) in 0.1 * size * (random.unit() - 0.5) }
            boxes[18 * index] = Float((place.x - anchor.x) * 192 + jitter(&random))
            boxes[18 * index + 1] = Float((place.y - anchor.y) * 192 + jitter(&random))
            boxes[18 * index + 2] = Float(size + jitter(&random))
            boxes[18 * index + 3] = Float(size + jitter(&random))
        }
    }
    return (boxes, scores)
}

@Suite struct BoxDecoderTests {
    private static func decode(
        _ boxes: [Float], _ scores: [Float], minimumScore: Float = 0.5, overlap: Float = 0.3, limit: Int = 2_016
    ) -> [BoxDetection] {
        var decoder = BoxDecoder(anchors, minimumScore: minimumScore, overlap: overlap)
        var palms: [BoxDetection] = []
        decoder.decode(boxes: boxes.span, scores: scores.span, limit: limit, into: &palms)
        return palms
    }

    @Test func anchorsLieInTheMiddleOfCells() {
        #expect(anchors.count == 2_016 && BoxReference.anchors.count == 2_016 && anchors.numbersPerBox == 18)
        for index in 0..<2_016 {
            let (found, expected) = (anchors.centers[index], BoxReference.anchors[index])
            #expect(abs(Double(found.x) - expected.x) < 1e-7 && abs(Double(found.y) - expected.y) < 1e-7, "\(index)")
        }
    }

    @Test func agreesWithRealNumbers() {
        var random = SplitMix64(seed: 1)
        var found = 0
        for round in 0..<60 {
            let (boxes, scores) = randomDetectorOutput(palms: round % 5, using: &random)
            for (minimumScore, overlap) in [(0.5, 0.3), (0.9, 0.3), (0.3, 0.05), (0.5, 1.0)] {
                let palms = Self.decode(boxes, scores, minimumScore: Float(minimumScore), overlap: Float(overlap))
                guard overlap < 1 else {
                    // Nothing overlaps by more: every box is a palm of its own.
                    #expect(palms.count == scores.count { 1 / (1 + exp(-$0)) >= Float(minimumScore) })
                    continue
                }
                let expected = BoxReference.palms(boxes, scores, minimumScore: minimumScore, overlap: overlap)
                #expect(palms.count == expected.count, "round \(round)")
                found += palms.count
                for (palm, reference) in zip(palms, expected) {
                    let points = (0..<7).map { (palm.keyPoints[$0], reference.keyPoints[$0]) }
                    for (one, other) in points + [(palm.minimum, reference.minimum), (palm.maximum, reference.maximum)]
                    {
                        #expect(abs(Double(one.x) - other.x) < 1e-5 && abs(Double(one.y) - other.y) < 1e-5)
                    }
                    #expect(abs(Double(palm.score) - reference.score) < 1e-6)
                }
            }
        }
        #expect(found > 200)
    }

    @Test func theSurestFirstUpToTheLimit() {
        var random = SplitMix64(seed: 2)
        let (boxes, scores) = randomDetectorOutput(palms: 6, using: &random)
        let all = Self.decode(boxes, scores)
        #expect(all.count > 3)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.score >= $1.score })
        for limit in 0...3 {
            let some = Self.decode(boxes, scores, limit: limit)
            #expect(some.count == limit)
            #expect(zip(some, all).allSatisfy { $0.minimum == $1.minimum && $0.score == $1.score })
        }
    }

    /// A logit of zero is the score 0.5, which counts; the next number below it does not.
    @Test func theMinimumCounts() {
        var boxes = [Float](repeating: 0, count: 2_016 * 18)
        var scores = [Float](repeating: -1, count: 2_016)
        for coordinate in 2...3 { boxes[18 * 700 + coordinate] = 20 }
        scores[700] = 0
        #expect(Self.decode(boxes, scores).count == 1)
        scores[700] = -1e-6
        #expect(Self.decode(boxes, scores).isEmpty)
        scores[700] = 1_000
        #expect(Self.decode(boxes, scores).first?.score == 1)
        #expect(Self.decode(boxes, scores, minimumScore: 0.99).count == 1)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e38, -1e38]) func oddNumbersDoNotCount(_ odd: Float) {
        var boxes = [Float](repeating: 1, count: 2_016 * 18)
        var scores = [Float](repeating: -5, count: 2_016)
        for coordinate in 2...3 { boxes[18 * 30 + coordinate] = 20 }
        scores[30] = 3
        #expect(Self.decode(boxes, scores).count == 1)
        for coordinate in 0..<18 {
            var broken = boxes
            broken[18 * 30 + coordinate] = odd
            // A key point may be anywhere and a side of any length, but not so far that the box has no area.
            let counts = odd.isFinite && (coordinate >= 4 || coordinate >= 2 && odd > 0)
            #expect(Self.decode(broken, scores).count == (counts ? 1 : 0), "\(coordinate)")
        }
        scores[30] = odd
        #expect(Self.decode(boxes, scores).count == (odd > 0 ? 1 : 0))
    }

    @Test(arguments: [2, 3]) func sidesAreAboveZero(_ coordinate: Int) {
        var boxes = [Float](repeating: 10, count: 2_016 * 18)
        var scores = [Float](repeating: -5, count: 2_016)
        scores[5] = 2
        #expect(Self.decode(boxes, scores).count == 1)
        for side in [Float(0), -10] {
            boxes[18 * 5 + coordinate] = side
            #expect(Self.decode(boxes, scores).isEmpty)
        }
    }

    /// At an overlap of 0 boxes that lie apart are two palms, and boxes that share anything are one.
    @Test func boxesThatLieApartAreTwo() {
        for (side, count) in [(Float(7.5), 2), (8.5, 1)] {
            var boxes = [Float](repeating: 0, count: 2_016 * 18)
            var scores = [Float](repeating: -5, count: 2_016)
            // Two neighbouring anchors, 8 pixels apart.
            for index in [100, 102] {
                for coordinate in 2...3 { boxes[18 * index + coordinate] = side }
                scores[index] = 3
            }
            #expect(Self.decode(boxes, scores, overlap: 0).count == count, "\(side)")
        }
    }

    /// All anchors count and none overlap: the most there can be.
    @Test func everyAnchorCounts() {
        let boxes = [Float](repeating: 1e-3, count: 2_016 * 18)
        let scores = [Float](repeating: 1, count: 2_016)
        // Anchors of one cell lie on each other.
        #expect(Self.decode(boxes, scores).count == 24 * 24 + 12 * 12)
    }
}
