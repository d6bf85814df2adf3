import BodyPose
import Platform
import Streams
import Synchronization
import Testing

@Suite struct LiveBodyStreamTests {
    /// While the networks are busy one frame waits, the newest; the others are counted.
    @Test func theNewestFrameWinsAndTheOthersAreCounted() async throws {
        // Asked when the stream is made, when the first frame comes, and when that one is done.
        let busy = BusyClock(stopsAtCall: 3)
        let live = try BodyPoseEngine().makeLiveStream(BodyTrackingConfiguration(), sensors: nil, clock: busy.clock)
        let person = try StandingPerson()
        try person.withView { #expect(live.push($0, at: .seconds(0)) == .taken) }
        busy.waitUntilStopped()
        for second in 1...9 { try person.withView { #expect(live.push($0, at: .seconds(second)) == .taken) } }
        #expect(live.superseded == 8)
        busy.goOn()
        live.finish()
        try person.withView { #expect(live.push($0, at: .seconds(10)) == .closed) }
        #expect(live.superseded == 8 && live.lostResults == 0)
        var results: [LiveBodyStream.Result] = []
        for await result in live.results { results.append(result) }
        #expect(results.map(\.time) == [.zero, .seconds(9)])
        #expect(results.map(\.sequence) == [0, 1])
        #expect(results.allSatisfy { $0.bodies.count == 1 })
    }

    /// Draining is one step: a camera that always has another frame keeps the caller no longer.
    @Test func drainingEndsWhileFramesGoOnComing() throws {
        let camera = EndlessCamera()
        let live = try BodyPoseEngine().makeLiveStream(BodyTrackingConfiguration(), sensors: nil, clock: camera.clock)
        camera.begin(live)
        for _ in 0..<5 { live.drain() }
        #expect(camera.end() == .stopped)
        live.finish()
    }

    /// Heat and battery say which frames are left out, and why.
    @Test func theBudgetLeavesFramesOut() throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let gray = [UInt8](repeating: 100, count: 64 * 64)
        live.update(DeviceReading(thermal: .critical))
        var outcomes: [LiveBodyStream.Outcome] = []
        for index in 0..<12 {
            let frame = try PixelView(gray.span, format: .gray8, width: 64, height: 64, bytesPerRow: 64)
            outcomes.append(live.push(frame, at: .milliseconds(33 * index)))
            live.drain()
        }
        #expect(outcomes == (0..<12).map { $0 % 6 == 0 ? .taken : .skipped(.heat) })
        live.finish()
    }

    @Test func changesAndCountsOfTheBudget() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let changes = live.changes
        let gray = [UInt8](repeating: 100, count: 64 * 64)
        for index in 0..<7 {
            if index == 1 { live.update(DeviceReading(thermal: .critical)) }
            let frame = try PixelView(gray.span, format: .gray8, width: 64, height: 64, bytesPerRow: 64)
            live.push(frame, at: .milliseconds(33 * index))
            live.drain()
        }
        #expect(live.schedulerState.budget == SchedulerState.Budget(thermal: .critical, battery: nil))
        #expect(live.scheduling.run == 2 && live.scheduling.budgetChanges == 1)
        live.finish()
        var seen: [SchedulerState.Budget] = []
        for await case .budget(_, let budget, _) in changes { seen.append(budget) }
        #expect(seen == [live.schedulerState.budget])
    }

    /// A body that was followed is a new one after a reset.
    @Test func aResetForgetsBodies() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let person = try StandingPerson()
        let begin = ContinuousClock.now
        for second in 0...3 {
            if second == 2 { live.reset() }
            try person.withView { _ = live.push($0, at: .seconds(second)) }
            live.drain()
        }
        live.finish()
        let elapsed = begin.duration(to: .now)
        var identities: [[Int]] = []
        for await result in live.results {
            identities.append(result.bodies.map(\.identity))
            #expect(result.latency > .zero && result.latency <= elapsed)
        }
        #expect(identities.count == 4 && identities.allSatisfy { $0.count == 1 })
        #expect(identities[0] == identities[1] && identities[1] != identities[2] && identities[2] == identities[3])
    }

    @Test func resultsEndWhenTheStreamIsReleased() async throws {
        var live: LiveBodyStream? = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let results = try #require(live?.results)
        live = nil
        for await _ in results { Issue.record("a result of a stream without frames") }
    }

    /// Neither the thread, the results, a listener nor the engine keeps a released stream or what it holds; one is alive at a
    /// time.
    @Test func aThousandStreamsComeAndGo() async throws {
        let engine = try BodyPoseEngine()
        let gray = [UInt8](repeating: 100, count: 32 * 32)
        weak var latest: LiveBodyStream?
        for round in 0..<1_000 {
            let tenant = Tenant()
            // The stream's core holds the clock, and the clock its tenant.
            let clock = StreamClock { withExtendedLifetime(tenant) { Int64(round) } }
            let live = try engine.makeLiveStream(BodyTrackingConfiguration(), sensors: nil, clock: clock)
            let listener = Task { [results = live.results] in for await _ in results {} }
            if round.isMultiple(of: 50) {
                let frame = try PixelView(gray.span, format: .gray8, width: 32, height: 32, bytesPerRow: 32)
                live.push(frame, at: .zero)
            }
            if round.isMultiple(of: 3) { live.finish() }
            if round.isMultiple(of: 5) { listener.cancel() }
            #expect(latest == nil)
            #expect(Tenant.alive.load(ordering: .acquiring) == 1)
            latest = live
        }
        #expect(latest == nil)
        #expect(Tenant.alive.load(ordering: .acquiring) == 0)
    }
}

/// A clock that pushes a frame whenever it is asked, so that a stream has another frame before it is done with one.
private final class EndlessCamera: Sendable {
    enum End { case stopped, gaveUp }

