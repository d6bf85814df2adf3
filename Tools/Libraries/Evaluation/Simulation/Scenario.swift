import Scheduling

/// A simulated session: a device, its camera, and the conditions over time. Times are seconds from the start.
package struct Scenario: Codable, Sendable, Equatable {
    package var name: String
    /// What the scenario shows, in a sentence.
    package var about = ""
    /// The length of the session, 1...86,400.
    package var seconds: Double
    /// Slots a second of the stream's declared rate: 30, 60 or 120.
    package var rate = 120
    package var camera = CameraModel()
    package var device = ThrottleModel()
    /// If two phases contradict each other, the later one in this list holds.
    package var phases: [Phase] = []

    package init(name: String, about: String = "", seconds: Double) {
        self.name = name
        self.about = about
        self.seconds = seconds
    }

    /// A condition that holds from one time to another.
    package struct Phase: Codable, Sendable, Equatable {
        package var from: Double
        /// Above `from`.
        package var to: Double
        package var condition: Condition

        package init(from: Double, to: Double, _ condition: Condition) {
            self.from = from
            self.to = to
            self.condition = condition
        }
    }

    package enum Condition: Codable, Sendable, Equatable {
        /// The camera delivers another rate than its own.
        case camera(framesPerSecond: Double)
        /// The camera delivers nothing.
        case stalled
        /// The app is in the background; here, too, the camera delivers nothing.
        case background
        /// Another program uses the same core: steps of one compute unit, or of all, take this many milliseconds.
        case contention(unit: Int?, least: Double, most: Double)
        /// Nothing moves in front of the camera.
        case still
        /// Another temperature around the device, for example in the sun.
        case ambient(celsius: Double)
    }
}

/// The camera. Frames during a stall are lost; later timestamps are as if they had been delivered.
package struct CameraModel: Codable, Sendable, Equatable {
    /// The rate that it really delivers, 1...1000.
    package var framesPerSecond = 120.0
    /// The largest deviation of a timestamp, to either side; 0...100.
    package var jitterMilliseconds = 0.3

    package init() {}
}

/// Why a scenario cannot be simulated.
package enum ScenarioError: Error, Sendable, Equatable {
    /// The file at a path cannot be read.
    case unreadable(path: String)
    /// Not JSON at all.
    case notJSON
    /// A required key is missing.
    case missing(key: String)
    /// A value is not of its key's type.
    case malformed(key: String)
    /// A key that scenarios do not have.
    case unknown(key: String)
    /// No frame grid has this rate.
    case rate(Int)
    /// A value is not a number or outside its range.
    case outOfRange(key: String, value: Double, allowed: ClosedRange<Double>)
    /// The first value is not below the second.
    case notAscending(String, String)
}

extension Scenario {
    /// The same scenario at another declared rate, with the camera's rates in proportion.
    package func paced(at rate: Int) -> Scenario {
        let ratio = Double(rate) / Double(self.rate)
        var scenario = self
        scenario.rate = rate
        scenario.camera.framesPerSecond *= ratio
        for (index, phase) in phases.enumerated() {
            guard case .camera(let framesPerSecond) = phase.condition else { continue }
            scenario.phases[index].condition = .camera(framesPerSecond: framesPerSecond * ratio)
        }
        return scenario
    }

    private static let phaseLimit = 10_000.0

    /// Checks every value and throws the first fault.
    package func validate() throws(ScenarioError) {
        try check("seconds", seconds, 1...86_400)
        guard PacingConfiguration.Rate(rawValue: rate) != nil else { throw .rate(rate) }
        try check("camera.framesPerSecond", camera.framesPerSecond, 1...1000)
        try check("camera.jitterMilliseconds", camera.jitterMilliseconds, 0...100)
        try device.validate()
        try check("phases", Double(phases.count), 0...Self.phaseLimit)
        for (index, phase) in phases.enumerated() {
            let key = "phases[\(index)]"
            try check(key + ".from", phase.from, 0...86_400)
            try check(key + ".to", phase.to, 0...86_400)
            guard phase.from < phase.to else { throw .notAscending(key + ".from", key + ".to") }
            try validate(phase.condition, key + ".condition")
        }
    }

    private func validate(_ condition: Condition, _ key: String) throws(ScenarioError) {
        switch condition {
        case .camera(let framesPerSecond): try check(key + ".framesPerSecond", framesPerSecond, 1...1000)
        case .ambient(let celsius): try check(key + ".celsius", celsius, -50...100)
        case .contention(let unit, let least, let most):
            if let unit { try check(key + ".unit", Double(unit), 0...Double(device.units.count - 1)) }
            try check(key + ".least", least, 0...10_000)
            try check(key + ".most", most, 0...10_000)
            guard least <= most else { throw .notAscending(key + ".least", key + ".most") }
        case .stalled, .background, .still: break
        }
    }
}

func check(_ key: String, _ value: Double, _ allowed: ClosedRange<Double>) throws(ScenarioError) {
    guard allowed.contains(value) else { throw .outOfRange(key: key, value: value, allowed: allowed) }
}

/// Whole nanoseconds of a time in seconds, at most a day; the caller checks this.
func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

/// Seconds of nanoseconds.
func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
