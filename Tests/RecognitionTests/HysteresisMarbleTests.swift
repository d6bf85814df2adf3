import Recognition
import Testing

/// One line per rule of the transition table.
@Suite struct HysteresisMarbleTests {
    @Test func beginTakesThreeConsecutiveSureFrames() throws {
        try Marbles.expect("..AA..AAA", gives: "........^")
        try Marbles.expect("AAaAAA", gives: ".....^")
        try Marbles.expect("AA.AAA", gives: ".....^")
        try Marbles.expect("aaaaaaaa", gives: "........")
        try Marbles.expect("........", gives: "........")
    }

    @Test func changeOfClassRestartsTheRun() throws {
        try Marbles.expect("AABBAABBB", gives: "........^")
        try Marbles.expect("ABCABCABC", gives: ".........")
        try Marbles.expect("AAbAAA", gives: ".....^")
    }

    @Test func endTakesTwoConsecutiveFramesOfNullOrAnotherClass() throws {
        try Marbles.expect("AAA.A.A..", gives: "..^.....v")
        try Marbles.expect("AAA.B", gives: "..^.v")
        try Marbles.expect("AAABC", gives: "..^.v")
        try Marbles.expect("AAA.a.a..", gives: "..^.....v")
    }

    @Test func nullCountsAtAnyConfidence() throws {
        var machine = try Marbles.machine()
        for time in 0..<3 { _ = machine.step(Marbles.top("A"), at: Int64(time)) }
        _ = machine.step(TopClass(classIndex: Marbles.nullIndex, confidence: 0.01), at: 3)
        let end = machine.step(TopClass(classIndex: Marbles.nullIndex, confidence: 0.01), at: 4).end
        #expect(end?.kind == .end(.released))
    }

    @Test func unsureFramesOfTheActiveClassKeepIt() throws {
        try Marbles.expect("AAAaaaaaaaaaaaaaaaaaaaa..", gives: "..^.....................v")
    }

    @Test func unsureFramesOfAnotherClassAreNoEvidenceUntilTheyLast() throws {
        try Marbles.expect("AAA bb A bbb A", gives: "..^ .. . ... .")
        try Marbles.expect("AAA b.b.", gives: "..^ ...v")
        try Marbles.expect("AAA bbbbbbbbbbbb", gives: "..^ ...........v")
        try Marbles.expect("AAA bbbbbbbbbbb A bbbbbbbbbbbb", gives: "..^ ........... . ...........v")
        let events = try Marbles.run("AAA bcbcbcbcbcbc").events
        #expect(events.map(\.kind) == [.begin, .end(.unsure)])
        #expect(events.last?.onset == 3 * Marbles.frame)
    }

    @Test func unsureEndFramesAtTheMinimumIsTheLiteralReading() throws {
        let literal = RecognitionConfiguration(unsureEndFrames: 2)
        try Marbles.expect("AAAbbAAAb.", gives: "..^.v..^.v", literal)
    }

    @Test func endPrecedesBeginAndTheNextClassNeedsItsOwnFrames() throws {
        try Marbles.expect("AAABBB", gives: "..^.v^")
        try Marbles.expect("AAA.BBB", gives: "..^.v.^")
        let events = try Marbles.run("AAABBB").events
        #expect(events.map(\.classIndex) == [0, 0, 1])
        #expect(events.map(\.kind) == [.begin, .end(.released), .begin])
        #expect(events.map(\.onset) == [0, 3, 3].map { $0 * Marbles.frame })
        #expect(events.map(\.decision) == [2, 4, 5].map { $0 * Marbles.frame })
        #expect(events.map(\.sequence) == [0, 1, 2])
    }

    @Test func endAndBeginFallTogetherWhenTheirCountsDo() throws {
        let quick = RecognitionConfiguration(beginFrames: 2)
        try Marbles.expect("AABB", gives: ".^.x", quick)
        let quicker = RecognitionConfiguration(beginFrames: 1)
        try Marbles.expect("ABB", gives: "^x.", quicker)
        try Marbles.expect("AB..", gives: "^x.v", quicker)
        try Marbles.expect("A..", gives: "^.v", quicker)
        let result = try Marbles.run("AABB", quick).events
        #expect(result.map(\.kind) == [.begin, .end(.released), .begin])
        #expect(result.map(\.sequence) == [0, 1, 2])
    }

