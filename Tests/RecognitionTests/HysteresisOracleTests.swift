import Recognition
import Testing
import Vocabulary

/// The same rules implemented differently: it keeps the whole history and looks back over it at each frame, where the
/// machine keeps counters.
private struct PlainModel {
    /// A frame: what it showed, and what that counts as.
    struct Entry { var seen: Character; var symbol: Character; var time: Int64; var kept: Character? }
    struct Event: Equatable { var isBegin: Bool; var symbol: Character; var onset: Int64; var decision: Int64 }

    let configuration: RecognitionConfiguration
    let refractory: Int64
    let limit: Int64?
    let returnTime: Int64
    let mergeWindow: Int64
    /// Upper-case symbols of the gestures that have one.
    let returnStrokes: [Character: Character]
    var history: [Entry] = []
    /// Upper-case symbol of the held class, the history index of its begin, and whether it has been ended.
    var held: (symbol: Character, began: Int, ended: Bool)?
    var lastEnd: Int64?
    /// The upper-case symbol of the last end's return stroke, the end's time and history index, and the history index of the
    /// last frame that was taken for one.
    var wayBack: (symbol: Character, end: Int64, ended: Int, last: Int)?
    /// The upper-case symbol of the gesture that was released last, and the history index at which it was.
    var over: (symbol: Character, index: Int)?

    static func classOf(_ symbol: Character) -> Character { Character(symbol.uppercased()) }

    /// Whether a frame is part of a way back: the first in time, or the next of one that is.
    private func isReturning(_ symbol: Character, at time: Int64) -> Bool {
        guard let wayBack, Self.classOf(symbol) == wayBack.symbol else { return false }
        return time < wayBack.end + returnTime || history[(wayBack.last + 1)...].allSatisfy { $0.symbol == "!" }
    }

    /// The latest frames of a class that count towards its begin, the newest first.
    private func run(of symbol: Character) -> [Entry] {
        let first = wayBack.map { $0.symbol == symbol ? $0.ended + 1 : 0 } ?? 0
        return history[first...].reversed().prefix { entry in
            guard entry.symbol == symbol else { return false }
            guard refractory > 0, let lastEnd else { return true }
            return entry.time >= lastEnd + refractory
        }
    }

    /// Whether a run that begins now continues the gesture that just ended.
    private func isSameGesture(_ symbol: Character) -> Bool {
        guard mergeWindow > 0, let over, over.symbol == symbol, let first = run(of: symbol).last else { return false }
        let begin = history.count - run(of: symbol).count
        guard let led = history[...over.index].lastIndex(where: { Self.classOf($0.seen) == symbol }) else {
            return false
        }
        // The frames after the release in which the pose was kept prolong the time, each that comes while it still lasts.
        var end = history[over.index].time + mergeWindow
        for (before, entry) in zip(history[over.index...], history[(over.index + 1)...])
        where entry.kept == symbol && before.time < end {
            end = max(end, entry.time + 1)
        }
        return first.time < end
            && history[(led + 1)..<begin].allSatisfy { entry in
                let isOther = entry.symbol.isUppercase && entry.symbol != symbol
                return !isOther && Self.classOf(entry.seen) != returnStrokes[symbol]
            }
    }

    private func isRunComplete(of symbol: Character) -> Bool {
        run(of: symbol).count >= configuration.beginFrames
    }

    mutating func step(_ seen: Character, keeping kept: Character? = nil, at time: Int64) -> [Event] {
        let symbol = isReturning(seen, at: time) ? "." : seen
        history.append(Entry(seen: seen, symbol: symbol, time: time, kept: kept))
        if symbol != seen { wayBack?.last = history.count - 1 }
        guard symbol != "!" else { return [] }
        var events: [Event] = []

        if let current = held {
            // The valid frames after the last one led by the held class.
            let away = history[(current.began + 1)...].reversed().filter { $0.symbol != "!" }
                .prefix { Self.classOf($0.symbol) != current.symbol }
            let decisive = away.filter { $0.symbol == "." || $0.symbol.isUppercase }
            let onset = away.last?.time ?? time
            let isReleased =
                decisive.count >= configuration.endFrames || away.count >= configuration.unsureEndFrames
                || symbol.isUppercase && symbol != current.symbol && isRunComplete(of: symbol)
            let hasExpired = limit.map { time - history[current.began].time >= $0 } ?? false
            if isReleased { held = nil } else if hasExpired { held?.ended = true }
            if !current.ended, isReleased || hasExpired {
                events.append(Event(isBegin: false, symbol: current.symbol, onset: onset, decision: time))
                lastEnd = time
            }
            if isReleased { over = (current.symbol, history.count - 1) }
            let isSilent = current.ended && isReleased && mergeWindow > 0
            if !current.ended && (isReleased || hasExpired) || isSilent {
                if returnTime > 0, let back = returnStrokes[current.symbol] {
                    let last = Self.classOf(seen) == back ? history.count - 1 : -1
                    wayBack = (back, time, history.count - 1, last)
                }
            }
        }

        if held == nil || held?.ended == true, symbol.isUppercase, symbol != held?.symbol {
            if isRunComplete(of: symbol), let first = run(of: symbol).last {
                let isReported = isSameGesture(symbol)
                if !isReported {
                    events.append(Event(isBegin: true, symbol: symbol, onset: first.time, decision: time))
                }
                held = (symbol, history.count - 1, isReported)
            }
        }
        return events
    }
}

