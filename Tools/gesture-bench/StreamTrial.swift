import Evaluation
import Foundation
import GestureEngine
import Platform
import Synchronization
import Vocabulary

/// A number of streams that were fed at a rate at once; property names are the JSON keys.
struct StreamTrial: Encodable {
    let kind: StreamKind
    let rate: Int
    let streams: Int
    let seconds: Double
    /// Frames of the cameras; of these `pushed` were taken.
    let due: Int
    let pushed: Int
    let processed: Int
    let superseded: Int
    let skipped: Int
    /// Frames without a result within the time from one frame to the next: late, replaced, left out, or not taken in time.
    let missed: Int
    /// Frames that the networks saw, in the stream with the fewest and in that with the most.
    let least_processed: Int
    let most_processed: Int
    /// Latency from push to result: the median stream's median, and the worst stream's 99th percentile.
    let latency_p50_us: Double
    let latency_p99_us: Double
    /// The longest time that a frame was pushed after it was due, because the cores were busy.
    let latest_push_us: Double
    /// Seconds of processor time a second.
    let cores_used: Double
    /// The machine's load average at the end; other programs count, too.
    let load: Double?

    var missedShare: Double { due == 0 ? 0 : Double(missed) / Double(due) }

    /// The part of the time from one frame to the next after which a camera's frame is not taken in time.
    ///
    /// Latency counts from the push. Where the cores are too busy for the pushing threads, frames would come too late and be
    /// processed quickly, and any number of streams would seem to be held.
    private static let tolerance = 0.25

    /// Frames before the measured ones, each processed before the next, so that all memory and all regions exist.
    private static let settling = 3

    /// Feeds new streams for a while, each with a camera of its own, whose frames come at other times than the others'.
    static func run(
        _ count: Int, _ kind: StreamKind, rate: PacingConfiguration.Rate, seconds: Double, _ frames: StreamFrames,
        _ engines: StreamEngines
    ) throws -> StreamTrial {
        let streams = try (0..<count).map { _ in try engines.makeStream(kind, rate: rate) }
        let period = 1 / Double(rate.rawValue)
        for index in 0..<settling {
            for (place, stream) in streams.enumerated() {
                try frames.push(index + 7 * place, to: stream, at: .seconds(Double(index) * period))
                stream.drain()
            }
        }
        let before = streams.map { $0.account }
        let perStream = max(1, Int(seconds / period))
        let used = Machine.processorSeconds
        let clock = ContinuousClock()
        let start = clock.now
        let pushes = try feed(streams, perStream, period, frames)
        let elapsed = start.duration(to: clock.now).inSeconds
        let cores = (Machine.processorSeconds - used) / elapsed
        let accounts = try streams.map { stream throws(BenchFailure) in try stream.finish() }
        guard accounts.allSatisfy(\.isExact) else { throw BenchFailure.countsDisagree }
        let processed = zip(accounts, before).map { $0.processed - $1.processed }
        func sum(_ value: (StreamAccount) -> Int) -> Int {
            accounts.map(value).reduce(0, +) - before.map(value).reduce(0, +)
        }
        // A gesture stream counts a replaced frame as a missed deadline, too.
        let missed =
            kind == .bodies ? sum(\.late) + sum(\.superseded) + sum(\.skipped) : sum(\.deadlineMisses) + sum(\.skipped)
        let due = count * perStream
        return StreamTrial(
            kind: kind, rate: rate.rawValue, streams: count, seconds: elapsed, due: due, pushed: sum(\.pushed),
            processed: processed.reduce(0, +), superseded: sum(\.superseded), skipped: sum(\.skipped),
            missed: min(due, missed + pushes.late),
            least_processed: processed.min() ?? 0, most_processed: processed.max() ?? 0,
            latency_p50_us: 1e6 * (quantile(0.5, ascending: accounts.compactMap(\.p50).sorted()) ?? 0),
            latency_p99_us: 1e6 * (accounts.compactMap(\.p99).max() ?? 0), latest_push_us: 1e6 * pushes.longestDelay,
            cores_used: cores, load: Machine.load)
    }

    /// What the pushing threads did.
    private struct Pushes {
        /// Seconds after a frame was due.
        var longestDelay = 0.0
        /// Frames that were pushed after the tolerance, or not at all because the next one was due.
        var late = 0
    }

    /// Pushes `perStream` frames to each stream, from two threads with half of the streams each.
    private static func feed(
        _ streams: [CountedStream], _ perStream: Int, _ period: Double, _ frames: StreamFrames
    ) throws -> Pushes {
        let feeders = min(2, streams.count)
        let pushes = Mutex(Pushes())
        let failure = Mutex<(any Error)?>(nil)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: feeders) { feeder in
            var own = Pushes()
            do {
                for index in 0..<perStream {
                    for place in stride(from: feeder, to: streams.count, by: feeders) {
                        let due = (Double(index) + Double(place) / Double(streams.count)) * period
                        let now = start.duration(to: .now).inSeconds
                        if now < due {
                            Thread.sleep(forTimeInterval: due - now)
                        }
                        let delay = start.duration(to: .now).inSeconds - due
                        own.longestDelay = max(own.longestDelay, delay)
                        if delay > tolerance * period { own.late += 1 }
                        guard delay < period else { continue }
                        try frames.push(
                            settling + index + 7 * place, to: streams[place],
                            at: .seconds(Double(settling + index) * period))
                    }
                    guard !Interruption.hasCome else { break }
                }
            } catch {
                failure.withLock { $0 = error }
            }
            pushes.withLock { all in
                all.longestDelay = max(all.longestDelay, own.longestDelay)
                all.late += own.late
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return pushes.withLock { $0 }
    }
}

/// The memory of streams that wait for frames; property names are the JSON keys.
struct StreamMemory: Encodable {
    let kind: StreamKind
    let streams: Int
    /// Bytes a stream once they are made, after three frames each, and what is still resident after their release.
    let made_bytes: Int
    let used_bytes: Int
    let left_bytes: Int

    /// Nil if the system does not tell how much memory is resident.
    static func measure(
        _ count: Int, _ kind: StreamKind, _ frames: StreamFrames, _ engines: StreamEngines
    ) throws -> StreamMemory? {
        // What all streams of an engine share is made by the first.
        _ = try used(1, kind, frames, engines).finish()
        guard let before = Machine.residentBytes else { return nil }
        var streams = try (0..<count).map { _ in try engines.makeStream(kind, rate: .hz30) }
        let made = Machine.residentBytes ?? 0
        for index in 0..<3 {
            for stream in streams {
                try frames.push(index, to: stream, at: .milliseconds(33 * index))
                stream.drain()
            }
        }
        let used = Machine.residentBytes ?? 0
        for stream in streams { _ = try stream.finish() }
        streams = []
        let left = Machine.residentBytes ?? 0
        return StreamMemory(
            kind: kind, streams: count, made_bytes: (made - before) / count, used_bytes: (used - before) / count,
            left_bytes: (left - before) / count)
    }

    private static func used(
        _ frameCount: Int, _ kind: StreamKind, _ frames: StreamFrames, _ engines: StreamEngines
    ) throws -> CountedStream {
        let stream = try engines.makeStream(kind, rate: .hz30)
        for index in 0..<frameCount {
            try frames.push(index, to: stream, at: .milliseconds(33 * index))
            stream.drain()
        }
        return stream
    }
}