    @Test func anotherClassNeverWaitsForTheEnd() throws {
        let slow = RecognitionConfiguration(beginFrames: 2, endFrames: 5)
        try Marbles.expect("AA....AA.....", gives: ".^..........v", slow)
        try Marbles.expect("AABB", gives: ".^.x", slow)
        try Marbles.expect("AA..BB", gives: ".^...x", slow)
        try Marbles.expect("AA.B.B.", gives: ".^....v", slow)
    }

    @Test func invalidFramesBreakARunAndNeitherEndNorKeep() throws {
        try Marbles.expect("AA!AAA", gives: ".....^")
        try Marbles.expect("AAA!!!!!!!!!!!!!!!!!!", gives: "..^..................")
        try Marbles.expect("AAA.!.", gives: "..^..v")
        try Marbles.expect("AAAB!BB.", gives: "..^..v..")
    }

    @Test func exactlyTheThresholdDoesNotCount() throws {
        for (confidence, begins) in [(Float(0.85), false), (Float(0.85).nextUp, true), (Float(0.85).nextDown, false)] {
            var machine = try Marbles.machine()
            let top = TopClass(classIndex: 0, confidence: confidence)
            let results = (0..<10).map { machine.step(top, at: $0) }
            #expect(results.contains { $0.begin != nil } == begins, "\(confidence)")
        }
    }

    @Test func overridesApplyToTheirClassOnly() throws {
        let configuration = RecognitionConfiguration(overrides: [
            "a": RecognitionConfiguration.Override(beginConfidence: 0.5),
            1: RecognitionConfiguration.Override(beginFrames: 2, endFrames: 4),
        ])
        try Marbles.expect("aaa..", gives: "..^.v", configuration)
        try Marbles.expect("BB....", gives: ".^...v", configuration)
        try Marbles.expect("bbbbb", gives: ".....", configuration)
        try Marbles.expect("CCC..", gives: "..^.v", configuration)
        // The threshold of the frame's own class decides whether it is evidence against the active one.
        try Marbles.expect("BB aaaa", gives: ".^ ..x.", configuration)
        try Marbles.expect("BB aacc", gives: ".^ ....", configuration)
        try Marbles.expect("BB acac..", gives: ".^ .....v", configuration)
    }

    @Test func theWayBackIsNoGesture() throws {
        let configuration = RecognitionConfiguration(
            beginFrames: 2, returnTime: .milliseconds(4), returnStrokes: ["a": "b"])
        // Ended by null, or by its own return stroke, which stays one for as long as it lasts.
        try Marbles.expect("AA.. BBBBBBBB .BB", gives: ".^.v ........ ..^", configuration)
        try Marbles.expect("AABB BBBBBBBB .BB", gives: ".^.v ........ ..^", configuration)
        try Marbles.expect("AA.. BB!!!BBB", gives: ".^.v ........", configuration)
        try Marbles.expect("AA.. bBBBBBBB", gives: ".^.v ........", configuration)
        // Begun late enough it is a gesture, and so is any other, or the first one again.
        try Marbles.expect("AA.. ...BB", gives: ".^.v ....^", configuration)
        try Marbles.expect("AA.. BB..BB", gives: ".^.v .....^", configuration)
        try Marbles.expect("AA.. CC", gives: ".^.v .^", configuration)
        try Marbles.expect("AA.. BCC", gives: ".^.v ..^", configuration)
        try Marbles.expect("AA.. BAA", gives: ".^.v ..^", configuration)
        // One way alone.
        try Marbles.expect("BB.. AA", gives: ".^.v .^", configuration)
    }

    @Test func withoutATimeThereIsNoWayBack() throws {
        let configuration = RecognitionConfiguration(beginFrames: 2, returnStrokes: ["a": "b"])
        try Marbles.expect("AABB", gives: ".^.x", configuration)
    }

    @Test func aFlushForgetsTheWayBack() throws {
        var machine = try Marbles.machine(
            RecognitionConfiguration(beginFrames: 1, returnTime: .seconds(1), returnStrokes: ["a": "b"]))
        for (time, symbol) in "A..B".enumerated() {
            #expect((machine.step(Marbles.top(symbol), at: Int64(time)).begin != nil) == (symbol == "A"))
        }
        _ = machine.flush(at: 4)
        #expect(machine.step(Marbles.top("B"), at: 5).begin != nil)
    }

