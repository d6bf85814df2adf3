/// A value behind a ticket lock: threads get it in the order in which they asked for it.
///
/// A released plain mutex goes to the thread that is running, which is the one that released it. A worker with a lot of
/// work would keep all other threads out, however short its steps are. Here each thread draws a number and waits until
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

    /// Runs `body` when all threads that asked before have had their turn. Must not be called from inside `body`.
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
