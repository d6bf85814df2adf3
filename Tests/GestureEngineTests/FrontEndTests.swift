import Frames
import GestureEngine
import GestureHands
import GesturePixels
import HandTracking
import Network
import PixelFrontEnd
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

/// A stream has one front end for its life: neither the pictures nor the device change it. What the device changes is the pace.
@Suite struct FrontEndTests {
    private static let rate = PacingConfiguration.Rate.hz30

    private static func configuration(
        _ scheduling: SchedulingConfiguration? = SchedulingConfiguration(activity: nil)
    ) -> GestureEngine.Configuration {
        var configuration = GestureEngine.Configuration.eager
        configuration.rate = rate
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

    // MARK: Pictures

    /// With landmarks the first gray frame is reported; the stream goes on, finds nothing, and finds hands again in colour.
    @Test func grayFramesAreReportedOnce() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(nil))
        let first = 20
        for index in 0..<80 {
            let result = try Self.push(index, isGray: (first..<50).contains(index), to: stream)
            #expect(result.changes == (index == first ? [.grayFrames(at: Self.time(first))] : []), "\(index)")
            #expect(stream.activeUnit == "landmarks")
            if index >= 15 { #expect(result.prediction != nil) }
        }
        #expect(!stream.hands.isEmpty)
    }

