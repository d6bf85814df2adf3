#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Failures of the C library.
package enum SystemError {
    /// The system's words for an `errno`.
    package static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
