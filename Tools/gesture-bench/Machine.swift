import Foundation

/// What this process knows of the machine and of itself.
enum Machine {
    /// The CPU's name, as the system tells it.
    static var cpuModel: String {
        #if os(Linux)
            let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
            return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        #else
            return "Apple"
        #endif
    }

    /// The resident set now, in bytes; nil where the system does not tell.
    static var residentBytes: Int? {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The largest resident set so far, in bytes.
    static var peakResidentBytes: Int {
        var usage = rusage()
        #if os(Linux)
            _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss * 1024
        #else
            _ = unsafe getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }
}
