import ArgumentParser
import BodyPose
import Foundation
import GestureEngine
import GestureHands
import GesturePixels
import PixelFrontEnd
import Scheduling
import Synchronization
import Vocabulary

/// What a live stream looks for, and by which networks.
enum StreamKind: String, Codable, CaseIterable, ExpressibleByArgument {
    case landmarks, pixels, bodies
}

/// The networks of all kinds of streams.
struct StreamEngines {
    private let landmarks: GestureEngine
    private let pixels: GestureEngine
    private let bodies: BodyPoseEngine

    init() throws {
        landmarks = try GestureEngine(hands: .lite())
        pixels = try GestureEngine(pixels: .bundled)
        bodies = try BodyPoseEngine()
    }

    /// - listeners: for results and events each, all there from the first result on. The first reads as fast as it can,
    ///   the others stop while `CountedStream.isStalled`.
    func makeStream(
        _ kind: StreamKind, rate: PacingConfiguration.Rate, sensors: DeviceSensors? = nil, listeners: Int = 1
    ) throws -> CountedStream {
        guard kind != .bodies else {
            return CountedStream(
                try bodies.makeLiveStream(BodyTrackingConfiguration(), sensors: sensors), rate: rate,
                listeners: listeners)
        }
        let engine = kind == .pixels ? pixels : landmarks
        return CountedStream(
            try engine.makeLiveStream(GestureEngine.Configuration(rate: rate), sensors: sensors), kind: kind,
            rate: rate,
            listeners: listeners)
    }
}

/// A live stream of any kind, and exact counts of its frames, events and results.
final class CountedStream: Sendable {
    private enum Live: Sendable {
        case gestures(LiveGestureStream)
        case bodies(LiveBodyStream)
    }

    let kind: StreamKind
    private let live: Live
    private let tally: StreamTally
    private let listeners: Int

    init(_ stream: LiveGestureStream, kind: StreamKind, rate: PacingConfiguration.Rate, listeners: Int) {
        self.kind = kind
        self.listeners = listeners
        live = .gestures(stream)
        let period = Duration.nanoseconds(rate.nanoseconds(ofSlots: 1))
        tally = StreamTally(deadline: period)
        for index in 0..<listeners {
            tally.listen(stream.events, isFirst: index == 0) { tally, _ in tally.events += 1 }
            guard kind == .landmarks else { continue }
            tally.listen(stream.hands, isFirst: index == 0) { tally, frame in
                tally.record(frame.sequence, frame.latency, isFirst: index == 0)
            }
        }
    }

    init(_ stream: LiveBodyStream, rate: PacingConfiguration.Rate, listeners: Int) {
        kind = .bodies
        self.listeners = listeners
        live = .bodies(stream)
        let period = Duration.nanoseconds(rate.nanoseconds(ofSlots: 1))
        tally = StreamTally(deadline: period)
        for index in 0..<listeners {
            tally.listen(stream.results, isFirst: index == 0) { tally, result in
                tally.record(result.sequence, result.latency, isFirst: index == 0)
            }
        }
    }

    /// Whether all listeners but the first stop reading.
    var isStalled: Bool {
        get { tally.isStalled.load(ordering: .relaxed) }
        set { tally.isStalled.store(newValue, ordering: .relaxed) }
    }

    /// How the stream's schedule stands.
    var schedule: SchedulerState {
        switch live {
        case .gestures(let stream): stream.schedulerState
        case .bodies(let stream): stream.schedulerState
        }
    }

    func push(_ frame: borrowing PixelView, at time: Duration) {
        // Pushed and then counted, so that the tally's lock is never held beside the stream's.
        switch live {
        case .gestures(let stream):
            switch stream.push(frame, at: time) {
            case .closed: tally.pushed(isClosed: true)
            default: tally.pushed(isClosed: false)
            }
        case .bodies(let stream): tally.pushed(isClosed: stream.push(frame, at: time) == .closed)
        }
    }

    func drain() {
        switch live {
        case .gestures(let stream): stream.drain()
        case .bodies(let stream): stream.drain()
        }
    }

    func reset() {
        switch live {
        case .gestures(let stream): stream.reset()
        case .bodies(let stream): stream.reset()
        }
    }

    /// Ends the stream and waits for its listeners. Not for a thread of the cooperative pool.
    func finish() throws(BenchFailure) -> StreamAccount {
        switch live {
        case .gestures(let stream): stream.finish()
        case .bodies(let stream): stream.finish()
        }
        isStalled = false
        try tally.waitForListeners()
        return account
    }