@Suite struct HysteresisOracleTests {
    private static let alphabet: [Character] = [".", "A", "a", "B", "b", "!"]

    private static func compare(_ result: StepResult, with expected: [PlainModel.Event]) -> Bool {
        let found = [result.end, result.begin].compactMap { $0 }.map { event in
            PlainModel.Event(
                isBegin: event.kind == .begin, symbol: event.classIndex == 0 ? "A" : "B", onset: event.onset,
                decision: event.decision)
        }
        return found == expected
    }

    private static func explore(
        _ machine: HysteresisMachine, _ model: PlainModel, depth: Int, path: String, mismatches: inout [String],
        visited: inout Int
    ) {
        guard depth > 0 else { return }
        for symbol in alphabet {
            var machine = machine
            var model = model
            let time = Int64(path.count) * Marbles.frame
            let result = machine.step(Marbles.top(symbol), at: time)
            visited += 1
            if !compare(result, with: model.step(symbol, at: time)) {
                mismatches.append(path + String(symbol))
            } else {
                explore(
                    machine, model, depth: depth - 1, path: path + String(symbol), mismatches: &mismatches,
                    visited: &visited)
            }
        }
    }

    private static func model(_ configuration: RecognitionConfiguration) -> PlainModel {
        PlainModel(
            configuration: configuration,
            refractory: configuration.refractory.components.attoseconds / 1_000_000_000,
            limit: configuration.maximumDuration.map { $0.components.attoseconds / 1_000_000_000 },
            returnTime: configuration.returnTime.components.attoseconds / 1_000_000_000,
            mergeWindow: configuration.mergeWindow.components.attoseconds / 1_000_000_000,
            returnStrokes: configuration.returnStrokes.isEmpty ? [:] : ["A": "B"])
    }

    static let configurations: [RecognitionConfiguration] = [
        RecognitionConfiguration(),
        RecognitionConfiguration(unsureEndFrames: 3),
        RecognitionConfiguration(beginFrames: 1, endFrames: 1, unsureEndFrames: 1),
        RecognitionConfiguration(beginFrames: 1, endFrames: 2, unsureEndFrames: 2),
        RecognitionConfiguration(beginFrames: 2, endFrames: 2, unsureEndFrames: 4),
        RecognitionConfiguration(beginFrames: 1, endFrames: 3, unsureEndFrames: 4),
        RecognitionConfiguration(beginFrames: 2, endFrames: 1, unsureEndFrames: 2, refractory: .milliseconds(2)),
        RecognitionConfiguration(beginFrames: 1, endFrames: 2, unsureEndFrames: 3, refractory: .milliseconds(1)),
        RecognitionConfiguration(beginFrames: 2, maximumDuration: .milliseconds(2)),
        RecognitionConfiguration(beginFrames: 1, unsureEndFrames: 3, maximumDuration: .milliseconds(1)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 2, unsureEndFrames: 3, refractory: .milliseconds(2),
            maximumDuration: .milliseconds(3)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 2, returnTime: .milliseconds(2), returnStrokes: ["a": "b"]),
        RecognitionConfiguration(
            beginFrames: 2, endFrames: 2, unsureEndFrames: 3, returnTime: .milliseconds(3), returnStrokes: ["a": "b"]),
        RecognitionConfiguration(
            beginFrames: 1, unsureEndFrames: 3, refractory: .milliseconds(1), returnTime: .milliseconds(2),
            returnStrokes: ["a": "b"], maximumDuration: .milliseconds(2)),
        RecognitionConfiguration(beginFrames: 1, endFrames: 1, unsureEndFrames: 2, mergeWindow: .milliseconds(3)),
        RecognitionConfiguration(beginFrames: 2, endFrames: 1, unsureEndFrames: 3, mergeWindow: .milliseconds(2)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 2, returnStrokes: ["a": "b"], mergeWindow: .milliseconds(5)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 2, returnTime: .milliseconds(2), returnStrokes: ["a": "b"],
            mergeWindow: .milliseconds(3)),
        RecognitionConfiguration(
            beginFrames: 2, endFrames: 2, unsureEndFrames: 3, returnTime: .milliseconds(4), returnStrokes: ["a": "b"],
            mergeWindow: .milliseconds(2)),
        RecognitionConfiguration(
            beginFrames: 1, endFrames: 1, unsureEndFrames: 3, refractory: .milliseconds(1),
            returnTime: .milliseconds(2),
            returnStrokes: ["a": "b"], mergeWindow: .milliseconds(4), maximumDuration: .milliseconds(2)),
    ]

