import Foundation
import Frames
import GestureEngine
import PixelFrontEnd
import Recognition
import Scheduling
import Streams
import Synchronization
import TestSupport
import Testing

@Suite struct LiveStreamTests {
    private static let frames = RandomModel.frames(seed: 41, count: 24)

    private static func view(_ index: Int, _ body: (borrowing PixelView) throws -> Void) throws {
        let frame = frames[index % frames.count]
        try body(try PixelView(frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224))
    }

    /// A live stream over one scripted unit.
    private static func scripted(_ unit: ScriptedUnit) throws -> LiveGestureStream {
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = .everySlot
        return try goldenEngine().makeLiveStream(configuration, pixels: .only(unit), sensors: nil, adding: [unit])
    }

    @Test func bringsTheEventsOfTheSynchronousStream() async throws {
        let engine = try goldenEngine()
        let stream = try engine.makeStream(.eager)
        // Whatever else the machine does: what is late must not lower the pace.
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = .everySlot
        let live = try engine.makeLiveStream(configuration, sensors: nil)
        var expected: [GestureEvent] = []
        for index in 0..<60 {
            try Self.view(index) { frame in
                expected += stream.push(frame, at: .slot(index)).events
                #expect(live.push(frame, at: .slot(index)) == .encoded(repeats: 0, afterReset: false))
            }
            live.drain()
        }
        #expect(live.activeGesture == stream.activeGesture)
        expected += stream.finish()
        live.finish()
        var events: [GestureEvent] = []
        for await event in live.events { events.append(event) }
        #expect(events == expected)
        #expect(!events.isEmpty)
        #expect(live.statistics.superseded == 0)
    }

    /// While the network is busy, one frame waits, the newest; the slots of the others repeat, and every one is counted.
    @Test func theNewestFrameWinsAndTheOthersAreCounted() async throws {
        let busy = Gate()
        let unit = ScriptedUnit("busy", classCount: 13)
        unit.willEncode = { level in if level == 1 { busy.wait() } }
        let live = try Self.scripted(unit)
        try PixelView.withFlat(1) { _ = live.push($0, at: .slot(0)) }
        busy.waitUntilEntered()
        for index in 1...9 { try PixelView.withFlat(UInt8(index + 1)) { _ = live.push($0, at: .slot(index)) } }
        busy.open()
        live.drain()
        // The blank frame of the warm-up, the first, and the last of those that came meanwhile.
        #expect(unit.encoded == [0, 1, 10])
        #expect(unit.columns == [1] + [UInt8](repeating: 1, count: 8) + [10])
        #expect(live.statistics.superseded == 8)
        #expect(live.counts.run == 10)
        live.finish()
    }

    /// After a wait longer than a window, earlier columns have no influence.
    @Test func aStallLongerThanTheWindowStartsAnew() async throws {
        let busy = Gate()
        let unit = ScriptedUnit("busy", classCount: 13)
        unit.willEncode = { level in if level == 1 { busy.wait() } }
        let live = try Self.scripted(unit)
        try PixelView.withFlat(1) { _ = live.push($0, at: .slot(0)) }
        busy.waitUntilEntered()
        for index in 1...40 { try PixelView.withFlat(7) { _ = live.push($0, at: .slot(index)) } }
        busy.open()
        live.drain()
        #expect(unit.columns == [7])
        #expect(live.statistics.superseded == 39)
        live.finish()
    }

