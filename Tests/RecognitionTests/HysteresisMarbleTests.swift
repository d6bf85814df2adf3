import Recognition
import Testing

/// A rule of the transition table, with frames and what they give.
private struct Rule: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let configuration: RecognitionConfiguration
    let momentary: Int?
    let marbles: [(input: String, output: String)]

    init(
        _ name: String, by configuration: RecognitionConfiguration = RecognitionConfiguration(), momentary: Int? = nil,
        _ marbles: (String, String)...
    ) {
        (testDescription, self.configuration, self.momentary, self.marbles) = (name, configuration, momentary, marbles)
    }
}

/// Every rule of the table, by frames written out. `HysteresisSequenceTests` compares the machine with a model in any frames.
@Suite struct HysteresisMarbleTests {
    private static let returning = RecognitionConfiguration(
        beginFrames: 2, returnTime: .milliseconds(4), returnStrokes: ["a": "b"])
    private static let merging = RecognitionConfiguration(beginFrames: 2, mergeWindow: .milliseconds(4))
    private static let pinches = RecognitionConfiguration(
        beginFrames: 3, endFrames: 2, unsureEndFrames: 5, mergeWindow: .seconds(1))

    private static let rules = [
        Rule(
            "a begin takes three consecutive sure frames", ("..AA..AAA", "........^"), ("AAaAAA", ".....^"),
            ("AA.AAA", ".....^"), ("aaaaaaaa", "........"), ("........", "........")),
        Rule(
            "a class that keeps leading begins below its threshold",
            by: RecognitionConfiguration(beginFrames: 2, steady: .init(frames: 3, confidence: 0.5)), ("aaaa", "...^"),
            ("aaAaa", "...^."), ("AA", ".^"), ("aa.aaaa", "......^"), ("aa!aaaa", "......^"), ("aabbbb", ".....^"),
            ("AA bbbb", ".^ ...x"), ("AA bb.bb..", ".^ .....v.")),
        Rule(
            "an override of the threshold has no other way",
            by: RecognitionConfiguration(
                beginFrames: 2, steady: .init(frames: 3, confidence: 0.5),
                overrides: ["a": .init(beginConfidence: 0.9)]),
            ("aaaaaaaa", "........"), ("AA", ".^"), ("bbbb", "...^")),
        Rule(
            "what keeps leading too faintly does not begin",
            by: RecognitionConfiguration(beginFrames: 2, steady: .init(frames: 3, confidence: 0.6)),
            ("aaaaaaaa", "........")),
        Rule(
            "a change of class restarts the run", ("AABBAABBB", "........^"), ("ABCABCABC", "........."),
            ("AAbAAA", ".....^")),
        Rule(
            "an end takes two consecutive frames of null or another class", ("AAA.A.A..", "..^.....v"),
            ("AAA.B", "..^.v"), ("AAABC", "..^.v"), ("AAA.a.a..", "..^.....v")),
        Rule("unsure frames of the active class keep it", ("AAAaaaaaaaaaaaaaaaaaaaa..", "..^.....................v")),
        Rule(
            "unsure frames of another class are no evidence until they last", ("AAA bb A bbb A", "..^ .. . ... ."),
            ("AAA b.b.", "..^ ...v"), ("AAA bbbbbbbbbbbb", "..^ ...........v"),
            ("AAA bbbbbbbbbbb A bbbbbbbbbbbb", "..^ ........... . ...........v")),
        Rule("the next class needs its own frames", ("AAABBB", "..^.v^"), ("AAA.BBB", "..^.v.^")),
        Rule("end and begin fall together", by: RecognitionConfiguration(beginFrames: 2), ("AABB", ".^.x")),
        Rule(
            "end and begin of single frames", by: RecognitionConfiguration(beginFrames: 1), ("ABB", "^x."),
            ("AB..", "^x.v"), ("A..", "^.v")),
        Rule(
            "another class never waits for the end", by: RecognitionConfiguration(beginFrames: 2, endFrames: 5),
            ("AA....AA.....", ".^..........v"), ("AABB", ".^.x"), ("AA..BB", ".^...x"), ("AA.B.B.", ".^....v")),
        Rule(
            "invalid frames break a run and neither end nor keep", ("AA!AAA", ".....^"),
            ("AAA!!!!!!!!!!!!!!!!!!", "..^.................."), ("AAA.!.", "..^..v"), ("AAAB!BB.", "..^..v..")),
        // The threshold of the frame's own class decides whether it is evidence against the active one.
        Rule(
            "overrides apply to their class only",
            by: RecognitionConfiguration(overrides: [
                "a": RecognitionConfiguration.Override(beginConfidence: 0.5),
                1: RecognitionConfiguration.Override(beginFrames: 2, endFrames: 4),
            ]), ("aaa..", "..^.v"), ("BB....", ".^...v"), ("bbbbb", "....."), ("CCC..", "..^.v"),
            ("BB aaaa", ".^ ..x."), ("BB aacc", ".^ ...."), ("BB acac..", ".^ .....v")),
        // Ended by null, or by its own return stroke, which stays one for as long as it lasts.
        Rule(
            "a return stroke is no gesture", by: returning, ("AA.. BBBBBBBB .BB", ".^.v ........ ..^"),
            ("AABB BBBBBBBB .BB", ".^.v ........ ..^"), ("AA.. BB!!!BBB", ".^.v ........"),
            ("AA.. bBBBBBBB", ".^.v ........")),
        Rule(
            "begun late enough it is a gesture, and so is any other", by: returning, ("AA.. ...BB", ".^.v ....^"),
            ("AA.. BB..BB", ".^.v .....^"), ("AA.. CC", ".^.v .^"), ("AA.. BCC", ".^.v ..^"),
            ("AA.. BAA", ".^.v ..^"), ("BB.. AA", ".^.v .^")),
        // Over at 3 ms: a run from 4, 5 or 6 ms on is the same gesture, and has no end of its own. The time begins anew when
        // what goes on is over.
        Rule(
            "a gesture is reported once", by: merging, ("AA.. AA.. .......", ".^.v .... ......."),
            ("AA.. ..AAAA.. ...", ".^.v ........ ..."), ("AA.. ...AA..", ".^.v ....^.v"),
            ("AA.. AA.. AA.. AA..", ".^.v .... .... ...."), ("AA.. AA.. ...AA", ".^.v .... ....^")),
        // Sure and however briefly; only what comes after its class led last counts.
        Rule(
            "another class separates two gestures", by: merging, ("AA.. BAA", ".^.v ..^"), ("AABB AA", ".^.x .x"),
            ("AA.C AA", ".^.v .^"), ("AA.. bAA..", ".^.v ....."), ("AA.. !AA..", ".^.v ....."),
            ("AABA .. AA", ".^.. .v .."), ("AA.. AABB", ".^.v ...^")),
        Rule(
            "a return stroke separates two gestures",
            by: RecognitionConfiguration(
                beginFrames: 2, returnTime: .milliseconds(4), returnStrokes: ["a": "b"],
                mergeWindow: .milliseconds(6)), ("AA.. BAA..", ".^.v ..^.v"), ("AA.. bAA..", ".^.v ..^.v"),
            ("AA.. AA..", ".^.v ...."), ("AA.. AA.. BBB. AA", ".^.v .... .... .^"), ("BB.. aBB..", ".^.v .....")),
        // The end is decided at 4 ms, so the frame at 8 ms is the first to count.
        Rule(
            "the refractory time holds back every class", by: RecognitionConfiguration(refractory: .milliseconds(4)),
            ("AAA.. AAA AAA", "..^.v ... ..^"), ("AAABB BBB BBB", "..^.v ... ..^")),
        // Begun at 2 ms, expired at 6 ms; released at 11 ms.
        Rule(
            "the maximum duration ends once and waits for release",
            by: RecognitionConfiguration(maximumDuration: .milliseconds(4)),
            ("AAAAAA AAAA .. AAA", "..^... v... .. ..^"),
            ("AAAAAA AA.A AAA", "..^... v... ..."), ("AAAAAA A BBB", "..^... v ..^")),
        Rule("pinches are merged as others", by: pinches, ("..AAAA..AAAA..", "....^..v......")),
        Rule(
            "a momentary class begins and ends with its first frame, each time", by: pinches, momentary: 0,
            ("..AAAA..AAAA..", "..^...v.^...v.")),
        Rule(
            "overrides count frames of a momentary class, too",
            by: RecognitionConfiguration(
                beginFrames: 3, endFrames: 2, unsureEndFrames: 5, mergeWindow: .seconds(1),
                overrides: ["a": RecognitionConfiguration.Override(beginFrames: 2, endFrames: 2)]), momentary: 0,
            ("..AAAA..AAAA..", "...^...v.^...v")),
    ]

