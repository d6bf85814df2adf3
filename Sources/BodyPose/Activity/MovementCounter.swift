import Platform

/// Follows one movement from rest to its extreme and back. A pure value; the caller passes the time.
///
/// | phase | becomes | when |
/// |---|---|---|
/// | unknown | rest | every part is at most `leave`, and the conditions of rest hold |
/// | rest | unknown | every part is at most `leave`, and a condition of rest fails |
/// | rest | outward | the mean of the parts is above `leave`; after an incomplete return, it has risen again |
/// | outward | inward | every part is at most `leave`; shallow, if every part had come half way from `leave` to `enter` |
/// | outward | extreme | every part is at least `enter`, and the conditions of the extreme hold |
/// | outward | unknown | every part is at least `enter`, and a condition of the extreme fails |
/// | extreme | inward | some part is below `enter` |
/// | inward | extreme | every part is at least `enter` |
/// | extreme, inward | inward | every part is at most `leave`, or at most 0.3 of the depth; counted if not too short |
/// | inward, counted or shallow | rest | the body is still (`MovementArrival`) |
/// | outward, extreme, inward | unknown | a condition of the way fails, or it has taken longer than `maximumDuration` |
///
/// A movement is not counted if a condition that must hold once never held. A movement that is not counted and not shallow
/// is at rest as soon as it comes back to `leave`. A repetition begins when the body was last still
/// (`MovementDeparture`), so its duration is the time from rest to rest.
///
/// A movement that ends while a condition of rest fails becomes unknown instead of rest. A return that ends above `leave` is
/// incomplete: with one punch after another the arm does not come back to the first guard. After it the next movement
/// begins when the mean has risen from its minimum by 0.3 of the depth before, and by at least `enter - leave`.
///
/// Parts that cannot be measured are left out. When no part was measured for a second, the phase is unknown.
///
/// The value at rest is learned for each signal. Values beyond it, away from the extreme, are adopted with a time
/// constant of 0.3 s. Values on the other side are adopted with one of 4 s, and only while the phase is rest or
/// unknown, or the movement has been counted.
struct MovementCounter: Sendable {
    private struct Signal {
        let measure: CompiledMeasure
        let allowedRest: ClosedRange<Double>
        let range: Double
        let weight: Double
        /// The learned value at rest; nil before it was measured.
        var rest: Double?

        init(_ signal: BodySignal) {
            measure = CompiledMeasure(signal.measure)
            allowedRest = (signal.rest - signal.tolerance)...(signal.rest + signal.tolerance)
            range = signal.extreme - signal.rest
            weight = signal.weight
        }

        /// The nearest allowed value at rest.
        func restrained(_ value: Double) -> Double { min(max(value, allowedRest.lowerBound), allowedRest.upperBound) }

        mutating func learn(_ value: Double, progress: Double, isResting: Bool, after elapsed: Double) {
            guard let known = rest else {
                rest = restrained(isResting ? value : value - progress * range)
                return
            }
            let target = restrained(value)
            let isBeyond = (target < known) == (range > 0)
            guard isBeyond || isResting else { return }
            let constant = isBeyond ? MovementCounter.fastLearning : MovementCounter.slowLearning
            rest = known + (1 - Math.exponential(-elapsed / constant)) * (target - known)
        }
    }

    private struct Condition {
        let measure: CompiledMeasure
        let allowed: ClosedRange<Double>
        let moments: BodyMovement.Condition.Moments
    }

    private let index: Int
    private let movement: BodyMovement
    private var parts: [[Signal]]
    private let conditions: [Condition]

    private(set) var phase = BodyPhase.unknown
    /// Mean of the parts at the latest frame in which one was measured.
    private(set) var progress = 0.0
    /// Movements that came to rest.
    private var settled = BodyTempo()
    /// The movement that is counted, or shallow, and has not come to rest.
    private var arrival: MovementArrival?

    private var departure = MovementDeparture()
    private var begin: Duration = .zero
    /// When the progress passed `leave`.
    private var passed: Duration = .zero
    private var middle: Duration = .zero
    /// Largest mean of the parts since `begin`, and below it the largest progress of the least advanced part.
    private var depth = 0.0
    private var reach = 0.0
    /// Whether the conditions that must hold once held since `begin`.
    private var hasHeld = false
    /// The smallest mean since an incomplete return; nil after a complete one.
    private var valley: Double?
    /// When a part was last measured.
    private var latest: Duration?

    private static let maximumGap = Duration.seconds(1)
    /// Time constants in seconds.
    private static let fastLearning = 0.3
    private static let slowLearning = 4.0
    /// Longest time between two frames that is counted, in seconds.
    private static let longestStep = 0.5
    /// Up to this progress above `leave` the movement's beginning is still moved forward.
    private static let departureMargin = 0.05
    /// Share of a movement's depth at which the movement is over.
    private static let returnShare = 0.3

