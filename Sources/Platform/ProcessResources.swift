#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What the system gives this process for other programs and for itself.
package enum ProcessResources {
    /// A program, with its first arguments, that becomes another one which the system kills when its parent ends; nil
    /// where the system has none.
    ///
    /// Linux has a parent-death signal, PR_SET_PDEATHSIG of prctl(2), which `setpriv` sets. It is sent when the thread
    /// ends that started the program.
    package static var starterOfBoundPrograms: (path: String, arguments: [String])? {
        #if canImport(Glibc) || canImport(Musl)
            // In Debian it belongs to an essential package.
            let path = "/usr/bin/setpriv"
            return isExecutable(path) ? (path, ["--pdeathsig", "KILL", "--"]) : nil
        #else
            return nil
        #endif
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Whether this process may run the file.
        package static func isExecutable(_ path: String) -> Bool {
            unsafe PathText.withSystemPath(path) { unsafe access($0, X_OK) } == 0
        }

        /// Opens this many files and starts this many threads at once, then closes and ends them.
        ///
        /// The limits are RLIMIT_NOFILE and RLIMIT_NPROC. Libraries that trap or wait forever at a limit are called only
        /// if this succeeds. Another thread of the process may use them up meanwhile, so ask for more than is needed.
        /// - Throws: the system's error: `EMFILE` or `ENFILE` for files, `EAGAIN` for threads.
        package static func check(descriptors: Int, threads: Int) throws(SystemError) {
            try check(descriptors: descriptors)
            var workers: [WorkerThread] = []
            defer { for worker in workers { worker.stop() } }
            for _ in 0..<threads { workers.append(try WorkerThread(name: "check") {}) }
        }

        private static func check(descriptors: Int) throws(SystemError) {
            var opened: [Int32] = []
            defer { for descriptor in opened { close(descriptor) } }
            for _ in 0..<descriptors {
                let descriptor = unsafe open("/", OpenFile.nameOnly | O_CLOEXEC)
                guard descriptor >= 0 else { throw .last }
                opened.append(descriptor)
            }
        }
    #else
        /// This system starts no programs.
        package static func isExecutable(_ path: String) -> Bool { false }

        /// This system has no limits that a program could reach.
        package static func check(descriptors: Int, threads: Int) throws(SystemError) {}
    #endif
}
