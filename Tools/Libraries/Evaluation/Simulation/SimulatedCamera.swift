import Vocabulary

/// The state of a scenario's camera.
struct SimulatedCamera {
    private let jitter: Double
    private var ideal: Int64 = 0
    private var chance: SplitMix64

    /// The time at which the next frame arrives.
    private(set) var arrival: Int64
    /// The next frame's timestamp.
    private(set) var timestamp: Int64 = 0

    init(_ model: CameraModel, chance: SplitMix64) {
        jitter = model.jitterMilliseconds
        self.chance = chance
        arrival = 0
        place()
    }

    /// Moves on to the next frame, a period later.
    mutating func advance(_ conditions: Conditions) {
        ideal += nanoseconds(1 / conditions.framesPerSecond)
        place()
    }

    /// A frame arrives at the latest of its possible timestamps, so that frames arrive in order.
    private mutating func place() {
        let reach = nanoseconds(jitter / 1e3)
        timestamp = ideal + reach + Int64(chance.between(-1, 1) * Double(reach))
        arrival = ideal + 2 * reach
    }
}
