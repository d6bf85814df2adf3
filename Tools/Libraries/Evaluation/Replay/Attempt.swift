/// A stretch of frames that a class led, and what became of it.
package struct Attempt: Sendable, Equatable {
    /// Why a stretch was reported as a gesture, or why not.
    package enum Outcome: Sendable, Equatable {
        case reported
        /// The class is among those that the app left out.
        case notAllowed
        /// No frame was above the threshold.
        case belowThreshold
        /// Too few frames in a row were above it.
        case tooShort
        /// The way back of a gesture of this class, within the return time.
        case returnStroke(of: Int)
        /// Soon after another end, in the time in which nothing begins.
        case resting
        /// The same gesture as one that was reported shortly before.
        case sameGesture
        /// Another gesture, of this class, lasted.
        case otherGesture(Int)
        /// None of these, and the clip has a gap there: frames were lost, or the stream began anew.
        case interrupted
        /// None of these: the stretch has fewer slots than its frames suggest.
        case undecided
    }

    package let classIndex: Int
    package let begin: Double
    package let end: Double
    /// The highest score of the class.
    package let peak: Double
    /// The most slots in a row in which the class led above its threshold.
    package let slotsAbove: Int
    /// Frames of the stretch, and those of them with a hand; nil if the front end tracks none.
    package let frames: Int
    package let framesWithHand: Int?
    package let outcome: Outcome
}

extension ReplayRecord {
    /// Frames led by other classes that do not end a stretch.
    private static let gap = 1
    /// A stretch counts if its highest score reaches this share of the threshold.
    private static let leastShare = 0.5

    /// The stretches of all gestures, in the order of time.
    package var attempts: [Attempt] {
        rules.indices.filter { $0 != nullIndex }.flatMap(attempts).sorted {
            ($0.begin, $0.classIndex) < ($1.begin, $1.classIndex)
        }
    }

    private func attempts(ofClass classIndex: Int) -> [Attempt] {
        var attempts: [Attempt] = []
        var first: Int?
        var last = 0
        func close() {
            if let first, let attempt = attempt(classIndex, first...last) { attempts.append(attempt) }
            first = nil
        }
        for (index, frame) in frames.enumerated() where leader(of: frame) == classIndex {
            if first != nil, index - last > Self.gap + 1 { close() }
            first = first ?? index
            last = index
        }
        close()
        return attempts
    }

    private func attempt(_ classIndex: Int, _ range: ClosedRange<Int>) -> Attempt? {
        let rule = rules[classIndex]
        var (peak, run, longest, lastAbove) = (0.0, 0, 0, frames[range.lowerBound].time)
        for index in range {
            let score = Double(frames[index].scores.indices.contains(classIndex) ? frames[index].scores[classIndex] : 0)
            let isSure = leader(of: frames[index]) == classIndex && score > rule.threshold
            peak = max(peak, score)
            run = isSure ? run + slots(ofFrame: index) : 0
            longest = max(longest, run)
            if isSure { lastAbove = frames[index].time }
        }
        let (begin, end) = (frames[range.lowerBound].time, frames[range.upperBound].time)
        let isReported = gestures.contains { gesture in
            gesture.classIndex == classIndex && gesture.decision <= end && (gesture.end ?? .infinity) >= begin
        }
        guard isReported || peak >= Self.leastShare * rule.threshold else { return nil }
        let hands = range.compactMap { frames[$0].hasHand }
        return Attempt(
            classIndex: classIndex, begin: begin, end: end, peak: peak, slotsAbove: longest, frames: range.count,
            framesWithHand: hands.isEmpty ? nil : hands.count { $0 },
            outcome: isReported
                ? .reported : reason(classIndex, from: begin, lastAbove: lastAbove, peak: peak, slotsAbove: longest))
    }

