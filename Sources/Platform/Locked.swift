#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Android)
    package import Android
#elseif canImport(WASILibc)
    package import WASILibc
#endif

/// A lock of the C library. Without threads it does nothing.
///
/// The standard library's `Mutex` would serve as well, but on Linux ThreadSanitizer does not know its futex: it reports
/// every access that `Mutex` orders as a race, and a real race would be hidden among them.
@safe
package struct SystemMutex: ~Copyable {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        @usableFromInline let handle: UnsafeMutablePointer<pthread_mutex_t>

        @inlinable package init() {
            unsafe handle = .allocate(capacity: 1)
            unsafe handle.initialize(to: pthread_mutex_t())
            unsafe pthread_mutex_init(handle, nil)
        }

        @inlinable deinit {
            unsafe pthread_mutex_destroy(handle)
            unsafe handle.deinitialize(count: 1)
            unsafe handle.deallocate()
        }

        @inlinable package func lock() { unsafe pthread_mutex_lock(handle) }
        @inlinable package func unlock() { unsafe pthread_mutex_unlock(handle) }
    #else
        @inlinable package init() {}
        @inlinable package func lock() {}
        @inlinable package func unlock() {}
    #endif
}

/// A condition variable, used with the mutex that guards its state.
@safe
package struct SystemCondition: ~Copyable {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        @usableFromInline let handle: UnsafeMutablePointer<pthread_cond_t>

        @inlinable package init() {
            unsafe handle = .allocate(capacity: 1)
            unsafe handle.initialize(to: pthread_cond_t())
            unsafe pthread_cond_init(handle, nil)
        }

        @inlinable deinit {
            unsafe pthread_cond_destroy(handle)
            unsafe handle.deinitialize(count: 1)
            unsafe handle.deallocate()
        }

        /// Releases the mutex until it is signalled; may also return without a signal.
        @inlinable package func wait(_ mutex: borrowing SystemMutex) {
            unsafe pthread_cond_wait(handle, mutex.handle)
        }

        /// Wakes one waiting thread.
        @inlinable package func signal() { unsafe pthread_cond_signal(handle) }

        /// Wakes all waiting threads.
        @inlinable package func broadcast() { unsafe pthread_cond_broadcast(handle) }
    #else
        @inlinable package init() {}
        /// Without other threads the wait would never end.
        @inlinable package func wait(_ mutex: borrowing SystemMutex) {
            fatalError("this platform has no threads to wait for")
        }
        @inlinable package func signal() {}
        @inlinable package func broadcast() {}
    #endif
}

/// A value behind a lock of the C library (`SystemMutex`).
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let mutex = SystemMutex()
    @usableFromInline var value: Value

    @inlinable package init(_ value: consuming sending Value) { self.value = value }

    /// Runs `body` while no other thread runs one. Must not be called from inside `body`.
    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }

    /// Takes the lock beyond a scope, for `ProcessFork`; `unlock` gives it back.
    package func lock() { mutex.lock() }

    /// Gives back what `lock` took.
    package func unlock() { mutex.unlock() }
}

extension Locked {
    /// The value under a key, which `make` makes on first use while no other thread does. `make` must not come back here.
    @inlinable package func value<Key: Hashable, Made, Failure: Error>(
        for key: Key, make: () throws(Failure) -> Made
    ) throws(Failure) -> Made where Value == [Key: Made] {
        try withLock { values throws(Failure) in
            if let made = values[key] { return made }
            let made = try make()
            values[key] = made
            return made
        }
    }
}
