import Evaluation
import Foundation
import Testing

/// What a replay's page says about gestures that were reported, and about those that were not.
@Suite struct ReplayRecordTests {
    private static let labels = ["left", "right", "tap", "nothing"]

    /// left 0, whose way back is right 1; tap 2, which is not allowed; nothing 3. A begin takes 3 slots above 0.8.
    private func record(_ leaders: [(Int, Float)], gestures: [ReplayRecord.Gesture] = []) -> ReplayRecord {
        var record = ReplayRecord(
            rules: Self.labels.enumerated().map { index, label in
                .init(
                    label: label, threshold: 0.8, beginSlots: 3, isAllowed: index != 2,
                    returnStroke: index == 0 ? 1 : nil)
            }, nullIndex: 3, slotRate: 10, rest: 0.2, returnTime: 1, mergeWindow: 0.5)
        for (index, (leader, score)) in leaders.enumerated() {
            let rest = (1 - score) / 3
            record.add(
                .init(
                    time: Double(index) / 10, scores: (0..<4).map { $0 == leader ? score : rest },
                    hasHand: index.isMultiple(of: 2)))
        }
        for gesture in gestures {
            record.begin(
                .init(
                    classIndex: gesture.classIndex, onset: gesture.onset, decision: gesture.decision,
                    confidence: gesture.confidence))
            if let end = gesture.end { record.end(at: end) }
        }
        return record
    }

    private func gesture(_ classIndex: Int, _ onset: Double, _ end: Double) -> ReplayRecord.Gesture {
        var gesture = ReplayRecord.Gesture(classIndex: classIndex, onset: onset, decision: onset, confidence: 0.9)
        gesture.end = end
        return gesture
    }

    private let nothing = [(Int, Float)](repeating: (3, 0.9), count: 5)

    @Test func belowTheThreshold() throws {
        let attempts = record(nothing + [(0, 0.6), (0, 0.75), (0, 0.79)] + nothing).attempts
        let attempt = try #require(attempts.first)
        #expect(attempts.count == 1 && attempt.outcome == .belowThreshold && attempt.slotsAbove == 0)
        #expect(attempt.classIndex == 0 && closeTo(attempt.begin, 0.5) && closeTo(attempt.end, 0.7))
        #expect(closeTo(attempt.peak, 0.79, within: 1e-6) && attempt.frames == 3 && attempt.framesWithHand == 1)
    }

    @Test func tooShort() throws {
        let record = record(nothing + [(0, 0.9), (0, 0.9), (0, 0.7), (0, 0.9)] + nothing)
        let attempt = try #require(record.attempts.first)
        #expect(attempt.outcome == .tooShort && attempt.slotsAbove == 2)
        #expect(record.sentence(attempt) == "too short: 2 of 3 slots in a row above 0.80")
    }

    @Test func theOtherWayToBeginIsNamed() throws {
        var record = ReplayRecord(
            rules: ["wave", "nothing"].map {
                .init(
                    label: $0, threshold: 0.9, beginSlots: 2, steady: (5, 0.6), isAllowed: true, returnStroke: nil)
            }, nullIndex: 1, slotRate: 10, rest: 0, returnTime: 0, mergeWindow: 0)
        record.add(.init(time: 0, scores: [0.8, 0.2], hasHand: nil))
        #expect(
            record.sentence(try #require(record.attempts.first))
                == "below its threshold: 0.80 at most, above 0.90 is needed, or 6 slots in a row above 0.60")
    }

    /// A frame of half the rate counts as two slots.
    @Test func slotsAreCountedByTime() throws {
        var slow = ReplayRecord(
            rules: ["wave", "nothing"].map {
                .init(label: $0, threshold: 0.5, beginSlots: 5, isAllowed: true, returnStroke: nil)
            }, nullIndex: 1, slotRate: 20, rest: 0, returnTime: 0, mergeWindow: 0)
        for index in 0..<4 {
            slow.add(.init(time: Double(index) / 10, scores: index < 2 ? [0, 1] : [0.9, 0.1], hasHand: nil))
        }
        let attempt = try #require(slow.attempts.first)
        #expect(attempt.slotsAbove == 4 && attempt.outcome == .tooShort && attempt.framesWithHand == nil)
    }

    @Test func theOtherReasons() throws {
        let long = [(Int, Float)](repeating: (1, 0.9), count: 4)
        let again = [(Int, Float)](repeating: (0, 0.9), count: 4)
        func outcome(_ leaders: [(Int, Float)], _ gestures: [ReplayRecord.Gesture]) -> Attempt.Outcome? {
            record(leaders, gestures: gestures).attempts.last?.outcome
        }
        #expect(outcome(nothing + [(2, 0.9), (2, 0.9), (2, 0.9)], []) == .notAllowed)
        #expect(outcome(nothing + long, [gesture(0, 0, 0.3)]) == .returnStroke(of: 0))
        #expect(outcome(nothing + again, [gesture(0, 0, 0.3)]) == .sameGesture)
        // Its last frame, at 0.8 s, is within 0.2 s of the end.
        #expect(outcome(nothing + long, [gesture(2, 0, 0.7)]) == .resting)
        #expect(outcome(nothing + long, []) == .undecided)
        #expect(outcome(nothing + long, [gesture(2, 0, 2)]) == .otherGesture(2))
        var gap = record(nothing + long)
        for index in 0..<3 { gap.add(.init(time: 2 + Double(index) / 10, scores: [0, 0.9, 0, 0.1], hasHand: nil)) }
        #expect(gap.attempts.last?.outcome == .interrupted)
        #expect(outcome(nothing + long, [gesture(1, 0.6, 0.9)]) == .reported)
    }

