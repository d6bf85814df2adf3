import GestureEngine
import GestureHands
import PixelFrontEnd
import Scheduling
import Streams
import Testing
import TrackerInference

/// A stream of scripted units over a clock that only their work moves.
private struct Bench {
    let clock = HandClock()
    let units: [ScriptedUnit]
    let stream: GestureStream

    init(
        _ costs: [Int64], selection: UnitSelection = UnitSelection(),
        scheduling: SchedulingConfiguration? = nil
    ) throws {
        let engine = try goldenEngine()
        let clock = clock
        units = costs.indices.map { index in
            let unit = ScriptedUnit("unit\(index)", classCount: engine.labels.count)
            unit.willEncode = { _ in clock.move(by: costs[index]) }
            return unit
        }
        var configuration = GestureEngine.Configuration.eager
        var pixels = PixelConfiguration(units: units.map(\.name))
        pixels.unitSelection = selection
        configuration.scheduling = scheduling
        stream = try engine.makeStream(configuration, pixels: pixels, adding: units, clock: clock.clock)
    }

    /// Slot `index` shows a flat frame of level `index % 251`.
    func push(_ index: Int) throws -> FrameResult {
        try PixelView.withFlat(UInt8(index % 251)) { stream.push($0, at: .slot(index)) }
    }
}

private let ms: Int64 = 1_000_000

@Suite struct UnitSwitchTests {
    @Test func aSlowUnitGivesWayAndNoFrameIsLost() throws {
        let bench = try Bench([8 * ms, 2 * ms])
        var switched: [Int] = []
        for index in 0..<600 {
            let result = try bench.push(index)
            #expect(result.outcome == .encoded(repeats: 0, afterReset: false))
            // Every frame from the window on has its own answer, before, during and after the switch.
            #expect(result.prediction?.classIndex == (index >= 15 ? index % 251 % 13 : nil))
            for case .unit(let from, let to, let reason, let p95, _) in result.changes {
                switched.append(index)
                #expect((from, to, reason, p95) == (0, 1, .slow, .nanoseconds(8 * ms)))
            }
            if let first = switched.first {
                #expect(bench.stream.activeUnit == (index < first + 16 ? "unit0" : "unit1"))
            }
        }
        // The 30th sample is the first percentile.
        #expect(switched == [29])
        #expect(bench.stream.statistics.unitSwitches == 1)
        // The first unit computed a window beyond the switch and nothing after; one more frame warmed each of them up.
        #expect(bench.units[0].encoded.count == 1 + 30 + 16)
        #expect(bench.units[1].encoded.count == 1 + 570)
    }

    /// While both units work on every frame, 10 ms are longer than a slot. That says nothing about the pace of the next unit.
    @Test func theTimesOfTwoUnitsAtOnceLeaveThePaceAlone() throws {
        let bench = try Bench([8 * ms, 2 * ms], scheduling: SchedulingConfiguration(activity: nil))
        var changes: [StreamChange] = []
        for index in 0..<200 { changes += try bench.push(index).changes }
        #expect(bench.stream.activeUnit == "unit1")
        #expect(changes.count == 1, "\(changes)")
        guard case .unit = changes.first else {
            Issue.record("\(changes)")
            return
        }
    }