    /// Planes of luma alone are gray whatever their format; whether pixels of a colour format differ does not matter.
    @Test func theFormatDecidesWhatIsGray() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let luma = [UInt8](repeating: 90, count: 64 * 48)
        for format in [PixelView.Format.gray8, .nv12(.video), .i420(.full)] {
            let stream = try engine.makeStream(Self.configuration(nil))
            let view = try PixelView(luma.span, format: format, width: 64, height: 48, bytesPerRow: 64)
            #expect(stream.push(view, at: .zero).changes == [.grayFrames(at: .zero)], "\(format)")
        }
        let white = [UInt8](repeating: 200, count: 64 * 48 * 4)
        let stream = try engine.makeStream(Self.configuration(nil))
        let view = try PixelView(white.span, format: .rgba, width: 64, height: 48, bytesPerRow: 4 * 64)
        #expect(stream.push(view, at: .zero).changes.isEmpty)
    }

    @Test func nothingChangesTheFrontEnd() throws {
        let landmarks = try GestureEngine(hands: HandScript.models())
        let pixels = try GestureEngine(pixels: .bundled)
        for (engine, name) in [(landmarks, "landmarks"), (pixels, "int8")] {
            for isGray in [true, false] {
                let stream = try engine.makeStream(Self.configuration())
                let changes = try Self.push(0, isGray: isGray, to: stream).changes
                #expect(changes == (isGray && name == "landmarks" ? [.grayFrames(at: .zero)] : []))
                #expect(stream.update(DeviceReading(thermal: .critical, battery: 0.01)).count == 1)
                for index in 1..<20 { _ = try Self.push(index, isGray: isGray, to: stream) }
                #expect(stream.activeUnit == name)
            }
        }
    }

    // MARK: The device

    /// A run with a script of readings: what each push brought, and the changes of the readings in between.
    private struct Run: Equatable {
        var events: [GestureEvent] = []
        var predictions: [FrameResult.Prediction?] = []
        var outcomes: [FrameResult.Outcome] = []
        var changes: [StreamChange] = []

        /// The frames of a range that got a column.
        func encoded(_ range: Range<Int>) -> [Int] {
            range.filter { if case .encoded = outcomes[$0] { true } else { false } }
        }
        var budgets: [SchedulerState.Pace] {
            changes.compactMap { if case .budget(_, let budget, _) = $0 { budget.pace } else { nil } }
        }
    }

    /// Cool for two seconds, critical for four, serious for two, cool again.
    private static let heatScript = [
        60: DeviceReading(thermal: .critical), 180: DeviceReading(thermal: .serious), 240: DeviceReading(),
    ]

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
            run.outcomes.append(result.outcome)
            run.changes += result.changes
        }
        run.events += stream.finish()
        return run
    }

    /// The network has weights of chance, so that some gesture is on at nearly any time.
    private static func busyEngine() throws -> GestureEngine {
        try GestureEngine(hands: HandScript.models(gestures: .bytes(ColumnModel.int8())))
    }

    /// In critical heat every sixth slot gets a column, and recognition goes on: no window begins anew.
    @Test func heatSlowsThePaceAndRecognitionGoesOn() throws {
        let engine = try Self.busyEngine()
        let run = try Self.run(engine, Self.configuration(), Self.heatScript, frames: 300)
        #expect(run.budgets == [.sixth, .third, .full])
        func strides(_ range: Range<Int>) -> Set<Int> {
            let encoded = run.encoded(range)
            return Set(zip(encoded, encoded.dropFirst()).map { $1 - $0 })
        }
        #expect(strides(0..<60) == [1] && strides(60..<180) == [6])
        #expect(strides(180..<240) == [3] && strides(240..<300) == [1])
        #expect(run.predictions[15...].allSatisfy { $0 != nil })
        #expect(run.events.allSatisfy { $0.kind != .end(.flushed) || $0 == run.events.last })
        #expect(run.events.map(\.sequence) == Array(0..<UInt64(run.events.count)))
        // The same again.
        #expect(try Self.run(engine, Self.configuration(), Self.heatScript, frames: 300) == run)
        // A synchronous stream without a schedule is a recording's: the device does not matter.
        let recording = try Self.run(engine, Self.configuration(nil), Self.heatScript, frames: 300)
        #expect(recording.changes.isEmpty && recording.encoded(0..<300).count == 300)
    }

    @Test func anEmptyBatterySlowsThePace() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let script = [
            30: DeviceReading(battery: 0.04), 60: DeviceReading(battery: 0.07), 90: DeviceReading(battery: 0.6),
        ]
        let run = try Self.run(engine, Self.configuration(), script, frames: 120)
        #expect(run.budgets == [.sixth, .third, .full])
        #expect([30..<60, 60..<90, 90..<120].map { run.encoded($0).count } == [5, 10, 30])
    }

    /// Steps that are too slow at every pace lower it to a sixth, step by step, and each step back is tried after fifteen
    /// seconds or more.
    @Test func missedDeadlinesSlowThePaceStepByStep() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let clock = CostlyClock()
        let stream = try engine.makeStream(Self.configuration(), clock: clock.clock)
        var changes: [(to: SchedulerState.Pace, reason: StreamChange.Reason)] = []
        for index in 0..<2600 {
            clock.setCost(index < 200 ? 60_000_000 : 0)
            for case .pace(_, let to, let reason, _) in try Self.push(index, to: stream).changes {
                changes.append((to, reason))
            }
            #expect(stream.activeUnit == "landmarks")
        }
        #expect(changes.map(\.to) == [.half, .third, .sixth, .third, .half, .full])
        #expect(changes.map(\.reason) == [.deadlineMisses, .deadlineMisses, .deadlineMisses, .probe, .probe, .probe])
        #expect(stream.statistics.scheduling.pacesLowered == 3 && stream.statistics.scheduling.pacesRaised == 3)
    }

    @Test func liveStreamsChangeAlike() async throws {
        let engine = try Self.busyEngine()
        let expected = try Self.run(engine, Self.configuration(), Self.heatScript, frames: 300)
        let live = try engine.makeLiveStream(Self.configuration(), sensors: nil, clock: HandClock().clock)
        var outcomes: [FrameResult.Outcome] = []
        for index in 0..<300 {
            if let reading = Self.heatScript[index] { live.update(reading) }
            outcomes.append(try Self.withPicture(index) { live.push($0, at: Self.time(index)) })
            live.drain()
        }
        live.finish()
        var (events, changes) = ([GestureEvent](), [StreamChange]())
        for await event in live.events { events.append(event) }
        for await change in live.changes { changes.append(change) }
        #expect(outcomes == expected.outcomes)
        // Without a listener events wait, within a limit.
        #expect(events.map(\.label) == expected.events.map(\.label).suffix(LiveGestureStream.bufferedEvents))
        #expect(changes == expected.changes)
        #expect(live.statistics.superseded == 0)
    }
}
