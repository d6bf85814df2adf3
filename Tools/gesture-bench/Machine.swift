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

    /// The largest resident set so far, in bytes.
    static var peakResidentBytes: Int { ProcessMemory.peakResident }
}