    @Test func aUnitThatIsFastEnoughStays() throws {
        let bench = try Bench([7 * ms, 1 * ms])
        for index in 0..<600 { #expect(try bench.push(index).changes.isEmpty) }
        #expect(bench.units[1].encoded.count == 1)
    }

    @Test func aUnitThatCannotComputeGivesWayAtOnce() throws {
        let bench = try Bench([1 * ms, 1 * ms])
        for index in 0..<20 { _ = try bench.push(index) }
        bench.units[0].fails = true
        var changes: [StreamChange] = []
        for index in 20..<60 {
            let result = try bench.push(index)
            changes += result.changes
            #expect((result.prediction == nil) == (index < 20 + 17))
        }
        #expect(changes.count == 1)
        guard case .unit(_, let to, let reason, let p95, _) = changes.first else { return }
        #expect((to, reason, p95) == (1, .failed, nil))
    }

    @Test func aResetEndsTheWarmUpOfTheNextUnit() throws {
        let bench = try Bench([8 * ms, 2 * ms])
        for index in 0..<32 { _ = try bench.push(index) }
        #expect(bench.stream.activeUnit == "unit0")
        _ = bench.stream.finish()
        #expect(bench.stream.activeUnit == "unit1")
        for index in 0..<16 { _ = try bench.push(index) }
        #expect(try bench.push(16).prediction?.classIndex == 3)
    }

    /// Our two units are the same network: across a switch the leading class does not jump.
    @Test func ourOwnUnitsFollowEachOther() throws {
        let engine = try goldenEngine()
        let clock = HandClock()
        let configuration = GestureEngine.Configuration.eager
        let slow = SlowedUnit(try engine.makeUnit(configuration), clock)
        let stream = try engine.makeStream(
            configuration, pixels: PixelConfiguration(units: ["slow", "float"]), adding: [slow], clock: clock.clock)
        let alone = try engine.makeStream(
            GestureEngine.Configuration(recognition: configuration.recognition),
            pixels: PixelConfiguration(backend: .float))
        for index in 0..<120 {
            let isFloat = stream.activeUnit == "float"
            let result = try PixelView.withFlat(UInt8(index * 37 % 256)) { stream.push($0, at: .slot(index)) }
            let expected = try PixelView.withFlat(UInt8(index * 37 % 256)) { alone.push($0, at: .slot(index)) }
            if isFloat { #expect(result.prediction == expected.prediction) }
        }
        #expect(stream.activeUnit == "float")
    }

    /// A trace gives the begins of its stream, across a gap as well, and those of other thresholds.
    @Test func aTraceGivesTheBeginsOfItsStream() throws {
        let engine = try goldenEngine()
        let unit = ScriptedUnit("mine", classCount: engine.labels.count)
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = .everySlot
        let stream = try engine.makeStream(configuration, pixels: .only(unit), adding: [unit])
        #expect(stream.trace == nil)
        stream.beginTrace()
        var begins: [Int] = []
        for index in 0..<120 {
            // Four frames of each class, and a gap after which the stream begins anew.
            let slot = index < 70 ? index : index + 4_000
            let result = try PixelView.withFlat(UInt8(index / 4 % 12 + 1)) { stream.push($0, at: .slot(slot)) }
            begins += result.events.filter { $0.kind == .begin }.map(\.classIndex)
        }
        let trace = try #require(stream.trace)
        #expect(begins.count > 10 && trace.stepCount > 80)
        #expect(try trace.begins(by: stream.recognition).map(\.event.classIndex) == begins)
        var strict = stream.recognition
        strict.beginFrames = 5
        #expect(try trace.begins(by: strict).isEmpty)
        strict.beginFrames = 0
        #expect(throws: ConfigurationError.self) { try trace.begins(by: strict) }
    }

    @Test func theOrderOfUnitsIsChecked() throws {
        let engine = try goldenEngine()
        func make(_ names: [String]?, _ added: [any ComputeUnit]) throws -> GestureStream {
            try engine.makeStream(pixels: PixelConfiguration(units: names), adding: added)
        }
        #expect(throws: EngineError.unitOrder(name: "gpu")) { try make(["int8", "gpu"], []) }
        #expect(throws: EngineError.unitOrder(name: "int8")) { try make(["int8", "int8"], []) }
        #expect(throws: EngineError.unitOrder(name: "")) { try make([], []) }
        #expect(throws: EngineError.unitClasses(name: "odd", required: 13, found: 7)) {
            try make(nil, [ScriptedUnit("odd", classCount: 7)])
        }
        #expect(
            throws: EngineError.configuration(
                .init("UnitSelection.minimumSamples", 0, allowed: 1...300))
        ) {
            var pixels = PixelConfiguration()
            pixels.unitSelection.minimumSamples = 0
            return try engine.makeStream(pixels: pixels)
        }
        #expect(try make(["float", "int8"], []).activeUnit == "float")
        #expect(try make(nil, [ScriptedUnit("mine", classCount: 13)]).activeUnit == "int8")
    }
}

/// A unit of ours that takes 8 ms.
private final class SlowedUnit: ComputeUnit {
    let name = "slow"
    private let unit: any ComputeUnit
    private let clock: HandClock

    init(_ unit: any ComputeUnit, _ clock: HandClock) {
        self.unit = unit
        self.clock = clock
    }

    var classCount: Int { unit.classCount }
    var isWarm: Bool { unit.isWarm }
    func encode(_ frame: Span<UInt8>) {
        clock.move(by: 8_000_000)
        unit.encode(frame)
    }
    func repeatColumn() { unit.repeatColumn() }
    func advance(_ logits: inout MutableSpan<Float>) { unit.advance(&logits) }
    func reset() { unit.reset() }
}
