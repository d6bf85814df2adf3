import Enrolment
import Testing
import Vocabulary

/// Poses that are held: what recordings show, what is refused, and the file.
@Suite struct PoseEnrolmentTests {
    private static let rate = 30

    /// The direction of a pose: each has dimensions of its own, and all share some.
    private func embedding(_ pose: Int, _ noise: Float, _ random: inout SplitMix64) -> [Float] {
        (0..<128).map { index in
            let own: Float = index / 16 == pose ? 1 : index >= 112 ? 0.5 : 0
            return max(0, own + noise * Float(random.normal()))
        }
    }

    /// A part of a recording: a pose, or no hand; for how many slots, and by how much the palm moves in each.
    private struct Part {
        var pose: Int?
        var slots = 30
        var step: Float = 0
        /// The column of the temporal layers: index of a feature that is raised, or rest.
        var feature: Int?
        /// The place of the networks' pose that they see.
        var known: Int?
    }

    private func recording(
        _ parts: [Part], _ model: inout SyntheticModel, noise: Float = 0.1, seed: UInt64 = 1
    ) throws -> GestureRecording {
        var random = SplitMix64(seed: seed)
        var (features, logits, hand) = ([Float](), [Float](), HandTrace(rate: Self.rate))
        var place: Float = 0.3
        for part in parts {
            let mean = part.feature.map { model.mean(feature: $0, distance: 8) } ?? model.mean(2)
            for _ in 0..<part.slots {
                let column = model.column(mean)
                features += column
                logits += model.logits(column)
                place += part.step
                hand.add(
                    part.pose.map { embedding($0, noise, &random) } ?? [Float](repeating: 0, count: 128),
                    palm: SIMD3(place, 0.5, 0.1), poses: part.known.map(Self.scores) ?? SIMD8())
            }
        }
        return try GestureRecording(
            features: features, logits: logits, featureCount: SyntheticModel.width, classCount: 3, hand: hand)
    }

    /// Scores of the networks that are sure of a pose.
    private static func scores(_ place: Int) -> SIMD8<Float> {
        var scores = SIMD8<Float>()
        scores[place] = 0.9
        return scores
    }

    private func enrolment(
        _ gestures: UserGestures, _ configuration: EnrolmentConfiguration = EnrolmentConfiguration()
    ) throws -> GestureEnrolment {
        try GestureEnrolment(existing: gestures, bank: nil, configuration: configuration)
    }

    /// A held pose without any change, which was refused before there were poses.
    @Test func aHeldPoseIsTaughtByOneRecording() throws {
        var model = SyntheticModel(seed: 1)
        let gestures = UserGestures(base: model.base)
        for parts in [
            [Part(pose: 1, slots: 60)], [Part(pose: 1, slots: 16)], [Part(), Part(pose: 1), Part()],
            // Shown between two rests, with another pose at rest, and with columns that say so.
            [Part(pose: 2), Part(pose: 1, feature: 5), Part(pose: 2)], [Part(), Part(pose: 1, feature: 5), Part()],
        ] {
            let example = try recording(parts, &model)
            let (gesture, report) = try enrolment(gestures).fit("own", examples: [example])
            #expect(report.isPose && !report.isMovement && gesture.isPose && !gesture.isMovement)
            #expect(report.examples.count == 1 && report.examples[0].logOdds > 2)
            var known = gestures
            try known.add(gesture)
            var poses = try #require(UserPoses(known))
            var random = SplitMix64(seed: 7)
            for pose in 0..<6 {
                let values = embedding(pose, 0.1, &random)
                let score = poses.scores(values.span)[0]
                #expect(pose == 1 ? score > 0.9 : score == 0, "\(pose): \(score)")
            }
            let none = [Float](repeating: 0, count: 128)
            #expect(poses.scores(none.span) == SIMD16())
        }
    }

