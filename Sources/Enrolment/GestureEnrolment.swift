extension UserGestures {
    /// The result of an enrolment, for the app to show.
    public struct EnrolmentReport: Sendable, Equatable {
        /// Whether recordings show a pose, which is recognised when it is held.
        public var isPose: Bool { poseRadius != nil }
        /// Whether recordings show a movement, which the temporal layers recognise. If others show a pose, the gesture is
        /// recognised by either.
        public let isMovement: Bool
        /// A hand shows the pose if its embedding is at most this far from the examples; nil for a movement.
        public let poseRadius: Double?
        /// The result for one example.
        public struct Example: Sendable, Equatable {
            /// The slots that were used as the gesture.
            public let gesture: Range<Int>
            /// Best log-odds of the new gesture, sustained long enough for an event; of a pose that of its score.
            public let logOdds: Double
            /// The same by a fit without the example; nil if it is the only one.
            public let heldOutLogOdds: Double?
            /// How far the palm travels while the hand shows the pose, in sizes of the palm, 0 or more; nil for a movement.
            public var travel: Double?
        }

        /// The travel of a palm above which a recording of a pose may have been meant as a movement, in sizes of the palm.
        package static let travelLimit = 1.5

        /// Advice for the person who made the recordings, of one or two sentences each. There is one for each recording
        /// that is taught as a pose although the palm travelled, and one for a movement that no background tested. Mostly
        /// empty.
        public var warnings: [String] {
            let untested =
                isMovement && falseEventsPerMinute == nil
                ? [
                    "Nothing tested how often the movement is made up, because the model has no background of its own. "
                        + "Give a bank, and try the gesture beside what hands do otherwise."
                ] : []
            return untested
                + examples.enumerated().compactMap { index, example in
                    guard let travel = example.travel, travel > Self.travelLimit else { return nil }
                    return
                        "Recording \(index + 1) is taught as a held pose, and the palm travels \(rounded(travel)) of its sizes in "
                        + "it. If a movement was meant, rest for half a second before and after it, and ask for the kind movement."
                }
        }

        /// One for each recording, in their order.
        public let examples: [Example]
        /// The share of an existing class's columns, unseen by the fit, that the new gesture would win, 0...1, by the
        /// label of the class. The classes are those of the bank, null included, and earlier gestures. Empty for a pose
        /// alone.
        public let firing: [String: Double]
        /// The largest share of a background recording that the new gesture would win; nil without one.
        public let backgroundShare: Double?
        /// Events of a movement a minute in the background that comes with the model, in parts of it that the fit has not
        /// seen; nil for a pose, and where there is no such background.
        public let falseEventsPerMinute: Double?
        /// Change of the bias that the held-out examples caused.
        public let biasShift: Double
        /// Weight of the identity in the features' covariance, 0...1; near 1 there were too few columns to estimate
        /// variation.
        public let shrinkage: Double
    }
}