    /// Frames from several threads: each has one outcome, the counts add up, and nothing breaks.
    @Test func takesFramesFromAnyThread() async throws {
        let live = try goldenEngine().makeLiveStream(.eager, sensors: nil)
        let outcomes = await withTaskGroup(of: [FrameResult.Outcome].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    (0..<100).compactMap { index in
                        var outcome: FrameResult.Outcome?
                        try? Self.view(index) { outcome = live.push($0, at: .milliseconds(index * 8 + worker)) }
                        return outcome
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        live.finish()
        #expect(outcomes.count == 400)
        let statistics = live.statistics
        var encoded = 0
        var dropped = 0
        var skipped = 0
        for outcome in outcomes {
            switch outcome {
            case .encoded: encoded += 1
            case .dropped: dropped += 1
            case .skipped: skipped += 1
            case .surplus, .closed: break
            }
        }
        #expect(statistics.frames.run == encoded + skipped)
        #expect(statistics.scheduling.skips.total == skipped)
        #expect(statistics.frames.drops == dropped)
        #expect((statistics.inference?.count ?? 0) + statistics.superseded == encoded)
        for await _ in live.events {}
    }

    /// Without a listener the camera is not held up, the newest events wait, and their numbers show the gap.
    @Test func aConsumerThatSleepsHoldsNothingUp() async throws {
        let unit = ScriptedUnit("scripted", classCount: 13)
        let live = try Self.scripted(unit)
        for index in 0..<1000 {
            try PixelView.withFlat(UInt8(index / 2 % 12)) { _ = live.push($0, at: .slot(index)) }
            live.drain()
        }
        live.finish()
        var sequence: [UInt64] = []
        for await event in live.events { sequence.append(event.sequence) }
        #expect(sequence.count == LiveGestureStream.bufferedEvents)
        let last = try #require(sequence.last)
        #expect(last > 900)
        #expect(sequence == Array((last - 255)...last))
        #expect(live.lostEvents == Int(last) + 1 - LiveGestureStream.bufferedEvents)
    }

    @Test func aResetEndsTheGestureAndStartsAnew() async throws {
        let unit = ScriptedUnit("scripted", classCount: 13)
        let live = try Self.scripted(unit)
        for index in 0..<20 {
            try PixelView.withFlat(3) { _ = live.push($0, at: .slot(index)) }
            live.drain()
        }
        #expect(live.activeGesture != nil)
        live.reset()
        #expect(live.activeGesture == nil)
        #expect(live.prediction == nil)
        // The clock may begin again.
        for index in 0..<20 {
            try PixelView.withFlat(4) {
                #expect(live.push($0, at: .slot(index)) == .encoded(repeats: 0, afterReset: false))
            }
            live.drain()
        }
        live.finish()
        live.finish()
        try PixelView.withFlat(5) { #expect(live.push($0, at: .slot(40)) == .closed) }
        #expect(live.counts.run == 40)
        var kinds: [GestureEvent.Kind] = []
        for await event in live.events { kinds.append(event.kind) }
        #expect(kinds == [.begin, .end(.flushed), .begin, .end(.flushed)])
    }

    /// The frame that waits is recognised before the stream ends.
    @Test func finishLosesNoFrame() async throws {
        let unit = ScriptedUnit("scripted", classCount: 13)
        let live = try Self.scripted(unit)
        for index in 0..<16 {
            try PixelView.withFlat(UInt8(index)) { _ = live.push($0, at: .slot(index)) }
            if index < 15 { live.drain() }
        }
        live.finish()
        #expect(unit.encoded.last == 15)
        var labels: [String] = []
        for await event in live.events { labels.append(event.label) }
        #expect(labels.count == 2)
    }

    @Test func eventsEndWhenTheStreamIsReleased() async throws {
        var live: LiveGestureStream? = try goldenEngine().makeLiveStream()
        let events = try #require(live?.events)
        let changes = try #require(live?.changes)
        live = nil
        for await _ in events { Issue.record("an event of a stream without frames") }
        for await _ in changes { Issue.record("a change in a stream without frames") }
    }

    /// Neither the thread, the streams of events, a consumer nor the engine keeps a released stream, and its unit goes too.
    @Test func aThousandStreamsComeAndGo() async throws {
        let engine = try goldenEngine()
        weak var latest: LiveGestureStream?
        weak var latestUnit: ScriptedUnit?
        for round in 0..<1000 {
            let unit = ScriptedUnit("scripted", classCount: 13)
            let live = try engine.makeLiveStream(
                GestureEngine.Configuration(), pixels: .only(unit), sensors: nil, adding: [unit])
            let consumer = Task { [events = live.events] in for await _ in events {} }
            if round.isMultiple(of: 2) { try PixelView.withFlat(1) { _ = live.push($0, at: .slot(0)) } }
            if round.isMultiple(of: 3) { live.finish() }
            if round.isMultiple(of: 5) { consumer.cancel() }
            #expect(latest == nil)
            #expect(latestUnit == nil)
            (latest, latestUnit) = (live, unit)
        }
        #expect(latest == nil)
        #expect(latestUnit == nil)
    }

    /// Pushes go on while the stream is reset and finished by others.
    @Test func endsWhileFramesCome() async throws {
        let live = try goldenEngine().makeLiveStream(.eager, sensors: nil)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    for index in 0..<300 { try? Self.view(index) { _ = live.push($0, at: .slot(2 * index + worker)) } }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    live.reset()
                    _ = live.statistics
                    _ = live.prediction
                    await Task.yield()
                }
                live.finish()
            }
        }
        var alternates = true
        var begun = false
        for await event in live.events {
            alternates = alternates && (event.kind == .begin) == !begun
            begun = event.kind == .begin
        }
        #expect(alternates)
    }

