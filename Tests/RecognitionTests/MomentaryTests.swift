import Recognition
import Testing

/// Classes that are reported each time, poses that end, and probabilities that the hand's shape takes away.
@Suite struct MomentaryTests {
    private static let labels = ["pinch", "palm", "null"]

    private static func machine(momentary: Int?, _ configuration: RecognitionConfiguration) throws -> HysteresisMachine
    {
        HysteresisMachine(
            rules: try RecognitionRules(
                labels: labels, nullIndex: 2, configuration: configuration, momentary: momentary))
    }

    /// The begins and ends of class 0 in frames of a millisecond, in which a star is a sure frame of it and a point is null.
    private static func events(_ frames: String, momentary: Int?, _ configuration: RecognitionConfiguration) throws
        -> String
    {
        var machine = try machine(momentary: momentary, configuration)
        return String(
            frames.enumerated().map { index, frame in
                let top = TopClass(classIndex: frame == "*" ? 0 : 2, confidence: 0.95)
                let result = machine.step(top, at: Int64(index) * 1_000_000)
                return result.begin != nil ? "^" : result.end != nil ? "v" : "."
            })
    }

    @Test func itBeginsAndEndsWithItsFirstFrameAndIsReportedEachTime() throws {
        let configuration = RecognitionConfiguration(
            beginFrames: 3, endFrames: 2, unsureEndFrames: 5, mergeWindow: .seconds(1))
        #expect(try Self.events("..****..****..", momentary: nil, configuration) == "....^..v......")
        #expect(try Self.events("..****..****..", momentary: 0, configuration) == "..^...v.^...v.")
        var own = configuration
        own.overrides["pinch"] = RecognitionConfiguration.Override(beginFrames: 2, endFrames: 2)
        #expect(try Self.events("..****..****..", momentary: 0, own) == "...^...v.^...v")
    }

    @Test func aPoseThatEndedIsReportedAgain() throws {
        var machine = try Self.machine(
            momentary: nil, RecognitionConfiguration(beginFrames: 2, endFrames: 3, mergeWindow: .seconds(1)))
        var events = ""
        for index in 0..<8 {
            let top = TopClass(classIndex: 1, confidence: 0.95)
            let result = machine.step(top, keeping: 1, ending: index == 4 ? 1 : nil, at: Int64(index) * 1_000_000)
            events += result.begin != nil ? "^" : result.end != nil ? "v" : "."
        }
        #expect(events == ".^..v.^.")
    }

    /// What a class gives to null is there for the classes that get a part of null's.
    @Test func sharesBelowZeroGiveToNull() throws {
        var recognizer = try Recognizer(
            labels: Self.labels, nullIndex: 2, configuration: RecognitionConfiguration(medianLength: 1))
        let logits: [Float] = [0, 4, 0]
        func probabilities(_ shares: [Float]) -> [Float] {
            _ = recognizer.step(logits: logits.span, shares: shares.span, at: 0)
            return (0..<3).map { recognizer.probabilities[$0] }
        }
        let plain = probabilities([0, 0, 0])
        let refused = probabilities([0, -1, 0])
        #expect(refused[1] == 0 && abs(refused[2] - plain[1] - plain[2]) < 1e-6 && refused[0] == plain[0])
        let pinched = probabilities([1, -1, 0])
        #expect(abs(pinched[0] - 1) < 1e-6 && pinched[1] == 0 && pinched[2] == 0)
        let half = probabilities([0, -0.5, 0])
        #expect(abs(half[1] - plain[1] / 2) < 1e-6)
    }
}
