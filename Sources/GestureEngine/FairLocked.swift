#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A value behind a ticket lock: threads get it in the order in which they asked.
///
/// A plain mutex goes to whoever is running when it is given back, which is the thread that gave it back: a worker that has
/// always more to do would keep everybody else out, however short its steps. Each thread here draws a number and waits until
/// it is served.
///
/// Invariant: `mutex` guards `drawn` and `served`; the value belongs to the thread whose number is `served`.
@safe
final class FairLocked<Value: ~Copyable>: @unchecked Sendable {
    @unsafe
    private struct Queue {
        var mutex = unsafe pthread_mutex_t()
        var condition = pthread_cond_t()
        var drawn: UInt64 = 0
        var served: UInt64 = 0
    }

    private let queue: UnsafeMutablePointer<Queue>
    private var value: Value

    init(_ value: consuming sending Value) {
        unsafe queue = .allocate(capacity: 1)
        unsafe queue.initialize(to: Queue())
        unsafe pthread_mutex_init(&queue.pointee.mutex, nil)
        unsafe pthread_cond_init(&queue.pointee.condition, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_cond_destroy(&queue.pointee.condition)
        unsafe pthread_mutex_destroy(&queue.pointee.mutex)
        unsafe queue.deinitialize(count: 1)
        unsafe queue.deallocate()
    }

    /// Runs `body` when every thread that asked before has had its turn. Not to be entered again from inside.
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(&queue.pointee.mutex)
        let number = unsafe queue.pointee.drawn
        unsafe queue.pointee.drawn += 1
        while unsafe queue.pointee.served != number {
            unsafe pthread_cond_wait(&queue.pointee.condition, &queue.pointee.mutex)
        }
        unsafe pthread_mutex_unlock(&queue.pointee.mutex)
        defer {
            unsafe pthread_mutex_lock(&queue.pointee.mutex)
            unsafe queue.pointee.served += 1
            unsafe pthread_cond_broadcast(&queue.pointee.condition)
            unsafe pthread_mutex_unlock(&queue.pointee.mutex)
        }
        return try body(&value)
    }
}
