import Vocabulary

extension SplitMix64 {
    /// Times and latencies as no sound clock shows them.
    mutating func anyInt64() -> Int64 {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .min
        case 1: .max
        case 2: 0
        case 3: -1
        case 4: Int64(bitPattern: next())
        default: Int64.random(in: 0...100 * second, using: &self)
        }
    }

    /// Temperatures, charges and differences, sound and unsound.
    mutating func anyDouble() -> Double {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .nan
        case 1: .infinity
        case 2: -.infinity
        case 3: -274
        case 4: Double(bitPattern: next())
        default: Double.random(in: -10...60, using: &self)
        }
    }
}

let microsecond: Int64 = 1_000
let millisecond: Int64 = 1_000_000
let second: Int64 = 1_000_000_000

/// A slot of the 120 Hz grid, in whole nanoseconds.
let slot120: Int64 = 8_333_333