    /// Why a stretch was not reported, by the rules in the order in which they apply.
    private func reason(
        _ classIndex: Int, from begin: Double, lastAbove: Double, peak: Double, slotsAbove: Int
    ) -> Attempt.Outcome {
        let rule = rules[classIndex]
        guard rule.isAllowed else { return .notAllowed }
        guard slotsAbove > 0 else { return .belowThreshold }
        guard slotsAbove >= rule.beginSlots else { return .tooShort }
        let ended = gestures.filter { ($0.end ?? .infinity) <= lastAbove }
        for gesture in ended.reversed() {
            guard let end = gesture.end else { continue }
            if rules[gesture.classIndex].returnStroke == classIndex, begin < end + returnTime {
                return .returnStroke(of: gesture.classIndex)
            }
            if gesture.classIndex == classIndex, begin < end + mergeWindow { return .sameGesture }
            if lastAbove < end + rest { return .resting }
        }
        if let other = gestures.last(where: { $0.decision <= lastAbove && ($0.end ?? .infinity) > lastAbove }) {
            return .otherGesture(other.classIndex)
        }
        return hasGap(from: begin, to: lastAbove) ? .interrupted : .undecided
    }

    /// Whether frames around a time are further apart than twice what is usual.
    private func hasGap(from begin: Double, to end: Double) -> Bool {
        let distances = zip(frames, frames.dropFirst()).map { $1.time - $0.time }
        guard let usual = distances.sorted().dropFirst(distances.count / 2).first else { return false }
        return zip(frames.dropFirst(), distances).contains { later, distance in
            distance > 2 * usual && later.time >= begin && later.time - distance <= end
        }
    }

    /// What an attempt lacked, as a clause.
    package func sentence(_ attempt: Attempt) -> String {
        let rule = rules[attempt.classIndex]
        switch attempt.outcome {
        case .reported: return "reported"
        case .notAllowed: return "the class is not allowed"
        case .belowThreshold:
            return "below its threshold: \(fixed(attempt.peak, 2)) at most, above \(fixed(rule.threshold, 2)) is needed"
                + steadily(rule)
        case .tooShort:
            return
                "too short: \(attempt.slotsAbove) of \(rule.beginSlots) slots in a row above \(fixed(rule.threshold, 2))"
                + steadily(rule)
        case .returnStroke(let other): return "the way back of \(rules[other].label)"
        case .resting: return "rest: nothing begins for \(fixed(rest, 2)) s after an end"
        case .sameGesture: return "the same gesture as before, within \(fixed(mergeWindow, 2)) s of it"
        case .otherGesture(let other): return "\(rules[other].label) lasted"
        case .interrupted: return "frames were lost, or the stream began anew"
        case .undecided: return "above its threshold, but not in enough slots that the recogniser counts"
        }
    }

    /// The other way to begin, as the end of a clause.
    private func steadily(_ rule: Rule) -> String {
        guard let steady = rule.steady else { return "" }
        return ", or \(steady.slots + rule.beginSlots - 1) slots in a row above \(fixed(steady.score, 2))"
    }

    /// A class over the whole clip.
    package struct ClassReview: Sendable, Equatable {
        package let classIndex: Int
        /// The highest score and its time; nil without scores.
        package let highest: Double?
        package let highestAt: Double?
        /// The most slots in a row in which the class led above its threshold.
        package let slotsAbove: Int
        package let reported: Int
        /// Of the stretches that were not reported, the outcome of the one with the highest score.
        package let blocked: Attempt?
    }

    /// The reviews of all gestures, those with the highest scores first.
    package var classes: [ClassReview] {
        let attempts = attempts
        return rules.indices.filter { $0 != nullIndex }.map { classIndex in
            let scored = frames.filter { $0.scores.indices.contains(classIndex) }
            let best = scored.max { $0.scores[classIndex] < $1.scores[classIndex] }
            let own = attempts.filter { $0.classIndex == classIndex }
            return ClassReview(
                classIndex: classIndex, highest: best.map { Double($0.scores[classIndex]) }, highestAt: best?.time,
                slotsAbove: own.map(\.slotsAbove).max() ?? 0,
                reported: gestures.count { $0.classIndex == classIndex },
                blocked: own.filter { $0.outcome != .reported }.max { $0.peak < $1.peak })
        }.sorted { ($0.highest ?? -1) > ($1.highest ?? -1) }
    }
}
