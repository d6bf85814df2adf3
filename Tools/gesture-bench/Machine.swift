import Platform

/// What this process knows of the machine and of itself.
enum Machine {
    /// The CPU's name, as the system tells it.
    static var cpuModel: String { Processor.model ?? "unknown" }

    /// The resident set now, in bytes; nil where the system does not tell.
    static var residentBytes: Int? { ProcessMemory.resident }

    /// The largest resident set so far, in bytes.
    static var peakResidentBytes: Int { ProcessMemory.peakResident }
}
