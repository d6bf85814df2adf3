import GestureEngine
import PixelFrontEnd
import Scheduling
import Streams
import Testing

/// A synchronous stream with a scheduler, over one scripted unit and a clock that stands still unless it is moved.
private struct Bench {
    let clock = HandClock()
    let unit: ScriptedUnit
    let stream: GestureStream

    init(_ scheduling: SchedulingConfiguration?) throws {
        let engine = try goldenEngine()
        unit = ScriptedUnit("scripted", classCount: engine.labels.count)
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = scheduling
        stream = try engine.makeStream(configuration, pixels: .only(unit), adding: [unit], clock: clock.clock)
    }

    func push(_ index: Int, level: UInt8) throws -> FrameResult {
        try PixelView.withFlat(level) { stream.push($0, at: .slot(index)) }
    }
}

private let still = SchedulingConfiguration(activity: nil)

@Suite struct StreamSchedulingTests {
    /// Serious heat: every third frame is encoded, critical heat every sixth, every slot has a column and a prediction, and events go on.
    @Test(arguments: [(DeviceReading.ThermalState.fair, 2), (.serious, 3), (.critical, 6)])
    func heatLeavesFramesOut(_ thermal: DeviceReading.ThermalState, _ interval: Int) throws {
        let bench = try Bench(still)
        for index in 0..<30 { _ = try bench.push(index, level: 5) }
        let changes = bench.stream.update(DeviceReading(thermal: thermal))
        #expect(changes.count == 1)
        #expect(bench.stream.schedulerState.pace.interval == interval)
        let before = bench.unit.encoded.count
        var begins: [String] = []
        for index in 30..<90 {
            let result = try bench.push(index, level: UInt8(index))
            // The last frame before was encoded in slot 29.
            let runs = (index - 29).isMultiple(of: interval)
            #expect(result.outcome == (runs ? .encoded(repeats: 0, afterReset: false) : .skipped(.heat)))
            let shown = index - (index - 29) % interval
            #expect(result.prediction?.classIndex == (shown < 30 ? 5 : shown % 13))
            begins += result.events.filter { $0.kind == .begin }.map(\.label)
        }
        #expect(bench.unit.encoded.count - before == 60 / interval)
        #expect(!begins.isEmpty)
        #expect(bench.stream.statistics.scheduling.skips.heat == 60 - 60 / interval)
        #expect(bench.stream.counts.run == 90)
        _ = bench.stream.update(DeviceReading(thermal: .nominal))
        #expect(try bench.push(90, level: 1).outcome == .encoded(repeats: 0, afterReset: false))
        #expect(try bench.push(91, level: 1).outcome == .encoded(repeats: 0, afterReset: false))
    }

    /// The frame with which a stream starts anew runs, also where half the pace would leave it out.
    @Test func aNewBeginningIsNotLeftOut() throws {
        let bench = try Bench(still)
        _ = bench.stream.update(DeviceReading(thermal: .fair))
        for index in 0..<3 {
            let outcome = try bench.push(index, level: 5).outcome
            #expect(outcome == (index == 1 ? .skipped(.heat) : .encoded(repeats: 0, afterReset: false)))
        }
        // Nearly a second later: longer than the window.
        #expect(try bench.push(110, level: 5).outcome == .encoded(repeats: 0, afterReset: true))
    }

    /// A step longer than its slot, three times in a row: half pace, with its reason. Two and a good one: nothing.
    @Test func missedDeadlinesHalveThePace() throws {
        let bench = try Bench(still)
        let clock = bench.clock
        for index in 0..<60 { _ = try bench.push(index, level: 5) }
        var cost: Int64 = 9_000_000
        bench.unit.willEncode = { _ in clock.move(by: cost) }
        #expect(try bench.push(60, level: 5).changes.isEmpty)
        #expect(try bench.push(61, level: 5).changes.isEmpty)
        cost = 1_000_000
        #expect(try bench.push(62, level: 5).changes.isEmpty)
        cost = 9_000_000
        #expect(try bench.push(63, level: 5).changes.isEmpty)
        #expect(try bench.push(64, level: 5).changes.isEmpty)
        guard case .pace(let from, let to, let reason, let time) = try bench.push(65, level: 5).changes.first else {
            Issue.record("no change of pace")
            return
        }
        #expect((from, to, reason) == (.full, .half, .deadlineMisses))
        #expect(time == .slot(65))
        #expect(try bench.push(66, level: 5).outcome == .skipped(.pace))
        #expect(try bench.push(67, level: 5).outcome == .encoded(repeats: 0, afterReset: false))
        #expect(bench.stream.statistics.scheduling.deadlineMisses == 5)
    }

    /// A picture that stands still: half pace after a while. The next frame that is encoded shows a movement.
    @Test func stillnessHalvesThePaceAndMotionWakes() throws {
        let bench = try Bench(SchedulingConfiguration())
        var index = 0
        while bench.stream.schedulerState.activity == .active, index < 1000 {
            _ = try bench.push(index, level: 90)
            index += 1
        }
        #expect(index == 3 * 120 + 2)
        while try bench.push(index, level: 90).outcome != .skipped(.idle) { index += 1 }
        // A skipped slot would be next but one; this one moves.
        index += 1
        while try bench.push(index, level: 90).outcome == .skipped(.idle) { index += 1 }
        var moved = [UInt8](repeating: 90, count: 224 * 224)
        for y in 100..<118 { for x in 100..<118 { moved[224 * y + x] = 200 } }
        let view = try PixelView(moved.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
        #expect(bench.stream.push(view, at: .slot(index + 1)).outcome == .skipped(.idle))
        let result = bench.stream.push(view, at: .slot(index + 2))
        #expect(result.outcome == .encoded(repeats: 0, afterReset: false))
        #expect(result.changes.contains(.idle(false, at: .slot(index + 2))))
        #expect(bench.stream.schedulerState.activity == .active)
        #expect(bench.stream.statistics.scheduling.skips.idle > 0)
    }

    /// Unless it is told otherwise, a synchronous stream encodes every slot, however slow and hot.
    @Test func recordingsAreEncodedWhole() throws {
        let bench = try Bench(nil)
        let clock = bench.clock
        bench.unit.willEncode = { _ in clock.move(by: 50_000_000) }
        _ = bench.stream.update(DeviceReading(thermal: .critical, celsius: 90, battery: 0.01))
        for index in 0..<200 {
            #expect(try bench.push(index, level: 9).outcome == .encoded(repeats: 0, afterReset: false))
        }
    }

    @Test func aMirroredCameraSwapsLeftAndRight() throws {
        let engine = try goldenEngine()
        var configuration = GestureEngine.Configuration.eager
        configuration.advanced.directions = .upMirrored
        let unit = ScriptedUnit("scripted", classCount: engine.labels.count)
        let stream = try engine.makeStream(configuration, pixels: .only(unit), adding: [unit])
        let left = try #require(engine.labels.firstIndex(of: "swipeLeft"))
        let right = try #require(engine.labels.firstIndex(of: "swipeRight"))
        var events: [GestureEvent] = []
        for index in 0..<20 {
            let result = try PixelView.withFlat(UInt8(left)) { stream.push($0, at: .slot(index)) }
            events += result.events
            if index >= 15 { #expect(result.prediction?.classIndex == right) }
        }
        #expect(events.map(\.label) == ["swipeRight"])
        #expect(events.map(\.classIndex) == [right])
        #expect(stream.activeGesture == "swipeRight")
        #expect(stream.statistics.begins[right] == 1)
    }
}
