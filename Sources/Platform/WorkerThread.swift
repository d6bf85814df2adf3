#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#endif

#if !canImport(Darwin) && (canImport(Glibc) || canImport(Musl) || canImport(Android))
    /// `pthread_setname_np`, which the headers show only to those who ask for GNU extensions.
    @_silgen_name("pthread_setname_np")
    private func setThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32
#endif

/// A thread that runs `body` after each `signal`, once for any number of signals that came meanwhile.
///
/// A thread of its own rather than a task: a frame has 8.3 ms, and the cooperative pool runs whatever else an app has
/// put there first. The thread owns `body` and what it captures until `stop`; nothing else does, so whoever is captured
/// must not own this object.
@safe
package final class WorkerThread: @unchecked Sendable {
    /// What the thread itself holds on to.
    ///
    /// Invariant: `mutex` guards `isSignalled` and `isStopping`; both are only looked at with it held.
    private final class Context: @unchecked Sendable {
        private let mutex = SystemMutex()
        private let change = SystemCondition()
        private var isSignalled = false
        private var isStopping = false
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func run() {
            while waitForSignal() { body() }
        }

        func signal() {
            mutex.lock()
            isSignalled = true
            change.signal()
            mutex.unlock()
        }

        func stop() {
            mutex.lock()
            isStopping = true
            change.signal()
            mutex.unlock()
        }

        private func waitForSignal() -> Bool {
            mutex.lock()
            defer { mutex.unlock() }
            while !isSignalled && !isStopping { change.wait(mutex) }
            isSignalled = false
            return !isStopping
        }
    }

    private let context: Context

    /// Runs `body` soon, from any thread.
    package func signal() { context.signal() }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        private let thread: pthread_t

        /// Starts the thread.
        /// - name: shown by debuggers and profilers, 15 ASCII characters at most.
        /// - Throws: what the system says that has no thread to give.
        package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            let context = Context(body)
            self.context = context
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let argument = unsafe Unmanaged.passRetained(context).toOpaque()
            let code = unsafe pthread_create(&thread, nil, { unsafe WorkerThread.main($0) }, argument)
            guard code == 0 else {
                unsafe Unmanaged<Context>.fromOpaque(argument).release()
                throw SystemError(code: code)
            }
            #if canImport(Darwin)
                unsafe self.thread = thread!
            #else
                self.thread = thread
                _ = unsafe name.withCString { unsafe setThreadName(thread, $0) }
            #endif
        }

        /// Ends the thread and waits for it; `body` runs to its end if it is running. From the thread itself, it does not
        /// wait. Call once.
        package func stop() {
            context.stop()
            if pthread_equal(pthread_self(), thread) != 0 {
                pthread_detach(thread)
            } else {
                pthread_join(thread, nil)
            }
        }

        #if canImport(Darwin) || canImport(Android)
            private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
                unsafe Unmanaged<Context>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }
        #else
            private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Context>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }
        #endif
    #else
        /// There are no threads here.
        package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            throw .unsupported
        }

        /// There are no threads here.
        package func stop() {}
    #endif
}

/// The thread that asks.
package enum CurrentThread {
    /// Sets how much it gives way to others, -20...19, of which the negative are root's to set. Does nothing where niceness
    /// belongs to whole processes, and where the system refuses.
    package static func setNiceness(_ niceness: Int32) {
        #if canImport(Glibc)
            // Zero is the calling thread, which Linux schedules by itself.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
    }
}
