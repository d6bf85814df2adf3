import Recognition
import Testing
import Vocabulary

/// Median, softmax and hysteresis together, from logits.
@Suite struct RecognizerTests {
    /// With four classes a lead of 6 is a probability of 0.993, a lead of 2 one of 0.71.
    private static func logits(_ symbol: Character) -> [Float] {
        var values = [Float](repeating: 0, count: Marbles.labels.count)
        switch symbol {
        case "!": values[1] = .nan
        case ".": values[Marbles.nullIndex] = 6
        default: values[Marbles.index(symbol)] = symbol.isUppercase ? 6 : 2
        }
        return values
    }

    private static func run(
        _ diagram: String, _ configuration: RecognitionConfiguration = RecognitionConfiguration()
    ) throws -> String {
        var recognizer = try Recognizer(
            labels: Marbles.labels, nullIndex: Marbles.nullIndex, configuration: configuration)
        var out = ""
        for (index, symbol) in diagram.filter({ $0 != " " }).enumerated() {
            let result = recognizer.step(logits: logits(symbol).span, at: Int64(index) * Marbles.frame)
            #expect(result.isValid == (symbol != "!"))
            out.append(Marbles.symbol(result))
        }
        return out
    }

    @Test func beginsFourFramesAfterTheChangeAndEndsThreeAfter() throws {
        #expect(try Self.run("........AAAAAAAA........") == "............^......v....")
        let plain = RecognitionConfiguration(medianLength: 1)
        #expect(try Self.run("........AAAAAAAA........", plain) == "..........^......v......")
    }

    @Test func burstsOfTwoVanishAndBurstsOfThreeFire() throws {
        #expect(try Self.run("......AA......AA..AA....") == "........................")
        #expect(try Self.run(".....AAA......") == ".........^.v..")
        #expect(try Self.run(".....AAAAAAA.A..AA..A...") == ".........^......v.......")
    }

    @Test func aFrameWithoutFiniteLogitsIsSkipped() throws {
        for fault: Float in [.nan, .signalingNaN, .infinity, -.infinity] {
            for place in 0..<4 {
                var recognizer = try Recognizer(classCount: 4, nullIndex: 2, configuration: RecognitionConfiguration())
                var begun: [Int64] = []
                for time in Int64(0)..<12 {
                    var logits = Self.logits("A")
                    if time == 5 { logits[place] = fault }
                    let result = recognizer.step(logits: logits.span, at: time)
                    #expect(result.isValid == (time != 5))
                    if time == 5 { #expect(result.end == nil && result.begin == nil && result.top == nil) }
                    if let begin = result.begin { begun.append(begin.decision) }
                    let probabilities = (0..<4).map { recognizer.probabilities[$0] }
                    #expect(abs(probabilities.reduce(0.0) { $0 + Double($1) } - 1) < 1e-6)
                }
                #expect(begun == [2])
                #expect(recognizer.activeClass == 0)
            }
        }
    }

    @Test func aFaultLeavesNothingBehind() throws {
        // The fault falls out of the window after 5 frames; the same frames without it then give the same results.
        var clean = try Recognizer(classCount: 4, nullIndex: 2, configuration: RecognitionConfiguration())
        var faulty = try Recognizer(classCount: 4, nullIndex: 2, configuration: RecognitionConfiguration())
        var generator = SplitMix64(seed: 3)
        for time in Int64(0)..<100 {
            let logits = (0..<4).map { _ in Float.random(in: -5...5, using: &generator) }
            var other = logits
            if time == 20 { other[3] = .nan }
            let expected = clean.step(logits: logits.span, at: time)
            let found = faulty.step(logits: other.span, at: time)
            if time < 20 || time >= 25 { #expect(found.top == expected.top, "\(time)") }
        }
    }

    @Test func allFramesInvalid() throws {
        #expect(try Self.run("!!!!!!!!!!!!") == "............")
        #expect(try Self.run("!!!!!!AAA!!!!!!..") == "........^.......v")
    }

    @Test func equalProbabilitiesGoToNullThenToTheLowestIndex() throws {
        let configuration = RecognitionConfiguration(medianLength: 1)
        for (logits, expected): ([Float], Int) in [
            ([1, 1, 1, 1], 2), ([0, 1, 0, 1], 1), ([1, 0, 1, 0], 2), ([1, 0, 0.5, 1], 0),
        ] {
            var recognizer = try Recognizer(classCount: 4, nullIndex: 2, configuration: configuration)
            let result = recognizer.step(logits: logits.span, at: 0)
            #expect(result.top?.classIndex == expected)
        }
    }

    @Test func flushClearsTheMedianToo() throws {
        var recognizer = try Recognizer(classCount: 4, nullIndex: 2, configuration: RecognitionConfiguration())
        for time in Int64(0)..<8 { _ = recognizer.step(logits: Self.logits("A").span, at: time) }
        let end = recognizer.flush(at: 8)
        #expect(end?.kind == .end(.flushed) && end?.classIndex == 0 && end?.sequence == 1)
        let again = recognizer.flush(at: 8)
        #expect(again == nil)
        let next = recognizer.step(logits: Self.logits("B").span, at: 0)
        #expect(next.top?.classIndex == 1)
    }

    @Test func theSameLogitsGiveTheSameEvents() throws {
        var generator = SplitMix64(seed: 77)
        let frames = (0..<500).map { index in
            (0..<13).map { Float.random(in: -3...3, using: &generator) + ($0 == index / 20 % 13 ? 8 : 0) }
        }
        var logs: [[RecognizedEvent]] = []
        for _ in 0..<2 {
            var recognizer = try Recognizer(classCount: 13, nullIndex: 12, configuration: RecognitionConfiguration())
            var log: [RecognizedEvent] = []
            for (index, frame) in frames.enumerated() {
                let result = recognizer.step(logits: frame.span, at: Int64(index))
                log += [result.end, result.begin].compactMap { $0 }
            }
            logs.append(log)
        }
        #expect(logs[0] == logs[1])
        #expect(logs[0].count(where: { $0.kind == .begin }) == 24)
    }

    /// Probability from other sources is taken from null alone, at once; the sum stays the same.
    @Test func sharesAreTakenFromNullBehindTheMedian() throws {
        var recognizer = try Recognizer(classCount: 4, nullIndex: 2, configuration: RecognitionConfiguration())
        let logits: [Float] = [1, 0, 3, -1e30]
        _ = recognizer.step(logits: logits.span, at: 0)
        let plain = (0..<4).map { recognizer.probabilities[$0] }
        #expect(plain[3] == 0)
        for (time, share) in [Float(0), 0.25, 1].enumerated() {
            let shares: [Float] = [0, 0, 0, share]
            let result = recognizer.step(logits: logits.span, shares: shares.span, at: Int64(time + 1))
            #expect(recognizer.probabilities[0] == plain[0] && recognizer.probabilities[1] == plain[1])
            #expect(recognizer.probabilities[3] == share * plain[2])
            #expect(abs(recognizer.probabilities[2] - (1 - share) * plain[2]) < 1e-7)
            #expect(result.top?.classIndex == (share == 1 ? 3 : 2))
        }
    }
}
