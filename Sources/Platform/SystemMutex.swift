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

/// A lock of the C library. Where there are no threads it does nothing.
///
/// The standard library's `Mutex` would do as well, but on Linux it is a futex of its own, which ThreadSanitizer does not
/// know: it reports every access that `Mutex` orders as a race, and a real one would be lost among them.
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

/// A condition that threads wait for, with a mutex that guards what it is about.
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

        /// Gives the mutex back until it is signalled; may return for no reason.
        @inlinable package func wait(_ mutex: borrowing SystemMutex) {
            unsafe pthread_cond_wait(handle, mutex.handle)
        }

        /// Wakes one that waits.
        @inlinable package func signal() { unsafe pthread_cond_signal(handle) }

        /// Wakes all that wait.
        @inlinable package func broadcast() { unsafe pthread_cond_broadcast(handle) }
    #else
        @inlinable package init() {}
        /// Nobody else could end the wait.
        @inlinable package func wait(_ mutex: borrowing SystemMutex) { fatalError("a wait without threads") }
        @inlinable package func signal() {}
        @inlinable package func broadcast() {}
    #endif
}