    init(_ movement: BodyMovement, index: Int) {
        self.index = index
        self.movement = movement
        parts = movement.parts.map { part in part.map(Signal.init) }
        conditions = movement.conditions.map {
            Condition(measure: CompiledMeasure($0.measure), allowed: $0.allowed, moments: $0.moments)
        }
    }

    /// Counts so far; a movement that has not come to rest is in them with the time until now.
    var tempo: BodyTempo {
        var tempo = settled
        if let arrival { tempo.add(repetition(arrival)) }
        return tempo
    }

    /// Counts another person from now on, or the same one after a gap.
    mutating func restart() {
        settled = tempo
        arrival = nil
        phase = .unknown
        latest = nil
        progress = 0
        valley = nil
        departure.restart(at: .zero)
        forEachSignal { $0.rest = nil }
    }

    private mutating func forEachSignal(_ body: (inout Signal) -> Void) {
        for part in parts.indices { for index in parts[part].indices { body(&parts[part][index]) } }
    }

    mutating func step(_ points: borrowing MeasuredPoints, at time: Duration) -> BodyRepetition? {
        guard let (minimum, maximum, mean) = progress(points) else {
            guard let latest, time - latest > Self.maximumGap else { return nil }
            phase = .unknown
            return arrive(at: progress)
        }
        let elapsed = latest.map { min((time - $0) / .seconds(1), Self.longestStep) } ?? 0
        latest = time
        progress = mean
        defer { learn(points, mean, after: elapsed) }
        let isAtRest = maximum <= movement.leave
        if arrival != nil {
            valley = isAtRest ? nil : valley.map { min($0, mean) }
            guard arrival?.follow(mean, at: time) == true else { return nil }
            phase = conditionsHold(points, at: .rest) ? .rest : .unknown
            let repetition = arrive(at: mean)
            _ = advance(points, (minimum, maximum, mean), at: time, after: elapsed)
            return repetition
        }
        guard let isShallow = advance(points, (minimum, maximum, mean), at: time, after: elapsed) else { return nil }
        arrival = MovementArrival(mean, at: time, isShallow: isShallow)
        guard arrival?.follow(mean, at: time) == true else {
            phase = .inward
            return nil
        }
        phase = conditionsHold(points, at: .rest) ? .rest : .unknown
        return arrive(at: mean)
    }