    /// All 335,922 frames of all sequences of up to 7 symbols.
    @Test(arguments: configurations) func everyShortSequence(_ configuration: RecognitionConfiguration) throws {
        var mismatches: [String] = []
        var visited = 0
        Self.explore(
            try Marbles.machine(configuration), Self.model(configuration), depth: 7, path: "",
            mismatches: &mismatches, visited: &visited)
        #expect(mismatches.isEmpty, "\(mismatches.prefix(5))")
        #expect(visited == (1...7).reduce(0) { sum, length in sum + (0..<length).reduce(1) { p, _ in p * 6 } })
    }

    /// Long sequences that stay with a symbol for a while, so that gestures begin, expire and end.
    @Test(arguments: configurations) func longSequences(_ configuration: RecognitionConfiguration) throws {
        var generator = SplitMix64(seed: 11)
        var began = 0
        for _ in 0..<200 {
            var machine = try Marbles.machine(configuration)
            var model = Self.model(configuration)
            var path = ""
            var symbol: Character = "."
            for index in 0..<120 {
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    symbol = Self.alphabet.randomElement(using: &generator) ?? "."
                }
                path.append(symbol)
                let time = Int64(index) * Marbles.frame
                let result = machine.step(Marbles.top(symbol), at: time)
                began += result.begin == nil ? 0 : 1
                try #require(Self.compare(result, with: model.step(symbol, at: time)), "\(path)")
            }
        }
        #expect(began > 200)
    }

    /// Likewise, with a pose that is kept for a while whatever the frames show.
    @Test(arguments: configurations.filter { $0.mergeWindow > .zero }) func keptPoses(
        _ configuration: RecognitionConfiguration
    ) throws {
        var generator = SplitMix64(seed: 29)
        var (begins, fewer) = (0, 0)
        for _ in 0..<400 {
            var machine = try Marbles.machine(configuration)
            var plain = try Marbles.machine(configuration)
            var model = Self.model(configuration)
            var path = ""
            var (symbol, kept): (Character, Character?) = (".", nil)
            for index in 0..<120 {
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    symbol = Self.alphabet.randomElement(using: &generator) ?? "."
                }
                if Int.random(in: 0..<6, using: &generator) == 0 {
                    kept = [nil, "A", "B"].randomElement(using: &generator) ?? nil
                }
                path.append("\(symbol)\(kept.map { "(\($0))" } ?? "")")
                let time = Int64(index) * Marbles.frame
                let result = machine.step(Marbles.top(symbol), keeping: kept.map(Marbles.index), at: time)
                begins += result.begin == nil ? 0 : 1
                fewer += plain.step(Marbles.top(symbol), at: time).begin == nil ? 0 : 1
                try #require(Self.compare(result, with: model.step(symbol, keeping: kept, at: time)), "\(path)")
            }
        }
        #expect(begins < fewer)
    }

    @Test func eventsOfAnyStreamAlternate() throws {
        var generator = SplitMix64(seed: 23)
        for round in 0..<300 {
            let configuration = RecognitionConfiguration(
                beginFrames: .random(in: 1...4, using: &generator),
                endFrames: .random(in: 1...3, using: &generator),
                unsureEndFrames: .random(in: 3...8, using: &generator),
                refractory: .milliseconds(Int.random(in: 0...5, using: &generator)),
                mergeWindow: .milliseconds(Int.random(in: 0...5, using: &generator)),
                maximumDuration: Bool.random(using: &generator) ? .milliseconds(10) : nil,
                overrides: ["b": RecognitionConfiguration.Override(beginConfidence: 0.5)])
            var machine = try Marbles.machine(configuration)
            var events: [RecognizedEvent] = []
            var time: Int64 = 0
            for _ in 0..<400 {
                time += .random(in: 0...2_000_000, using: &generator)
                if Int.random(in: 0..<100, using: &generator) == 0 {
                    if let event = machine.flush(at: time) { events.append(event) }
                    #expect(machine.activeClass == nil)
                }
                let symbol = Array(".AAAABBbac!").randomElement(using: &generator) ?? "."
                let result = machine.step(Marbles.top(symbol), at: time)
                events += [result.end, result.begin].compactMap { $0 }
                if symbol == "!" { #expect(result == StepResult(top: nil, end: nil, begin: nil)) }
            }
            if let event = machine.flush(at: time) { events.append(event) }
            #expect(events.count % 2 == 0, "round \(round)")
            for (index, event) in events.enumerated() {
                #expect(event.sequence == UInt64(index))
                #expect((event.kind == .begin) == (index % 2 == 0), "round \(round), event \(index)")
                #expect(event.onset <= event.decision)
                #expect(event.classIndex != Marbles.nullIndex)
                if index > 0 { #expect(event.decision >= events[index - 1].decision) }
                if index % 2 == 1 { #expect(event.classIndex == events[index - 1].classIndex) }
            }
        }
    }
}
