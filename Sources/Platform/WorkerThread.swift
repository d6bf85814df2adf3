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
    /// `pthread_setname_np`, which the headers declare only with GNU extensions.
    @_silgen_name("pthread_setname_np")
    private func setThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

    /// `sched_setaffinity`, likewise.
    @_silgen_name("sched_setaffinity")
    private func setAffinity(_ thread: Int32, _ size: Int, _ cores: UnsafeRawPointer) -> Int32
#endif

/// A thread that runs `body` after each `signal`, once for all signals that arrived meanwhile.
///
/// It is a thread instead of a task, because a frame has 8.3 ms and the cooperative pool may be busy with an app's
/// other work. Only the thread owns `body` and its captures, until `stop`, so a captured object must not own this one.
@safe
package final class WorkerThread: @unchecked Sendable {
    /// The state that the thread itself retains.
    ///
    /// Invariant: `mutex` guards `isSignalled` and `isStopping`.
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

    /// Makes the thread run `body` soon; callable from any thread.
    package func signal() { context.signal() }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// The bits of a `pthread_t`, which is a pointer on Apple's systems and with musl, and a number elsewhere.
        private let thread: UInt

        /// Starts the thread.
        /// - name: shown by debuggers and profilers, at most 15 ASCII characters; unused on Apple's systems.
        /// - Throws: the system's error if it cannot create a thread.
        package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            let context = Context(body)
            self.context = context
            #if canImport(Darwin) || canImport(Musl)
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
            #if canImport(Darwin) || canImport(Musl)
                self.thread = UInt(bitPattern: thread)
            #else
                self.thread = UInt(truncatingIfNeeded: thread)
            #endif
            #if !canImport(Darwin)
                _ = unsafe name.withCString { unsafe setThreadName(handle, $0) }
            #endif
        }

        @unsafe private var handle: pthread_t {
            #if canImport(Darwin) || canImport(Musl)
                unsafe pthread_t(bitPattern: thread)!
            #else
                pthread_t(truncatingIfNeeded: thread)
            #endif
        }

        /// Ends the thread and waits for it; a running `body` is completed. Called from the thread itself, it does not
        /// wait. Call it once.
        package func stop() {
            context.stop()
            if unsafe pthread_equal(pthread_self(), handle) != 0 {
                unsafe pthread_detach(handle)
            } else {
                unsafe pthread_join(handle, nil)
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
        /// This system has no threads.
        package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
            throw .unsupported
        }

        /// This system has no threads.
        package func stop() {}
    #endif
}

/// The calling thread.
package enum CurrentThread {
    /// Sets its niceness, -20...19, of which only root may set negative values. Does nothing where niceness belongs to
    /// whole processes, or if the system refuses.
    package static func setNiceness(_ niceness: Int32) {
        #if canImport(Glibc)
            // Zero is the calling thread, which has its own niceness on Linux.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
    }

    /// Lets it run on one core only, counted from 0 as the system does.
    /// - Throws: the system's error, `EINVAL` for a core that is not there; `unsupported` where threads cannot be pinned.
    package static func pin(to core: Int) throws(SystemError) {
        #if !canImport(Darwin) && (canImport(Glibc) || canImport(Musl) || canImport(Android))
            guard (0..<coreLimit).contains(core) else { throw SystemError(code: EINVAL) }
            var cores = [UInt](repeating: 0, count: coreLimit / UInt.bitWidth)
            cores[core / UInt.bitWidth] = 1 << UInt(core % UInt.bitWidth)
            let result = unsafe cores.withUnsafeBytes { mask in
                unsafe setAffinity(0, mask.count, mask.baseAddress.unsafelyUnwrapped)
            }
            guard result == 0 else { throw .last }
        #else
            throw .unsupported
        #endif
    }

    /// Cores that a mask of the C library has room for.
    private static let coreLimit = 1024
}
