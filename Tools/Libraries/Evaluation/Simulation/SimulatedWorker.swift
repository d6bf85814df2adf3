/// The thread that computes: one step at a time, and a mailbox that holds only the newest frame. It has two units; one
/// of them may first warm up for a window of columns before it answers.
struct SimulatedWorker {
    struct Job {
        var slotIndex: Int64
        var slotTime: Int64
        /// Whether earlier frames do not belong to its sequence.
        var reset: Bool
    }

    struct Finished {
        let job: Job
        let step: SimulatedDevice.Step
        /// Two units shared the step's time, so it measures neither of them.
        let isShared: Bool
        /// The unit that answers from now on, if this step was the last of its warm-up.
        let answering: Int?
    }

    /// Columns that a unit sees before it answers: the model's window.
    private static let window: Int64 = 16

    private(set) var active = 0
    private(set) var superseded = 0
    /// The end of the running step; nil if there is none.
    private(set) var busyUntil: Int64?

    private var running: (job: Job, step: SimulatedDevice.Step, isShared: Bool)?
    private var waiting: Job?
    private var warmingUp: (unit: Int, since: Int64)?

    /// Frames that were taken and are not done yet.
    var unfinished: Int { (running == nil ? 0 : 1) + (waiting == nil ? 0 : 1) }

    /// Takes a frame, which supersedes a waiting one.
    mutating func take(_ job: Job) {
        var job = job
        if let waiting {
            superseded += 1
            job.reset = job.reset || waiting.reset
        }
        waiting = job
    }

    /// Begins the step of the waiting frame, unless a step is running.
    mutating func begin(at time: Int64, on device: inout SimulatedDevice, _ conditions: Conditions) {
        guard running == nil, let job = waiting else { return }
        waiting = nil
        if job.reset {
            active = warmingUp?.unit ?? active
            warmingUp = nil
        }
        let step = device.step(active, beside: warmingUp?.unit, conditions)
        running = (job, step, warmingUp != nil)
        busyUntil = time + max(1, step.whole)
    }

    /// Ends the running step.
    mutating func finish() -> Finished? {
        guard let (job, step, isShared) = running else { return nil }
        running = nil
        busyUntil = nil
        var answering: Int?
        if let (unit, since) = warmingUp, job.slotIndex - since >= Self.window {
            active = unit
            warmingUp = nil
            answering = unit
        }
        return Finished(job: job, step: step, isShared: isShared, answering: answering)
    }

    /// Another unit is to take over, warming up from the column after a slot.
    mutating func raise(_ unit: Int, after slotIndex: Int64) { warmingUp = (unit, slotIndex) }
}