    @Test func faintStretchesAreLeftOut() {
        #expect(record(nothing + [(0, 0.39)] + nothing).attempts.isEmpty)
        #expect(record([]).attempts.isEmpty)
    }

    @Test func aFrameOfAnotherClassDoesNotEndAStretch() {
        let one = record([(0, 0.6), (3, 0.6), (0, 0.6)]).attempts
        #expect(one.count == 1 && one.first?.frames == 3)
        let two = record([(0, 0.6), (3, 0.6), (3, 0.6), (0, 0.6)]).attempts
        #expect(two.count == 2)
    }

    @Test func classesByTheirScores() throws {
        let record = record(nothing + [(0, 0.6), (1, 0.9)], gestures: [gesture(1, 0.6, 0.6)])
        #expect(record.classes.map(\.classIndex).prefix(2) == [1, 0])
        let right = try #require(record.classes.first)
        #expect(right.reported == 1 && closeTo(right.highestAt, 0.6) && right.blocked == nil)
        #expect(record.classes[1].blocked?.outcome == .belowThreshold)
    }

    @Test func hostileNamesStayText() {
        let picture = FilmPicture(
            time: 0, width: 2, height: 1, pixels: [0, 0, 0, 255, 255, 255],
            hands: [[SIMD2(0.5, 0.5), SIMD2(.nan, 1e30)]], caption: "<script>")
        let page = ReplayPage(
            name: "<script>", facts: [("<script>", "\"'&")], record: record(nothing + [(0, 0.9)]),
            film: [(picture, [0xFF, 0xD8])], bones: [(0, 1), (0, 7)]
        ).document
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;") && page.contains("image/jpeg"))
        #expect(!page.contains("nan"))
        // Nothing outside is named but the vocabulary of drawings.
        #expect(
            page.components(separatedBy: "http").count
                == page.components(separatedBy: "http://www.w3.org/2000/svg").count)
    }

    @Test func aFilmHasEvenSpaces() {
        for frames in [1, 10, 24, 25, 100, 1000] {
            var film = FilmStrip()
            for frame in 0..<frames where film.wants(frame: frame, isEvent: frame == 7) {
                film.add(
                    FilmPicture(
                        time: Double(frame), width: 1, height: 1, pixels: [0, 0, 0], hands: [],
                        caption: frame == 7 ? "tap" : nil), frame: frame)
            }
            let spaced = film.pictures.filter { $0.caption == nil }.map(\.time)
            #expect(spaced.count <= FilmStrip.mostSpaced && spaced.count >= min(frames - 1, FilmStrip.mostSpaced / 2))
            #expect(film.pictures.map(\.time) == film.pictures.map(\.time).sorted())
            #expect(frames < 8 || film.pictures.contains { $0.caption == "tap" })
        }
    }
}

@Suite struct DrawnTextTests {
    /// The coverage of each touched pixel.
    private func ink(_ text: String, height: Double) -> [SIMD2<Int>: Double] {
        var pixels: [SIMD2<Int>: Double] = [:]
        StrokeFont(height: height).draw(text) { x, y, coverage in
            pixels[SIMD2(x, y)] = max(pixels[SIMD2(x, y)] ?? 0, coverage)
        }
        return pixels
    }

    private static let characters = (33...126).compactMap { Unicode.Scalar($0).map(Character.init) }

    @Test func everyLetterIsDrawnInItsLine() {
        let box = ink("\u{1}", height: 20)
        for character in Self.characters
        where character.isLetter || character.isNumber || ".,:-_/%()".contains(character) {
            let text = String(character)
            let pixels = ink(text, height: 20)
            #expect(!pixels.isEmpty && pixels != box, "\(character)")
            #expect(
                pixels.values.allSatisfy { $0 > 0 && $0 <= 1 } && pixels.values.contains { $0 > 0.9 }, "\(character)")
            let font = StrokeFont(height: 20)
            #expect(pixels.keys.allSatisfy { (-2...font.lineHeight + 2).contains($0.y) }, "\(character)")
            #expect(pixels.keys.allSatisfy { (-2...font.width(of: text) + 2).contains($0.x) }, "\(character)")
        }
    }

    @Test func lettersDiffer() {
        let letters = Self.characters.filter { $0.isLetter || $0.isNumber }
        let drawings = letters.map { ink(String($0), height: 24) }
        for one in letters.indices {
            for other in letters.indices where other > one {
                #expect(drawings[one] != drawings[other], "\(letters[one]) and \(letters[other])")
            }
        }
    }

    @Test func textGrowsWithItsHeight() {
        #expect(StrokeFont(height: 40).width(of: "grab") > 19 * StrokeFont(height: 20).width(of: "grab") / 10)
        // Edges are smooth: some pixels are covered in part.
        #expect(ink("O", height: 20).values.contains { $0 > 0.2 && $0 < 0.8 })
        #expect(ink("", height: 20).isEmpty && ink(" ", height: 20).isEmpty)
    }
}
