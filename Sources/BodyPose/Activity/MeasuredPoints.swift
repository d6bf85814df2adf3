import BodyTracking
import Platform

/// A measure prepared for evaluation: groups of points are bit sets.
struct CompiledMeasure: Sendable {
    private enum Kind { case angle, distance, height, separation, difference }

    private let kind: Kind
    private let first: BodyJointSet
    private let second: BodyJointSet
    /// The points at which the bones of an angle or the lines of a separation begin. They end at `first` and `second`.
    /// Empty for other measures.
    private let origins: (first: BodyJointSet, second: BodyJointSet)
    /// The two measures of a difference; empty for other measures.
    private let terms: [CompiledMeasure]

    init(_ measure: BodyMeasure) {
        func set(_ joints: [TrackedBody.Joint]) -> BodyJointSet {
            joints.reduce(into: BodyJointSet()) { $0.insert($1.rawValue) }
        }
        if case .difference(let one, let other) = measure {
            terms = [CompiledMeasure(one), CompiledMeasure(other)]
        } else {
            terms = []
        }
        switch measure {
        case .angle(let one, let vertex, let other):
            (kind, first, second, origins) = (.angle, set([one]), set([other]), (set([vertex]), set([vertex])))
        case .divergence(let one, let end, from: let other, let otherEnd):
            (kind, first, second, origins) = (.angle, set([end]), set([otherEnd]), (set([one]), set([other])))
        case .separation(let one, let end, across: let other, let otherEnd):
            (kind, first, second, origins) = (.separation, set([end]), set([otherEnd]), (set([one]), set([other])))
        case .distance(let one, let other):
            (kind, first, second, origins) = (.distance, set(one), set(other), (BodyJointSet(), BodyJointSet()))
        case .height(let upper, above: let lower):
            (kind, first, second, origins) = (.height, set(upper), set(lower), (BodyJointSet(), BodyJointSet()))
        case .difference:
            (kind, first, second, origins) = (.difference, set([]), set([]), (BodyJointSet(), BodyJointSet()))
        }
    }

    /// The value in degrees or trunk lengths; nil where too few of its points are measured.
    func value(in points: borrowing MeasuredPoints) -> Double? {
        if kind == .difference {
            guard let one = terms[0].value(in: points), let other = terms[1].value(in: points) else { return nil }
            return one - other
        }
        guard let one = points.middle(first), let other = points.middle(second) else { return nil }
        switch kind {
        case .angle, .separation:
            guard let from = points.middle(origins.first), let otherFrom = points.middle(origins.second) else {
                return nil
            }
            let (bone, line) = (one - from, other - otherFrom)
            guard kind == .separation else { return Self.angle(bone, line) }
            let square = (line * line).sum()
            guard square > 1e-8 else { return nil }
            let across = bone - (bone * line).sum() / square * line
            return Double((across * across).sum().squareRoot()) / points.trunk
        case .distance:
            let offset = one - other
            return Double((offset * offset).sum().squareRoot()) / points.trunk
        case .height, .difference:
            return Double(other.y - one.y) / points.trunk
        }
    }

    private static func angle(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Double? {
        let lengths = ((one * one).sum() * (other * other).sum()).squareRoot()
        guard lengths > 1e-8 else { return nil }
        let across = SIMD3(
            one.y * other.z - one.z * other.y, one.z * other.x - one.x * other.z, one.x * other.y - one.y * other.x)
        let sine = Double((across * across).sum().squareRoot())
        return Math.atan2(y: sine, x: Double((one * other).sum())) * 180 / .pi
    }
}

/// Points in metres, which of them are measured, and the trunk's length.
struct MeasuredPoints {
    var world: TrackedBody.Points
    var measured: BodyJointSet
    /// In metres.
    var trunk: Double

    /// The mean of the measured points of a group; nil without any.
    func middle(_ group: BodyJointSet) -> SIMD3<Float>? {
        var bits = group.bits & measured.bits
        guard bits != 0 else { return nil }
        let count = Float(bits.nonzeroBitCount)
        var sum = SIMD3<Float>.zero
        while bits != 0 {
            sum += world[bits.trailingZeroBitCount]
            bits &= bits - 1
        }
        return sum / count
    }
}

/// The length of a person's trunk, which is the unit of lengths.
///
/// It is measured from shoulder to hip on either side, else from other bones in an adult's proportions. A trunk that
/// leans appears too short rather than too long, so the estimate rises with a time constant of 1 s and falls with one of
/// 5 s.
struct TrunkLength: Sendable {
    /// Length in metres; 0.5, an adult's, until it is measured.
    private(set) var metres = 0.5

    private var isMeasured = false

    private static let trunks: [(TrackedBody.Joint, TrackedBody.Joint)] = [
        (.leftShoulder, .leftHip), (.rightShoulder, .rightHip),
    ]
    /// Bones and their lengths, in trunks.
    private static let bones: [(TrackedBody.Joint, TrackedBody.Joint, Double)] = [
        (.leftHip, .leftKnee, 0.84), (.rightHip, .rightKnee, 0.84), (.leftKnee, .leftAnkle, 0.84),
        (.rightKnee, .rightAnkle, 0.84), (.leftShoulder, .leftElbow, 0.56), (.rightShoulder, .rightElbow, 0.56),
        (.leftElbow, .leftWrist, 0.52), (.rightElbow, .rightWrist, 0.52),
    ]
    private static let allowed = 0.15...1.2

    mutating func update(_ world: TrackedBody.Points, _ measured: BodyJointSet, after elapsed: Double) {
        func length(_ one: TrackedBody.Joint, _ other: TrackedBody.Joint) -> Double? {
            guard measured.contains(one), measured.contains(other) else { return nil }
            let offset = world[one] - world[other]
            return Double((offset * offset).sum().squareRoot())
        }
        var (sum, count) = (0.0, 0.0)
        for (shoulder, hip) in Self.trunks {
            guard let length = length(shoulder, hip) else { continue }
            sum += length
            count += 1
        }
        if count == 0 {
            for (one, other, share) in Self.bones {
                guard let length = length(one, other) else { continue }
                sum += length / share
                count += 1
            }
        }
        guard count > 0 else { return }
        let found = min(max(sum / count, Self.allowed.lowerBound), Self.allowed.upperBound)
        guard isMeasured else {
            (metres, isMeasured) = (found, true)
            return
        }
        let constant = found > metres ? 1.0 : 5.0
        metres += (1 - Math.exponential(-elapsed / constant)) * (found - metres)
    }

    mutating func reset() { isMeasured = false }
}
