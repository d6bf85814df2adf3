import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The first SIGINT, SIGTERM or SIGHUP of the process, a request to finish: reading a stream ends as at the
/// stream's end. The second signal ends the process.
package enum Interruption {
    private static let number = Atomic<Int32>(0)

    /// The received signal; nil before the first.
    package static var received: Int32? {
        let received = number.load(ordering: .relaxed)
        return received == 0 ? nil : received
    }

    /// Whether a signal was received.
    package static var hasCome: Bool { received != nil }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Handles the three signals from now on, except a SIGHUP that the process was started to ignore, as by
        /// `nohup`.
        package static func listen() {
            // Initialises the variable here, not in the signal handler.
            number.store(0, ordering: .relaxed)
            for number in [SIGINT, SIGTERM, SIGHUP] {
                let before = signal(number) { number in
                    Interruption.number.store(number, ordering: .relaxed)
                    _ = signal(number, SIG_DFL)
                }
                // SIG_IGN is 1 on all of these systems; function pointers cannot be compared.
                if number == SIGHUP, unsafe unsafeBitCast(before, to: Int.self) == 1 { _ = signal(number, SIG_IGN) }
            }
        }
    #else
        /// This system has no signals.
        package static func listen() {}
    #endif
}