    private struct State {
        var live: LiveBodyStream?
        var isPushing = false
        var end: End?
        var frames = 0
    }

    private let state = Locked(State())
    private let deadline = ContinuousClock.now + .seconds(20)

    var clock: StreamClock {
        StreamClock { [self] in
            push()
            return 0
        }
    }

    func begin(_ live: LiveBodyStream) {
        state.withLock { $0.live = live }
        push()
    }

    /// Pushes nothing more; says whether it had to give up before.
    func end() -> End {
        state.withLock { state in
            state.live = nil
            state.end = state.end ?? .stopped
            return state.end ?? .stopped
        }
    }

    private func push() {
        let taken = state.withLock { state -> (LiveBodyStream, Int)? in
            // A push asks the clock, too.
            guard let live = state.live, !state.isPushing, state.end == nil else { return nil }
            guard ContinuousClock.now < deadline else {
                state.end = .gaveUp
                return nil
            }
            state.isPushing = true
            state.frames += 1
            return (live, state.frames)
        }
        guard let (live, index) = taken else { return }
        _ = try? withEmptyFrame { live.push($0, at: .milliseconds(index)) }
        state.withLock { $0.isPushing = false }
    }
}

/// Counts itself.
private final class Tenant: Sendable {
    static let alive = Atomic(0)
    init() { Self.alive.add(1, ordering: .acquiringAndReleasing) }
    deinit { Self.alive.subtract(1, ordering: .acquiringAndReleasing) }
}

/// A clock that blocks its caller at one of the calls until the test releases it.
private final class BusyClock: Sendable {
    private let calls = Atomic(0)
    private let isStopped = Atomic(false)
    private let isOpen = Atomic(false)
    private let stop: Int

    init(stopsAtCall stop: Int) { self.stop = stop }

    var clock: StreamClock {
        StreamClock { [self] in
            let call = calls.add(1, ordering: .acquiringAndReleasing).newValue
            if call == stop {
                isStopped.store(true, ordering: .releasing)
                while !isOpen.load(ordering: .acquiring) {}
            }
            return Int64(call)
        }
    }

    func waitUntilStopped() { while !isStopped.load(ordering: .acquiring) {} }
    func goOn() { isOpen.store(true, ordering: .releasing) }
}
