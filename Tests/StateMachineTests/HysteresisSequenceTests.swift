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

    private static let labels = ["a", "b", "null", "c", "d"]
    private static let nullIndex = 2
    private static let gestures = [0, 1, 3, 4]
    private static let frame: Int64 = 1_000_000

    private static func configuration(_ random: inout SplitMix64) -> RecognitionConfiguration {
        func time(_ random: inout SplitMix64) -> Duration {
            random.isOne(in: 2) ? .zero : .microseconds(random.pick(0...16) * 500)
        }
        let unsureEnd = random.pick(2...6)
        var configuration = RecognitionConfiguration(
            beginFrames: random.pick(1...4), beginConfidence: 0.75,
            steady: random.isOne(in: 3) ? .init(frames: random.pick(1...4), confidence: 0.5) : nil,
            endFrames: random.pick(1...min(3, unsureEnd)),
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

    private static func difference(
        _ configuration: RecognitionConfiguration, _ steps: [Step], _ tally: OutcomeTally
    ) throws -> String? {
        let rules = try RecognitionRules(
            labels: labels, nullIndex: nullIndex, configuration: configuration)
        var machine = HysteresisMachine(rules: rules)
        var model = PlainHysteresis(rules)
        var time: Int64 = 0
        var events: [RecognizedEvent] = []
        for (index, step) in steps.enumerated() {
            switch step {
            case .frame(let top, let kept, let ended, let later):
                time += later
                let found = machine.step(top, keeping: kept, ending: ended, at: time)
                let expected = model.step(top, keeping: kept, ending: ended, at: time)
                if found != StepResult(top: top, end: expected.end, begin: expected.begin) {
                    return "step \(index): \(found) instead of \(expected)"
                }
                events += [found.end, found.begin].compactMap { $0 }
            case .flush(let later):
                time += later
                let (found, expected) = (machine.flush(at: time), model.flush(at: time))
                if found != expected {
                    return "step \(index): \(String(describing: found)), not \(String(describing: expected))"
                }
                if let found { events.append(found) }
            }
            if machine.activeClass != model.activeClass {
                return "step \(index): active \(String(describing: machine.activeClass)), "
                    + "not \(String(describing: model.activeClass))"
            }
        }
        tally.add("merged", count: model.mergedCount)
        for event in events { tally.add(event.kind) }
        return fault(in: events)
    }

    private static let symbols: [TopClass?] = [
        nil, TopClass(classIndex: nullIndex, confidence: 0.4), TopClass(classIndex: 0, confidence: 0.95),
        TopClass(classIndex: 0, confidence: 0.6), TopClass(classIndex: 1, confidence: 0.95),
        TopClass(classIndex: 1, confidence: 0.6),
    ]

    private static let shortConfigurations: [RecognitionConfiguration] = [
        RecognitionConfiguration(),
        RecognitionConfiguration(beginFrames: 1, endFrames: 3, unsureEndFrames: 4),
        RecognitionConfiguration(
            beginFrames: 2, steady: .init(frames: 2, confidence: 0.5), endFrames: 1, unsureEndFrames: 2),
        RecognitionConfiguration(beginFrames: 2, endFrames: 1, unsureEndFrames: 2, refractory: .milliseconds(2)),
        RecognitionConfiguration(beginFrames: 1, unsureEndFrames: 3, maximumDuration: .milliseconds(1)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 2, returnTime: .milliseconds(2), returnStrokes: [0: 1],
            mergeWindow: .milliseconds(3)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 3, refractory: .milliseconds(1),
            returnTime: .milliseconds(2), returnStrokes: [0: 1], mergeWindow: .milliseconds(4),
            maximumDuration: .milliseconds(2)),
    ]

    /// All 55,986 frames of all sequences of up to 6 symbols.
    @Test(arguments: shortConfigurations) func everyShortSequence(_ configuration: RecognitionConfiguration) throws {
        let rules = try RecognitionRules(
            labels: Self.labels, nullIndex: Self.nullIndex, configuration: configuration)
        func explore(_ machine: HysteresisMachine, _ model: PlainHysteresis, after path: [Int]) {
            for symbol in Self.symbols.indices where path.count < 6 {
                var (machine, model) = (machine, model)
                let (top, time) = (Self.symbols[symbol], Int64(path.count) * Self.frame)
                let found = machine.step(top, at: time)
                let expected = model.step(top, keeping: nil, at: time)
                guard found == StepResult(top: top, end: expected.end, begin: expected.begin) else {
                    Issue.record("\(path + [symbol]): \(found) instead of \(expected)")
                    continue
                }
                explore(machine, model, after: path + [symbol])
            }
        }
        explore(HysteresisMachine(rules: rules), PlainHysteresis(rules), after: [])
    }

    /// What holds of any events: begins and ends of a class alternate, in order and without gaps.
    private static func fault(in events: [RecognizedEvent]) -> String? {
        for (place, event) in events.enumerated() {
            let begin = place % 2 == 0 ? nil : events[place - 1]
            guard (event.kind == .begin) == (begin == nil), event.sequence == UInt64(place),
                event.onset <= event.decision, event.classIndex != nullIndex,
                begin.map({ $0.classIndex == event.classIndex }) ?? true
            else { return "event \(place): \(event)" }
        }
        return nil
    }

    /// Hysteresis, merge window and return strokes, with thresholds of single classes, denied classes and broken clocks.
    /// The sequences lead to every kind of event, and to gestures that are merged.
    @Test func anyFrames() throws {
        let tally = OutcomeTally()
        let property = SequenceProperty<RecognitionConfiguration, Step>(
            "hysteresis, merge window, return strokes", sequences: 40_000,
            draw: { random in (Self.configuration(&random), Self.steps(&random)) },
            difference: { try Self.difference($0, $1, tally) })
        #expect(try property.counterexample()?.description == nil)
        let kinds: [RecognizedEvent.Kind] = [
            .begin, .end(.released), .end(.unsure), .end(.expired), .end(.flushed),
        ]
        #expect(tally.missing(kinds, minimum: 200) == [] && tally.missing(["merged"], minimum: 200) == [])
    }
}
