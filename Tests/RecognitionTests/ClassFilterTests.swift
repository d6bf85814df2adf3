import Recognition
import Testing

/// Allowed and denied classes, and rules that change while a stream runs. Diagrams as in `Marbles`.
@Suite struct ClassFilterTests {
    private static let plain = RecognitionConfiguration(medianLength: 1)

    private static func filtered(
        allowed: Set<RecognitionConfiguration.ClassKey>? = nil, denied: Set<RecognitionConfiguration.ClassKey> = []
    ) -> RecognitionConfiguration {
        RecognitionConfiguration(medianLength: 1, allowedClasses: allowed, deniedClasses: denied)
    }

    @Test func aDeniedClassIsNull() throws {
        let diagram = "..AAAA..BBBB..CCCC.."
        #expect(try Marbles.run(diagram, Self.plain).out == "....^..v..^..v..^..v")
        for configuration in [Self.filtered(denied: ["a", 3]), Self.filtered(allowed: ["b"])] {
            #expect(try Marbles.run(diagram, configuration).out == "..........^..v......")
        }
        // It ends the gesture of another class as null does.
        #expect(try Marbles.run("BBBBAA", Self.filtered(denied: ["a"])).out == "..^..v")
        #expect(try Marbles.run("BBBBaa", Self.filtered(denied: ["a"])).out == "..^..v")
        #expect(try Marbles.run("BBBBaa", Self.plain).out == "..^...")
    }

    /// Without it, the way back of each denied swipe to the right is a swipe to the left.
    @Test func theWayBackOfADeniedClassIsNotReported() throws {
        func out(_ diagram: String, denied: Set<RecognitionConfiguration.ClassKey> = ["a"]) throws -> String {
            let configuration = RecognitionConfiguration(
                medianLength: 1, beginFrames: 2, returnTime: .milliseconds(4), returnStrokes: ["a": "b"],
                deniedClasses: denied)
            return try Marbles.run(diagram, configuration).out
        }
        #expect(try out("AA.BBBB..") == ".........")
        #expect(try out("AAaa..BBB..") == "...........")
        // The return time begins when the class has not led for two frames.
        #expect(try out("AA....BBB..") == "...........")
        // The return time is over, or another class comes between.
        #expect(try out("AA.....BBB..") == "........^..v")
        #expect(try out("AA.BBCC..BB..") == "......^.v.^.v")
        // A run that is too short, unsure or broken has no way back.
        #expect(try out("A.BB..") == "...^.v")
        #expect(try out("aaaBB..") == "....^.v")
        #expect(try out("A!ABB..") == "....^.v")
        // Nor has the way back of another gesture: `c` has none.
        #expect(try out("CC.BB..", denied: ["c"]) == "....^.v")
    }

    @Test func deniedWinsOverAllowedAndNullNeedsNoMention() throws {
        let configuration = Self.filtered(allowed: ["a", "b", "null"], denied: ["b"])
        #expect(try Marbles.run("AAA..BBB..CCC..", configuration).out == "..^.v..........")
        #expect(try Marbles.run("AAA..", Self.filtered(allowed: [])).out == ".....")
    }

    /// Runs `first` and then, by other rules, `second`.
    private static func run(
        _ first: String, _ second: String, by configuration: RecognitionConfiguration
    ) throws -> String {
        var machine = try Marbles.machine(plain)
        let rules = try RecognitionRules(
            labels: Marbles.labels, nullIndex: Marbles.nullIndex, configuration: configuration)
        var out = ""
        for (index, symbol) in (first + second).enumerated() {
            if index == first.count { machine.change(to: rules) }
            out.append(Marbles.symbol(machine.step(Marbles.top(symbol), at: Int64(index) * Marbles.frame)))
        }
        return out
    }

    @Test func rulesChangeFromTheNextFrameOn() throws {
        // The gesture that is active ends as if null led.
        #expect(try Self.run("AAAA", "AAAA", by: Self.filtered(denied: ["a"])) == "..^..v..")
        // Frames counted so far stay counted.
        #expect(try Self.run("AA", "A", by: Self.filtered(denied: ["b"])) == "..^")
        #expect(try Self.run("AA", "A", by: RecognitionConfiguration(medianLength: 1, beginFrames: 4)) == "...")
        #expect(try Self.run("AAA", "A..", by: RecognitionConfiguration(medianLength: 1, endFrames: 1)) == "..^.v.")
        #expect(
            try Self.run("AA", "AA", by: RecognitionConfiguration(medianLength: 1, beginConfidence: 0.97)) == "....")
    }

    @Test func aMedianOfAnotherLengthBeginsAnew() throws {
        let labels = Marbles.labels
        var recognizer = try Recognizer(labels: labels, nullIndex: 2, configuration: RecognitionConfiguration())
        for time in Int64(0)..<5 { _ = recognizer.step(logits: ([0, 6, 0, 0] as [Float]).span, at: time) }
        #expect(recognizer.activeClass == 1)
        let rules = try RecognitionRules(
            labels: labels, nullIndex: 2, configuration: RecognitionConfiguration(medianLength: 3))
        recognizer.change(to: rules)
        #expect(recognizer.activeClass == 1)
        // A full window of 5 would still say b.
        let result = recognizer.step(logits: ([6, 0, 0, 0] as [Float]).span, at: 5)
        #expect(result.top?.classIndex == 0)
    }
}
