import Enrolment
import Foundation
import Testing
import Vocabulary

struct GestureEnrolmentTests {
    /// A bank needs no labels: each slot is what the model is sure of. It comes back from its file.
    @Test func aBankIsMadeOfRecordings() throws {
        var model = SyntheticModel(seed: 20)
        let recordings = [try model.recording(model.mean(0)), try model.recording(model.mean(1))]
        let bank = try FeatureBank(recordings, base: model.base)
        // Sixteen of thirty slots of each gesture, and as many of 120 at rest as fit.
        #expect([0, 1, 2].map { index in bank.classes.filter { $0 == index }.count } == [16, 16, 120])
        #expect(try FeatureBank(bytes: bank.bytes(), base: model.base) == bank)

        let enrolment = try GestureEnrolment(existing: UserGestures(base: model.base), bank: bank)
        let example = try model.recording(model.mean(feature: 5, distance: 8))
        let firing = try enrolment.fit("own", examples: [example]).report.firing
        #expect(Set(firing.keys) == ["left", "right", "null"] && firing.values.allSatisfy { $0 < 0.1 }, "\(firing)")
        let other = try GestureRecording(features: [1, 1], logits: [0, 0], featureCount: 2, classCount: 2)
        #expect(throws: EnrolmentError.otherRecording(recording: 1, features: 2, classes: 2)) {
            try FeatureBank([recordings[0], other], base: model.base)
        }
    }

    private func enrolment(
        _ model: SyntheticModel, bank: FeatureBank?, _ configuration: EnrolmentConfiguration = EnrolmentConfiguration()
    ) throws -> GestureEnrolment {
        try GestureEnrolment(existing: UserGestures(base: model.base), bank: bank, configuration: configuration)
    }

    /// Share of fresh columns of a mean that the extended softmax gives to the new class.
    private func share(
        _ gesture: UserGestures.Gesture, of mean: [Float], _ model: inout SyntheticModel
    ) throws -> Double {
        var gestures = UserGestures(base: model.base)
        try gestures.add(gesture)
        let rows = UserGestureRows(gestures)
        var won = 0
        for _ in 0..<500 {
            let column = model.column(mean)
            var logits = model.logits(column) + [0]
            var span = logits.mutableSpan
            rows.extend(&span, features: column.span)
            if logits[3] > logits[..<3].max()! { won += 1 }
        }
        return Double(won) / 500
    }

    @Test(arguments: [1, 3, 5, 10])
    func separableGestureIsLearnedFromFewExamples(count: Int) throws {
        var model = SyntheticModel(seed: 5)
        let mean = model.mean(feature: 5, distance: 8)
        let bank = try model.bank()
        let examples = try model.recordings(count, mean)
        let (gesture, report) = try enrolment(model, bank: bank).fit("wave", examples: examples)
        #expect(gesture.label == "wave" && gesture.exampleCount == count)
        #expect(report.examples.allSatisfy { $0.logOdds > 1.73 })
        #expect(report.examples.allSatisfy { ($0.heldOutLogOdds == nil) == (count == 1) })
        #expect(try share(gesture, of: mean, &model) > 0.97)
        for classIndex in 0..<3 { #expect(try share(gesture, of: model.mean(classIndex), &model) < 0.02) }
        // The direction is the one that the classes differ in.
        let largest = gesture.weights.indices.max { gesture.weights[$0] < gesture.weights[$1] }
        #expect(largest == 5)
    }

    /// With equal covariances the true log-odds are linear: their slope along the feature is distance / deviation.
    @Test func manyExamplesApproachTheTruePosterior() throws {
        var model = SyntheticModel(seed: 11)
        let mean = model.mean(feature: 7, distance: 4)
        let bank = try model.bank()
        let examples = try model.recordings(20, mean, rest: 60, slots: 60, gesture: 60..<120)
        let configuration = EnrolmentConfiguration(ridge: 0.01)
        let (gesture, _) = try enrolment(model, bank: bank, configuration).fit("wave", examples: examples)
        let slope = gesture.weights[7] * model.deviation
        #expect(abs(slope - 4) < 1.2)
        let others = gesture.weights.indices.filter { $0 > 1 && $0 != 7 }.map {
            abs(gesture.weights[$0] * model.deviation)
        }
        #expect(others.max()! < 1.2)
    }

    /// The report gives the new row's probability of an example: also the bias's shift is in both.
    @Test func theReportIsThatOfTheRow() throws {
        var model = SyntheticModel(seed: 12)
        let mean = model.mean(feature: 7, distance: 6)
        let bank = try model.bank()
        let examples = (0..<3).map { _ in
            (0..<90).map { slot in model.column((30..<60).contains(slot) ? mean : model.mean(2)) }
        }
        let recordings = try examples.map { columns in
            try GestureRecording(
                features: Array(columns.joined()), logits: columns.flatMap(model.logits),
                featureCount: SyntheticModel.width, classCount: 3, gesture: 30..<60)
        }
        let (gesture, report) = try enrolment(model, bank: bank).fit("wave", examples: recordings)
        #expect(abs(report.biasShift) > 0.05)
        for (columns, found) in zip(examples, report.examples) {
            let logOdds = columns[30..<60].map { column in
                let scores = model.logits(column).map(Double.init)
                let product = zip(gesture.weights, column).reduce(Double(gesture.bias)) {
                    $0 + Double($1.0) * Double($1.1)
                }
                return scores[model.base.nullIndex] + product - log(scores.reduce(0) { $0 + exp($1) })
            }
            let best = ConsecutiveRuns.best(logOdds, count: EnrolmentConfiguration().sustainedSlots)
            #expect(abs(best - found.logOdds) < 0.01, "\(best), \(found.logOdds)")
        }
    }

    /// A movement in the background that half of the gesture is in: the fit that has not seen this half of the background
    /// includes the other, and separates them.
    @Test func halfOfABackgroundTeachesTheOtherHalf() throws {
        var model = SyntheticModel(seed: 14)
        let mean = model.mean(feature: 6, distance: 9)
        var other = model.mean(feature: 6, distance: 8)
        other[8] += 9 * model.deviation
        let example = try model.recording(mean, gesture: 30..<60)
        let background = try model.recording(other, rest: 0, slots: 120)
        let (_, report) = try enrolment(model, bank: nil).fit("wave", examples: [example], background: [background])
        #expect(try #require(report.backgroundShare) < 0.02)
    }

    @Test func theSameRecordingsGiveTheSameBits() throws {
        var model = SyntheticModel(seed: 3)
        let bank = try model.bank()
        let examples = try model.recordings(3, model.mean(feature: 9, distance: 8))
        let first = try enrolment(model, bank: bank).fit("wave", examples: examples)
        let second = try enrolment(model, bank: bank).fit("wave", examples: examples)
        #expect(first.gesture == second.gesture && first.report == second.report)
    }

    @Test func rowsAreLearnedWithoutABankToo() throws {
        var model = SyntheticModel(seed: 8)
        let mean = model.mean(feature: 4, distance: 10)
        let examples = try model.recordings(3, mean)
        let nothing = try model.recording(model.mean(2))
        let (gesture, report) = try enrolment(model, bank: nil).fit("wave", examples: examples, background: [nothing])
        #expect(report.firing.isEmpty && report.backgroundShare! <= 0.02)
        #expect(try share(gesture, of: mean, &model) > 0.95)
        #expect(try share(gesture, of: model.mean(2), &model) < 0.02)
    }

    // MARK: Collisions

    @Test func aGestureThatTheModelKnowsIsRefused() throws {
        var model = SyntheticModel(seed: 2)
        let examples = try model.recordings(3, model.mean(1))
        let bank = try model.bank()
        let enrolment = try enrolment(model, bank: bank)
        #expect(throws: EnrolmentError.alreadyRecognised(label: "right", recordings: 3, of: 3)) {
            try enrolment.fit("wave", examples: examples)
        }
    }

    /// The model recognises null, but the columns are those of a class in the bank: only data left out of the fit shows it.
    @Test func aGestureThatLooksLikeAClassIsRefused() throws {
        var model = SyntheticModel(seed: 2)
        let bank = try model.bank()
        let examples = try model.recordings(3, model.mean(2), gesture: 30..<60)
        let error = try #require(throws: EnrolmentError.self) {
            try enrolment(model, bank: bank).fit("wave", examples: examples)
        }
        switch error {
        case .firesOnClass(let label, let share, let limit):
            #expect(label == "null" && share > limit && limit == 0.1)
        case .inseparable(_, _, let logOdds, let required), .examplesDisagree(_, _, let logOdds, let required):
            #expect(logOdds < required && required == 0)
        default: Issue.record("\(error)")
        }
    }

    /// Where the model recognises a class with little confidence, no class, null included, is likely enough for an event of
    /// another gesture.
    @Test func aGestureAmongVagueClassesIsRefused() throws {
        var model = SyntheticModel(seed: 21)
        model.sharpness = 0.02
        let bank = try model.bank()
        let mean = model.mean(0)
        let examples = try model.recordings(4, mean, gesture: 30..<60)
        let error = try #require(throws: EnrolmentError.self) {
            try enrolment(model, bank: bank).fit("wave", examples: examples)
        }
        // Null's own probability is too small for an event, whatever the gesture takes of it.
        guard case .inseparable([0, 1, 2, 3], 4, let logOdds, 0) = error else { throw error }
        #expect(logOdds < 0)
    }

    @Test func anExampleOfSomethingElseIsNamed() throws {
        var model = SyntheticModel(seed: 13)
        let bank = try model.bank()
        var examples = try model.recordings(4, model.mean(feature: 6, distance: 9))
        examples.insert(try model.recording(model.mean(feature: 15, distance: 9)), at: 2)
        let strict = EnrolmentConfiguration(agreeingShare: 1)
        let error = try #require(throws: EnrolmentError.self) {
            try enrolment(model, bank: bank, strict).fit("wave", examples: examples)
        }
        guard case .examplesDisagree([2], 5, let logOdds, 0) = error else { throw error }
        #expect(logOdds < 0)
        // One of five is let pass by default, and reported.
        let (_, report) = try enrolment(model, bank: bank).fit("wave", examples: examples)
        #expect(report.examples.indices.filter { report.examples[$0].heldOutLogOdds! < 0 } == [2])
    }

    @Test func backgroundInWhichItFiresIsNamed() throws {
        var model = SyntheticModel(seed: 17)
        let bank = try model.bank()
        let mean = model.mean(feature: 6, distance: 9)
        let examples = try model.recordings(3, mean)
        let quiet = try model.recording(model.mean(2))
        // Nothing in its first half, the gesture in its second: the half in a fit does not warn of the other.
        let take = try model.recording(mean)
        let busy = try GestureRecording(
            features: Array(take.features[..<(60 * SyntheticModel.width)]), logits: Array(take.logits[..<180]),
            featureCount: SyntheticModel.width, classCount: 3)
        let error = try #require(throws: EnrolmentError.self) {
            try enrolment(model, bank: bank).fit("wave", examples: examples, background: [quiet, busy])
        }
        guard case .firesOnBackground(1, let share, 0.1) = error else { throw error }
        #expect(share > 0.4 && share <= 0.52)
    }

    /// Finite but absurd: refused or learned, never a trap.
    @Test func hugeValuesDoNotTrap() throws {
        var model = SyntheticModel(seed: 19)
        let bank = try model.bank()
        for factor in [Float(1e6), 1e18, 1e37] {
            let take = try model.recording(model.mean(feature: 6, distance: 9), gesture: 30..<60)
            let huge = try GestureRecording(
                features: take.features.map { $0 * factor },
                logits: take.logits.map { max($0 * (factor / 100), -3e38) },
                featureCount: take.featureCount, classCount: 3, gesture: take.gesture)
            if let result = try? enrolment(model, bank: bank).fit("wave", examples: [huge]) {
                #expect(result.gesture.bias.isFinite)
            }
        }
    }

    @Test func twoUserGesturesStayApartAndTheSameTwiceIsRefused() throws {
        var model = SyntheticModel(seed: 31)
        let bank = try model.bank()
        var gestures = UserGestures(base: model.base)
        let mean = model.mean(feature: 6, distance: 9)
        let first = try model.recordings(3, mean)
        try gestures.add(GestureEnrolment(existing: gestures, bank: bank).fit("wave", examples: first).gesture)
        let again = try model.recordings(3, mean)
        let enrolment = try GestureEnrolment(existing: gestures, bank: bank)
        #expect(throws: EnrolmentError.alreadyRecognised(label: "wave", recordings: 3, of: 3)) {
            try enrolment.fit("wave again", examples: again)
        }
        let other = try model.recordings(3, model.mean(feature: 10, distance: 9))
        let (_, report) = try enrolment.fit("snap", examples: other)
        #expect(Set(report.firing.keys) == ["left", "right", "null", "wave"])
        #expect(report.firing.values.allSatisfy { $0 <= 0.1 })
        #expect(throws: EnrolmentError.labelTaken("wave")) { try enrolment.fit("wave", examples: other) }
        #expect(throws: EnrolmentError.labelTaken("null")) { try enrolment.fit("null", examples: other) }
    }

    // MARK: Recordings that cannot be used

    @Test func unusableRecordingsAreNamed() throws {
        var model = SyntheticModel(seed: 41)
        let bank = try model.bank()
        let good = try model.recording(model.mean(feature: 6, distance: 9))
        let enrolment = try enrolment(model, bank: bank)
        #expect(throws: EnrolmentError.recordingCount(0, allowed: 1...64)) { try enrolment.fit("a", examples: []) }
        #expect(throws: EnrolmentError.duplicateRecording(0, 1)) { try enrolment.fit("a", examples: [good, good]) }
        let narrow = try GestureRecording(features: [1, 2], logits: [0, 0, 0], featureCount: 2, classCount: 3)
        #expect(throws: EnrolmentError.otherRecording(recording: 1, features: 2, classes: 3)) {
            try enrolment.fit("a", examples: [good, narrow])
        }
        for range in [-1..<4, 88..<91, 5..<5] {
            var wrong = good
            wrong.gesture = range
            #expect(throws: EnrolmentError.gestureRange(recording: 0, range, slots: 90)) {
                try enrolment.fit("a", examples: [wrong])
            }
        }
        let short = try model.recording(model.mean(2), rest: 5, slots: 5)
        #expect(throws: EnrolmentError.tooShort(recording: 0, seconds: 15.0 / 30, required: 16.0 / 30)) {
            try enrolment.fit("a", examples: [short])
        }
        let still = try model.recording(model.mean(2))
        let error = try #require(throws: EnrolmentError.self) {
            try enrolment.fit("a", examples: [still])
        }
        guard case .noActivity(0, let contrast, 3) = error else { throw error }
        #expect(contrast < 3)
        var whole = good
        whole.gesture = 0..<90
        let bare = try self.enrolment(model, bank: nil)
        #expect(throws: EnrolmentError.noBackground(seconds: 0, required: 0.5)) { try bare.fit("a", examples: [whole]) }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func valuesThatAreNotFiniteAreRefusedWithTheirPlace(value: Float) {
        var features = [Float](repeating: 1, count: 12)
        var logits = [Float](repeating: 0, count: 6)
        features[7] = value
        #expect(throws: EnrolmentError.notFinite(slot: 1, feature: 3)) {
            try GestureRecording(features: features, logits: logits, featureCount: 4, classCount: 2)
        }
        features[7] = 1
        logits[5] = value
        #expect(throws: EnrolmentError.notFinite(slot: 2, feature: nil)) {
            try GestureRecording(features: features, logits: logits, featureCount: 4, classCount: 2)
        }
        #expect(throws: EnrolmentError.recordingShape(features: 12, logits: 5)) {
            try GestureRecording(features: features, logits: [0, 0, 0, 0, 0], featureCount: 4, classCount: 2)
        }
        #expect(throws: EnrolmentError.recordingShape(features: 12, logits: 4)) {
            try GestureRecording(features: features, logits: [0, 0, 0, 0], featureCount: 4, classCount: 2)
        }
    }

    /// Constant features, and features that are copies of each other: nothing is invertible but by the penalty.
    @Test func collinearFeaturesAreNoTrouble() throws {
        let base = EnrolmentBase(
            identity: SyntheticModel.identity, labels: ["a", "null"], nullIndex: 1, featureCount: 6)
        func take(_ level: Float) throws -> GestureRecording {
            var features: [Float] = []
            for slot in 0..<80 {
                let value: Float = (30..<50).contains(slot) ? level : 1
                features += [value, value, value, 2, 2, 0]
            }
            return try GestureRecording(
                features: features, logits: (0..<160).map { $0 % 2 == 0 ? -4 : 0 }, featureCount: 6, classCount: 2)
        }
        let enrolment = try GestureEnrolment(existing: UserGestures(base: base), bank: nil)
        let (gesture, report) = try enrolment.fit("lift", examples: [take(3), take(3.5)])
        #expect(report.examples.map(\.gesture) == [30..<50, 30..<50].map { $0.lowerBound - 1..<$0.upperBound + 1 })
        // Copies share the weight evenly; constants get none but through the bias.
        #expect(
            abs(gesture.weights[0] - gesture.weights[1]) < 1e-4 && abs(gesture.weights[1] - gesture.weights[2]) < 1e-4)
        #expect(gesture.weights[0] > 0)
        #expect(abs(gesture.weights[5]) < 1e-6)
        #expect(gesture.weights.allSatisfy { $0.isFinite })
    }

    @Test func configurationsOutOfRangeAreRefused() {
        let wrong: [(EnrolmentConfiguration, String)] = [
            (EnrolmentConfiguration(ridge: 0), "ridge"), (EnrolmentConfiguration(ridge: .infinity), "ridge"),
            (EnrolmentConfiguration(ridge: .nan), "ridge"), (EnrolmentConfiguration(confidence: 1), "confidence"),
            (EnrolmentConfiguration(confidence: 0.4), "confidence"),
            (EnrolmentConfiguration(sustainedSlots: 0), "sustainedSlots"),
            (EnrolmentConfiguration(firingLimit: 1.1), "firingLimit"),
            (EnrolmentConfiguration(recognisedShare: .nan), "recognisedShare"),
            (EnrolmentConfiguration(agreement: 1), "agreement"),
            (EnrolmentConfiguration(agreeingShare: -0.1), "agreeingShare"),
            (EnrolmentConfiguration(backgroundWeight: 0), "backgroundWeight"),
        ]
        for (configuration, parameter) in wrong {
            #expect {
                try configuration.validate()
            } throws: { error in
                (error as? ConfigurationError)?.parameter == "EnrolmentConfiguration.\(parameter)"
            }
        }
        #expect(throws: Never.self) { try EnrolmentConfiguration().validate() }
        // What an app can set leaves the rest as it is.
        #expect(EnrolmentConfiguration(ridge: EnrolmentConfiguration.standardRidge) == EnrolmentConfiguration())
        let own = EnrolmentConfiguration(kind: .pose, confidence: 0.6, sustainedSlots: 5)
        #expect(own == EnrolmentConfiguration(ridge: 2, confidence: 0.6, sustainedSlots: 5, kind: .pose))
    }
}
