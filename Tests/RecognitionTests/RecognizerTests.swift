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

    /// An event begins four frames after the change and ends three after. Bursts of two vanish, bursts of three fire.
    @Test func medianAndHysteresis() throws {
        #expect(try Self.run("........AAAAAAAA........") == "............^......v....")
        #expect(try Self.run("........AAAAAAAA........", .init(medianLength: 1)) == "..........^......v......")
        #expect(try Self.run("......AA......AA..AA....") == "........................")
        #expect(try Self.run(".....AAA......") == ".........^.v..")
        #expect(try Self.run(".....AAAAAAA.A..AA..A...") == ".........^......v.......")
    }

    @Test func aFrameWithoutFiniteLogitsIsSkipped() throws {
        for fault: Float in [.nan, .signalingNaN, .infinity, -.infinity] {
            for place in 0..<4 {
                var recognizer = try Recognizer(
                    labels: Marbles.labels, nullIndex: 2, configuration: RecognitionConfiguration())
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

    @Test func allFramesInvalid() throws {
        #expect(try Self.run("!!!!!!!!!!!!") == "............")
        #expect(try Self.run("!!!!!!AAA!!!!!!..") == "........^.......v")
    }

    @Test func equalProbabilitiesGoToNullThenToTheLowestIndex() throws {
        let configuration = RecognitionConfiguration(medianLength: 1)
        for (logits, expected): ([Float], Int) in [
            ([1, 1, 1, 1], 2), ([0, 1, 0, 1], 1), ([1, 0, 1, 0], 2), ([1, 0, 0.5, 1], 0),
        ] {
            var recognizer = try Recognizer(labels: Marbles.labels, nullIndex: 2, configuration: configuration)
            let result = recognizer.step(logits: logits.span, at: 0)
            #expect(result.top?.classIndex == expected)
        }
    }

    @Test func flushClearsTheMedianToo() throws {
        var recognizer = try Recognizer(labels: Marbles.labels, nullIndex: 2, configuration: RecognitionConfiguration())
        for time in Int64(0)..<8 { _ = recognizer.step(logits: Self.logits("A").span, at: time) }
        let end = recognizer.flush(at: 8)
        #expect(end?.kind == .end(.flushed) && end?.classIndex == 0 && end?.sequence == 1)
        let again = recognizer.flush(at: 8)
        #expect(again == nil)
        let next = recognizer.step(logits: Self.logits("B").span, at: 0)
        #expect(next.top?.classIndex == 1)
    }

    /// Probability from other sources is taken from null alone, behind the median; what a class gives to null comes first.
    /// Shares of four classes of which the third is null, and what the probabilities then are of those without shares.
    @Test(
        arguments: [
            ([0, 0, 0, 0], [1, 1, 0, 0]), ([0, 0, 0, 0.25], [1, 1, 0, 0.25]), ([0, 0, 0, 1], [1, 1, 0, 1]),
            ([-0.5, 0, 0, 0], [0.5, 1, 0.5, 0]), ([-1, 0, 0, 0], [0, 1, 1, 0]),
        ] as [([Float], [Float])])
    func sharesAreTakenFromNullAndGivenToIt(_ shares: [Float], _ expected: [Float]) throws {
        var recognizer = try Recognizer(labels: Marbles.labels, nullIndex: 2, configuration: RecognitionConfiguration())
        let logits: [Float] = [1, 0, 3, -1e30]
        _ = recognizer.step(logits: logits.span, at: 0)
        let plain = (0..<4).map { recognizer.probabilities[$0] }
        let result = recognizer.step(logits: logits.span, shares: shares.span, at: 1)
        let found = (0..<4).map { recognizer.probabilities[$0] }
        #expect(found[0] == expected[0] * plain[0] && found[1] == plain[1] && found[3] == expected[3] * plain[2])
        #expect(abs(found[2] - (1 - expected[3]) * plain[2] - expected[2] * plain[0]) < 1e-7)
        #expect(result.top?.classIndex == (shares[3] == 1 ? 3 : 2))
        // A share is of null's probability after the others have given to it.
        let pinched: [Float] = [-1, -1, 0, 1]
        _ = recognizer.step(logits: logits.span, shares: pinched.span, at: 2)
        #expect(abs(recognizer.probabilities[3] - 1) < 1e-6 && recognizer.probabilities[0] == 0)
    }
}
