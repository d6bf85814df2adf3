#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The processor, as described by the operating system.
package enum Processor {
    /// Instruction sets that a process may use, with Linux's names; empty if the system does not report it.
    ///
    /// The system must save their registers: Linux leaves the others out of `/proc/cpuinfo`.
    package static func features() -> Set<String> {
        #if canImport(Darwin) && arch(arm64)
            let names = ["asimddp": "hw.optional.arm.FEAT_DotProd", "i8mm": "hw.optional.arm.FEAT_I8MM"]
            return Set(names.filter { isSet($0.value) }.keys)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            let line = entry { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
            return Set(line?.split(separator: " ").map(String.init) ?? [])
        #else
            return []
        #endif
    }

    /// The processor's name; nil if the system does not report it.
    package static var model: String? {
        #if canImport(Darwin)
            return "Apple"
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            return entry { $0.hasPrefix("model name") }
        #else
            return nil
        #endif
    }

    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// The text after the last colon of the first matching line, without leading spaces. The first processor's
        /// entry suffices and is shorter than 8 KiB.
        private static func entry(where matches: (Substring) -> Bool) -> String? {
            guard let file = try? OpenFile(reading: "/proc/cpuinfo"), let bytes = try? file.readBytes(8192)
            else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            let line = text.split(separator: "\n").first(where: matches)
            return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
        }
    #elseif canImport(Darwin)
        private static func isSet(_ name: String) -> Bool {
            var value: Int32 = 0
            var size = MemoryLayout<Int32>.size
            return unsafe sysctlbyname(name, &value, &size, nil, 0) == 0 && value == 1
        }
    #endif
}

/// The memory of this process.
package enum ProcessMemory {
    /// The current resident set, in bytes; nil if the system does not report it.
    package static var resident: Int? {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            guard let file = try? OpenFile(reading: "/proc/self/statm"), let bytes = try? file.readBytes(256)
            else { return nil }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
            return nil
        #endif
    }

    /// The largest resident set so far, in bytes; 0 if the system does not report it.
    package static var peakResident: Int {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            return Int(ProcessUsage.now.ru_maxrss) * 1024
        #elseif canImport(Darwin)
            return ProcessUsage.now.ru_maxrss
        #else
            return 0
        #endif
    }
}

/// The times at which the system took a core away from this process.
package enum ProcessSwitches {
    /// Switches so far of all threads, which the process did not ask for; nil if the system does not count them.
    package static var involuntary: Int? {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
            return Int(ProcessUsage.now.ru_nivcsw)
        #else
            return nil
        #endif
    }
}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private enum ProcessUsage {
        /// What the system has counted of this process.
        static var now: rusage {
            var usage = rusage()
            #if canImport(Glibc)
                _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            #else
                _ = unsafe getrusage(RUSAGE_SELF, &usage)
            #endif
            return usage
        }
    }
#endif
