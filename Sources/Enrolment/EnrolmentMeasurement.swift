/// Recordings for measuring an enrolment. Each may be in one list only.
package struct EnrolmentMeasurement: Sendable {
    /// Examples for enrolment, from which consecutive disjoint sets are taken.
    package var pool: [GestureRecording]
    /// Other takes of the gesture.
    package var heldOut: [GestureRecording]
    /// Takes of the model's own classes, by class index: they must stay recognised.
    package var others: [(classIndex: Int, recording: GestureRecording)]
    /// Footage without a gesture.
    package var nothing: [GestureRecording]
    /// Footage without a gesture that the enrolment may use.
    package var background: [GestureRecording]
    package var slotsPerSecond: Double

    package init(
        pool: [GestureRecording], heldOut: [GestureRecording],
        others: [(classIndex: Int, recording: GestureRecording)] = [], nothing: [GestureRecording] = [],
        background: [GestureRecording] = [], slotsPerSecond: Double = 120
    ) {
        self.pool = pool
        self.heldOut = heldOut
        self.others = others
        self.nothing = nothing
        self.background = background
        self.slotsPerSecond = slotsPerSecond
    }

    /// Results of the enrolments from one number of examples, averaged over those that were not refused. Rates are
    /// 0...1.
    package struct Result: Sendable, Equatable {
        package let exampleCount: Int
        /// Number of tried sets of examples.
        package let attempts: Int
        /// Why sets were refused.
        package let refusals: [EnrolmentError]
        /// Share of the held-out takes in which the gesture fires; nil if no set was enrolled.
        package let detectionRate: Double?
        /// Share of their gesture slots in which the gesture leads.
        package let slotRecall: Double?
        /// Median of the takes' best sustained log-odds.
        package let medianLogOdds: Double?
        /// Median number of slots from a gesture's first slot to the deciding one, over the takes in which it fires.
        package let medianDelay: Int?
        /// False firings per minute of footage without a gesture; nil without such footage.
        package let falseFiringsPerMinute: Double?
        /// Share of the takes of other classes in which it fires.
        package let firedOnOthers: Double?
        /// Share of the takes of other classes in which their own class fires, without and with the new gesture.
        package let othersBefore: Double?
        package let othersAfter: Double?
        /// Over all slots in which the new gesture is above the threshold: the mean probability minus the share of slots
        /// that show the gesture. 0 is calibrated, above 0 too confident. Slots next to a gesture are left out.
        package let overconfidence: Double?
    }

    /// Enrols with each number of examples and measures the results.
    ///
    /// A firing is `configuration.sustainedSlots` consecutive slots above `configuration.confidence`: a begin event
    /// without the median before it. A take's gesture counts as seen up to the network's memory after its last slot.
    /// Throws if a held-out take shows no gesture; errors of the sets of examples are in the results.
    /// - counts: numbers of examples. A number beyond the pool has no attempts.
    /// - attempts: most sets for one number.
    package func measure(
        existing: UserGestures, bank: FeatureBank?, configuration: EnrolmentConfiguration = EnrolmentConfiguration(),
        counts: [Int] = [1, 3, 5, 10], attempts: Int = 10
    ) throws(EnrolmentError) -> [Result] {
        let enrolment = try GestureEnrolment(existing: existing, bank: bank, configuration: configuration)
        var spans: [Range<Int>] = []
        for (index, take) in heldOut.enumerated() { spans.append(try GestureSpan(take, index: index).slots) }
        var results: [Result] = []
        for count in counts {
            let sets = count > 0 ? min(pool.count / count, attempts) : 0
            var tally = Tally()
            for set in 0..<sets {
                do throws(EnrolmentError) {
                    let examples = Array(pool[set * count..<(set + 1) * count])
                    let fitted = try enrolment.fit(Self.label, examples: examples, background: background)
                    add(fitted.gesture, spans, existing, configuration, to: &tally)
                } catch {
                    tally.refusals.append(error)
                }
            }
            results.append(tally.result(exampleCount: count, attempts: sets, slotsPerSecond: slotsPerSecond))
        }
        return results
    }

    private static let label = "measured"

    private func add(
        _ gesture: UserGestures.Gesture, _ spans: [Range<Int>], _ existing: UserGestures,
        _ configuration: EnrolmentConfiguration, to tally: inout Tally
    ) {
        let limit = configuration.sustainedSlots
        let threshold = Logistic.logOdds(configuration.confidence)
        func logOdds(_ recording: GestureRecording) -> [Double] {
            Self.logOdds(of: gesture, in: recording, existing)
        }
        for (recording, span) in zip(heldOut, spans) {
            let all = logOdds(recording)
            let end = min(span.upperBound + EnrolmentConfiguration.memory, all.count)
            tally.best.append(ConsecutiveRuns.best(all[span.lowerBound..<end], count: limit))
            tally.leading += all[span].count { $0 > 0 }
            tally.gestureSlots += span.count
            var length = 0
            for slot in span.lowerBound..<end {
                length = all[slot] > threshold ? length + 1 : 0
                if length == limit {
                    tally.delays.append(slot - span.lowerBound)
                    break
                }
            }
            for slot in all.indices where all[slot] > threshold {
                if span.contains(slot) {
                    tally.confident.append((Logistic.probability(all[slot]), true))
                } else if slot < span.lowerBound - EnrolmentConfiguration.memory || slot >= end {
                    tally.confident.append((Logistic.probability(all[slot]), false))
                }
            }
        }
        for recording in nothing {
            let all = logOdds(recording)
            tally.falseFirings += ConsecutiveRuns.runs(all.lazy.map { $0 > threshold }, count: limit)
            tally.nothingSlots += all.count
            tally.confident += all.filter { $0 > threshold }.map { (Logistic.probability($0), false) }
        }
        for (classIndex, recording) in others {
            let all = logOdds(recording)
            let before = Self.logOdds(ofClass: classIndex, in: recording, existing, beside: nil)
            let after = Self.logOdds(ofClass: classIndex, in: recording, existing, beside: gesture)
            tally.others += 1
            tally.fired += ConsecutiveRuns.runs(all.lazy.map { $0 > threshold }, count: limit) > 0 ? 1 : 0
            tally.before += ConsecutiveRuns.runs(before.lazy.map { $0 > threshold }, count: limit) > 0 ? 1 : 0
            tally.after += ConsecutiveRuns.runs(after.lazy.map { $0 > threshold }, count: limit) > 0 ? 1 : 0
            tally.confident += all.filter { $0 > threshold }.map { (Logistic.probability($0), false) }
        }
    }

    private static func logOdds(
        of gesture: UserGestures.Gesture, in recording: GestureRecording, _ existing: UserGestures
    ) -> [Double] {
        (0..<recording.slotCount).map { slot in
            let column = recording.column(slot)
            let all = EnrolmentSamples.allLogits(
                column, recording.scores(slot), existing.base, existing.gestures)
            return all[existing.base.nullIndex] + gesture.score(column) - Logistic.logSumExp(all)
        }
    }

    private static func logOdds(
        ofClass index: Int, in recording: GestureRecording, _ existing: UserGestures,
        beside gesture: UserGestures.Gesture?
    ) -> [Double] {
        let users = existing.gestures + (gesture.map { [$0] } ?? [])
        return (0..<recording.slotCount).map { slot in
            var all = EnrolmentSamples.allLogits(
                recording.column(slot), recording.scores(slot), existing.base, users)
            let own = all.remove(at: index)
            return all.isEmpty ? .infinity : own - Logistic.logSumExp(all)
        }
    }
}

