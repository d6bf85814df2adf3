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
