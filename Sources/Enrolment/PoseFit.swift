import Platform

/// What a recording shows: a movement, or a pose that is held.
enum RecordingContent: Equatable {
    case movement(Range<Int>)
    case pose(PoseHold)

    /// The slots that show it.
    var slots: Range<Int> {
        switch self {
        case .movement(let slots): slots
        case .pose(let hold): hold.slots
        }
    }

    var hold: PoseHold? { if case .pose(let hold) = self { hold } else { nil } }

    /// A movement counts as a pose if a hold covers at least this share of its slots.
    private static let share = 0.5
    /// Two holds show different poses from this distance of their directions on.
    private static let contrast: Float = 0.5

    /// Finds out what a recording shows.
    ///
    /// A recording whose middle differs from its ends shows a movement. It shows a pose instead if a hand is held still
    /// in at least half of that middle, and no other hold of the recording shows the same pose.
    ///
    /// A recording that hardly changes shows a pose if a hand is held still in it. If it has several holds, the longest
    /// one counts whose pose differs from those at the recording's ends.
    init(_ recording: GestureRecording, index: Int, as kind: EnrolmentConfiguration.Kind) throws(EnrolmentError) {
        guard kind != .movement else {
            self = .movement(try GestureSpan(recording, index: index).slots)
            return
        }
        let holds = PoseHold.all(in: recording)
        let span: Range<Int>
        do throws(EnrolmentError) {
            span = try GestureSpan(recording, index: index).slots
        } catch {
            guard case .noActivity = error, let hold = Self.shown(holds, of: recording.slotCount) else { throw error }
            self = .pose(hold)
            return
        }
        if let hold = Self.longest(holds, in: span) {
            let shared = hold.slots.clamped(to: span).count
            let isRest = holds.contains {
                $0 != hold && PoseHold.distance($0.direction, hold.direction) < Self.contrast
            }
            if kind == .pose || Double(shared) >= Self.share * Double(span.count) && !isRest {
                self = .pose(hold)
                return
            }
        }
        guard kind == .automatic else { throw .noHold(recording: index) }
        self = .movement(span)
    }

    /// The longest hold whose pose differs from those at both ends of the recording; else the longest of all.
    private static func shown(_ holds: [PoseHold], of slots: Int) -> PoseHold? {
        let rest = holds.filter { $0.slots.lowerBound < slots / 8 || $0.slots.upperBound > slots - slots / 8 }
        let others = holds.filter { hold in
            rest.allSatisfy { PoseHold.distance($0.direction, hold.direction) >= contrast }
        }
        return longest(others, in: 0..<slots) ?? longest(holds, in: 0..<slots)
    }

    /// The hold that has most slots in a range.
    private static func longest(_ holds: [PoseHold], in range: Range<Int>) -> PoseHold? {
        holds.filter { $0.slots.overlaps(range) }.max {
            $0.slots.clamped(to: range).count < $1.slots.clamped(to: range).count
        }
    }
}

/// Fits a pose to the holds of recordings, and refuses it if it would collide with other poses.
struct PoseFit {
    let template: PoseTemplate
    /// Distance of each hold from the nearest centre.
    let distances: [Float]

    /// A hold gets a centre of its own if it is farther than this from every other centre.
    private static let merging: Float = 0.45
    /// Largest radius, however much the examples differ.
    private static let widest: Float = 0.8
    /// Smallest radius. A background recording that needs a smaller one is an error.
    private static let narrowest: Float = 0.3
    /// The radius is at most this share of the distance to a pose of the background.
    private static let margin: Float = 0.8

    /// - Parameters:
    ///   - holds: by the indices of the examples.
    ///   - background: holds of recordings in which the pose must not be seen.
    init(
        holds: [(example: Int, hold: PoseHold)], background: [[PoseHold]], others: [UserGestures.Gesture],
        configuration: EnrolmentConfiguration
    ) throws(EnrolmentError) {
        let directions = holds.map { $0.hold.direction }
        try Self.requireAgreement(holds, limit: Self.widest)
        let centres = Self.centres(of: directions)
        let distances = directions.map { direction in centres.map { PoseHold.distance($0, direction) }.min() ?? 0 }
        let own = zip(distances, holds).map { max($0, $1.hold.spread) }.max() ?? 0
        var radius = max(Float(configuration.poseRadius), min(1.25 * own, Self.widest))
        for other in others {
            guard let pose = other.pose else { continue }
            let distance = centres.map { pose.distance($0.elementSpan) }.min() ?? .infinity
            guard distance >= Self.merging else {
                throw .poseTooNear(label: other.label, distance: Double(distance), required: Double(Self.merging))
            }
        }
        for (index, holds) in background.enumerated() {
            let distance = holds.flatMap { hold in centres.map { PoseHold.distance($0, hold.direction) } }.min()
            guard let distance else { continue }
            radius = min(radius, Self.margin * distance)
            guard radius >= max(Self.narrowest, own) else {
                throw .poseInBackground(
                    recording: index, distance: Double(distance),
                    required: Double(max(Self.narrowest, own) / Self.margin))
            }
        }
        let made = PoseTemplate(centres: Array(centres.joined()), radius: radius, known: Self.known(holds))
        guard let template = made else {
            throw .notConverged(decrement: .infinity)
        }
        self.template = template
        self.distances = distances
    }

    /// The pose of the pose networks that all holds show; nil if they show different ones or none.
    private static func known(_ holds: [(example: Int, hold: PoseHold)]) -> Int? {
        let places = Set(holds.map { $0.hold.known })
        return places.count == 1 ? places.first ?? nil : nil
    }

    /// Throws if one of several holds is farther than `limit` from every other hold.
    private static func requireAgreement(
        _ holds: [(example: Int, hold: PoseHold)], limit: Float
    ) throws(EnrolmentError) {
        guard holds.count > 1 else { return }
        let nearest = holds.indices.map { index in
            holds.indices.filter { $0 != index }.map {
                PoseHold.distance(holds[$0].hold.direction, holds[index].hold.direction)
            }.min() ?? 0
        }
        let far = holds.indices.filter { nearest[$0] > limit }
        guard far.isEmpty else {
            throw .posesDiffer(
                recordings: far.map { holds[$0].example }, distance: Double(nearest.max() ?? 0), limit: Double(limit))
        }
    }

    /// The means of groups of directions. While a direction is farther than `merging` from every seed, the farthest one
    /// becomes a seed. Each direction then joins the group of its nearest seed.
    private static func centres(of directions: [[Float]]) -> [[Float]] {
        var seeds = [PoseHold.mean(directions) ?? directions[0]]
        while seeds.count < PoseTemplate.centreLimit {
            let distances = directions.map { direction in seeds.map { PoseHold.distance($0, direction) }.min() ?? 0 }
            guard let farthest = distances.indices.max(by: { distances[$0] < distances[$1] }),
                distances[farthest] > merging
            else { break }
            seeds.append(directions[farthest])
        }
        var groups = [[[Float]]](repeating: [], count: seeds.count)
        for direction in directions {
            let nearest = seeds.indices.min {
                PoseHold.distance(seeds[$0], direction) < PoseHold.distance(seeds[$1], direction)
            }
            groups[nearest ?? 0].append(direction)
        }
        return groups.compactMap { PoseHold.mean($0) }
    }
}
