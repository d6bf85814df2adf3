#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What this CPU can run, by the names Linux gives it.
struct CPUFeatures: Sendable {
    private let flags: Set<String>

    init(flags: Set<String>) { self.flags = flags }

    /// Asks the system. Linux lists, in `/proc/cpuinfo`, only what the kernel also saves for a process.
    static let current = CPUFeatures(flags: readFlags())

    func has(_ names: String...) -> Bool { names.allSatisfy(flags.contains) }

    private static func readFlags() -> Set<String> {
        #if os(Linux)
            let descriptor = unsafe open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return [] }
            defer { close(descriptor) }
            // The first processor's entry is enough, and shorter than this.
            var bytes = [UInt8](repeating: 0, count: 8192)
            var count = 0
            while count < bytes.count {
                let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe read(descriptor, buffer.baseAddress! + count, buffer.count - count)
                }
                guard got > 0 else { break }
                count += got
            }
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
            return Set(line?.split(separator: ":").last?.split(separator: " ").map(String.init) ?? [])
        #else
            return []
        #endif
    }
}
