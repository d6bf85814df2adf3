package import Frames
package import Platform
package import Scheduling

/// The half of a live stream that takes frames in, on the threads that push them.
package protocol LiveIntake: ~Copyable, SendableMetatype {
    /// A piece of work, without its frame.
    associatedtype Work

    /// What properties of the stream tell about the intake.
    associatedtype Status: Sendable

    /// Copied after every call that changes the intake, so that a property never waits for a frame to be staged.
    var status: Status { get }

    /// The waiting work and its staged frame, which stays unchanged until the next call. Nil without work.
    mutating func take() -> (work: Work, frame: StagedFrame?)?

    /// Refuses all later frames. Waiting work can still be taken.
    mutating func close()

    /// Forgets every frame.
    mutating func forget()
}

/// What live streams of hands and of bodies have in common: two pipeline, the locks between them, and a thread.
///
/// The intake stages a frame on the thread that pushes it. Meanwhile the worker's own thread processes an earlier
/// frame. What a piece of work becomes is the stream's own: `process` runs the networks and sends the results.
///
/// There are three locks, taken in this order. `processing` guards the networks; it is released after each step and goes
/// to the thread that asked first. `intake` guards the waiting frame, and is held while a frame is staged. Only the
/// holder of `processing` takes work, so the frame of that work stays in place until the work is done. The last one
/// guards the copy of the intake's status.
package final class LiveWorker<Intake: LiveIntake & ~Copyable, Processing: ~Copyable>: Sendable {
    /// Processes a piece of work and sends its results.
    package typealias Process =
        @Sendable (Intake.Work, StagedFrame?, inout Processing, LockedIntake<Intake>) -> Void
    /// Takes in a reading of the device's state.
    package typealias Observe = @Sendable (DeviceReading, LockedIntake<Intake>) -> Void

    private let pipeline: LivePipeline<Intake, Processing>
    private let thread: WorkerThread

    /// Starts the thread. `process` and `observe` must not refer to the worker, which they would keep alive.
    /// - Parameters:
    ///   - name: as for `WorkerThread`.
    ///   - sensors: read about once a second; nil reads nothing.
    /// - Throws: the system's error if it cannot create a thread.
    package init(
        name: String, intake: consuming sending Intake, processing: consuming sending Processing,
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
    package func withIntake<Result>(_ body: (inout Intake) -> Result) -> Result {
        pipeline.intake.withLock { body(&$0) }
    }

    /// The intake's status after the latest call.
    package var status: Intake.Status { pipeline.intake.status }

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
package final class LockedIntake<Intake: LiveIntake & ~Copyable>: Sendable {
    private let intake: Locked<Intake>
    private let latest: Locked<Intake.Status>

    init(_ intake: consuming sending Intake) {
        latest = Locked(intake.status)
        self.intake = Locked(intake)
    }

    /// The status after the latest call.
    package var status: Intake.Status { latest.withLock { $0 } }

    /// Calls `body` with the intake, which no other thread uses meanwhile.
    package func withLock<Result>(_ body: (inout Intake) -> Result) -> Result {
        intake.withLock { intake in
            let result = body(&intake)
            let status = intake.status
            latest.withLock { $0 = status }
            return result
        }
    }
}

/// The state that the threads share. It does not refer to the worker, so the worker's thread does not keep the worker
/// alive.
private final class LivePipeline<Intake: LiveIntake & ~Copyable, Processing: ~Copyable>: Sendable {
    let intake: LockedIntake<Intake>
    let processing: FairLocked<Processing>
    let observe: LiveWorker<Intake, Processing>.Observe
    private let process: LiveWorker<Intake, Processing>.Process
    private let sensors: SensorPoll

    init(
        intake: consuming sending Intake, processing: consuming sending Processing, sensors: SensorPoll,
        process: @escaping LiveWorker<Intake, Processing>.Process,
        observe: @escaping LiveWorker<Intake, Processing>.Observe
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
