#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The copies that `fork` makes of a process. Only the thread that calls it goes on in the child.
package enum ProcessFork {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// The number of the calling process, which a child does not have from its parent.
        package static var processID: Int32 { getpid() }

        /// Calls `before` ahead of every fork, and `after` behind it in the parent and in the child, on the thread that
        /// forks.
        package static func handle(
            before: @escaping @convention(c) () -> Void, after: @escaping @convention(c) () -> Void
        ) {
            pthread_atfork(before, after, after)
        }
    #else
        /// This system has one process.
        package static var processID: Int32 { 0 }

        /// This system never forks.
        package static func handle(
            before: @escaping @convention(c) () -> Void, after: @escaping @convention(c) () -> Void
        ) {}
    #endif
}