    /// Follows a body that is not on its way to rest from a counted movement.
    /// - Returns: whether the movement that came back to `leave` in this frame was shallow; nil if none did.
    private mutating func advance(
        _ points: borrowing MeasuredPoints, _ shares: (minimum: Double, maximum: Double, mean: Double),
        at time: Duration, after elapsed: Double
    ) -> Bool? {
        let (minimum, maximum, mean) = shares
        let (isAtRest, isAtExtreme) = (maximum <= movement.leave, minimum >= movement.enter)
        switch phase {
        case .unknown:
            departure.follow(mean, at: time, after: elapsed)
            if isAtRest { valley = nil }
            if isAtRest, conditionsHold(points, at: .rest) { phase = .rest }
            return nil
        case .rest:
            departure.follow(mean, at: time, after: elapsed)
            guard !isAtRest else {
                valley = nil
                if !conditionsHold(points, at: .rest) { phase = .unknown }
                return nil
            }
            if let lowest = valley {
                valley = min(lowest, mean)
                guard mean - lowest > max(movement.enter - movement.leave, Self.returnShare * depth) else { return nil }
                valley = nil
            }
            guard mean > movement.leave else { return nil }
            phase = .outward
            (begin, passed, middle, depth, reach) = (departure.time, time, time, mean, minimum)
            hasHeld = false
        case .outward, .extreme, .inward:
            if mean > depth { (depth, middle) = (mean, time) }
            reach = max(reach, minimum)
        }
        // After half the way it is an attempt, whose beginning stays where it was.
        if phase == .outward, reach < halfWay, mean < movement.leave + Self.departureMargin {
            departure.follow(mean, at: time, after: elapsed)
            (begin, passed) = (departure.time, time)
        }
        if isAtRest || phase != .outward && maximum <= Self.returnShare * depth {
            valley = isAtRest ? nil : mean
            return comeBack(points, at: time)
        }
        if isAtExtreme, !hasHeld { hasHeld = conditionsHold(points, at: .once) }
        let isOnItsWay = conditionsHold(points, at: .way)
        if time - passed > movement.maximumDuration || !isOnItsWay {
            phase = .unknown
        } else if isAtExtreme {
            if phase == .outward, !conditionsHold(points, at: .extreme) {
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

    /// Judges a movement that is back at `leave`.
    /// - Returns: whether it was shallow; nil if it is neither counted nor shallow.
    private mutating func comeBack(_ points: borrowing MeasuredPoints, at time: Duration) -> Bool? {
        let (duration, isShallow) = (time - passed, phase == .outward)
        phase = conditionsHold(points, at: .rest) ? .rest : .unknown
        guard duration >= movement.minimumDuration, duration <= movement.maximumDuration else { return nil }
        return (isShallow ? reach >= halfWay : hasHeld) ? isShallow : nil
    }

    /// The movement that was on its way to rest has ended, at this progress; nil if there was none.
    private mutating func arrive(at progress: Double) -> BodyRepetition? {
        guard let arrival else { return nil }
        self.arrival = nil
        let repetition = repetition(arrival)
        settled.add(repetition)
        departure.restart(min(arrival.lowest, progress), at: arrival.time)
        return repetition
    }

    private func repetition(_ arrival: MovementArrival) -> BodyRepetition {
        let anomalies = arrival.isShallow ? .shallow : settled.anomalies(of: arrival.time - begin)
        return BodyRepetition(
            movement: index, number: settled.count + (arrival.isShallow ? 0 : 1), begin: begin, middle: middle,
            end: arrival.time, depth: depth, anomalies: anomalies)
    }

    /// The minimum, maximum and mean progress of the measured parts. All three are the mean if parts move interleaved, and
    /// the largest if either may move. Nil if no part is measured.
    private func progress(_ points: borrowing MeasuredPoints) -> (minimum: Double, maximum: Double, mean: Double)? {
        var (minimum, maximum, sum, count) = (Double.infinity, -Double.infinity, 0.0, 0.0)
        for part in parts {
            var (weighted, weights) = (0.0, 0.0)
            for signal in part {
                guard let value = signal.measure.value(in: points) else { continue }
                // One signal that is far off must not outweigh the others.
                let share = min(max((value - (signal.rest ?? signal.restrained(value))) / signal.range, -0.25), 1.25)
                weighted += signal.weight * share
                weights += signal.weight
            }
            guard weights > 0 else { continue }
            let share = weighted / weights
            minimum = min(minimum, share)
            maximum = max(maximum, share)
            sum += share
            count += 1
        }
        guard count > 0 else { return nil }
        let mean = sum / count
        return switch movement.coordination {
        case .together: (minimum, maximum, mean)
        case .byTurns: (mean, mean, mean)
        case .either: (maximum, maximum, maximum)
        }
    }

    private mutating func learn(_ points: borrowing MeasuredPoints, _ progress: Double, after elapsed: Double) {
        let isResting = phase == .rest || phase == .unknown || arrival != nil
        for part in parts.indices {
            for index in parts[part].indices {
                guard let value = parts[part][index].measure.value(in: points) else { continue }
                parts[part][index].learn(value, progress: progress, isResting: isResting, after: elapsed)
            }
        }
    }

    private func conditionsHold(
        _ points: borrowing MeasuredPoints, at moment: BodyMovement.Condition.Moments
    ) -> Bool {
        for condition in conditions where condition.moments.contains(moment) {
            if let value = condition.measure.value(in: points), !condition.allowed.contains(value) { return false }
        }
        return true
    }
}

/// Finds when a body was last still before a movement, from the movement's progress.
///
/// A body is still while its progress is at most 0.03 above `restLevel`, which falls with the progress and rises towards it
/// with a time constant of 1 s, so a body that stays somewhere is still there.
struct MovementDeparture: Sendable {
    /// The latest moment in which the body was still.
    private(set) var time: Duration = .zero
    private var restLevel = Double.infinity

    private static let tolerance = 0.03
    private static let adoption = 1.0

    mutating func follow(_ progress: Double, at time: Duration, after elapsed: Double) {
        if progress <= restLevel + Self.tolerance { self.time = time }
        guard progress > restLevel else {
            restLevel = progress
            return
        }
        restLevel += (1 - Math.exponential(-elapsed / Self.adoption)) * (progress - restLevel)
    }

    /// The body was still at `time`, at this progress.
    mutating func restart(_ progress: Double = .infinity, at time: Duration) {
        restLevel = progress
        self.time = time
    }
}

/// Finds when a body is still again after a movement, from the movement's progress.
///
/// It is still when its progress is at most 0.05. It was still at its lowest progress when it has risen from it by 0.05,
/// or has not fallen by 0.03 more for 150 ms.
struct MovementArrival: Sendable {
    /// When the body came to rest, as far as is known.
    private(set) var time: Duration
    /// The lowest progress so far.
    private(set) var lowest: Double
    let isShallow: Bool

    private static let rest = 0.05
    private static let rise = 0.05
    private static let fall = 0.03
    private static let stillness = Duration.milliseconds(150)

    init(_ progress: Double, at time: Duration, isShallow: Bool) {
        lowest = progress
        self.time = time
        self.isShallow = isShallow
    }

    /// Takes in a frame. Returns whether the body has come to rest.
    mutating func follow(_ progress: Double, at time: Duration) -> Bool {
        if progress <= Self.rest || progress < lowest - Self.fall { (lowest, self.time) = (progress, time) }
        return progress <= Self.rest || progress > lowest + Self.rise || time - self.time >= Self.stillness
    }
}
