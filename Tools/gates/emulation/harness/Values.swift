/// A small generator with a fixed seed: the same vectors on every run.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Not exactly uniform, which does not matter here.
    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
}

/// How the numbers of a case are drawn.
enum Fill: Int {
    case random
    /// Largest codes and weights, of one sign.
    case allHigh
    case highLow
    /// Codes of 0: what a border holds.
    case zeroCodes
    /// Small sums times a half: every second result lies between two integers.
    case ties
    /// Biases as far out as the contract lets them be.
    case farBias

    static let count = 6

    func code(_ generator: inout SplitMix64) -> UInt8 {
        switch self {
        case .random, .farBias: UInt8(generator.below(256))
        case .allHigh, .highLow: 255
        case .zeroCodes: 0
        case .ties: UInt8(generator.below(4))
        }
    }

    func weight(_ generator: inout SplitMix64) -> Int8 {
        switch self {
        case .random, .zeroCodes, .farBias: Int8(generator.below(255) - 127)
        case .allHigh: 127
        case .highLow: -127
        case .ties: Int8(generator.below(5) - 2)
        }
    }
}

/// The parameters of one layer, before a tier packs them.
struct Parameters {
    var weights: [Int8]
    let bias: [Int32]
    let multiplier: [Float]
    let channels, depth: Int

    init(_ fill: Fill, channels: Int, depth: Int, _ generator: inout SplitMix64) {
        self.channels = channels
        self.depth = depth
        weights = [Int8](repeating: 0, count: channels * depth)
        var bias = [Int32](repeating: 0, count: channels)
        var multiplier = [Float](repeating: 0, count: channels)
        for n in 0..<channels {
            var (low, high) = (0, 0)
            for k in 0..<depth {
                let weight = fill.weight(&generator)
                weights[n * depth + k] = weight
                if weight < 0 { low += 255 * Int(weight) } else { high += 255 * Int(weight) }
            }
            switch fill {
            case .ties:
                bias[n] = Int32(generator.below(64) - 8)
                multiplier[n] = 0.5
            case .farBias:
                bias[n] = n % 2 == 0 ? Int32(2_147_483_647 - high) : Int32(-2_147_483_648 - low)
                multiplier[n] = Float(generator.below(1000) + 1) / 8_589_934_592
            default:
                bias[n] = Int32(generator.below(80_001) - 40_000)
                multiplier[n] = Float(generator.below(5000) + 100) / Float(100_000 * depth)
            }
        }
        self.bias = bias
        self.multiplier = multiplier
    }

    /// Parameters whose sums and results reach given bounds: what decides how a kernel may round.
    /// - sum: the largest sum of each channel, or with a negative sign the least one; 0 for a bias of 0.
    /// - value: the largest result before it is clamped, with either sign.
    init(_ fill: Fill, channels: Int, depth: Int, sum: Int, value: Float, _ generator: inout SplitMix64) {
        let drawn = Parameters(fill, channels: channels, depth: depth, &generator)
        self.channels = channels
        self.depth = depth
        weights = drawn.weights
        var bias = [Int32](repeating: 0, count: channels)
        var multiplier = [Float](repeating: 0, count: channels)
        for n in 0..<channels {
            var (low, high) = (0, 0)
            for k in 0..<depth {
                let product = 255 * Int(weights[n * depth + k])
                if product < 0 { low += product } else { high += product }
            }
            let offset = sum > 0 ? sum - high : (sum < 0 ? sum - low : 0)
            bias[n] = Int32(offset)
            let largest = max(high + offset, -low - offset)
            multiplier[n] = value / Float(max(largest, 1)) / (n % 4 == 3 ? 2 : 1)
        }
        self.bias = bias
        self.multiplier = multiplier
    }
}
