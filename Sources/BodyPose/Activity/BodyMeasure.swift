public import BodyTracking
import Vocabulary

/// A measure of a body's points in metres, which does not depend on the camera's distance or side.
public enum BodyMeasure: Codable, Sendable, Hashable {
    /// The angle at `vertex` between the directions to the two others, 0...180 degrees.
    case angle(TrackedBody.Joint, vertex: TrackedBody.Joint, TrackedBody.Joint)
    /// The angle between two bones, each from one point to another, 0...180 degrees: 0 if they are parallel.
    case divergence(TrackedBody.Joint, TrackedBody.Joint, from: TrackedBody.Joint, TrackedBody.Joint)
    /// Distance between the middles of two groups of points, in trunk lengths.
    case distance([TrackedBody.Joint], [TrackedBody.Joint])
    /// Distance between two points, measured at right angles to the line through two other points, in trunk lengths. With
    /// the two ankles across the shoulders, it is how far one foot is before, behind or above the other.
    case separation(TrackedBody.Joint, TrackedBody.Joint, across: TrackedBody.Joint, TrackedBody.Joint)
    /// Height of the middle of one group above that of another, in trunk lengths.
    case height([TrackedBody.Joint], above: [TrackedBody.Joint])
    /// The first measure less the second one, both of the same unit and neither a difference: with one knee's angle and
    /// the other's, how much more the second knee bends.
    indirect case difference(BodyMeasure, BodyMeasure)
}

extension BodyMeasure {
    /// Calls `body` with each point that is measured.
    func forEachJoint(_ body: (TrackedBody.Joint) -> Void) {
        switch self {
        case .angle(let first, let vertex, let second):
            body(first)
            body(vertex)
            body(second)
        case .divergence(let first, let firstEnd, from: let second, let secondEnd),
            .separation(let first, let firstEnd, across: let second, let secondEnd):
            body(first)
            body(firstEnd)
            body(second)
            body(secondEnd)
        case .distance(let first, let second), .height(let first, above: let second):
            first.forEach(body)
            second.forEach(body)
        case .difference(let first, let second):
            first.forEachJoint(body)
            second.forEachJoint(body)
        }
    }

    /// What kind of measure it is, for errors.
    var kind: String {
        switch self {
        case .angle: "angle"
        case .divergence: "divergence"
        case .distance: "distance"
        case .separation: "separation"
        case .height: "height"
        case .difference: "difference"
        }
    }

    /// What an unusable measure must be, for errors.
    static let usableWords =
        "of groups that have points; an angle needs three different ones, a difference two measures of one unit"

    private enum Unit { case degrees, trunks, difference }

    private var unit: Unit {
        switch self {
        case .angle, .divergence: .degrees
        case .distance, .separation, .height: .trunks
        case .difference: .difference
        }
    }

    /// Whether the measure is defined: no group is empty, an angle has three different points, a bone or line two, and
    /// both measures of a difference are in degrees or in trunk lengths.
    var isUsable: Bool {
        switch self {
        case .angle(let first, let vertex, let second): first != vertex && vertex != second && first != second
        case .divergence(let first, let firstEnd, from: let second, let secondEnd),
            .separation(let first, let firstEnd, across: let second, let secondEnd):
            first != firstEnd && second != secondEnd
        case .distance(let first, let second), .height(let first, above: let second):
            !first.isEmpty && !second.isEmpty
        case .difference(let first, let second):
            first.unit == second.unit && first.unit != .difference && first.isUsable && second.isUsable
        }
    }
}

/// A measure with its values at rest and at the extreme. It gives the progress of a movement.
public struct BodySignal: Codable, Sendable, Hashable {
    /// What is measured.
    public var measure: BodyMeasure
    /// Its value at rest.
    public var rest: Double
    /// Its value at the movement's extreme, smaller or larger than `rest`.
    public var extreme: Double
    /// How far a person's own rest may differ from `rest`, either way, 0...1000. The own rest is learned while the
    /// movement is at rest, and `extreme` moves with it: people differ, and the network places the same pose differently
    /// from other sides.
    public var tolerance: Double
    /// The weight beside the other signals that can be measured, 0.001...100.
    public var weight: Double

    /// Makes a signal.
    public init(
        _ measure: BodyMeasure, rest: Double, extreme: Double, tolerance: Double = 0, weight: Double = 1
    ) {
        self.measure = measure
        self.rest = rest
        self.extreme = extreme
        self.tolerance = tolerance
        self.weight = weight
    }

    func validate(_ name: String) throws(ConfigurationError) {
        guard measure.isUsable else {
            throw ConfigurationError(
                name + ".measure", measure.kind, mustBe: BodyMeasure.usableWords)
        }
        let allowed: ClosedRange<Double> = -1_000...1_000
        try ConfigurationError.check(rest, name + ".rest", in: allowed)
        try ConfigurationError.check(extreme, name + ".extreme", in: allowed)
        guard abs(extreme - rest) >= 0.01 else {
            throw ConfigurationError(name + ".extreme", extreme, mustBe: "at least 0.01 from rest, which is \(rest)")
        }
        try ConfigurationError.check(tolerance, name + ".tolerance", in: 0...1_000)
        try ConfigurationError.check(weight, name + ".weight", in: 0.001...100)
    }
}
