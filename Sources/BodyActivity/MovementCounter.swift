import Platform

/// Follows one movement from rest to its extreme and back. A value without a clock.
///
/// | phase | becomes | when |
/// |---|---|---|
/// | unknown | rest | every part is at most `leave`, and the conditions hold |
/// | rest | unknown | the conditions do not hold |
/// | rest | outward | the mean of the parts is above `leave`; after a return that was not whole, it has risen again |
/// | outward | rest | every part is at most `leave`; shallow, if it had come half way from `leave` to `enter` |
/// | outward | extreme | every part is at least `enter`, and the conditions hold |
/// | outward | unknown | every part is at least `enter`, and they do not |
/// | extreme | inward | some part is below `enter` |
/// | inward | extreme | every part is at least `enter` |
/// | extreme, inward | rest | every part is at most `leave`, or at most three tenths of the depth; counted, if its time is within bounds |
/// | any but rest | unknown | the longest time is over since it left rest |
///
/// A return that ends above `leave` is not whole: who punches on does not come back to where the first guard was. The next movement then
/// begins where the mean has risen from its least by three tenths of the depth before.
///
/// Parts that cannot be measured have no say. When none can for a second, the phase is unknown.
///
/// What rest is, is learned for each signal: values beyond it, away from the extreme, are adopted within a third of a second, those
/// on the other side within four, and only while the phase is rest or unknown.
struct MovementCounter: Sendable {
    private struct Signal {
        let measure: CompiledMeasure
        let allowedRest: ClosedRange<Double>
        let range: Double
        let weight: Double
        /// What was learned; nil before it was measured.
        var rest: Double?

        init(_ signal: BodySignal) {
            measure = CompiledMeasure(signal.measure)
            allowedRest = (signal.rest - signal.tolerance)...(signal.rest + signal.tolerance)
            range = signal.extreme - signal.rest
            weight = signal.weight
        }

        /// The nearest rest that is allowed.
        func restrained(_ value: Double) -> Double { min(max(value, allowedRest.lowerBound), allowedRest.upperBound) }

        mutating func learn(_ value: Double, progress: Double, isResting: Bool, after elapsed: Double) {
            guard let known = rest else {
                rest = restrained(isResting ? value : value - progress * range)
                return
            }
            let wanted = restrained(value)
            let isBeyond = (wanted < known) == (range > 0)
            guard isBeyond || isResting else { return }
            let constant = isBeyond ? MovementCounter.fastLearning : MovementCounter.slowLearning
            rest = known + (1 - Math.exponential(-elapsed / constant)) * (wanted - known)
        }
    }

    private struct Condition {
        let measure: CompiledMeasure
        let allowed: ClosedRange<Double>
    }

    private let index: Int
    private let movement: BodyMovement
    private var parts: [[Signal]]
    private let conditions: [Condition]

    private(set) var phase = BodyPhase.unknown
    /// Mean of the parts at the latest frame that showed some.
    private(set) var progress = 0.0
    private(set) var tempo = BodyTempo()

    private var begin: Duration = .zero
    private var middle: Duration = .zero
    /// The most that the mean of the parts, and the least of them, have been since `begin`.
    private var depth = 0.0
    private var reach = 0.0
    /// The least mean since a return that was not whole; nil after one that was.
    private var valley: Double?
    /// When parts were last measured.
    private var latest: Duration?

    private static let patience = Duration.seconds(1)
    /// Seconds.
    private static let fastLearning = 0.3
    private static let slowLearning = 4.0
    /// Most seconds between two frames that count.
    private static let longestStep = 0.5
    /// Progress beyond `leave` up to which a person may still be about to begin.
    private static let hesitation = 0.05
    /// Share of a movement's depth that is left when it is over.
    private static let remainder = 0.3

    init(_ movement: BodyMovement, index: Int) {
        self.index = index
        self.movement = movement
        parts = movement.parts.map { part in part.map(Signal.init) }
        conditions = movement.conditions.map { Condition(measure: CompiledMeasure($0.measure), allowed: $0.allowed) }
    }

    /// Another person is counted from now on, or the same one after a gap.
    mutating func restart() {
        phase = .unknown
        latest = nil
        progress = 0
        valley = nil
        forEachSignal { $0.rest = nil }
    }

    private mutating func forEachSignal(_ body: (inout Signal) -> Void) {
        for part in parts.indices { for index in parts[part].indices { body(&parts[part][index]) } }
    }