/// Sums over the enrolments from one number of examples.
private struct Tally {
    var refusals: [EnrolmentError] = []
    var best: [Double] = []
    var delays: [Int] = []
    var leading = 0
    var gestureSlots = 0
    var falseFirings = 0
    var nothingSlots = 0
    var others = 0
    var fired = 0
    var before = 0
    var after = 0
    var confident: [(probability: Double, isRight: Bool)] = []

    func result(
        exampleCount: Int, attempts: Int, slotsPerSecond: Double
    ) -> EnrolmentMeasurement.Result {
        func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
        let excess = confident.reduce(0) { $0 + $1.probability - ($1.isRight ? 1 : 0) }
        return EnrolmentMeasurement.Result(
            exampleCount: exampleCount, attempts: attempts, refusals: refusals,
            detectionRate: share(delays.count, of: best.count), slotRecall: share(leading, of: gestureSlots),
            medianLogOdds: best.isEmpty ? nil : best.sorted()[best.count / 2],
            medianDelay: delays.isEmpty ? nil : delays.sorted()[delays.count / 2],
            falseFiringsPerMinute: share(falseFirings, of: nothingSlots).map { $0 * slotsPerSecond * 60 },
            firedOnOthers: share(fired, of: others), othersBefore: share(before, of: others),
            othersAfter: share(after, of: others),
            overconfidence: confident.isEmpty ? nil : excess / Double(confident.count))
    }
}
