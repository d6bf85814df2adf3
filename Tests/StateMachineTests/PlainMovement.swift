import BodyPose

/// The table in the public comments of `MovementCounter` and `BodyMovement`, for signals whose rest is not learned. Progress
/// since the movement began is kept and looked through anew each time.
struct PlainMovement {
    struct Frame {
        /// Nanoseconds.
        var time: Int64
        /// The progress of each part; nil where it is not measured.
        var parts: [Double?]
        /// Whether the condition holds; nil where it cannot be measured.
        var condition: Bool?
    }

    struct Completed: Equatable {
        var number: Int
        var isCounted: Bool
        var depth: Double
        var middle: Int64
        var end: Int64
    }

    private struct Arrival {
        var isShallow: Bool
        var depth: Double
        var middle: Int64
        /// The lowest progress so far, and when it was reached.
        var lowest: Double
        var since: Int64
    }

    let movement: BodyMovement
    private(set) var phase = BodyPhase.unknown
    private(set) var count = 0
    private(set) var shallow = 0
    /// Frames in which a part was measured, since the movement passed `leave`.
    private var way: [Frame] = []
    private var latest: Int64?
    /// When it passed `leave`.
    private var passed: Int64 = 0
    /// A movement that was judged and has not come to rest.
    private var arriving: Arrival?
    /// After a return that ended above `leave`: the smallest mean since, and the rise that begins the next movement.
    private var incomplete: (lowest: Double, rise: Double)?

    init(_ movement: BodyMovement) { self.movement = movement }

    private struct Progress { var minimum, mean, maximum: Double }

    private func progress(_ frame: Frame) -> Progress? {
        let measured = frame.parts.compactMap { $0 }
        guard let minimum = measured.min(), let maximum = measured.max() else { return nil }
        let mean = measured.reduce(0, +) / Double(measured.count)
        return switch movement.coordination {
        case .together: Progress(minimum: minimum, mean: mean, maximum: maximum)
        case .byTurns: Progress(minimum: mean, mean: mean, maximum: mean)
        case .either: Progress(minimum: maximum, mean: maximum, maximum: maximum)
        }
    }

    private func holds(_ moment: BodyMovement.Condition.Moments, _ frame: Frame) -> Bool {
        guard let moments = movement.conditions.first?.moments, moments.contains(moment) else { return true }
        return frame.condition ?? true
    }

    /// Nobody is seen, or somebody else.
    mutating func restart() {
        phase = .unknown
        way = []
        latest = nil
        arriving = nil
        incomplete = nil
    }

    mutating func step(_ frame: Frame) -> Completed? {
        guard let progress = progress(frame) else {
            guard let latest, frame.time - latest > 1_000_000_000 else { return nil }
            phase = .unknown
            return arriving.map { completed($0, at: $0.since) }
        }
        latest = frame.time
        if progress.maximum <= movement.leave { incomplete = nil }
        if let state = incomplete { incomplete = (min(state.lowest, progress.mean), state.rise) }
        if arriving != nil {
            guard let completed = arrive(progress, at: frame) else { return nil }
            follow(progress, frame)
            return completed
        }
        follow(progress, frame)
        return arrive(progress, at: frame)
    }

    private mutating func follow(_ progress: Progress, _ frame: Frame) {
        if phase == .unknown {
            if progress.maximum <= movement.leave, holds(.rest, frame) { phase = .rest }
            return
        }
        if phase == .rest { leaveRest(progress, frame) }
        if phase != .rest, phase != .unknown { goOn(progress, frame) }
    }

    private mutating func leaveRest(_ progress: Progress, _ frame: Frame) {
        if progress.maximum <= movement.leave {
            if !holds(.rest, frame) { phase = .unknown }
            return
        }
        if let state = incomplete {
            guard progress.mean - state.lowest > state.rise else { return }
            incomplete = nil
        }
        guard progress.mean > movement.leave else { return }
        phase = .outward
        way = []
        passed = frame.time
    }

    private mutating func goOn(_ progress: Progress, _ frame: Frame) {
        way.append(frame)
        let states = way.compactMap(self.progress)
        let depth = states.map(\.mean).max() ?? 0
        let half = (movement.leave + movement.enter) / 2
        let isAttempt = states.contains { $0.minimum >= half }
        // A body that has hardly left has not passed `leave`.
        if phase == .outward, !isAttempt, progress.mean < movement.leave + 0.05 { passed = frame.time }
        let elapsed = frame.time - passed
        let isTooLong = elapsed > movement.maximumDuration.nanoseconds
        if progress.maximum <= movement.leave || phase != .outward && progress.maximum <= 0.3 * depth {
            let hasHeld = zip(way, states).contains { frame, state in
                state.minimum >= movement.enter && holds(.once, frame)
            }
            let isInTime = elapsed >= movement.minimumDuration.nanoseconds && !isTooLong
            let isShallow = phase == .outward
            let isWhole = isShallow ? isAttempt : hasHeld
            return judge(isInTime && isWhole ? isShallow : nil, depth, progress, frame)
        }
        if isTooLong || !holds(.way, frame) {
            phase = .unknown
        } else if progress.minimum >= movement.enter {
            phase = phase == .outward && !holds(.extreme, frame) ? .unknown : .extreme
        } else if phase == .extreme {
            phase = .inward
        }
    }

    /// - Parameter isShallow: nil for a movement that is neither counted nor shallow.
    private mutating func judge(_ isShallow: Bool?, _ depth: Double, _ progress: Progress, _ frame: Frame) {
        let middle = way.first { self.progress($0)?.mean == depth }?.time ?? frame.time
        if progress.maximum > movement.leave {
            incomplete = (progress.mean, max(0.3 * depth, movement.enter - movement.leave))
        }
        phase = holds(.rest, frame) ? .rest : .unknown
        guard let isShallow else { return }
        if isShallow { shallow += 1 } else { count += 1 }
        phase = .inward
        arriving = Arrival(
            isShallow: isShallow, depth: depth, middle: middle, lowest: progress.mean, since: frame.time)
    }

    private mutating func arrive(_ progress: Progress, at frame: Frame) -> Completed? {
        guard var state = arriving else { return nil }
        var end: Int64?
        if progress.mean <= 0.05 {
            end = frame.time
        } else if progress.mean > state.lowest + 0.05 {
            end = state.since
        } else if progress.mean < state.lowest - 0.03 {
            (state.lowest, state.since) = (progress.mean, frame.time)
        } else if frame.time - state.since >= 150_000_000 {
            end = state.since
        }
        arriving = state
        guard let end else { return nil }
        phase = holds(.rest, frame) ? .rest : .unknown
        return completed(state, at: end)
    }

    private mutating func completed(_ state: Arrival, at end: Int64) -> Completed {
        arriving = nil
        return Completed(
            number: count, isCounted: !state.isShallow, depth: state.depth, middle: state.middle, end: end)
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
