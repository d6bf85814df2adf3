package import Frames
package import Platform
package import Scheduling

/// What live streams of hands and of bodies have in common: two halves, the locks between them, and a thread.
///
/// The intake stages a frame on the thread that pushes it. Meanwhile the worker's own thread processes an earlier
/// frame. What a piece of work becomes is the stream's own: `process` runs the networks and sends the results.
///
/// There are three locks, taken in this order. `processing` guards the networks; it is released after each step and goes
/// to the thread that asked first. `intake` guards the waiting frame, and is held while a frame is staged. Only the
/// holder of `processing` takes work, so the frame of that work stays in place until the work is done. The last one
/// guards the copy of the intake's status.
package final class LiveWorker<Gate: FrameGate & ~Copyable, Processing: ~Copyable>: Sendable {
    /// Processes a piece of work and sends its results.
    package typealias Process =
        @Sendable (Gate.Work, StagedFrame?, inout Processing, LockedIntake<Gate>) -> Void
    /// Takes in a reading of the device's state.
    package typealias Observe = @Sendable (DeviceReading, LockedIntake<Gate>) -> Void

    private let pipeline: LivePipeline<Gate, Processing>
    private let thread: WorkerThread

    /// Starts the thread. `process` and `observe` must not refer to the worker, which they would keep alive.
    /// - Parameters:
    ///   - name: as for `WorkerThread`.
    ///   - sensors: read about once a second; nil reads nothing.
    /// - Throws: the system's error if it cannot create a thread.
    package init(
        name: String, intake: consuming sending LiveIntake<Gate>, processing: consuming sending Processing,
        sensors: DeviceSensors?, clock: StreamClock, process: @escaping Process, observe: @escaping Observe
    ) throws(SystemError) {
        let pipeline = LivePipeline(
            intake: intake, processing: processing, sensors: SensorPoll(sensors, clock: clock), process: process,
            observe: observe)
        self.pipeline = pipeline
        thread = try WorkerThread(name: name) { pipeline.work() }
    }

    /// Ends the thread and waits for it. Call it once.
    package func stop() { thread.stop() }

    /// Makes the thread take the work that has come in.
    package func signal() { thread.signal() }

    /// Calls `body` with the intake, which no other thread uses meanwhile. Waits while a frame is staged.
    package func withIntake<Result>(_ body: (inout LiveIntake<Gate>) -> Result) -> Result {
        pipeline.intake.withLock { body(&$0) }
    }

    /// The intake's status after the latest call.
    package var status: LockedIntake<Gate>.Status { pipeline.intake.status }

    /// Calls `body` with the networks. Waits for the current step.
    package func withProcessing<Failure: Error>(
        _ body: (inout Processing) throws(Failure) -> Void
    ) throws(Failure) {
        try pipeline.processing.withLock { processing throws(Failure) in try body(&processing) }
    }

    /// Does the waiting work. Blocks for two steps at most.
    package func drain() { pipeline.drain() }

    /// Does the waiting work, forgets every frame and calls `finish`. Blocks for two steps at most.
    /// - closing: whether later frames are refused, so that this work is the last.
    package func flush(closing: Bool, _ finish: (inout Processing) -> Void) { pipeline.flush(closing: closing, finish) }

    /// Takes in a reading of the device's state, for a stream without sensors of its own.
    package func observe(_ reading: DeviceReading) { pipeline.observe(reading, pipeline.intake) }
}

/// The intake with its lock, and a copy of its status with another.
package final class LockedIntake<Gate: FrameGate & ~Copyable>: Sendable {
    /// The gate's status, and the number of frames that newer ones replaced while they waited.
    package typealias Status = (gate: Gate.Status, superseded: Int)

    private let intake: Locked<LiveIntake<Gate>>
    private let latest: Locked<Status>

    init(_ intake: consuming sending LiveIntake<Gate>) {
        latest = Locked((intake.gate.status, intake.superseded))
        self.intake = Locked(intake)
    }

    /// The status after the latest call.
    package var status: LockedIntake<Gate>.Status { latest.withLock { $0 } }

    /// Calls `body` with the intake, which no other thread uses meanwhile.
    package func withLock<Result>(_ body: (inout LiveIntake<Gate>) -> Result) -> Result {
        intake.withLock { intake in
            let result = body(&intake)
            let status = (intake.gate.status, intake.superseded)
            latest.withLock { $0 = status }
            return result
        }
    }
}

/// The state that the threads share. It does not refer to the worker, so the worker's thread does not keep the worker
/// alive.
private final class LivePipeline<Gate: FrameGate & ~Copyable, Processing: ~Copyable>: Sendable {
    let intake: LockedIntake<Gate>
    let processing: FairLocked<Processing>
    let observe: LiveWorker<Gate, Processing>.Observe
    private let process: LiveWorker<Gate, Processing>.Process
    private let sensors: SensorPoll

    init(
        intake: consuming sending LiveIntake<Gate>, processing: consuming sending Processing, sensors: SensorPoll,
        process: @escaping LiveWorker<Gate, Processing>.Process,
        observe: @escaping LiveWorker<Gate, Processing>.Observe
    ) {
        self.intake = LockedIntake(intake)
        self.processing = FairLocked(processing)
        self.sensors = sensors
        self.process = process
        self.observe = observe
    }

    /// Does the waiting work, and all that arrives meanwhile.
    func work() {
        while step() { readSensors() }
    }

    func drain() {
        _ = step()
        readSensors()
    }

    private func step() -> Bool {
        processing.withLock { processing in
            guard let taken = intake.withLock({ $0.take() }) else { return false }
            process(taken.work, taken.frame, &processing, intake)
            return true
        }
    }

    func flush(closing: Bool, _ finish: (inout Processing) -> Void) {
        processing.withLock { processing in
            let taken = intake.withLock { intake in
                if closing { intake.close() }
                return intake.take()
            }
            if let taken { process(taken.work, taken.frame, &processing, intake) }
            intake.withLock { $0.forget() }
            finish(&processing)
        }
    }

    private func readSensors() {
        if let reading = sensors.readIfDue() { observe(reading, intake) }
    }
}
