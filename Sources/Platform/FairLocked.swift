/// A value behind a ticket lock: threads get it in the order in which they asked.
///
/// A plain mutex goes to whoever is running when it is given back, which is the thread that gave it back: a worker that has
/// always more to do would keep everybody else out, however short its steps. Each thread here draws a number and waits until
/// it is served.
///
/// Invariant: `mutex` guards `drawn` and `served`; the value belongs to the thread whose number is `served`.
@safe
package final class FairLocked<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let mutex = SystemMutex()
    @usableFromInline let turn = SystemCondition()
    @usableFromInline var drawn: UInt64 = 0
    @usableFromInline var served: UInt64 = 0
    @usableFromInline var value: Value

    @inlinable package init(_ value: consuming sending Value) { self.value = value }

    /// Runs `body` when every thread that asked before has had its turn. Not to be entered again from inside.
    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        let number = drawn
        drawn += 1
        while served != number { turn.wait(mutex) }
        mutex.unlock()
        defer {
            mutex.lock()
            served += 1
            turn.broadcast()
            mutex.unlock()
        }
        return try body(&value)
    }
}