/// Fits a new class row beside frozen ones, and refuses it if it would collide with them.
///
/// The row is null's row plus a step: logit = null's logit + d.x + c. So the new gesture takes its probability from null.
/// Where another class is certain, null's logit is low, and so is the gesture's before it has learned anything. Step and
/// bias minimise the part of the softmax cross-entropy over all classes that depends on them. The other logits are fixed,
/// so the new probabilities have the same meaning as the old ones. The penalty measures the step in units of the features'
/// variation within a class. So one example already gives the direction of linear discriminant analysis.
///
/// The fit is deterministic: the same recordings give the same row on the same processor.
package struct GestureEnrolment {
    private let existing: UserGestures
    private let bank: FeatureBank?
    private let configuration: EnrolmentConfiguration
    private var base: EnrolmentBase { existing.base }

    /// - existing: the gestures to which the new one is added.
    /// - bank: columns of the model's own classes; must belong to the same model.
    package init(
        existing: UserGestures, bank: FeatureBank?, configuration: EnrolmentConfiguration = EnrolmentConfiguration()
    ) throws(EnrolmentError) {
        do { try configuration.validate() } catch { throw .configuration(error) }
        if let bank, bank.identity != existing.base.identity {
            throw .otherModel(expected: existing.base.identity, found: bank.identity)
        }
        self.existing = existing
        self.bank = bank
        self.configuration = configuration
    }

    /// Fits the row for `label` and reports on it.
    /// - examples: 1...64 recordings of the gesture.
    /// - background: recordings without the gesture, in which it must not fire.
    package func fit(
        _ label: String, examples: [GestureRecording], background: [GestureRecording] = []
    ) throws(EnrolmentError) -> (gesture: UserGestures.Gesture, report: UserGestures.EnrolmentReport) {
        try existing.requireFree(label)
        let contents = try check(examples, background)
        let spans = contents.map { $0.slots }
        try refuseRecognised(examples, spans)
        let pose = try fitPose(contents, background)
        let moving = contents.indices.filter { contents[$0].hold == nil }
        guard !moving.isEmpty else {
            return (
                try gesture(label, nil, examples, spans, pose: pose?.template),
                UserGestures.EnrolmentReport(
                    isMovement: false, poseRadius: pose.map { Double($0.template.radius) },
                    examples: poseReports(examples, contents, pose), firing: [:], backgroundShare: nil,
                    falseEventsPerMinute: nil, biasShift: 0, shrinkage: 0
                )
            )
        }

        var samples = EnrolmentSamples(
            base: base, users: existing.gestures,
            backgroundWeight: bank?.secondsPerNullColumn == nil
                ? configuration.backgroundWeight : EnrolmentConfiguration.weightOfBackground)
        for (index, place) in moving.enumerated() {
            samples.add(example: examples[place], index: index, gesture: spans[place])
        }
        for (index, recording) in background.enumerated() { samples.add(background: recording, index: index) }
        if let bank { samples.add(bank) }
        samples.addUsers()
        guard samples.backgroundCount >= EnrolmentConfiguration.memory else {
            let rate = Double(max(examples[moving[0]].rate, 1))
            throw .noBackground(
                seconds: Double(samples.backgroundCount) / rate,
                required: Double(EnrolmentConfiguration.memory) / rate)
        }

        let metric = samples.metric
        var trial = try CrossValidatedFit(
            samples: samples, metric: metric, exampleCount: moving.count, ridge: configuration.ridge)
        trial.shiftBias()
        let falseEvents = try limitFalseEvents(&trial, moving.map { spans[$0] })
        try refuseFiring(trial, backgroundCount: background.count)
        var reports = poseReports(examples, contents, pose)
        for (place, report) in zip(moving, try judge(trial, moving.map { spans[$0] })) {
            reports.insert(report, at: place)
        }
        let gesture = try gesture(label, trial.fit, examples, spans, pose: pose?.template)
        return (
            gesture,
            UserGestures.EnrolmentReport(
                isMovement: true, poseRadius: pose.map { Double($0.template.radius) },
                examples: reports,
                firing: firing(trial).reduce(into: [:]) { $0[$1.label] = max($0[$1.label] ?? $1.share, $1.share) },
                backgroundShare: background.indices.compactMap { trial.firingShare(of: .background($0)) }.max(),
                falseEventsPerMinute: falseEvents, biasShift: trial.shift, shrinkage: metric.shrinkage)
        )
    }

    // MARK: Poses

    /// The pose of those recordings that hold one; nil if none does.
    private func fitPose(
        _ contents: [RecordingContent], _ background: [GestureRecording]
    ) throws(EnrolmentError) -> PoseFit? {
        let holds = contents.indices.compactMap { index in contents[index].hold.map { (example: index, hold: $0) } }
        guard !holds.isEmpty else { return nil }
        return try PoseFit(
            holds: holds, background: background.map(PoseHold.all), others: existing.gestures,
            configuration: configuration)
    }

    /// Reports on the recordings that hold a pose, in their order.
    private func poseReports(
        _ examples: [GestureRecording], _ contents: [RecordingContent], _ pose: PoseFit?
    ) -> [UserGestures.EnrolmentReport.Example] {
        guard let pose else { return [] }
        let holds = zip(examples, contents).compactMap { example, content in content.hold.map { (example, $0) } }
        return zip(holds, pose.distances).map { taught, distance in
            let (example, hold) = taught
            let score = min(max(Double(pose.template.score(distance)), 0.001), 0.999)
            return UserGestures.EnrolmentReport.Example(
                gesture: hold.slots, logOdds: Logistic.logOdds(score), heldOutLogOdds: nil,
                travel: example.travel(showing: hold))
        }
    }

    // MARK: Recordings

    private func check(
        _ examples: [GestureRecording], _ background: [GestureRecording]
    ) throws(EnrolmentError) -> [RecordingContent] {
        let allowed = 1...EnrolmentConfiguration.recordingLimit
        guard allowed.contains(examples.count) else { throw .recordingCount(examples.count, allowed: allowed) }
        guard background.count <= EnrolmentConfiguration.recordingLimit else {
            throw .recordingCount(background.count, allowed: 0...EnrolmentConfiguration.recordingLimit)
        }
        for (index, recording) in (examples + background).enumerated() {
            guard recording.featureCount == base.featureCount, recording.classCount == base.classCount else {
                throw .otherRecording(
                    recording: index, features: recording.featureCount, classes: recording.classCount)
            }
        }
        var contents: [RecordingContent] = []
        for (index, example) in examples.enumerated() {
            for earlier in 0..<index where examples[earlier].features == example.features {
                throw .duplicateRecording(earlier, index)
            }
            contents.append(try RecordingContent(example, index: index, as: configuration.kind))
        }
        return contents
    }

    /// Refuses gestures that the model or an earlier gesture already recognises.
    private func refuseRecognised(
        _ examples: [GestureRecording], _ spans: [Range<Int>]
    ) throws(EnrolmentError) {
        let labels = existing.allLabels
        let threshold = Logistic.logProbability(configuration.confidence)
        var recognised = [Int](repeating: 0, count: labels.count)
        for (example, span) in zip(examples, spans) {
            let scores = span.map { slot in
                EnrolmentSamples.allLogits(example.column(slot), example.scores(slot), base, existing.gestures)
            }
            for index in labels.indices where index != base.nullIndex {
                let passes = scores.map { $0[index] - Logistic.logSumExp($0) > threshold }
                if ConsecutiveRuns.runs(passes, count: configuration.sustainedSlots) > 0 { recognised[index] += 1 }
            }
        }
        let confused = recognised.indices.max { recognised[$0] < recognised[$1] } ?? 0
        guard Double(recognised[confused]) <= configuration.recognisedShare * Double(examples.count) else {
            throw .alreadyRecognised(label: labels[confused], recordings: recognised[confused], of: examples.count)
        }
    }

    // MARK: Collisions

    private func firing(_ trial: CrossValidatedFit) -> [(label: String, share: Double)] {
        let sources =
            base.labels.indices.map(EnrolmentSamples.Source.bank)
            + existing.gestures.indices.map(
                EnrolmentSamples.Source.user)
        return zip(existing.allLabels, sources).compactMap { label, source in
            trial.firingShare(of: source).map { (label: label, share: $0) }
        }
    }

    private func refuseFiring(_ trial: CrossValidatedFit, backgroundCount: Int) throws(EnrolmentError) {
        let limit = configuration.firingLimit
        // The worst collision first, because the error reports one.
        if let worst = firing(trial).max(by: { $0.share < $1.share }), worst.share > limit {
            throw .firesOnClass(label: worst.label, share: worst.share, limit: limit)
        }
        for index in 0..<backgroundCount {
            if let share = trial.firingShare(of: .background(index)), share > limit {
                throw .firesOnBackground(recording: index, share: share, limit: limit)
            }
        }
    }

    /// Lowers the bias until the gesture is seldom enough made up in the bank's null, and refuses it if its own examples
    /// are then no events.
    /// - Returns: false events a minute; nil without columns in the order of time.
    private func limitFalseEvents(
        _ trial: inout CrossValidatedFit, _ spans: [Range<Int>]
    ) throws(EnrolmentError) -> Double? {
        guard let bank, let seconds = bank.secondsPerNullColumn else { return nil }
        let minutes = seconds * Double(bank.classes.count { Int($0) == base.nullIndex }) / 60
        guard minutes > 0 else { return nil }
        let null = EnrolmentSamples.Source.bank(base.nullIndex)
        let threshold = Logistic.logOdds(configuration.confidence)
        let before = Double(trial.falseEvents(null: null, above: threshold)) / minutes
        let limit = configuration.falseEventsPerMinute
        // What is not found even so is not refused for this.
        guard before > limit else { return before }
        trial.lowerBias(null: null, events: Int(limit * minutes), above: threshold)
        let found = spans.indices.count { index in
            let source = EnrolmentSamples.Source.gesture(index)
            let logOdds = trial.heldOutLogOdds(of: source) ?? trial.seenLogOdds(of: source)
            return ConsecutiveRuns.best(logOdds, count: configuration.sustainedSlots) > threshold
        }
        guard Double(found) >= configuration.foundShare * Double(spans.count) else {
            throw .madeUp(perMinute: before, limit: limit, found: found, of: spans.count)
        }
        return Double(trial.falseEvents(null: null, above: threshold)) / minutes
    }

    private func judge(
        _ trial: CrossValidatedFit, _ spans: [Range<Int>]
    ) throws(EnrolmentError) -> [UserGestures.EnrolmentReport.Example] {
        let count = configuration.sustainedSlots
        let required = Logistic.logOdds(configuration.agreement)
        let seen = spans.indices.map { ConsecutiveRuns.best(trial.seenLogOdds(of: .gesture($0)), count: count) }
        let heldOut = spans.indices.map { index in
            trial.heldOutLogOdds(of: .gesture(index)).map { ConsecutiveRuns.best($0, count: count) }
        }
        func failing(_ values: [Double]) -> [Int]? {
            let below = values.indices.filter { values[$0] < required }
            let share = Double(values.count - below.count) / Double(max(values.count, 1))
            return share < configuration.agreeingShare ? below : nil
        }
        if let below = failing(seen) {
            throw .inseparable(
                recordings: below, of: seen.count, logOdds: seen.min() ?? 0, required: required)
        }
        let unseen = heldOut.compactMap { $0 }
        if unseen.count == spans.count, let below = failing(unseen) {
            throw .examplesDisagree(
                recordings: below, of: unseen.count, logOdds: unseen.min() ?? 0, required: required)
        }
        return spans.indices.map { index in
            UserGestures.EnrolmentReport.Example(
                gesture: spans[index], logOdds: seen[index], heldOutLogOdds: heldOut[index])
        }
    }

    // MARK: Result

    private func gesture(
        _ label: String, _ fit: RowFit?, _ examples: [GestureRecording], _ spans: [Range<Int>], pose: PoseTemplate?
    ) throws(EnrolmentError) -> UserGestures.Gesture {
        let slots = zip(examples, spans).flatMap { example, span in span.map { (example, $0) } }
        var columns: [Float] = []
        var logits: [Float] = []
        for exemplar in 0..<UserGestures.Gesture.exemplarCount {
            let (example, slot) = slots[(2 * exemplar + 1) * slots.count / (2 * UserGestures.Gesture.exemplarCount)]
            columns += example.column(slot)
            logits += example.scores(slot).map { QuantisedFeatures.half($0) }
        }
        guard
            let gesture = UserGestures.Gesture(
                label: label, exampleCount: examples.count,
                weights: fit?.weights.map(Float.init) ?? [Float](repeating: 0, count: base.featureCount),
                bias: fit.map { Float($0.bias) } ?? UserGestures.Gesture.silentBias,
                exemplars: QuantisedFeatures.quantise(columns, scale: UserGestures.Gesture.exemplarScale),
                exemplarLogits: logits, pose: pose)
        else { throw .notConverged(decrement: .infinity) }
        return gesture
    }
}