    /// A dropped frame does not replace the waiting frame, which is encoded.
    @Test func aSkippedFrameLeavesTheWaitingOneAlone() throws {
        let busy = Gate()
        let unit = ScriptedUnit("busy", classCount: 13)
        unit.willEncode = { level in if level == 1 { busy.wait() } }
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = SchedulingConfiguration(activity: nil)
        let live = try goldenEngine().makeLiveStream(configuration, pixels: .only(unit), sensors: nil, adding: [unit])
        // Heat halves the pace.
        live.update(DeviceReading(thermal: .fair))
        try PixelView.withFlat(1) { _ = live.push($0, at: .slot(0)) }
        busy.waitUntilEntered()
        var accepted: [UInt8] = []
        var skipped = 0
        for index in 1...9 {
            let level = UInt8(10 * index)
            let outcome = try PixelView.withFlat(level) { live.push($0, at: .slot(index)) }
            if case .skipped = outcome { skipped += 1 } else { accepted.append(level) }
        }
        try #require(accepted.count >= 2 && accepted.last != 90)
        busy.open()
        live.drain()
        // The blank frame of the warm-up, the first, and the newest that was accepted.
        #expect(unit.encoded == [0, 1, try #require(accepted.last)])
        #expect(live.statistics.superseded == accepted.count - 1)
        #expect(live.statistics.scheduling.skips.total == skipped)
        live.finish()
    }

    /// Properties can be read at once while a step of the network is blocked.
    @Test func readingWaitsForNoStep() throws {
        let busy = Gate()
        let unit = ScriptedUnit("busy", classCount: 13)
        unit.willEncode = { level in if level == 1 { busy.wait() } }
        let live = try Self.scripted(unit)
        try PixelView.withFlat(1) { _ = live.push($0, at: .slot(0)) }
        busy.waitUntilEntered()
        let read = Atomic(false)
        withThread {
            _ = (live.prediction, live.statistics, live.activeGesture, live.activeUnit, live.counts, live.quality)
            _ = (live.schedulerState, live.keyframes)
            read.store(true, ordering: .releasing)
        } meanwhile: {
            #expect(becomesTrue { read.load(ordering: .acquiring) })
            busy.open()
        }
        live.finish()
    }

    /// A unit slower than the camera: `reset`, `drain` and `finish` return while frames go on coming.
    @Test func anOverloadedStreamAnswers() throws {
        let unit = ScriptedUnit("slow", classCount: 13)
        unit.willEncode = { _ in Thread.sleep(forTimeInterval: 0.02) }
        let live = try Self.scripted(unit)
        let isPushing = Atomic(true)
        let done = Atomic(0)
        withThread {
            live.reset()
            done.store(1, ordering: .releasing)
            live.drain()
            done.store(2, ordering: .releasing)
            live.finish()
            done.store(3, ordering: .releasing)
        } meanwhile: {
            var index = 0
            let deadline = ContinuousClock.now + .seconds(10)
            while isPushing.load(ordering: .relaxed), ContinuousClock.now < deadline {
                try? PixelView.withFlat(UInt8(index % 12)) { _ = live.push($0, at: .slot(index)) }
                Thread.sleep(forTimeInterval: 0.002)
                index += 1
                if done.load(ordering: .acquiring) == 3 { isPushing.store(false, ordering: .relaxed) }
            }
            #expect(done.load(ordering: .acquiring) == 3, "while frames came, so many of three calls returned")
        }
        let statistics = live.statistics
        #expect((statistics.inference?.count ?? 0) + statistics.superseded == statistics.frames.run)
    }