    /// A pose that the networks know is seen by them as well, from sides that the example does not show.
    @Test func aKnownPoseIsKnownFromAllSides() throws {
        var model = SyntheticModel(seed: 9)
        var gestures = UserGestures(base: model.base)
        let fist = try recording([Part(pose: 1, slots: 60, known: 1)], &model)
        try gestures.add(try enrolment(gestures).fit("fist", examples: [fist]).gesture)
        let other = try recording([Part(pose: 2, slots: 60)], &model)
        try gestures.add(try enrolment(gestures).fit("other", examples: [other]).gesture)
        #expect(gestures.gestures.map { $0.pose?.known } == [1, nil])
        #expect(try UserGestures(bytes: gestures.bytes(), base: model.base) == gestures)
        var poses = try #require(UserPoses(gestures))
        var random = SplitMix64(seed: 7)
        for (pose, known, scores) in [
            (5, 1, [0.9, 0]), (5, 2, [0, 0]), (2, 0, [0, 1]), (2, 1, [0, 1]), (1, 0, [1, 0]),
        ] {
            let values = embedding(pose, 0.1, &random)
            let found = poses.scores(values.span, poses: Self.scores(known))
            #expect(
                [Double(found[0]), Double(found[1])].map { ($0 * 10).rounded() / 10 } == scores, "\(pose), \(known)")
        }
        // Examples of which one alone is known are not known.
        let unsure = try recording([Part(pose: 1, slots: 60)], &model, seed: 3)
        let mixed = try enrolment(UserGestures(base: model.base)).fit("mixed", examples: [fist, unsure])
        #expect(mixed.gesture.pose?.known == nil)
    }

    @Test func whatMovesIsAMovement() throws {
        var model = SyntheticModel(seed: 2)
        let gestures = UserGestures(base: model.base)
        let bank = try model.bank()
        for parts in [
            // One pose that is carried through the frame, no hand at all, and the pose that is held at rest too.
            [Part(pose: 1), Part(pose: 1, step: 0.02, feature: 5), Part(pose: 1)],
            [Part(), Part(feature: 5), Part()], [Part(pose: 1), Part(pose: 1, step: 0.02, feature: 5), Part()],
        ] {
            let example = try recording(parts, &model)
            let fresh = try GestureEnrolment(existing: gestures, bank: bank)
            let (gesture, report) = try fresh.fit("own", examples: [example])
            #expect(
                !report.isPose && report.isMovement && report.poseRadius == nil && !gesture.isPose && gesture.isMovement
            )
            // Bit for bit what it was without the hand.
            let plain = try GestureRecording(
                features: example.features, logits: example.logits, featureCount: SyntheticModel.width, classCount: 3)
            #expect(try fresh.fit("own", examples: [plain]).gesture == gesture)
        }
    }

    @Test func bothAreOneGesture() throws {
        var model = SyntheticModel(seed: 3)
        let bank = try model.bank()
        let held = try recording([Part(pose: 1, slots: 60)], &model)
        let moved = try recording([Part(pose: 1), Part(pose: 1, step: 0.02, feature: 5), Part(pose: 1)], &model)
        let (gesture, report) = try GestureEnrolment(existing: UserGestures(base: model.base), bank: bank).fit(
            "own", examples: [held, moved])
        #expect(report.isPose && report.isMovement && gesture.isPose && gesture.isMovement)
        #expect(report.examples.count == 2 && report.examples[0].gesture.count > report.examples[1].gesture.count)
    }

    /// A palm that travels in the recording of a pose may have been meant as a movement: the report gives the distance.
    @Test func aPoseThatTravelsIsWarnedOf() throws {
        var model = SyntheticModel(seed: 10)
        let gestures = UserGestures(base: model.base)
        let still = try recording([Part(pose: 1, slots: 60)], &model)
        // By four sizes of the palm, and another pose by as much.
        let swiped = try recording(
            [Part(pose: 1), Part(pose: 1, slots: 21, step: 0.02), Part(pose: 1)], &model, seed: 2)
        let raised = try recording([Part(pose: 2, slots: 20, step: 0.02), Part(pose: 1, slots: 40)], &model, seed: 3)
        let report = try enrolment(gestures).fit("own", examples: [still, swiped, raised]).report
        #expect(report.isPose && report.examples.map { $0.travel.map { ($0 * 10).rounded() / 10 } } == [0, 4.2, 0])
        #expect(report.warnings.count == 1)
        #expect(
            report.warnings[0].hasPrefix("Recording 2 ") && report.warnings[0].contains("4.2"), "\(report.warnings)")

        let moving = try recording([Part(), Part(pose: 1, step: 0.02, feature: 5), Part()], &model)
        let other = try GestureEnrolment(existing: gestures, bank: try model.bank()).fit("own", examples: [moving])
            .report
        #expect(other.isMovement && other.examples[0].travel == nil)
        // The bank is a sample of columns, so nothing tested how often the movement is made up.
        #expect(other.warnings.count == 1 && other.falseEventsPerMinute == nil)
        #expect(other.warnings[0].hasPrefix("Nothing tested how often "), "\(other.warnings)")
    }

    @Test func theKindMayBeGiven() throws {
        var model = SyntheticModel(seed: 4)
        let gestures = UserGestures(base: model.base)
        let still = try recording([Part(pose: 1, slots: 60)], &model)
        let error = #expect(throws: EnrolmentError.self) {
            try enrolment(gestures, EnrolmentConfiguration(kind: .movement)).fit("own", examples: [still])
        }
        guard case .noActivity(0, _, _) = error else { throw try #require(error) }
        let moving = try recording([Part(), Part(pose: 1, step: 0.02, feature: 5), Part()], &model)
        #expect(throws: EnrolmentError.noHold(recording: 0)) {
            try enrolment(gestures, EnrolmentConfiguration(kind: .pose)).fit("own", examples: [moving])
        }
        for radius in [0, -1, 1.1, .nan] {
            #expect(throws: EnrolmentError.self, "\(radius)") {
                try enrolment(gestures, EnrolmentConfiguration(poseRadius: radius))
            }
        }
    }

    @Test func collisionsAreRefused() throws {
        var model = SyntheticModel(seed: 5)
        var gestures = UserGestures(base: model.base)
        let (one, two) = (
            try recording([Part(pose: 1, slots: 60)], &model), try recording([Part(pose: 2, slots: 60)], &model)
        )
        let error = #expect(throws: EnrolmentError.self) {
            try enrolment(gestures).fit("own", examples: [one, two])
        }
        guard case .posesDiffer([0, 1], _, _) = error else { throw try #require(error) }
        let shown = #expect(throws: EnrolmentError.self) {
            try enrolment(gestures).fit(
                "own", examples: [one], background: [two, try recording([Part(pose: 1)], &model, seed: 9)])
        }
        guard case .poseInBackground(1, _, _) = shown else { throw try #require(shown) }
        try gestures.add(try enrolment(gestures).fit("one", examples: [one]).gesture)
        let again = try recording([Part(pose: 1, slots: 50)], &model, seed: 9)
        let near = #expect(throws: EnrolmentError.self) { try enrolment(gestures).fit("again", examples: [again]) }
        guard case .poseTooNear("one", _, _) = near else { throw try #require(near) }
        #expect(try enrolment(gestures).fit("two", examples: [two]).gesture.isPose)
    }

    @Test func recordingsWithoutAHandSayWhatToDo() throws {
        var model = SyntheticModel(seed: 6)
        let empty = try recording([Part(slots: 60)], &model)
        let error = #expect(throws: EnrolmentError.self) {
            try enrolment(UserGestures(base: model.base)).fit("own", examples: [empty])
        }
        let sentence = try #require(error?.description)
        #expect(sentence.contains("Recording 1") && sentence.contains("hold it still"), "\(sentence)")
    }

    // MARK: The file

    @Test func filesWithPosesComeBack() throws {
        var model = SyntheticModel(seed: 7)
        let bank = try model.bank()
        var gestures = UserGestures(base: model.base)
        let moved = try recording([Part(), Part(feature: 5), Part()], &model)
        try gestures.add(try GestureEnrolment(existing: gestures, bank: bank).fit("moved", examples: [moved]).gesture)
        let old = gestures.bytes()
        #expect(String(decoding: old, as: UTF8.self).contains(#""format_version":"1""#))
        #expect(try UserGestures(bytes: old, base: model.base) == gestures)
        let held = try recording([Part(pose: 1, slots: 60)], &model)
        try gestures.add(try enrolment(gestures).fit("held", examples: [held]).gesture)
        let bytes = gestures.bytes()
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""format_version":"2""#))
        let read = try UserGestures(bytes: bytes, base: model.base)
        #expect(read == gestures && read.bytes() == bytes)
        #expect(read.gestures.map(\.isPose) == [false, true] && read.gestures.map(\.isMovement) == [true, false])
        // Without the pose it is the old file again.
        try gestures.remove("held")
        #expect(gestures.bytes() == old)
    }

    @Test func damagedPosesAreRefused() throws {
        var model = SyntheticModel(seed: 8)
        var gestures = UserGestures(base: model.base)
        let held = try recording([Part(pose: 1, slots: 60)], &model)
        try gestures.add(try enrolment(gestures).fit("held", examples: [held]).gesture)
        let bytes = gestures.bytes()
        var random = SplitMix64(seed: 1)
        for _ in 0..<2_000 {
            var damaged = bytes
            damaged[Int(random.next(below: UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: random.next())
            do throws(EnrolmentError) {
                let read = try UserGestures(bytes: damaged, base: model.base)
                #expect(read.gestures.count == 1 && read.gestures[0].isPose)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        for count in stride(from: 0, to: bytes.count, by: 97) {
            #expect(throws: EnrolmentError.self) { try UserGestures(bytes: Array(bytes[..<count]), base: model.base) }
        }
    }

    @Test func templatesHaveRanges() {
        let unit = [Float](repeating: 0, count: 127) + [1]
        #expect(PoseTemplate(centres: unit, radius: 0.5) != nil)
        #expect(PoseTemplate(centres: unit + unit + unit + unit, radius: 1) != nil)
        for (centres, radius) in [
            ([Float](), Float(0.5)), (unit + unit + unit + unit + unit, 0.5), (Array(unit.dropLast()), 0.5),
            (unit.map { $0 * 2 }, Float(0.5)), (unit.map { $0 * .nan }, 0.5), (unit, 0), (unit, 1.1), (unit, .nan),
        ] { #expect(PoseTemplate(centres: centres, radius: radius) == nil, "\(centres.count), \(radius)") }
        for known in [-1, 0, 8] { #expect(PoseTemplate(centres: unit, radius: 0.5, known: known) == nil, "\(known)") }
    }
}
