import Vocabulary

/// A disturbance of a soak.
package enum SoakFault: String, Codable, Sendable, CaseIterable {
    /// A camera gives nothing for a while; then time has jumped.
    case stall
    /// A camera gives many frames at once.
    case burst
    /// Frames whose time or shape is refused.
    case badFrames = "bad frames"
    /// Frames of another size.
    case frameSize = "frame size"
    /// Sensors of heat and battery fail, give nonsense, or say that the device is hot.
    case sensorErrors = "sensor errors"
    /// Other threads take the cores.
    case busyCores = "busy cores"
    /// All models are loaded anew, and the streams that change are made of them.
    case modelReload = "model reload"
    /// More streams are made, used and dropped, some of them before they have finished.
    case moreStreams = "more streams"
    /// Listeners stop reading.
    case slowListeners = "slow listeners"
    /// Browsers open the page and its session, also by halves, and leave.
    case pageConnections = "page connections"
    /// A stream is reset while frames come.
    case reset
}

/// The faults of a soak, the same for the same seed.
///
/// A soak goes in cycles. Each cycle has every fault once, at a time of its own, and then a quiet stretch without any,
/// in which memory, descriptors, allocations and latency are measured.
package struct SoakPlan: Sendable {
    package struct Entry: Sendable, Equatable {
        package let fault: SoakFault
        /// Seconds since the cycle began.
        package let begin: Double
        package let end: Double
        /// For the choices within the fault.
        package let seed: UInt64
    }

    /// The share of a cycle after which no fault lasts.
    package static let quietShare = 0.7

    package let seed: UInt64
    /// Seconds of a cycle.
    package let cycle: Double

    package init(seed: UInt64, cycle: Double) {
        self.seed = seed
        self.cycle = cycle
    }

    /// The faults of a cycle, in the order of their beginning.
    package func entries(ofCycle index: Int) -> [Entry] {
        var random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
        return SoakFault.allCases.map { fault in
            let length = Self.share(of: fault) * cycle
            // A new model at the end of the faults would make the quiet stretch begin with its first frames.
            let latest = (fault == .modelReload ? 0.5 : Self.quietShare) * cycle - length
            let begin = 0.02 * cycle + random.unit() * (latest - 0.02 * cycle)
            return Entry(fault: fault, begin: begin, end: begin + length, seed: random.next())
        }.sorted { $0.begin < $1.begin }
    }

    /// How long a fault lasts, in cycles; 0 for one that is over at once.
    private static func share(of fault: SoakFault) -> Double {
        switch fault {
        case .stall: 0.15
        case .sensorErrors: 0.2
        case .busyCores: 0.05
        case .slowListeners: 0.25
        case .burst, .badFrames, .frameSize, .modelReload, .moreStreams, .pageConnections, .reset: 0
        }
    }
}