    @Test func aGestureIsReportedOnce() throws {
        let configuration = RecognitionConfiguration(beginFrames: 2, mergeWindow: .milliseconds(4))
        // Over at 3 ms: a run from 4, 5 or 6 ms on is the same gesture, and has no end of its own.
        try Marbles.expect("AA.. AA.. .......", gives: ".^.v .... .......", configuration)
        try Marbles.expect("AA.. ..AAAA.. ...", gives: ".^.v ........ ...", configuration)
        try Marbles.expect("AA.. ...AA..", gives: ".^.v ....^.v", configuration)
        // The time begins anew when what goes on is over.
        try Marbles.expect("AA.. AA.. AA.. AA..", gives: ".^.v .... .... ....", configuration)
        try Marbles.expect("AA.. AA.. ...AA", gives: ".^.v .... ....^", configuration)
        // Another class separates them, sure and however briefly; unsure and invalid frames do not.
        try Marbles.expect("AA.. BAA", gives: ".^.v ..^", configuration)
        try Marbles.expect("AABB AA", gives: ".^.x .x", configuration)
        try Marbles.expect("AA.C AA", gives: ".^.v .^", configuration)
        try Marbles.expect("AA.. bAA..", gives: ".^.v .....", configuration)
        try Marbles.expect("AA.. !AA..", gives: ".^.v .....", configuration)
        // Only what was seen after its class led last counts.
        try Marbles.expect("AABA .. AA", gives: ".^.. .v ..", configuration)
        // What goes on gives way to another class like any gesture that is not reported.
        try Marbles.expect("AA.. AABB", gives: ".^.v ...^", configuration)
    }

    @Test func aPoseThatIsKeptIsReportedOnce() throws {
        func events(_ frames: String, keeping kept: String) throws -> String {
            var machine = try Marbles.machine(RecognitionConfiguration(beginFrames: 2, mergeWindow: .milliseconds(2)))
            return String(
                zip(frames, kept).enumerated().map { time, frame in
                    Marbles.symbol(
                        machine.step(
                            Marbles.top(frame.0), keeping: frame.1 == "." ? nil : Marbles.index(frame.1),
                            at: Int64(time) * Marbles.frame))
                })
        }
        #expect(try events("AA......AA..", keeping: "............") == ".^.v.....^.v")
        #expect(try events("AA......AA..", keeping: "AAAAAAAAA...") == ".^.v........")
        // It was over at 3 ms. A frame at 5 ms without the pose is one too many; one at 4 ms is within the merge window.
        #expect(try events("AA......AA..", keeping: "AAAAA.AAA...") == ".^.v.....^.v")
        #expect(try events("AA......AA..", keeping: "AAAA.AAAA...") == ".^.v........")
        // Another pose, and another class between.
        #expect(try events("AA......AA..", keeping: "BBBBBBBBBBBB") == ".^.v.....^.v")
        #expect(try events("AA...B..AA..", keeping: "AAAAAAAAAAAA") == ".^.v.....^.v")
        // What is not over yet is not reported again anyway.
        #expect(try events("AAAAAA", keeping: "AAAAAA") == ".^....")
    }

    @Test func withAWayBackItIsReportedAgain() throws {
        let configuration = RecognitionConfiguration(
            beginFrames: 2, returnTime: .milliseconds(4), returnStrokes: ["a": "b"], mergeWindow: .milliseconds(6))
        try Marbles.expect("AA.. BAA..", gives: ".^.v ..^.v", configuration)
        try Marbles.expect("AA.. bAA..", gives: ".^.v ..^.v", configuration)
        try Marbles.expect("AA.. AA..", gives: ".^.v ....", configuration)
        // The way back after what goes on is one, too.
        try Marbles.expect("AA.. AA.. BBB. AA", gives: ".^.v .... .... .^", configuration)
        // b alone has no way back.
        try Marbles.expect("BB.. aBB..", gives: ".^.v .....", configuration)
    }