    @Test(arguments: rules) private func rule(_ rule: Rule) throws {
        for (input, output) in rule.marbles {
            let found = try Marbles.run(input, rule.configuration, momentary: rule.momentary).out
            #expect(found == output.filter { $0 != " " }, "\(input)")
        }
    }

    /// Kinds, classes, sequence numbers and times of events, in milliseconds.
    @Test func eventsHaveTheirTimes() throws {
        func events(_ input: String, _ configuration: RecognitionConfiguration = .init()) throws -> [RecognizedEvent] {
            try Marbles.run(input, configuration).events
        }
        let replaced = try events("AAABBB")
        #expect(replaced.map(\.classIndex) == [0, 0, 1] && replaced.map(\.sequence) == [0, 1, 2])
        #expect(replaced.map(\.kind) == [.begin, .end(.released), .begin])
        #expect(replaced.map(\.onset) == [0, 3, 3].map { $0 * Marbles.frame })
        #expect(replaced.map(\.decision) == [2, 4, 5].map { $0 * Marbles.frame })
        let unsure = try events("AAA bcbcbcbcbcbc")
        #expect(unsure.map(\.kind) == [.begin, .end(.unsure)] && unsure.last?.onset == 3 * Marbles.frame)
        let expired = try events("AAAAAAA..AAA", RecognitionConfiguration(maximumDuration: .milliseconds(4)))
        #expect(expired.map(\.kind) == [.begin, .end(.expired), .begin])
        #expect(expired[1].onset == 6 * Marbles.frame && expired[1].decision == 6 * Marbles.frame)
    }

    @Test func exactlyTheThresholdDoesNotCount() throws {
        for (confidence, begins) in [(Float(0.85), false), (Float(0.85).nextUp, true), (Float(0.85).nextDown, false)] {
            var machine = try Marbles.machine()
            let top = TopClass(classIndex: 0, confidence: confidence)
            let results = (0..<10).map { machine.step(top, at: $0) }
            #expect(results.contains { $0.begin != nil } == begins, "\(confidence)")
        }
    }

    @Test func timeNeverRunsBackwardInsideAStream() throws {
        var machine = try Marbles.machine(RecognitionConfiguration(maximumDuration: .nanoseconds(Int64.max)))
        var events: [RecognizedEvent] = []
        for (time, symbol) in zip([Int64.min, -5, -6, -7, -8, Int64.max, Int64.min], "AAAA.A.") {
            let result = machine.step(Marbles.top(symbol), at: time)
            events += [result.end, result.begin].compactMap { $0 }
        }
        #expect(events.map(\.kind) == [.begin, .end(.expired)])
        #expect(events.map(\.decision) == [-5, .max])
    }
}
