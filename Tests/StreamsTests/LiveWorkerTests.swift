import Frames
import Streams
import Testing

/// An intake that counts calls.
private struct CountingIntake: LiveIntake, ~Copyable {
    private(set) var status = 0

    mutating func accept() { status += 1 }
    mutating func take() -> (work: Int, frame: StagedFrame?)? { nil }
    mutating func close() {}
    mutating func forget() { status = 0 }
}

@Suite struct LiveWorkerTests {
    /// While a frame is staged under the intake's lock, properties show the status before it.
    @Test func theStatusDoesNotWaitForTheIntake() throws {
        let worker = try LiveWorker(
            name: "test", intake: CountingIntake(), processing: 0, sensors: nil, clock: .system
        ) { _, _, _, _ in
        } observe: { _, _ in
        }
        defer { worker.stop() }
        #expect(worker.status == 0)
        let during = worker.withIntake { intake in
            intake.accept()
            return worker.status
        }
        #expect((during, worker.status) == (0, 1))
        worker.flush(closing: false) { _ in }
        #expect(worker.status == 0)
    }
}