    /// What the stream has counted so far. Results that listeners have not read yet are missing.
    var account: StreamAccount {
        let statistics: SessionStatistics
        var account = StreamAccount(kind: kind)
        switch live {
        case .gestures(let stream):
            statistics = stream.statistics
            account.lost = stream.lostEvents + stream.lostHands
        case .bodies(let stream):
            statistics = stream.statistics
            account.lost = stream.lostResults
        }
        account.processed = statistics.inference?.count ?? 0
        account.skipped = statistics.scheduling.skips.total
        account.superseded = statistics.superseded
        account.surplus = statistics.frames.surplus
        account.refused = statistics.frames.drops
        account.resets = statistics.frames.resets
        account.deadlineMisses = statistics.scheduling.deadlineMisses
        account.p50 = statistics.frame?.p50.inSeconds
        account.p99 = statistics.frame?.p99.inSeconds
        let events = statistics.begins.reduce(0, +) + statistics.ends.reduce(0, +)
        account.sent = listeners * (events + (kind == .pixels ? 0 : account.processed))
        tally.write(to: &account)
        return account
    }
}

/// The counts of one stream.
struct StreamAccount: Encodable {
    let kind: StreamKind
    /// Frames pushed, those after the stream's end included.
    var pushed = 0
    /// Frames that the networks have seen.
    var processed = 0
    /// Frames left out for the pace or the budget.
    var skipped = 0
    /// Frames replaced by newer ones.
    var superseded = 0
    /// Frames beyond the rate of the grid.
    var surplus = 0
    /// Frames refused for their time.
    var refused = 0
    /// Frames after the stream's end.
    var closed = 0
    /// Times the stream began anew after a gap.
    var resets = 0
    var deadlineMisses = 0
    /// Results whose latency was above the period of the rate; 0 for pixels, which give none.
    var late = 0
    /// Events and results sent to all listeners, read by them, and lost because they were slow.
    var sent = 0
    var received = 0
    var lost = 0
    var isInOrder = true
    /// Seconds from push to result.
    var p50: Double?
    var p99: Double?

    /// Whether every frame is accounted for exactly once. For a stream without a waiting frame.
    var framesAddUp: Bool { pushed == processed + skipped + superseded + surplus + refused + closed }

    /// Whether every frame, event and result is accounted for exactly once. For a stream that has finished.
    var isExact: Bool { framesAddUp && sent == received + lost && isInOrder }
}

/// What the listeners of a stream count. It does not refer to the stream, which they would keep alive.
private final class StreamTally: Sendable {
    struct Counts {
        var pushed = 0
        var closed = 0
        var events = 0
        var results = 0
        var late = 0
        var isInOrder = true
        var latest = -1
        /// Listeners that have not ended.
        var listening = 0
        let deadline: Duration

        mutating func record(_ sequence: Int, _ latency: Duration, isFirst: Bool) {
            results += 1
            guard isFirst else { return }
            isInOrder = isInOrder && sequence > latest
            latest = sequence
            if latency > deadline { late += 1 }
        }
    }

    let isStalled = Atomic(false)
    private let counts: Mutex<Counts>

    init(deadline: Duration) { counts = Mutex(Counts(deadline: deadline)) }

    func pushed(isClosed: Bool) {
        counts.withLock { counts in
            counts.pushed += 1
            if isClosed { counts.closed += 1 }
        }
    }

    func listen<Element: Sendable>(
        _ elements: AsyncStream<Element>, isFirst: Bool, _ count: @escaping @Sendable (inout Counts, Element) -> Void
    ) {
        counts.withLock { $0.listening += 1 }
        Task {
            for await element in elements {
                counts.withLock { count(&$0, element) }
                while !isFirst, isStalled.load(ordering: .relaxed) { try? await Task.sleep(for: .milliseconds(20)) }
            }
            counts.withLock { $0.listening -= 1 }
        }
    }

    func waitForListeners() throws(BenchFailure) {
        for _ in 0..<15_000 {
            if counts.withLock({ $0.listening }) == 0 { return }
            Thread.sleep(forTimeInterval: 0.002)
        }
        throw .streamsRemain
    }

    func write(to account: inout StreamAccount) {
        counts.withLock { counts in
            account.pushed = counts.pushed
            account.closed = counts.closed
            account.late = counts.late
            account.received = counts.events + counts.results
            account.isInOrder = counts.isInOrder
        }
    }
}
