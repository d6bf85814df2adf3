import Enrolment
import Vocabulary

/// A model made of Gaussians in a few features, whose logits are those of the true posterior: enrolment's result can be known.
struct SyntheticModel {
    static let width = 24
    static let identity = String(repeating: "0123456789abcdef", count: 4)
    let base = EnrolmentBase(
        identity: identity, labels: ["left", "right", "null"], nullIndex: 2, featureCount: width)
    /// Standard deviation of every feature within a class.
    var deviation: Float = 0.25
    /// Factor of the logits: 1 is the true posterior, less a model that is less sure.
    var sharpness: Float = 1
    private(set) var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Means of the model's classes: `distance` deviations away from null's along a feature of their own.
    func mean(_ classIndex: Int) -> [Float] {
        var mean = [Float](repeating: 2, count: Self.width)
        if classIndex < 2 { mean[classIndex] += 8 * deviation }
        return mean
    }

    /// A mean `distance` deviations from null's along `feature`.
    func mean(feature: Int, distance: Float) -> [Float] {
        var mean = mean(2)
        mean[feature] += distance * deviation
        return mean
    }

    mutating func column(_ mean: [Float]) -> [Float] {
        mean.map { min(max($0 + deviation * Float(random.normal()), 0), 6) }
    }

    /// Log of each class's density, but for a common constant.
    func logits(_ column: [Float]) -> [Float] {
        (0..<3).map { classIndex in
            let square = zip(column, mean(classIndex)).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            return -sharpness * square / (2 * deviation * deviation)
        }
    }

    /// Rest, a gesture, rest.
    mutating func recording(
        _ mean: [Float], rest: Int = 30, slots: Int = 30, gesture: Range<Int>? = nil
    ) throws -> GestureRecording {
        var features: [Float] = []
        var scores: [Float] = []
        for slot in 0..<2 * rest + slots {
            let column = column((rest..<rest + slots).contains(slot) ? mean : self.mean(2))
            features += column
            scores += logits(column)
        }
        return try GestureRecording(
            features: features, logits: scores, featureCount: Self.width, classCount: 3, gesture: gesture)
    }

    mutating func recordings(
        _ count: Int, _ mean: [Float], rest: Int = 30, slots: Int = 30, gesture: Range<Int>? = nil
    ) throws -> [GestureRecording] {
        var recordings: [GestureRecording] = []
        for _ in 0..<count { recordings.append(try recording(mean, rest: rest, slots: slots, gesture: gesture)) }
        return recordings
    }

    mutating func bank() throws -> FeatureBank {
        var builder = try FeatureBankBuilder(base: base, columnsPerClass: 32, nullColumns: 96)
        for index in 0..<600 {
            let classIndex = index % 3
            let column = column(mean(classIndex))
            builder.add(column, logits: logits(column), classIndex: classIndex)
        }
        return builder.build()
    }
}

extension SplitMix64 {
    /// A normal number as the sum of twelve uniform ones.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
}
