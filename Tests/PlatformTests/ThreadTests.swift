import Foundation
import Platform
import Testing

@Suite struct ThreadTests {
    @Test func aLockLosesNothing() {
        let plain = Locked(0)
        let fair = FairLocked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2000 {
                plain.withLock { $0 += 1 }
                fair.withLock { $0 += 1 }
            }
        }
        #expect(plain.withLock { $0 } == 16_000 && fair.withLock { $0 } == 16_000)
    }

    private struct Failure: Error {}

    @Test func aLockIsGivenBackByAnError() {
        let plain = Locked(0)
        let fair = FairLocked(0)
        #expect(throws: Failure.self) { try plain.withLock { _ throws(Failure) in throw Failure() } }
        #expect(throws: Failure.self) { try fair.withLock { _ throws(Failure) in throw Failure() } }
        #expect(plain.withLock { $0 } + fair.withLock { $0 } == 0)
    }

    /// One run for any number of signals, and at least one after the last.
    @Test func aWorkerRunsAfterItsSignals() throws {
        let count = Locked(0)
        let seen = Locked(0)
        let runs = Locked(0)
        let worker = try WorkerThread(name: "test") {
            let value = count.withLock { $0 }
            seen.withLock { $0 = value }
            runs.withLock { $0 += 1 }
        }
        for _ in 0..<100 {
            count.withLock { $0 += 1 }
            worker.signal()
        }
        while seen.withLock({ $0 }) < 100 { Thread.sleep(forTimeInterval: 0.001) }
        worker.stop()
        #expect((1...100).contains(runs.withLock { $0 }))
    }
}

@Suite struct MathTests {
    /// The wrappers are the C library's own functions, bit for bit.
    @Test func sameBits() {
        for step in -200...200 {
            let x = Double(step) / 17
            #expect(Math.exponential(x) == exp(x) && Math.expm1(x) == expm1(x))
            #expect(Math.exponential(Float(x)) == expf(Float(x)))
            #expect(Math.sine(x) == sin(x) && Math.cosine(x) == cos(x) && Math.atan2(y: x, x: 3) == atan2(x, 3))
            guard step > 0 else { continue }
            #expect(Math.logarithm(x) == log(x) && Math.logarithm(Float(x)) == logf(Float(x)))
            #expect(Math.logarithmOfOnePlus(x) == log1p(x))
        }
    }
}