    @Test func aGestureThatExpiredIsOverWhenItIsReleased() throws {
        let configuration = RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, mergeWindow: .milliseconds(3), maximumDuration: .milliseconds(2))
        try Marbles.expect("AAAAAAAA .AA. ...A", gives: "^.v..... .... ...^", configuration)
    }

    @Test func aFlushForgetsWhatWasReported() throws {
        var machine = try Marbles.machine(RecognitionConfiguration(beginFrames: 1, mergeWindow: .seconds(1)))
        for (time, symbol) in "A..A".enumerated() {
            #expect((machine.step(Marbles.top(symbol), at: Int64(time)).begin != nil) == (time == 0))
        }
        #expect(machine.activeClass == nil)
        #expect(machine.flush(at: 4) == nil)
        #expect(machine.step(Marbles.top("A"), at: 5).begin?.sequence == 2)
    }

    @Test func refractoryTimeHoldsBackEveryClass() throws {
        let configuration = RecognitionConfiguration(refractory: .milliseconds(4))
        // The end is decided at 4 ms, so the frame at 8 ms is the first to count.
        try Marbles.expect("AAA.. AAA AAA", gives: "..^.v ... ..^", configuration)
        try Marbles.expect("AAABB BBB BBB", gives: "..^.v ... ..^", configuration)
    }

    @Test func maximumDurationEndsOnceAndWaitsForRelease() throws {
        let configuration = RecognitionConfiguration(maximumDuration: .milliseconds(4))
        // Begun at 2 ms, expired at 6 ms; released at 11 ms.
        try Marbles.expect("AAAAAA AAAA .. AAA", gives: "..^... v... .. ..^", configuration)
        try Marbles.expect("AAAAAA AA.A AAA", gives: "..^... v... ...", configuration)
        try Marbles.expect("AAAAAA A BBB", gives: "..^... v ..^", configuration)
        let events = try Marbles.run("AAAAAAA..AAA", configuration).events
        #expect(events.map(\.kind) == [.begin, .end(.expired), .begin])
        #expect(events[1].onset == 6 * Marbles.frame)
        #expect(events[1].decision == 6 * Marbles.frame)
    }

    @Test func invalidFramesBringNoExpiry() throws {
        let configuration = RecognitionConfiguration(maximumDuration: .milliseconds(4))
        try Marbles.expect("AAA !!!!!!!! A", gives: "..^ ........ v", configuration)
    }

    @Test func confidenceOfABeginIsTheLastAndOfAnEndThePeak() throws {
        var machine = try Marbles.machine()
        var events: [RecognizedEvent] = []
        for (index, confidence) in [Float(0.99), 0.9, 0.875, 0.98, 0.3].enumerated() {
            let result = machine.step(TopClass(classIndex: 3, confidence: confidence), at: Int64(index))
            events += [result.end, result.begin].compactMap { $0 }
        }
        for time in 5..<7 {
            let result = machine.step(TopClass(classIndex: Marbles.nullIndex, confidence: 1), at: Int64(time))
            events += [result.end, result.begin].compactMap { $0 }
        }
        #expect(events.map(\.confidence) == [0.875, 0.99])
    }

    @Test func flushEndsTheActiveGestureOnce() throws {
        var machine = try Marbles.machine()
        #expect(machine.flush(at: 0) == nil)
        for time in 0..<3 { _ = machine.step(Marbles.top("A"), at: Int64(time)) }
        #expect(machine.activeClass == 0)
        #expect(
            machine.flush(at: 7)
                == RecognizedEvent(
                    kind: .end(.flushed), classIndex: 0, confidence: 0.95, onset: 7, decision: 7, sequence: 1))
        #expect(machine.activeClass == nil)
        #expect(machine.flush(at: 8) == nil)
        // A run does not survive a flush, earlier times are allowed after it, and the sequence goes on.
        _ = machine.step(Marbles.top("A"), at: 1)
        _ = machine.step(Marbles.top("A"), at: 2)
        #expect(machine.flush(at: 3) == nil)
        #expect(machine.step(Marbles.top("A"), at: 1).begin == nil)
        #expect(machine.step(Marbles.top("A"), at: 2).begin == nil)
        let begin = try #require(machine.step(Marbles.top("A"), at: 3).begin)
        #expect(begin.sequence == 2 && begin.onset == 1 && begin.decision == 3)
        // One null frame before the flush: that is where the gesture stopped.
        _ = machine.step(Marbles.top("."), at: 4)
        #expect(machine.flush(at: 9)?.onset == 4)
    }

    @Test func flushLiftsTheRefractoryTime() throws {
        var machine = try Marbles.machine(RecognitionConfiguration(refractory: .seconds(1)))
        for (time, symbol) in "AAA..".enumerated() { _ = machine.step(Marbles.top(symbol), at: Int64(time)) }
        _ = machine.flush(at: 5)
        let results = (6..<9).map { machine.step(Marbles.top("B"), at: $0) }
        #expect(results.last?.begin?.classIndex == 1)
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
