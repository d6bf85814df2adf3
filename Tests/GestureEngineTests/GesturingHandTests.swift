import GestureEngine
import TestSupport
import Testing

@Suite struct GesturingHandTests {
    private static func hand(_ identity: Int, right: Float = 0.5, side: Double = 100) -> TrackedHand {
        TrackedHand(
            identity: identity, presence: 1, rightHandedness: right, landmarks: .init(), worldLandmarks: .init(),
            region: TrackedRegion(centerX: 100, centerY: 100, side: side))
    }

    /// The chosen hand after each of the frames.
    private static func choices(_ choice: GestureEngine.HandChoice, _ frames: [[TrackedHand]]) -> [Int?] {
        var gesturing = GesturingHand(choice)
        return frames.map { hands in
            gesturing.update(hands)
            #expect(gesturing.hand(of: hands)?.identity == gesturing.identity)
            return gesturing.identity
        }
    }

    @Test func theFirstIsTheOneTrackedLongest() {
        let (one, two) = (Self.hand(4, side: 10), Self.hand(7, right: 0.9, side: 400))
        #expect(Self.choices(.first, [[], [one], [one, two], [two], []]) == [nil, 4, 4, 7, nil])
    }

    @Test func aSideAloneGestures() {
        let (left, right) = (Self.hand(0, right: 0.1), Self.hand(1, right: 0.9))
        let frames = [[left], [left, right], [right], []]
        #expect(Self.choices(.left, frames) == [0, 0, nil, nil])
        #expect(Self.choices(.right, frames) == [nil, 1, 1, nil])
        // As likely the one as the other counts as right.
        #expect(Self.choices(.left, [[Self.hand(2)]]) == [nil] && Self.choices(.right, [[Self.hand(2)]]) == [2])
    }

    /// One wrong answer of the network changes nothing; a lasting one does.
    @Test func theMeanDecidesTheSide() {
        let right = Self.hand(0, right: 0.9)
        let wrong = Self.hand(0, right: 0.1)
        let often = [[TrackedHand]](repeating: [right], count: 10)
        #expect(Self.choices(.right, often + [[wrong]] + often).allSatisfy { $0 == 0 })
        let lasting = Self.choices(.right, often + [[TrackedHand]](repeating: [wrong], count: 40))
        #expect(lasting.last == .some(nil) && lasting[12] == 0)
        // A hand that is found anew under its number begins anew.
        #expect(Self.choices(.right, often + [[], [wrong]]).last == .some(nil))
    }

    /// Of two hands of a side the likelier one is taken, and it stays while it is of that side.
    @Test func twoHandsOfASide() {
        let (sure, unsure) = (Self.hand(0, right: 0.9), Self.hand(1, right: 0.6))
        #expect(Self.choices(.right, [[unsure, sure]]) == [0])
        #expect(Self.choices(.right, [[unsure], [unsure, sure], [sure]]) == [1, 1, 0])
    }

    @Test func theLargestKeepsItsPlaceUntilAnotherIsMuchLarger() {
        func frame(_ one: Double, _ two: Double) -> [TrackedHand] {
            [Self.hand(0, side: one), Self.hand(1, side: two)]
        }
        #expect(Self.choices(.largest, [frame(100, 90)]) == [0])
        #expect(Self.choices(.largest, [frame(90, 100)]) == [1])
        #expect(
            Self.choices(.largest, [frame(100, 90), frame(100, 120), frame(100, 126), frame(100, 90)]) == [0, 0, 1, 1])
        #expect(Self.choices(.largest, [frame(100, 90), [Self.hand(1, side: 50)], []]) == [0, 1, nil])
    }

    @Test func aResetForgetsTheHand() {
        var gesturing = GesturingHand(.right)
        for _ in 0..<20 { gesturing.update([Self.hand(0, right: 0.9)]) }
        gesturing.reset()
        #expect(gesturing.identity == nil && gesturing.hand(of: [Self.hand(0)]) == nil)
        gesturing.update([Self.hand(0, right: 0.4)])
        #expect(gesturing.identity == nil)
    }

    // MARK: In streams

    /// The probabilities of each frame of a scripted right hand.
    private static func probabilities(
        _ choice: GestureEngine.HandChoice, sees expected: Bool
    ) throws -> [[Float]] {
        let engine = try GestureEngine(hands: HandScript.models())
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.gesturingHand = choice
        let stream = try engine.makeStream(configuration)
        var seen = 0
        defer { #expect(seen > 12) }
        return try (0..<24).map { index in
            try ColorPicture.red(.rgba, 100, 80, seed: UInt64(index)).withView {
                _ = stream.push($0, at: .nanoseconds(Int64(index) * 1_000_000_000 / 30))
            }
            if let hand = stream.hands.first {
                #expect(hand.handedness == .right)
                seen += 1
            }
            #expect(stream.gesturingHand == (expected ? stream.hands.first?.identity : nil))
            var values = [Float](repeating: 0, count: engine.labels.count)
            var output = values.mutableSpan
            _ = stream.copyProbabilities(to: &output)
            return values
        }
    }

    /// One right hand: every choice but the left sees the same, bit for bit, and the left sees no hand.
    @Test func theChoiceReachesTheColumns() throws {
        let first = try Self.probabilities(.first, sees: true)
        #expect(first.last?.contains { $0 > 0 } == true)
        #expect(try Self.probabilities(.right, sees: true) == first)
        #expect(try Self.probabilities(.largest, sees: true) == first)
        #expect(try Self.probabilities(.left, sees: false) != first)
    }

    /// The scripted detector finds a second hand, too, where the first has moved away. Each has its pose.
    @Test func theLargestOfTwoGestures() throws {
        let engine = try GestureEngine(
            hands: HandScript.models(
                poses: (HandScript.weights("gesture-embedder"), HandScript.weights("canned-gesture-classifier"))))
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.maximumHands = 2
        configuration.gesturingHand = .largest
        let stream = try engine.makeStream(configuration)
        var (pairs, seconds) = (0, 0)
        for index in 0..<24 {
            try ColorPicture.red(.rgba, 100, 80, seed: UInt64(index)).withView {
                _ = stream.push($0, at: .nanoseconds(Int64(index) * 1_000_000_000 / 30))
            }
            #expect(stream.hands.allSatisfy { $0.pose != nil })
            guard stream.hands.count == 2 else { continue }
            let chosen = try #require(stream.hands.first { $0.identity == stream.gesturingHand })
            #expect(stream.hands.allSatisfy { $0.region.side <= 1.25 * chosen.region.side })
            pairs += 1
            if chosen != stream.hands[0] { seconds += 1 }
        }
        #expect(pairs > 5 && seconds > 0)
    }

    @Test func theDefaultIsTheFirst() {
        #expect(GestureEngine.Configuration().gesturingHand == .first)
    }
}
