import Vocabulary

/// A camera on its way through time.
struct SimulatedCamera {
    private let jitter: Double
    private var ideal: Int64 = 0
    private var chance: SplitMix64

    /// When the next frame is there.
    private(set) var arrival: Int64
    /// When the next frame was taken.
    private(set) var timestamp: Int64 = 0

    init(_ model: CameraModel, chance: SplitMix64) {
        jitter = model.jitterMilliseconds
        self.chance = chance
        arrival = 0
        place()
    }

    /// The next frame is taken, a period later.
    mutating func advance(_ conditions: Conditions) {
        ideal += nanoseconds(1 / conditions.framesPerSecond)
        place()
    }

    /// Frames are there when the latest of their possible times has come, so that they come in their order.
    private mutating func place() {
        let reach = nanoseconds(jitter / 1e3)
        timestamp = ideal + reach + Int64(chance.between(-1, 1) * Double(reach))
        arrival = ideal + 2 * reach
    }
}
