import Foundation
import Platform

/// Properties of the machine and of this process.
enum Machine {
    /// The CPU's name, as reported by the system.
    static var cpuModel: String { Processor.model ?? "unknown" }

    /// The cores of the machine.
    static var cores: Int { ProcessInfo.processInfo.processorCount }

    /// The current resident set, in bytes; nil if the system does not report it.
    static var residentBytes: Int? { ProcessMemory.resident }

    /// The mean number of runnable threads of the machine in the last minute; nil if the system does not tell.
    static var load: Double? {
        var load = 0.0
        return unsafe getloadavg(&load, 1) == 1 ? load : nil
    }

    /// Seconds of processor time that this process has used, over all cores.
    static var processorSeconds: Double {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Open descriptors of this process; nil if the system does not tell.
    static var descriptors: Int? {
        // The listing has a descriptor itself while it is read.
        names(in: "/proc/self/fd").map { $0.count - 1 }
    }

    /// Threads of this process with one of these names; nil if the system does not tell.
    static func threads(named wanted: Set<String>) -> Int? {
        names(in: "/proc/self/task")?.count { task in
            // A thread that has ended meanwhile has no name.
            guard let file = try? OpenFile(reading: "/proc/self/task/\(task)/comm"), let bytes = try? file.readBytes(64)
            else { return false }
            return wanted.contains(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" })
        }
    }

    private static func names(in folder: String) -> [String]? {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return nil }
    }

    /// The largest resident set so far, in bytes.
    static var peakResidentBytes: Int { ProcessMemory.peakResident }
}
