import Frames
import GestureEngine
import GestureHands
import HandTracking
import Network
import Recognition
import Scheduling
import Streams
import Synchronization
import TestSupport
import Testing

/// A clock of which every reading takes a while: what a test makes the steps of a stream cost.
private final class CostlyClock: Sendable {
    private let time = Atomic<Int64>(0)
    private let cost = Atomic<Int64>(0)

    /// Nanoseconds that a reading takes; a pushed frame reads five times or more.
    func setCost(_ nanoseconds: Int64) { cost.store(nanoseconds, ordering: .relaxed) }
    var clock: StreamClock {
        StreamClock { [self] in
            time.add(cost.load(ordering: .relaxed), ordering: .relaxed).newValue
        }
    }
}

/// What a stream chooses by itself, and what it is told to.
@Suite struct FrontEndChoiceTests {
    private static let rate = PacingConfiguration.Rate.hz30
    private static let second = 30

    private static func configuration(
        _ scheduling: SchedulingConfiguration? = SchedulingConfiguration(activity: nil), frontEnd: FrontEnd? = nil
    ) -> GestureEngine.Configuration {
        var configuration = GestureEngine.Configuration.eager
        configuration.pacing = PacingConfiguration(nominalRate: rate)
        configuration.frontEnd = frontEnd
        configuration.scheduling = scheduling
        return configuration
    }

    private static func time(_ index: Int) -> Duration { .nanoseconds(Int64(index) * 1_000_000_000 / 30) }

    /// Frame `index`, with a hand where it is in colour.
    private static func withPicture<Result>(
        _ index: Int, isGray: Bool = false, _ body: (borrowing PixelView) throws -> Result
    ) throws -> Result {
        try ColorPicture.red(isGray ? .gray8 : .rgba, 96, 72, seed: UInt64(index)).withView(body)
    }

    private static func push(
        _ index: Int, isGray: Bool = false, to stream: GestureStream
    ) throws -> FrameResult {
        try withPicture(index, isGray: isGray) { stream.push($0, at: time(index)) }
    }

    private static func reasons(_ changes: [StreamChange]) -> [SchedulerState.FrontEndChange.Reason] {
        changes.compactMap { if case .frontEnd(let change) = $0 { change.reason } else { nil } }
    }

    // MARK: By the pictures