    /// Two listeners get the same, and one that goes away takes nothing from those who stay or come.
    @Test func everyListenerGetsEveryEvent() async throws {
        let unit = ScriptedUnit("scripted", classCount: 13)
        let live = try Self.scripted(unit)
        func push(_ slots: Range<Int>) throws {
            for index in slots {
                try PixelView.withFlat(UInt8(index / 20 % 12)) { _ = live.push($0, at: .slot(index)) }
                live.drain()
            }
        }
        let leaver = Task { [events = live.events] in await Array(events) }
        let first = live.events
        let second = live.events
        try push(0..<60)
        leaver.cancel()
        #expect(await leaver.value.count <= 5)
        try push(60..<100)
        let late = live.events
        try push(100..<140)
        live.finish()
        let all = await Array(first)
        #expect(all.map(\.sequence) == Array(0..<UInt64(all.count)))
        #expect(all.count >= 12)
        #expect(await Array(second) == all)
        let seenLate = await Array(late)
        #expect(seenLate == Array(all.suffix(seenLate.count)))
        #expect(!seenLate.isEmpty && seenLate.count < all.count)
        #expect(await Array(live.events).isEmpty)
        #expect(live.lostEvents == 0)
    }

    @Test func sensorsReachTheSchedule() async throws {
        let sensors = DeviceSensors(thermal: HotSensor())
        let live = try goldenEngine().makeLiveStream(.eager, sensors: sensors)
        var outcomes: [FrameResult.Outcome] = []
        for index in 0..<30 {
            try Self.view(index) { outcomes.append(live.push($0, at: .slot(index))) }
            live.drain()
        }
        #expect(live.schedulerState.budget.reason == .hot)
        // A slow machine may lower its pace as well, and then skips some for that.
        #expect(outcomes.contains(.skipped(.heat)))
        #expect(outcomes.count { if case .skipped = $0 { true } else { false } } >= 18)
        live.finish()
        var budgets: [SchedulerState.Budget] = []
        for await case .budget(_, let budget, _) in live.changes { budgets.append(budget) }
        #expect(budgets.count == 1)
        guard let budget = budgets.first else { return }
        #expect((budget.pace, budget.latency, budget.interfaceDetail) == (.third, .milliseconds(45), 0))
    }
}

private struct HotSensor: ThermalSensor {
    func readThermal() -> DeviceSensors.ThermalReading? { DeviceSensors.ThermalReading(state: .serious) }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
    private let entered = Atomic(false)
    private let isOpen = Atomic(false)

    func wait() {
        entered.store(true, ordering: .releasing)
        while !isOpen.load(ordering: .acquiring) {}
    }

    func waitUntilEntered() { while !entered.load(ordering: .acquiring) {} }
    func open() { isOpen.store(true, ordering: .releasing) }
}

/// Runs `work` on a thread of its own beside `meanwhile`, and returns after both.
private func withThread(_ work: @escaping @Sendable () -> Void, meanwhile: () -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Thread {
        work()
        ended.signal()
    }.start()
    meanwhile()
    ended.wait()
}

/// Whether a condition holds within ten seconds.
private func becomesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        Thread.sleep(forTimeInterval: 0.001)
    }
    return true
}

extension Array where Element: Sendable {
    /// Everything that a stream brings until it ends.
    fileprivate init(_ stream: AsyncStream<Element>) async {
        self = []
        for await element in stream { append(element) }
    }
}
