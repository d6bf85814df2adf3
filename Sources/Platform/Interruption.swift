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

/// The first SIGINT, SIGTERM or SIGHUP of the process, which asks it to finish what it does: reading a stream ends as if the
/// stream did. The second one ends the process.
package enum Interruption {
    private static let number = Atomic<Int32>(0)

    /// The signal that has come; nil before it.
    package static var received: Int32? {
        let received = number.load(ordering: .relaxed)
        return received == 0 ? nil : received
    }

    /// Whether it has come.
    package static var hasCome: Bool { received != nil }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Takes the three signals from now on, but for a SIGHUP that the process was started to ignore, as by `nohup`.
        package static func listen() {
            // Made here, and not by the first signal.
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
        /// There are no signals on this system.
        package static func listen() {}
    #endif
}