    @Test func grayPicturesTakePixelsAndColourTakesLandmarks() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(nil))
        let pixels = try engine.makeStream(Self.configuration(nil, frontEnd: .pixels))
        #expect(stream.activeUnit == "landmarks")
        for index in 0..<40 {
            let result = try Self.push(index, isGray: true, to: stream)
            #expect(result.changes.count == (index == 0 ? 1 : 0))
            if case .frontEnd(let change) = result.changes.first {
                #expect((change.from, change.to) == (.landmarks, .pixels))
                #expect((change.reason, change.time) == (.grayPictures, .zero))
            }
            #expect(stream.activeUnit == "int8" && stream.hands.isEmpty)
            let expected = try Self.push(index, isGray: true, to: pixels)
            #expect((result.events, result.prediction) == (expected.events, expected.prediction))
            #expect((result.prediction != nil) == (index >= 15))
        }
        // Half a second of colour after the last gray frame, which was the 40th.
        let landmarks = try engine.makeStream(Self.configuration(nil, frontEnd: .landmarks))
        var seen = 0
        for index in 40..<100 {
            let result = try Self.push(index, to: stream)
            #expect(Self.reasons(result.changes) == (index == 54 ? [.colorPictures] : []), "\(index)")
            guard index >= 54 else { continue }
            let expected = try Self.push(index, to: landmarks)
            #expect(result.prediction == expected.prediction)
            #expect(stream.hands.map(\.landmarks) == landmarks.hands.map(\.landmarks))
            if index > 54 { #expect(result.events.map(\.label) == expected.events.map(\.label)) }
            seen += stream.hands.count
        }
        #expect(seen > 30)
        #expect(stream.activeUnit == "landmarks")
        #expect(stream.schedulerState.frontEnd == .landmarks)
        #expect(stream.statistics.scheduling.stepsToPixels == 1 && stream.statistics.scheduling.stepsToLandmarks == 1)
    }

    /// A slot without a frame, just before the first frame of the next front end, has no column to repeat: the window fills
    /// from that frame on.
    @Test func aFrontEndStartsWithItsFirstFrame() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(nil))
        let landmarks = try engine.makeStream(Self.configuration(nil, frontEnd: .landmarks))
        for index in 0..<22 { _ = try Self.push(index, isGray: true, to: stream) }
        // Half a second of colour, without its last frame but one.
        for index in 22..<35 { _ = try Self.push(index, to: stream) }
        // Frame 36 is at a whole tenth of a second: either stream has the same slots, to the nanosecond.
        for index in 36..<60 {
            let result = try Self.push(index, to: stream)
            let expected = try Self.push(index, to: landmarks)
            if index == 36 {
                #expect(Self.reasons(result.changes) == [.colorPictures])
                #expect(result.outcome == .encoded(repeats: 1, afterReset: true))
            }
            #expect(stream.hands.map(\.landmarks) == landmarks.hands.map(\.landmarks), "\(index)")
            #expect(result.prediction == expected.prediction, "\(index)")
            #expect((result.prediction == nil) == (index < 36 + 15), "\(index)")
        }
    }

    /// Planes of luma alone are gray whatever their format; whether pixels of a colour format differ does not matter.
    @Test func theFormatDecides() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let luma = [UInt8](repeating: 90, count: 64 * 48)
        for format in [PixelView.Format.gray8, .nv12(.video), .i420(.full)] {
            let stream = try engine.makeStream(Self.configuration(nil))
            let view = try PixelView(luma.span, format: format, width: 64, height: 48, bytesPerRow: 64)
            _ = stream.push(view, at: .zero)
            #expect(stream.activeUnit == "int8", "\(format)")
        }
        let white = [UInt8](repeating: 200, count: 64 * 48 * 4)
        let stream = try engine.makeStream(Self.configuration(nil))
        let view = try PixelView(white.span, format: .rgba, width: 64, height: 48, bytesPerRow: 4 * 64)
        #expect(stream.push(view, at: .zero).changes.isEmpty)
        #expect(stream.activeUnit == "landmarks")
    }

    @Test func whatIsSaidIsObeyed() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        var units = Self.configuration()
        units.units = ["landmarks"]
        for (configuration, name) in [
            (Self.configuration(frontEnd: .landmarks), "landmarks"), (Self.configuration(frontEnd: .pixels), "int8"),
            (units, "landmarks"),
        ] {
            for isGray in [true, false] {
                let stream = try engine.makeStream(configuration)
                #expect(try Self.push(0, isGray: isGray, to: stream).changes.isEmpty)
                let changes = stream.update(DeviceReading(thermal: .critical, battery: 0.01))
                #expect(Self.reasons(changes).isEmpty && changes.count == 1)
                _ = try Self.push(3, isGray: isGray, to: stream)
                #expect(stream.activeUnit == name)
            }
        }
    }

    @Test func oneKindOfModelLeavesNothingToChoose() throws {
        for (engine, name) in [
            (try GestureEngine(), "int8"),
            (try GestureEngine(.file(path: ColumnModel.path), hands: HandScript.models()), "landmarks"),
        ] {
            let stream = try engine.makeStream(Self.configuration())
            #expect(try Self.push(0, isGray: true, to: stream).changes.isEmpty)
            #expect(try Self.push(1, to: stream).changes.isEmpty)
            #expect(Self.reasons(stream.update(DeviceReading(thermal: .critical))).isEmpty)
            _ = try Self.push(4, to: stream)
            #expect(stream.activeUnit == name)
        }
    }

    // MARK: By the device

    /// A run with a script of readings: what each push brought, and the changes of the readings in between.
    private struct Run: Equatable {
        var events: [GestureEvent] = []
        var predictions: [FrameResult.Prediction?] = []
        var changes: [StreamChange] = []
        var units: [String] = []
    }

    /// Cool for two seconds, critical for twelve, cool again.
    private static let heatScript = [60: DeviceReading(thermal: .critical), 420: DeviceReading()]

    private static func run(
        _ engine: GestureEngine, _ configuration: GestureEngine.Configuration, _ script: [Int: DeviceReading],
        frames: Int
    ) throws -> Run {
        let stream = try engine.makeStream(configuration, clock: HandClock().clock)
        var run = Run()
        for index in 0..<frames {
            if let reading = script[index] { run.changes += stream.update(reading) }
            let result = try push(index, to: stream)
            run.events += result.events
            run.predictions.append(result.prediction)
            run.changes += result.changes
            run.units.append(stream.activeUnit)
        }
        run.events += stream.finish()
        return run
    }

    /// Both networks have weights of chance, so that some gesture is on at nearly any time.
    private static func busyEngine() throws -> GestureEngine {
        try GestureEngine(
            .file(path: Fixtures.golden("golden-int8.safetensors")),
            hands: HandScript.models(gestures: .bytes(ColumnModel.int8())))
    }

    @Test func heatStepsToPixelsAndCoolingBack() throws {
        let engine = try Self.busyEngine()
        // Hot while a gesture is on, cool again when ten seconds of pixels are over.
        let calm = try Self.run(engine, Self.configuration(), [:], frames: 300)
        let hot = try #require(
            (40..<300).first { calm.predictions[$0 - 1].map { $0.classIndex != engine.nullIndex } ?? false })
        let cool = hot + 360
        let script = [hot: DeviceReading(thermal: .critical), cool: DeviceReading()]
        let run = try Self.run(engine, Self.configuration(), script, frames: cool + 100)
        #expect(Self.reasons(run.changes) == [.heat, .recovered])
        // The frame after the reading is the first of the other front end.
        #expect(run.units[hot - 1] == "landmarks" && run.units[hot] == "int8")
        #expect(run.units[cool - 1] == "int8" && run.units[cool] == "landmarks" && run.units.last == "landmarks")
        // The window begins anew: sixteen slots without a prediction.
        for first in [hot, cool] {
            #expect(run.predictions[first - 1] != nil)
            #expect(run.predictions[first..<first + 15].allSatisfy { $0 == nil })
            #expect(run.predictions[first + 15] != nil)
        }
        // A gesture that had begun ends at the change, and none is lost or counted twice.
        #expect(run.events.map(\.sequence) == Array(0..<UInt64(run.events.count)))
        var active: String?
        var flushed: [Duration] = []
        for event in run.events {
            switch event.kind {
            case .begin:
                #expect(active == nil)
                active = event.label
            case .end(let cause):
                #expect(active == event.label)
                active = nil
                if cause == .flushed { flushed.append(event.decision) }
            }
        }
        #expect(active == nil)
        // A third may be that of the stream's end.
        #expect(flushed.prefix(2) == [Self.time(hot - 1), Self.time(cool - 1)])
        // The same again.
        #expect(try Self.run(engine, Self.configuration(), script, frames: cool + 100) == run)
    }

    /// After a change a stream sees what one sees that begins there.
    @Test func aChangeIsABeginning() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(), clock: HandClock().clock)
        for index in 0..<60 { _ = try Self.push(index, to: stream) }
        _ = stream.update(DeviceReading(thermal: .critical))
        let fresh = try engine.makeStream(Self.configuration(frontEnd: .pixels), clock: HandClock().clock)
        _ = fresh.update(DeviceReading(thermal: .critical))
        for index in 60..<200 {
            let (result, expected) = (try Self.push(index, to: stream), try Self.push(index, to: fresh))
            #expect(result.prediction == expected.prediction)
            #expect(
                result.outcome == (index > 60 ? expected.outcome : .encoded(repeats: 0, afterReset: true)), "\(index)")
        }
        #expect(stream.statistics.scheduling.skips.heat > 80)
    }

    @Test func anEmptyBatteryStepsToPixels() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let script = [
            30: DeviceReading(battery: 0.04), 60: DeviceReading(battery: 0.07), 360: DeviceReading(battery: 0.11),
        ]
        let run = try Self.run(engine, Self.configuration(), script, frames: 400)
        #expect(Self.reasons(run.changes) == [.battery, .recovered])
        #expect(run.units[359] == "int8" && run.units[360] == "landmarks")
    }

    /// Steps of more than two slots: half pace, then pixels, and after fifteen seconds landmarks are tried again.
    @Test func missedDeadlinesStepToPixels() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let clock = CostlyClock()
        let stream = try engine.makeStream(Self.configuration(), clock: clock.clock)
        var changes: [StreamChange] = []
        for index in 0..<1000 {
            clock.setCost(stream.activeUnit == "landmarks" && index < 200 ? 30_000_000 : 0)
            changes += try Self.push(index, to: stream).changes
        }
        #expect(Self.reasons(changes) == [.deadlineMisses, .probe])
        guard case .pace(let pace) = changes.first else {
            Issue.record("pixels before the pace was halved")
            return
        }
        #expect(pace.reason == .deadlineMisses)
        #expect(stream.activeUnit == "landmarks")
    }

    @Test func steppingCanBeSwitchedOff() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let never = Self.configuration(SchedulingConfiguration(activity: nil, frontEnd: nil))
        let run = try Self.run(engine, never, Self.heatScript, frames: 430)
        #expect(Self.reasons(run.changes).isEmpty && run.changes.count == 2)
        #expect(run.units.allSatisfy { $0 == "landmarks" })
        // A synchronous stream without a schedule is a recording's: the device does not matter.
        let recording = try Self.run(engine, Self.configuration(nil), Self.heatScript, frames: 430)
        #expect(recording.changes.isEmpty)
    }

    // MARK: Live

    @Test func liveStreamsChangeAlike() async throws {
        let engine = try Self.busyEngine()
        let expected = try Self.run(engine, Self.configuration(), Self.heatScript, frames: 520)
        let live = try engine.makeLiveStream(Self.configuration(), sensors: nil, clock: HandClock().clock)
        var units: [String] = []
        for index in 0..<520 {
            if let reading = Self.heatScript[index] { live.update(reading) }
            _ = try Self.withPicture(index) { live.push($0, at: Self.time(index)) }
            live.drain()
            units.append(live.activeUnit)
        }
        #expect(units == expected.units)
        live.finish()
        var (events, changes) = ([GestureEvent](), [StreamChange]())
        for await event in live.events { events.append(event) }
        for await change in live.changes { changes.append(change) }
        // What nobody listened to while it happened is bounded.
        #expect(events == Array(expected.events.suffix(LiveGestureStream.bufferedEvents)))
        #expect(changes == expected.changes)
        #expect(live.statistics.superseded == 0)
    }

    @Test func liveStreamsFollowThePictures() async throws {
        let engine = try Self.busyEngine()
        let stream = try engine.makeStream(Self.configuration(.everySlot))
        let live = try engine.makeLiveStream(Self.configuration(.everySlot), sensors: nil)
        var events: [GestureEvent] = []
        for index in 0..<160 {
            let isGray = (40..<70).contains(index)
            events += try Self.push(index, isGray: isGray, to: stream).events
            _ = try Self.withPicture(index, isGray: isGray) { live.push($0, at: Self.time(index)) }
            live.drain()
            #expect(live.activeUnit == stream.activeUnit)
        }
        events += stream.finish()
        live.finish()
        var (found, changes) = ([GestureEvent](), [StreamChange]())
        for await event in live.events { found.append(event) }
        for await change in live.changes { changes.append(change) }
        #expect(found == Array(events.suffix(LiveGestureStream.bufferedEvents)))
        #expect(Self.reasons(changes) == [.grayPictures, .colorPictures])
    }

    /// Frames that wait give way to those of another front end, faster than the network comes to them: nothing is mixed up.
    @Test func liveStreamsThatChangeAllTheTime() async throws {
        let engine = try Self.busyEngine()
        let live = try engine.makeLiveStream(Self.configuration(.everySlot), sensors: nil)
        for index in 0..<400 {
            let isGray = index % 20 == 0
            _ = try Self.withPicture(index, isGray: isGray) { live.push($0, at: Self.time(index)) }
        }
        live.finish()
        var events: [GestureEvent] = []
        for await event in live.events { events.append(event) }
        let last = UInt64(live.lostEvents + events.count)
        #expect(events.map(\.sequence) == Array(UInt64(live.lostEvents)..<last))
        let statistics = live.statistics
        #expect(statistics.begins.reduce(0, +) == statistics.ends.reduce(0, +))
        let inferences = statistics.inference?.count ?? 0
        #expect(inferences + statistics.superseded == 400)
    }
}
