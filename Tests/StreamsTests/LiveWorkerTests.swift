import Frames
import Streams
import Testing

/// A gate that counts calls and makes no work.
private struct CountingGate: FrameGate {
    struct Work: MergedWork {
        let hasFrame = false
        mutating func merge(_ next: Work) -> Bool { false }
    }

    private(set) var status = 0

    mutating func accept() { status += 1 }
    mutating func forget() { status = 0 }
}

@Suite struct LiveWorkerTests {
    /// While a frame is staged under the intake's lock, properties show the status before it.
    @Test func theStatusDoesNotWaitForTheIntake() throws {
        let worker = try LiveWorker(
            name: "test", intake: LiveIntake(CountingGate()), processing: 0, sensors: nil, clock: .system
        ) { _, _, _, _ in
        } observe: { _, _ in
        }
        defer { worker.stop() }
        #expect(worker.status.gate == 0)
        let during = worker.withIntake { intake in
            intake.gate.accept()
            return worker.status.gate
        }
        #expect((during, worker.status.gate) == (0, 1))
        worker.flush(closing: false) { _ in }
        #expect(worker.status.gate == 0)
    }
}
