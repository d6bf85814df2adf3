import BodyTracking
import Platform

/// The angle between a person and the frontal view, in degrees: 0 if they face the camera or turn their back to it, 90
/// from a side.
struct ViewAngle: Sendable {
    /// The angle in the first seconds; nil until they are over, and while nothing could be measured.
    private(set) var calibrated: Double?
    /// The current angle; nil before anything was measured.
    var current: Double? { average.map { Self.degrees(across: Double($0.x), deep: Double($0.y)) } }

    /// Mean direction from the right side to the left: metres across the frame and away from the camera.
    private var average: SIMD2<Float>?
    /// Seconds over which it was measured.
    private var age = 0.0
    private let calibration: Double

    private static let settling = 2.0

    /// - Parameter calibration: length of the first seconds.
    init(calibration: Double) { self.calibration = calibration }

    /// - Parameters:
    ///   - isAtRest: whether the person stands with arms and legs at rest, as the box requires.
    ///   - elapsed: seconds since the frame before.
    mutating func update(_ points: borrowing MeasuredPoints, isAtRest: Bool, after elapsed: Double) {
        var found = Self.direction(points)
        if found == nil, isAtRest { found = Self.boxDirection(points) }
        guard let direction = found else { return }
        guard let average else {
            self.average = direction
            return
        }
        age += elapsed
        // A plain mean at first, then an average over the latest seconds.
        let share = min(1, max(elapsed / max(age, 1e-6), 1 - Math.exponential(-elapsed / Self.settling)))
        self.average = average + Float(share) * (direction - average)
        if calibrated == nil, age >= calibration { calibrated = current }
    }

    /// Measures another person from now on.
    mutating func reset() {
        average = nil
        calibrated = nil
        age = 0
    }

    /// Degrees between the angle and the best view, 0...90.
    static func deviation(of angle: Double, from view: BodyActivity.View) -> Double {
        switch view {
        case .frontal: angle
        case .sagittal: 90 - angle
        }
    }

    private static func degrees(across: Double, deep: Double) -> Double {
        Math.atan2(y: abs(deep), x: abs(across)) * 180 / .pi
    }

    private static let pairs: [(TrackedBody.Joint, TrackedBody.Joint)] = [
        (.leftShoulder, .rightShoulder), (.leftHip, .rightHip),
    ]

    /// The direction of the lines through shoulders and hips; nil without either.
    private static func direction(_ points: borrowing MeasuredPoints) -> SIMD2<Float>? {
        var sum = SIMD2<Float>.zero
        for (left, right) in pairs {
            guard points.measured.contains(left), points.measured.contains(right) else { continue }
            let offset = points.world[left] - points.world[right]
            sum += SIMD2(offset.x, offset.z)
        }
        return (sum * sum).sum() > 1e-4 ? sum : nil
    }

    /// The direction from the box around a standing person, with head and feet in it; nil otherwise.
    ///
    /// The model is an upright ellipsoid whose width is 0.30 and depth 0.15 of its height. Turned by an angle, its
    /// squared width is the sum of the squares of the visible shares of both.
    private static func boxDirection(_ points: borrowing MeasuredPoints) -> SIMD2<Float>? {
        let (face, feet) = (UInt64(0x7FF), UInt64(0x1F8000000))
        guard points.measured.bits & face != 0, points.measured.bits & feet != 0 else { return nil }
        var (low, high) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
        for index in 0..<TrackedBody.Points.count where points.measured.contains(index) {
            let place = SIMD2(points.world[index].x, points.world[index].y)
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let size = high - low
        guard size.y > 0.1 else { return nil }
        let angle = boxAngle(aspect: Double(size.x / size.y)) * .pi / 180
        return SIMD2(Float(Math.cosine(angle)), Float(Math.sine(angle))) * 0.3
    }

    /// Degrees off the frontal view for a box's width divided by its height.
    static func boxAngle(aspect: Double) -> Double {
        let (wide, deep) = (boxAspects.frontal * boxAspects.frontal, boxAspects.sagittal * boxAspects.sagittal)
        let across = (min(max(aspect * aspect, deep), wide) - deep) / (wide - deep)
        return degrees(across: across.squareRoot(), deep: (1 - across).squareRoot())
    }

    static let boxAspects = (frontal: 0.30, sagittal: 0.15)
}
