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
        let gaveWay = work?.merge(next) == true
        if gaveWay { superseded += 1 }
        return gaveWay
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
