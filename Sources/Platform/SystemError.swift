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

/// A failure of the C library.
package struct SystemError: Error, Sendable, Equatable {
    /// The value of `errno`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The failure of the previous call.
    static var last: SystemError {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(WASILibc)
            SystemError(code: errno)
        #else
            .unsupported
        #endif
    }

    /// An operation that this system does not have. 38 is ENOSYS on Linux.
    static var unsupported: SystemError {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(WASILibc)
            SystemError(code: ENOSYS)
        #else
            SystemError(code: 38)
        #endif
    }

    /// The system's text for an `errno`.
    package static func reason(_ code: Int32) -> String {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(WASILibc)
            unsafe String(cString: strerror(code))
        #else
            "error \(code)"
        #endif
    }
}
