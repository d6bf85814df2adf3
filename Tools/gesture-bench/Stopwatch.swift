import Evaluation
import GestureEngine
import KernelInterface
import Streams

/// Medians of short works, alternated so that disturbances by the machine affect all alike.
enum Stopwatch {
    /// Nanoseconds since some fixed time, by the clock of streams.
    static func now() -> UInt64 { UInt64(StreamClock.system.now()) }

    /// Median nanoseconds of one call of each of `count` works. Each sample repeats its work for at least 20
    /// microseconds, so that the cost of the clock is negligible.
    static func medians<Failure: Error>(
        of count: Int, rounds: Int, _ work: (Int) throws(Failure) -> Void
    ) throws(Failure) -> [Double] {
        let repetitions = try (0..<count).map { index throws(Failure) in
            try work(index)
            let begin = now()
            try work(index)
            return max(1, Int(20_000 / max(now() - begin, 1)))
        }
        var samples = [[Double]](repeating: [], count: count)
        for _ in 0..<rounds {
            for index in 0..<count {
                let begin = now()
                for _ in 0..<repetitions[index] { try work(index) }
                samples[index].append(Double(now() - begin) / Double(repetitions[index]))
            }
        }
        return samples.map { percentile(50, ascending: $0.sorted()) ?? 0 }
    }

    /// A tier's peak in 10^9 multiply-accumulates a second.
    static func peak(_ probe: PeakProbe) -> Double {
        let sums = AlignedBytes(count: 64)
        for index in 0..<64 { unsafe sums.bytes[index] = UInt8(index) }
        let rounds = 20_000
        var macs = 0
        let time = medians(of: 1, rounds: 15) { _ in macs = unsafe probe(rounds, sums.base) }
        return Double(macs) / time[0]
    }
}
