#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

#if !canImport(Darwin)
    /// `pthread_setname_np`, which the headers show only to those who ask for GNU extensions.
    @_silgen_name("pthread_setname_np")
    private func setThreadName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32
#endif

/// A thread that runs `body` after each `signal`, once for any number of signals that came meanwhile.
///
/// A thread of its own rather than a task: a frame has 8.3 ms, and the cooperative pool runs whatever else an app has
/// put there first. The thread owns `body` and what it captures until `stop`; nothing else does, so whoever is captured
/// must not own this object.
///
/// Invariant: `mutex` guards `isSignalled` and `isStopping`; both are only looked at with it held.
@safe
final class WorkerThread: @unchecked Sendable {
    @unsafe
    private struct State {
        var mutex = unsafe pthread_mutex_t()
        var condition = pthread_cond_t()
        var isSignalled = false
        var isStopping = false
    }

    /// What the thread itself holds on to.
    @safe
    private final class Context: @unchecked Sendable {
        let state: UnsafeMutablePointer<State>
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
            unsafe state = .allocate(capacity: 1)
            unsafe state.initialize(to: State())
            unsafe pthread_mutex_init(&state.pointee.mutex, nil)
            unsafe pthread_cond_init(&state.pointee.condition, nil)
        }

        deinit {
            unsafe pthread_cond_destroy(&state.pointee.condition)
            unsafe pthread_mutex_destroy(&state.pointee.mutex)
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }

        func locked<Result>(_ action: (UnsafeMutablePointer<State>) -> Result) -> Result {
            unsafe pthread_mutex_lock(&state.pointee.mutex)
            defer { unsafe pthread_mutex_unlock(&state.pointee.mutex) }
            return unsafe action(state)
        }

        func run() {
            while waitForSignal() { body() }
        }

        private func waitForSignal() -> Bool {
            unsafe locked { state in
                while unsafe !state.pointee.isSignalled && !state.pointee.isStopping {
                    unsafe pthread_cond_wait(&state.pointee.condition, &state.pointee.mutex)
                }
                unsafe state.pointee.isSignalled = false
                return unsafe !state.pointee.isStopping
            }
        }
    }

    private let context: Context
    private let thread: pthread_t

    /// Starts the thread.
    /// - name: shown by debuggers and profilers, 15 ASCII characters at most.
    /// - Throws: `errno` of the system that has no thread to give.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(WorkerThreadError) {
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
            throw WorkerThreadError(code: code)
        }
        #if canImport(Darwin)
            unsafe self.thread = thread!
        #else
            self.thread = thread
            _ = unsafe name.withCString { unsafe setThreadName(thread, $0) }
        #endif
    }

    /// Runs `body` soon, from any thread.
    func signal() {
        unsafe context.locked { state in
            unsafe state.pointee.isSignalled = true
            unsafe pthread_cond_signal(&state.pointee.condition)
        }
    }

    /// Ends the thread and waits for it; `body` runs to its end if it is running. From the thread itself, it does not wait.
    /// Call once.
    func stop() {
        unsafe context.locked { state in
            unsafe state.pointee.isStopping = true
            unsafe pthread_cond_signal(&state.pointee.condition)
        }
        if pthread_equal(pthread_self(), thread) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    #if canImport(Darwin)
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
}

/// No thread could be made. `code` is what `pthread_create` returned.
struct WorkerThreadError: Error {
    let code: Int32
}
