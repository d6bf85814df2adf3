package import Frames

/// Work that can be merged with the work that follows it.
package protocol MergedWork: Sendable {
    /// Whether there is a frame in it.
    var hasFrame: Bool { get }

    /// Merges the work that follows. Returns whether this work's frame is dropped for it.
    mutating func merge(_ next: Self) -> Bool
}

/// A mailbox of depth one between the threads that push frames and the thread that processes them.
///
/// Work that waits is merged with the work that follows, and the newest frame wins: a frame that has waited is old, and
/// a longer queue would grow with every stall.
package struct Mailbox<Work: MergedWork>: Sendable {
    /// The work that waits; nil without work.
    package private(set) var work: Work?
    /// Frames that were dropped while they waited.
    package private(set) var superseded = 0
    /// Whether later frames are refused.
    package private(set) var isClosed = false

    package init() {}

    /// Adds work. Returns whether a waiting frame is dropped for it.
    package mutating func add(_ next: Work) -> Bool {
        guard work != nil else {
            work = next
            return false
        }
        let wasSuperseded = work?.merge(next) == true
        if wasSuperseded { superseded += 1 }
        return wasSuperseded
    }

    /// Takes the waiting work out.
    package mutating func take() -> Work? {
        defer { work = nil }
        return work
    }

    /// Drops the waiting work.
    package mutating func discard() {
        if work?.hasFrame == true { superseded += 1 }
        work = nil
    }

    /// Refuses all later frames. Waiting work can still be taken.
    package mutating func close() { isClosed = true }
}

/// Decides which of the pushed frames become work: the intake of a stream, live or not.
package protocol FrameGate: ~Copyable, SendableMetatype {
    /// A piece of work, without its frame.
    associatedtype Work: MergedWork

    /// The state that properties of a stream report.
    associatedtype Status: Sendable

    var status: Status { get }

    /// Forgets every frame.
    mutating func forget()
}

/// The intake of a live stream: a gate, the work that waits for the stream's own thread, and a copy of its frame.
package struct LiveIntake<Gate: FrameGate & ~Copyable>: ~Copyable {
    package var gate: Gate
    private var frames = StagedFrames()
    private var mailbox = Mailbox<Gate.Work>()

    package init(_ gate: consuming Gate) { self.gate = gate }

    /// Frames that newer ones replaced while they waited.
    package var superseded: Int { mailbox.superseded }

    /// Lets the gate decide about a frame, and keeps a copy of the frame if it becomes work.
    /// - Parameters:
    ///   - closed: the outcome after `close`.
    ///   - decide: the gate's decision, and the work, if there is any.
    ///   - superseded: called with that work if it replaces a frame that waited.
    package mutating func accept<Outcome>(
        _ frame: borrowing PixelView, closed: Outcome,
        _ decide: (inout Gate) -> (outcome: Outcome, work: Gate.Work?), superseded: (inout Gate, Gate.Work) -> Void
    ) -> Outcome {
        guard !mailbox.isClosed else { return closed }
        let (outcome, work) = decide(&gate)
        guard let work else { return outcome }
        if work.hasFrame { frames.keep(copyOf: frame) }
        if mailbox.add(work) { superseded(&gate, work) }
        return outcome
    }

    /// The waiting work and its staged frame, unchanged until the next call; nil without work.
    package mutating func take() -> (work: Gate.Work, frame: StagedFrame?)? {
        guard let work = mailbox.take() else { return nil }
        return (work, work.hasFrame ? frames.publish() : nil)
    }

    /// Refuses all later frames. Waiting work can still be taken.
    package mutating func close() { mailbox.close() }

    /// Forgets every frame. All work must be done, so that no frame is read.
    package mutating func forget() {
        mailbox.discard()
        frames.release()
        gate.forget()
    }
}
