import BodyTracking
import Platform

/// Extrapolates points that cannot be trusted.
///
/// A point is extrapolated if its visibility is below its minimum, if it is not finite or absurdly far, or if its body is
/// only held. It moves on from its last trusted position at its last speed, which decays with a time constant of 100 ms.
/// So it moves by at most 0.1 s of that speed. Only earlier frames count, so no result waits for a later one. A point
/// that was never trusted stays where the network put it.
struct PointRepair: Sendable {
    private static let speedDecay = 0.1
    /// A speed is computed from two trusted positions that are at most this far apart, in seconds.
    private static let speedGap = 0.35
    /// Largest coordinate of a point, in frames or metres: averages never recover from larger ones.
    private static let maximumCoordinate: Float = 1_000

    private struct PointState {
        var place = SIMD3<Float>.zero
        var speed = SIMD3<Float>.zero

        mutating func move(to point: SIMD3<Float>, after gap: Double?) {
            if let gap {
                let share = Float(1 - Math.exponential(-gap / PointRepair.speedDecay))
                speed += share * ((point - place) / Float(gap) - speed)
            } else {
                speed = .zero
            }
            place = point
        }

        func extrapolated(after age: Double) -> SIMD3<Float> {
            place + speed * Float(PointRepair.speedDecay * (1 - Math.exponential(-age / PointRepair.speedDecay)))
        }
    }

    private var landmarks = [PointState](repeating: PointState(), count: TrackedBody.Points.count)
    private var worldLandmarks = [PointState](repeating: PointState(), count: TrackedBody.Points.count)
    /// Seconds since each point was seen; nil before that.
    private var ages = [Double?](repeating: nil, count: TrackedBody.Points.count)
    private let minima: [Float]
    private let limit: Double

    /// Points of the latest frame whose position was extrapolated, or that were never seen.
    private(set) var interpolated = BodyJointSet()
    /// Points that were seen within `limit`.
    private(set) var measured = BodyJointSet()
    /// Points that are visible for the first time, or again after they counted as not measured: their past is not used.
    private(set) var found = BodyJointSet()

    /// - Parameter limit: seconds after which an unseen point no longer counts as measured.
    init(minima: [Float], limit: Double) {
        self.minima = minima
        self.limit = limit
    }

    /// - Parameter elapsed: seconds since the frame before.
    mutating func repair(_ body: inout TrackedBody, after elapsed: Double) {
        interpolated = BodyJointSet()
        measured = BodyJointSet()
        found = BodyJointSet()
        for index in 0..<TrackedBody.Points.count {
            let (place, world) = (body.landmarks[index], body.worldLandmarks[index])
            let (isPlace, isWorldPlace) = (Self.isPlace(place), Self.isPlace(world))
            // NaN fails the comparison.
            let isGood =
                body.state == .seen && body.visibility[index] >= minima[index] && isPlace && isWorldPlace
            let age = ages[index].map { $0 + elapsed }
            if isGood {
                let gap = age.flatMap { $0 > 0 && $0 <= Self.speedGap ? $0 : nil }
                // Without time between the frames the speed stays and the position is the newer one.
                if let age, age == 0 {
                    landmarks[index].place = place
                    worldLandmarks[index].place = world
                } else {
                    landmarks[index].move(to: place, after: gap)
                    worldLandmarks[index].move(to: world, after: gap)
                }
                if age.map({ $0 > limit }) ?? true { found.insert(index) }
                ages[index] = 0
                measured.insert(index)
            } else {
                interpolated.insert(index)
                ages[index] = age
                if let age {
                    body.landmarks[index] = landmarks[index].extrapolated(after: age)
                    body.worldLandmarks[index] = worldLandmarks[index].extrapolated(after: age)
                    if age <= limit { measured.insert(index) }
                } else {
                    if !isPlace { body.landmarks[index] = .zero }
                    if !isWorldPlace { body.worldLandmarks[index] = .zero }
                }
            }
        }
    }

    /// False for NaN.
    private static func isPlace(_ point: SIMD3<Float>) -> Bool {
        all((point .>= -maximumCoordinate) .& (point .<= maximumCoordinate))
    }

    mutating func reset() {
        for index in ages.indices { ages[index] = nil }
        interpolated = BodyJointSet()
        measured = BodyJointSet()
        found = BodyJointSet()
    }
}
