/// How much the machine disturbed a measurement, and whether that is too much; property names are the JSON keys.
///
/// Between the timed frames a fixed loop of multiplications is timed, which needs neither memory nor the system. Its
/// times differ where the clock of the core changes, another program takes the core, or another thread shares it. The
/// system also counts how often it took the core away.
package struct MachineNoise: Codable, Sendable, Equatable {
    /// The median time of the loop, in microseconds.
    package let loop_p50_us: Double
    /// The 90th percentile of the loop's times over the 10th, less 1; 0 on a machine that does nothing else.
    package let loop_spread: Double
    /// Involuntary context switches of this process a second; absent if the system does not count them.
    package let switches_per_second: Double?
    package let is_noisy: Bool

    package static let spreadLimit = 0.1
    package static let switchLimit = 50.0

    /// - loop: the times of the loop in nanoseconds.
    /// - switches: in the whole measurement, which took so many seconds.
    package init(loop: [Int64], switches: Int?, seconds: Double) {
        let sorted = loop.sorted()
        let (low, high) = (percentile(10, ascending: sorted) ?? 0, percentile(90, ascending: sorted) ?? 0)
        loop_p50_us = Double(percentile(50, ascending: sorted) ?? 0) / 1000
        loop_spread = low > 0 ? Double(high) / Double(low) - 1 : 0
        switches_per_second = seconds > 0 ? switches.map { Double($0) / seconds } : nil
        is_noisy = loop_spread > Self.spreadLimit || (switches_per_second ?? 0) > Self.switchLimit
    }

    /// A clause for each limit that was exceeded.
    package var reasons: [String] {
        var reasons: [String] = []
        if loop_spread > Self.spreadLimit {
            reasons.append(
                "a fixed loop took up to \(fixed(100 * loop_spread, 0)) % longer at times "
                    + "(limit \(fixed(100 * Self.spreadLimit, 0)) %)")
        }
        if let switches = switches_per_second, switches > Self.switchLimit {
            reasons.append(
                "the system took the core away \(fixed(switches, 0)) times a second "
                    + "(limit \(fixed(Self.switchLimit, 0)))")
        }
        return reasons
    }

    /// For a report: a sentence about a machine that is noisy, or about one that is not.
    package var sentence: String {
        guard is_noisy else {
            let switches = switches_per_second.map { ", \(fixed($0, 0)) involuntary switches a second" } ?? ""
            return "The machine was quiet: a fixed loop varied by \(fixed(100 * loop_spread, 1)) %\(switches)."
        }
        return "The machine is noisy: " + reasons.joined(separator: ", and ") + "."
    }
}

/// How a measurement was made, so that another can be made alike; property names are the JSON keys.
package struct TimingConditions: Codable, Sendable, Equatable {
    /// The arguments that repeat the measurement.
    package let options: [String]
    package let cores: Int
    package let pinned_core: Int?
    /// How long the timed frames took together with what lies between them.
    package let seconds: Double
    /// The interval of frames at the measured rate, in microseconds.
    package let deadline_us: Double
    /// Steps that took longer.
    package let deadline_misses: Int
    package let noise: MachineNoise

    package init(
        options: [String], cores: Int, pinnedCore: Int?, seconds: Double, deadline: Duration, misses: Int,
        noise: MachineNoise
    ) {
        self.options = options
        self.cores = cores
        pinned_core = pinnedCore
        self.seconds = seconds
        deadline_us = deadline / .microseconds(1)
        deadline_misses = misses
        self.noise = noise
    }

    /// A sentence for a report.
    /// - steps: all timed ones.
    package func deadlineSentence(steps: Int) -> String {
        let share = steps > 0 ? Double(deadline_misses) / Double(steps) : 0
        return "\(deadline_misses) of \(steps) steps (\(fixed(100 * share, 2)) %) took longer than a frame, "
            + "\(fixed(deadline_us / 1000, 2)) ms"
    }
}
