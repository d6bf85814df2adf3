import Frames
import Testing
import Vocabulary

@Suite struct RegionTrackerTests {
    private static let unsmoothed = RegionTracker.Configuration(smoothing: 1, holdFrames: 3)

    /// A box around a centre.
    private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlaneRect {
        PlaneRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
    }

    private static func sure(_ boxes: PlaneRect...) -> [RegionTracker.Candidate] {
        boxes.map { RegionTracker.Candidate(box: $0, confidence: 0.9) }
    }

    @Test func theLargestAtTheStart() throws {
        var tracker = try RegionTracker()
        let large = Self.box(0.7, 0.5, 0.3, 0.5)
        #expect(
            tracker.update(Self.sure(Self.box(0.2, 0.5, 0.3, 0.4), large, Self.box(0.5, 0.2, 0.5, 0.1)))
                == .tracking(large))
    }

    /// s(n) = b + (1 - 0.35)^n (s(0) - b), of each of the four numbers, after a first box that is passed on as it is.
    @Test func closedFormOfTheAverage() throws {
        for smoothing in [0.35, 0.3, 1] {
            var tracker = try RegionTracker(configuration: RegionTracker.Configuration(smoothing: smoothing))
            let first = PlaneRect(x: 0.2, y: 0.25, width: 0.4, height: 0.5)
            let next = PlaneRect(x: 0.3, y: 0.2, width: 0.5, height: 0.4)
            #expect(tracker.update(Self.sure(first)) == .tracking(first))
            var rest = 1.0
            for step in 1...30 {
                guard case .tracking(let smoothed) = tracker.update(Self.sure(next)) else {
                    Issue.record("not tracking at \(step)")
                    return
                }
                rest *= 1 - smoothing
                let expected = PlaneRect(
                    x: 0.3 - 0.1 * rest, y: 0.2 + 0.05 * rest, width: 0.5 - 0.1 * rest, height: 0.4 + 0.1 * rest)
                #expect(distance(smoothed, expected) < 1e-12, "step \(step)")
            }
        }
    }

    @Test func defaultsSettleToATenthInSixUpdates() throws {
        var tracker = try RegionTracker()
        _ = tracker.update(Self.sure(Self.box(0.4, 0.5, 0.4, 0.4)))
        let moved = Self.box(0.6, 0.5, 0.4, 0.4)
        let errors = (1...6).map { _ in tracker.update(Self.sure(moved)).box.map { abs($0.center.x - 0.6) } ?? 1 }
        #expect(errors[4] > 0.02 && errors[5] < 0.02)
    }

    /// A smaller neighbour who comes nearer than the subject moves, and a larger one who does not overlap, are ignored.
    @Test func othersAreIgnored() throws {
        var tracker = try RegionTracker(configuration: Self.unsmoothed)
        _ = tracker.update(Self.sure(Self.box(0.3, 0.5, 0.2, 0.4)))
        let subject = Self.box(0.32, 0.5, 0.2, 0.4)
        for other in [Self.box(0.42, 0.5, 0.2, 0.4), Self.box(0.75, 0.5, 0.5, 0.9), Self.box(0.3, 0.5, 0.09, 0.3)] {
            for boxes in [Self.sure(other, subject), Self.sure(subject, other)] {
                var copy = tracker
                #expect(copy.update(boxes) == .tracking(subject))
            }
            var copy = tracker
            #expect(copy.update(Self.sure(subject)) == .tracking(subject))
        }
    }

    /// Of boxes that overlap as much, the surer; of those as sure, the one that overlaps more.
    @Test func overlapAndConfidenceDecide() throws {
        var tracker = try RegionTracker(configuration: Self.unsmoothed)
        let start = Self.box(0.5, 0.5, 0.2, 0.2)
        _ = tracker.update(Self.sure(start))
        let (left, right) = (Self.box(0.45, 0.5, 0.2, 0.2), Self.box(0.55, 0.5, 0.2, 0.2))
        var copy = tracker
        let surer = [
            RegionTracker.Candidate(box: left, confidence: 0.5), RegionTracker.Candidate(box: right, confidence: 0.6),
        ]
        #expect(copy.update(surer) == .tracking(right))
        copy = tracker
        let nearer = Self.box(0.46, 0.5, 0.2, 0.2)
        #expect(copy.update(Self.sure(nearer, right)) == .tracking(nearer))
        // A little farther and much surer: 0.57 + 0.725 * 0.9 against 0.63 + 0.775 * 0.4.
        copy = tracker
        let farther = Self.box(0.555, 0.5, 0.2, 0.2)
        let unsure = RegionTracker.Candidate(box: Self.box(0.455, 0.5, 0.2, 0.2), confidence: 0.4)
        #expect(copy.update([unsure] + Self.sure(farther)) == .tracking(farther))
        // Centres as near; the one of the same size covers more of what is expected.
        copy = tracker
        let wide = Self.box(0.54, 0.5, 0.38, 0.2)
        #expect(copy.update(Self.sure(wide, nearer)) == .tracking(nearer))
    }

    /// Two people of one size walk through each other; the step tells them apart, from either side and in either order.
    @Test(arguments: [false, true]) func crossing(_ reversed: Bool) throws {
        for speed in [0.01, 0.02, 0.04] {
            var tracker = try RegionTracker(configuration: RegionTracker.Configuration(smoothing: 0.35))
            _ = tracker.update(Self.sure(Self.box(0.2, 0.5, 0.2, 0.6)))
            for step in 1...Int(0.6 / speed) {
                let walked = speed * Double(step)
                let subject = Self.box(0.2 + walked, 0.5, 0.2, 0.6)
                let other = Self.box(0.8 - walked, 0.5, 0.2, 0.6)
                let boxes = reversed ? Self.sure(other, subject) : Self.sure(subject, other)
                guard case .tracking = tracker.update(boxes) else {
                    Issue.record("not tracking at \(step)")
                    return
                }
            }
            // The smoothed box follows with its lag, on the subject's side.
            let end = tracker.update(Self.sure(Self.box(0.8, 0.5, 0.2, 0.6), Self.box(0.2, 0.5, 0.2, 0.6))).box
            #expect(abs((end?.center.x ?? 0) - 0.8) < 0.1, "speed \(speed)")
        }
    }

    /// While they cover each other the detector sees one box, of the other person in front. Then there are two again.
    @Test func crossingBehindAnotherRegion() throws {
        var tracker = try RegionTracker(configuration: RegionTracker.Configuration(holdFrames: 30))
        _ = tracker.update(Self.sure(Self.box(0.2, 0.5, 0.12, 0.3)))
        var last = RegionTracker.Update.lost
        for step in 1...30 {
            let walked = 0.02 * Double(step)
            let subject = Self.box(0.2 + walked, 0.5, 0.12, 0.3)
            let other = Self.box(0.8 - walked, 0.5, 0.3, 0.7)
            let hidden = abs(subject.center.x - other.center.x) < 0.06
            last = tracker.update(hidden ? Self.sure(other) : Self.sure(other, subject))
            if hidden {
                guard case .held = last else {
                    Issue.record("\(last) at \(step)")
                    return
                }
            }
        }
        #expect(abs((last.box?.center.x ?? 0) - 0.8) < 0.1)
        #expect(abs((last.box?.width ?? 0) - 0.12) < 0.01)
    }

    /// Hidden for four updates, a walker of a third of a width an update is found where he comes out, 1.67 widths on, as is one
    /// who stopped: the expectation has moved on by half of that.
    @Test func expectationMovesOnWhileHidden() throws {
        var tracker = try RegionTracker()
        for step in 0...10 { _ = tracker.update(Self.sure(Self.box(0.1 + 0.04 * Double(step), 0.5, 0.12, 0.3))) }
        for _ in 0..<4 { _ = tracker.update([]) }
        for (x, same) in [(0.7, true), (0.5, true), (0.75, false), (0.45, false)] {
            var copy = tracker
            let update = copy.update(Self.sure(Self.box(x, 0.5, 0.12, 0.3)))
            if case .tracking = update {
                #expect(same, "\(x)")
            } else {
                #expect(!same, "\(x)")
            }
        }
    }

    @Test func heldThenLostThenFoundAnew() throws {
        var tracker = try RegionTracker(configuration: Self.unsmoothed)
        let box = Self.box(0.3, 0.3, 0.2, 0.2)
        let elsewhere = Self.box(0.8, 0.8, 0.3, 0.3)
        _ = tracker.update(Self.sure(box))
        // Somebody elsewhere is not the subject, however large.
        #expect(tracker.update(Self.sure(elsewhere)) == .held(box, framesLeft: 2))
        #expect(tracker.update([]) == .held(box, framesLeft: 1))
        #expect(tracker.update([]) == .held(box, framesLeft: 0))
        // The loss is told before anybody else is taken.
        #expect(tracker.update(Self.sure(elsewhere)) == .lost)
        #expect(tracker.update(Self.sure(elsewhere, box)) == .tracking(elsewhere))
    }

    @Test func aBriefOcclusionStartsTheCountAgain() throws {
        var tracker = try RegionTracker(configuration: Self.unsmoothed)
        let box = Self.box(0.3, 0.3, 0.2, 0.2)
        _ = tracker.update(Self.sure(box))
        for _ in 0..<4 {
            for left in [2, 1, 0] { #expect(tracker.update([]) == .held(box, framesLeft: left)) }
            #expect(tracker.update(Self.sure(box)) == .tracking(box))
        }
    }

    @Test func withoutHoldTheFirstMissIsALoss() throws {
        var tracker = try RegionTracker(configuration: RegionTracker.Configuration(holdFrames: 0))
        let box = Self.box(0.5, 0.5, 0.2, 0.2)
        #expect(tracker.update([]) == .lost)
        #expect(tracker.update(Self.sure(box)) == .tracking(box))
        #expect(tracker.update([]) == .lost)
        #expect(tracker.update([]) == .lost)
        #expect(tracker.update(Self.sure(box)) == .tracking(box))
    }

    /// Through the right edge, where the visible part narrows until there is none, and back in by the left one.
    @Test func exitAndEntry() throws {
        var tracker = try RegionTracker(configuration: RegionTracker.Configuration(holdFrames: 5))
        var updates: [RegionTracker.Update] = []
        for step in 0...30 {
            updates.append(tracker.update(Self.sure(Self.box(0.6 + 0.02 * Double(step), 0.5, 0.2, 0.4))))
        }
        for case .tracking(let box) in updates {
            #expect(box.x >= 0 && box.x + box.width <= 1 + 1e-12)
        }
        guard case .tracking = updates[18], updates[30] == .lost else {
            Issue.record("\(updates)")
            return
        }
        #expect(updates.filter { if case .held = $0 { true } else { false } }.count == 5)
        let entry = PlaneRect(x: 0, y: 0.3, width: 0.05, height: 0.4)
        #expect(
            tracker.update(Self.sure(PlaneRect(x: -0.15, y: 0.3, width: 0.2, height: 0.4))).box.map {
                distance($0, entry) < 1e-12
            } == true)
    }

    /// Every order of the same boxes gives the same answers, ties included.
    @Test func theOrderOfBoxesHasNoInfluence() throws {
        var random = SplitMix64(seed: 3)
        let configuration = RegionTracker.Configuration(holdFrames: 2)
        var (one, other) = (
            try RegionTracker(configuration: configuration), try RegionTracker(configuration: configuration)
        )
        for step in 0..<2000 {
            // Coarse numbers, so that ties are many.
            let boxes = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                RegionTracker.Candidate(
                    box: PlaneRect(
                        x: Double(Int.random(in: 0...3, using: &random)) / 4,
                        y: Double(Int.random(in: 0...3, using: &random)) / 4,
                        width: Double(Int.random(in: 1...2, using: &random)) / 4,
                        height: Double(Int.random(in: 1...2, using: &random)) / 4),
                    confidence: Float(Int.random(in: 1...4, using: &random)) / 4)
            }
            let (straight, shuffled) = (one.update(boxes), other.update(boxes.shuffled(using: &random)))
            #expect(straight == shuffled, "step \(step)")
        }
    }

    @Test func tiesGoToTheSurerThenToTheTopLeft() throws {
        let (left, right) = (Self.box(0.25, 0.5, 0.25, 0.25), Self.box(0.75, 0.5, 0.25, 0.25))
        for boxes in [Self.sure(left, right), Self.sure(right, left)] {
            var tracker = try RegionTracker()
            #expect(tracker.update(boxes) == .tracking(left))
        }
        var tracker = try RegionTracker()
        let surer = [
            RegionTracker.Candidate(box: left, confidence: 0.5), RegionTracker.Candidate(box: right, confidence: 0.75),
        ]
        #expect(tracker.update(surer) == .tracking(right))
        let (top, bottom) = (Self.box(0.5, 0.25, 0.25, 0.25), Self.box(0.5, 0.75, 0.25, 0.25))
        tracker.reset()
        #expect(tracker.update(Self.sure(bottom, top)) == .tracking(top))
    }

    /// 0.25 is enough by default, and 0.2 where that is set; zero and NaN never are.
    @Test func confidences() throws {
        let box = Self.box(0.5, 0.5, 0.5, 0.5)
        for (minimum, confidence, counts) in [
            (Float(0.25), Float(0.25), true), (0.25, 0.2499, false), (0.2, 0.2, true), (0.2, 0.1999, false),
            (0, 0, false), (0, .leastNonzeroMagnitude, true), (0.25, 1, true), (0.25, 1.001, false),
            (0.25, -0.5, false), (0.25, .nan, false), (0.25, .infinity, false), (1, 1, true),
        ] {
            let configuration = RegionTracker.Configuration(minimumConfidence: minimum)
            var tracker = try RegionTracker(configuration: configuration)
            let update = tracker.update([RegionTracker.Candidate(box: box, confidence: confidence)])
            #expect(update == (counts ? .tracking(box) : .lost), "\(confidence) of \(minimum)")
        }
    }

    @Test func boxesThatAreNoneAreIgnored() throws {
        let bad: [Double] = [.nan, .infinity, -.infinity]
        var boxes = bad.flatMap { value in
            [
                PlaneRect(x: value, y: 0, width: 1, height: 1), PlaneRect(x: 0, y: value, width: 1, height: 1),
                PlaneRect(x: 0, y: 0, width: value, height: 1), PlaneRect(x: 0, y: 0, width: 1, height: value),
            ]
        }
        boxes += [
            PlaneRect(x: 0.5, y: 0.5, width: 0, height: 0.2), PlaneRect(x: 0.5, y: 0.5, width: 0.2, height: -0.2),
            PlaneRect(x: 0.9, y: 0.9, width: -0.5, height: -0.5), PlaneRect(x: 1, y: 0, width: 1, height: 1),
            PlaneRect(x: 0, y: -1, width: 1, height: 1), PlaneRect(x: 0, y: 0, width: 1e-5, height: 1),
            PlaneRect(x: 1e308, y: 0, width: 1e308, height: 1), PlaneRect(x: -1e308, y: 0, width: 1e308, height: 1),
        ]
        let good = Self.box(0.5, 0.5, 0.01, 0.01)
        for box in boxes {
            var tracker = try RegionTracker(configuration: Self.unsmoothed)
            #expect(tracker.update(Self.sure(box)) == .lost, "\(box)")
            #expect(tracker.update(Self.sure(box, good)) == .tracking(good), "\(box)")
            #expect(tracker.update(Self.sure(box)) == .held(good, framesLeft: 2), "\(box)")
        }
        // What is partly inside counts with that part, however far it reaches.
        var tracker = try RegionTracker()
        #expect(
            tracker.update(Self.sure(PlaneRect(x: -1e308, y: 0.25, width: 1.5e308, height: 1e308)))
                == .tracking(PlaneRect(x: 0, y: 0.25, width: 1, height: 0.75)))
    }

    @Test func sizeMayNotJump() throws {
        var tracker = try RegionTracker(configuration: Self.unsmoothed)
        let box = Self.box(0.5, 0.5, 0.25, 0.25)
        _ = tracker.update(Self.sure(box))
        for (width, height, same) in [
            (0.5, 0.25, true), (0.51, 0.25, false), (0.25, 0.125, true), (0.25, 0.124, false), (0.5, 0.5, true),
        ] {
            var copy = tracker
            let next = Self.box(0.5, 0.5, width, height)
            #expect(copy.update(Self.sure(next)) == (same ? .tracking(next) : .held(box, framesLeft: 2)))
        }
    }

    /// The reach is counted in widths along x and in heights along y.
    @Test func reachIsThatOfTheBox() throws {
        for (reach, x, y, near) in [
            (1.0, 0.19, 0.0, true), (1, 0.21, 0, false), (1, 0, 0.09, true), (1, 0, 0.11, false), (2, 0.39, 0, true),
            (0.5, 0.11, 0, false), (1, 0.13, 0.07, true), (1, 0.15, 0.08, false),
        ] {
            var tracker = try RegionTracker(
                configuration: RegionTracker.Configuration(smoothing: 1, holdFrames: 3, reach: reach))
            let box = Self.box(0.5, 0.5, 0.2, 0.1)
            _ = tracker.update(Self.sure(box))
            let next = Self.box(0.5 + x, 0.5 + y, 0.2, 0.1)
            #expect(tracker.update(Self.sure(next)) == (near ? .tracking(next) : .held(box, framesLeft: 2)))
        }
    }

    @Test func resetForgets() throws {
        var tracker = try RegionTracker()
        let (first, next) = (Self.box(0.5, 0.5, 0.25, 0.25), Self.box(0.55, 0.5, 0.25, 0.25))
        _ = tracker.update(Self.sure(first))
        tracker.reset()
        #expect(tracker.update(Self.sure(next)) == .tracking(next))
        tracker.reset()
        #expect(tracker.update([]) == .lost)
    }
}