    mutating func step(_ points: borrowing MeasuredPoints, at time: Duration) -> BodyRepetition? {
        guard let (least, most, mean) = progress(points) else {
            if let latest, time - latest > Self.patience { phase = .unknown }
            return nil
        }
        let elapsed = latest.map { min((time - $0) / .seconds(1), Self.longestStep) } ?? 0
        latest = time
        progress = mean
        defer { learn(points, mean, after: elapsed) }
        let (isAtRest, isAtExtreme) = (most <= movement.leave, least >= movement.enter)
        switch phase {
        case .unknown:
            if isAtRest, conditionsHold(points) { phase = .rest }
            return nil
        case .rest:
            guard !isAtRest else {
                valley = nil
                if !conditionsHold(points) { phase = .unknown }
                return nil
            }
            if let least = valley {
                valley = min(least, mean)
                guard mean - least > max(movement.enter - movement.leave, Self.remainder * depth) else { return nil }
                valley = nil
            }
            guard mean > movement.leave else { return nil }
            phase = .outward
            (begin, middle, depth, reach) = (time, time, mean, least)
        case .outward, .extreme, .inward:
            if mean > depth { (depth, middle) = (mean, time) }
            reach = max(reach, least)
        }
        // Once it has come half way it is a try, which does not begin again on its way back.
        if phase == .outward, reach < halfWay, mean < movement.leave + Self.hesitation { begin = time }
        if isAtRest || phase != .outward && most <= Self.remainder * depth {
            valley = isAtRest ? nil : mean
            defer { phase = conditionsHold(points) ? .rest : .unknown }
            return phase == .outward ? turnedBack(at: time) : finished(at: time)
        }
        if time - begin > movement.maximumDuration {
            phase = .unknown
        } else if isAtExtreme {
            if phase == .outward, !conditionsHold(points) {
                phase = .unknown
            } else {
                phase = .extreme
            }
        } else if phase == .extreme {
            phase = .inward
        }
        return nil
    }

    private var halfWay: Double { (movement.leave + movement.enter) / 2 }

    private mutating func turnedBack(at time: Duration) -> BodyRepetition? {
        guard reach >= halfWay, time - begin >= movement.minimumDuration else { return nil }
        return add(.shallow, at: time)
    }

    private mutating func finished(at time: Duration) -> BodyRepetition? {
        let duration = time - begin
        guard duration >= movement.minimumDuration, duration <= movement.maximumDuration else { return nil }
        return add(tempo.anomalies(of: duration), at: time)
    }

    private mutating func add(_ anomalies: BodyAnomalies, at time: Duration) -> BodyRepetition {
        let repetition = BodyRepetition(
            movement: index, number: tempo.count + (anomalies.contains(.shallow) ? 0 : 1), begin: begin,
            middle: middle, end: time, depth: depth, anomalies: anomalies)
        tempo.add(repetition)
        return repetition
    }

    /// Of the parts that can be measured: the least, the most, and the mean, which is all three where they move by turns; nil where
    /// none can.
    private func progress(_ points: borrowing MeasuredPoints) -> (least: Double, most: Double, mean: Double)? {
        var (least, most, sum, count) = (Double.infinity, -Double.infinity, 0.0, 0.0)
        for part in parts {
            var (weighted, weights) = (0.0, 0.0)
            for signal in part {
                guard let value = signal.measure.value(in: points) else { continue }
                // One signal that is far off is not to outweigh the others.
                let share = min(max((value - (signal.rest ?? signal.restrained(value))) / signal.range, -0.25), 1.25)
                weighted += signal.weight * share
                weights += signal.weight
            }
            guard weights > 0 else { continue }
            let share = weighted / weights
            least = min(least, share)
            most = max(most, share)
            sum += share
            count += 1
        }
        guard count > 0 else { return nil }
        let mean = sum / count
        return movement.partsMoveTogether ? (least, most, mean) : (mean, mean, mean)
    }

    private mutating func learn(_ points: borrowing MeasuredPoints, _ progress: Double, after elapsed: Double) {
        let isResting = phase == .rest || phase == .unknown
        for part in parts.indices {
            for index in parts[part].indices {
                guard let value = parts[part][index].measure.value(in: points) else { continue }
                parts[part][index].learn(value, progress: progress, isResting: isResting, after: elapsed)
            }
        }
    }

    private func conditionsHold(_ points: borrowing MeasuredPoints) -> Bool {
        for condition in conditions {
            if let value = condition.measure.value(in: points), !condition.allowed.contains(value) { return false }
        }
        return true
    }
}
