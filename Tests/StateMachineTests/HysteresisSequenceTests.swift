import Recognition
import TestSupport
import Testing
import Vocabulary

@Suite struct HysteresisSequenceTests {
    private enum Step: CustomStringConvertible {
        case frame(TopClass?, kept: Int?, ended: Int?, later: Int64)
        case flush(later: Int64)

        var description: String {
            switch self {
            case .frame(let top, let kept, let ended, let later):
                "+\(later) \(top.map { "class \($0.classIndex) \($0.confidence)" } ?? "invalid")"
                    + (kept.map { ", keeps \($0)" } ?? "") + (ended.map { ", ends \($0)" } ?? "")
            case .flush(let later): "+\(later) flush"
            }
        }
    }

    private static let classCount = 5
    private static let nullIndex = 2
    private static let gestures = [0, 1, 3, 4]
    private static let frame: Int64 = 1_000_000

    private static func configuration(_ random: inout SplitMix64) -> RecognitionConfiguration {
        func time(_ random: inout SplitMix64) -> Duration {
            random.isOne(in: 2) ? .zero : .microseconds(random.pick(0...16) * 500)
        }
        let unsureEnd = random.pick(2...6)
        var configuration = RecognitionConfiguration(
            beginFrames: random.pick(1...4), beginConfidence: 0.75, endFrames: random.pick(1...min(3, unsureEnd)),
            unsureEndFrames: unsureEnd, refractory: random.isOne(in: 4) ? time(&random) : .zero,
            returnTime: time(&random), mergeWindow: time(&random),
            maximumDuration: random.isOne(in: 3) ? .milliseconds(random.pick(1...8)) : nil)
        for index in gestures {
            if random.isOne(in: 3) {
                configuration.returnStrokes[.index(index)] = .index(random.pick(gestures.filter { $0 != index }))
            }
            if random.isOne(in: 4) {
                configuration.overrides[.index(index)] = RecognitionConfiguration.Override(
                    beginFrames: random.isOne(in: 2) ? random.pick(1...3) : nil,
                    beginConfidence: random.isOne(in: 2) ? 0.5 : nil,
                    endFrames: random.isOne(in: 2) ? random.pick(1...unsureEnd) : nil)
            }
        }
        if random.isOne(in: 4) { configuration.deniedClasses = [.index(random.pick(gestures))] }
        return configuration
    }

    /// Symbols stay for a while, and a few come back often, so that gestures begin, end and are reported once.
    private static func steps(_ random: inout SplitMix64) -> [Step] {
        let favourites = [random.pick(gestures), random.pick(gestures), nullIndex]
        var (led, confidence): (Int?, Float) = (nullIndex, 0.4)
        var kept: Int?
        let isClockSound = !random.isOne(in: 8)
        return (0..<random.pick(1...70)).map { _ in
            if random.isOne(in: 3) { led = random.isOne(in: 4) ? random.pick(0...4) : random.pick(favourites) }
            if random.isOne(in: 2) { confidence = random.pick([0.5, 0.6, 0.75, 0.8, 0.95]) }
            if random.isOne(in: 6) { kept = random.isOne(in: 2) ? nil : random.pick(favourites) }
            let later = isClockSound ? frame : frame * Int64(random.pick([1, 1, 1, 0, 2, 9, -1, -30]))
            let ended = random.isOne(in: 20) ? random.pick(favourites) : nil
            if random.isOne(in: 60) { return .flush(later: later) }
            if random.isOne(in: 12) { return .frame(nil, kept: kept, ended: ended, later: later) }
            return .frame(
                TopClass(classIndex: led ?? nullIndex, confidence: confidence), kept: kept, ended: ended, later: later)
        }
    }

    private static func difference(_ configuration: RecognitionConfiguration, _ steps: [Step]) throws -> String? {
        let rules = try RecognitionRules(
            classCount: classCount, nullIndex: nullIndex, configuration: configuration)
        var machine = HysteresisMachine(rules: rules)
        var model = PlainHysteresis(rules)
        var time: Int64 = 0
        for (index, step) in steps.enumerated() {
            switch step {
            case .frame(let top, let kept, let ended, let later):
                time += later
                let found = machine.step(top, keeping: kept, ending: ended, at: time)
                let expected = model.step(top, keeping: kept, ending: ended, at: time)
                if found != StepResult(top: top, end: expected.end, begin: expected.begin) {
                    return "step \(index): \(found) instead of \(expected)"
                }
            case .flush(let later):
                time += later
                let (found, expected) = (machine.flush(at: time), model.flush(at: time))
                if found != expected {
                    return "step \(index): \(String(describing: found)), not \(String(describing: expected))"
                }
            }
            if machine.activeClass != model.activeClass {
                return "step \(index): active \(String(describing: machine.activeClass)), "
                    + "not \(String(describing: model.activeClass))"
            }
        }
        return nil
    }

    /// Hysteresis, merge window and return strokes, with thresholds of single classes, denied classes and broken clocks.
    @Test func anyFrames() throws {
        let property = SequenceProperty<RecognitionConfiguration, Step>(
            "hysteresis, merge window, return strokes", sequences: 40_000,
            draw: { random in (Self.configuration(&random), Self.steps(&random)) }, difference: Self.difference)
        let counterexample = try property.counterexample()
        #expect(counterexample == nil, "\(String(describing: counterexample))")
    }

    /// The sequences bring what they are to try.
    @Test func theSequencesAreVaried() throws {
        var random = SplitMix64(seed: 1)
        var causes: [EndCause: Int] = [:]
        var (begins, unreported) = (0, 0)
        for _ in 0..<4_000 {
            let configuration = Self.configuration(&random)
            let rules = try RecognitionRules(
                classCount: Self.classCount, nullIndex: Self.nullIndex, configuration: configuration)
            var machine = HysteresisMachine(rules: rules)
            var forgetful = configuration
            forgetful.mergeWindow = .zero
            var other = HysteresisMachine(
                rules: try RecognitionRules(
                    classCount: Self.classCount, nullIndex: Self.nullIndex, configuration: forgetful))
            var time: Int64 = 0
            for case .frame(let top, let kept, let ended, let later) in Self.steps(&random) {
                time += later
                let result = machine.step(top, keeping: kept, ending: ended, at: time)
                if result.begin != nil { begins += 1 }
                if case .end(let cause)? = result.end?.kind { causes[cause, default: 0] += 1 }
                unreported += other.step(top, keeping: kept, ending: ended, at: time).begin == nil ? 0 : 1
            }
        }
        #expect(begins > 2_000 && unreported > begins + 100, "\(begins), \(unreported)")
        for cause in [EndCause.released, .unsure, .expired] { #expect(causes[cause, default: 0] > 200, "\(causes)") }
    }
}
