import Evaluation
import Testing
import Vocabulary

/// Measures of clips that are drawn at random, on times and confidences that binary fractions hold exactly.
@Suite struct PropertyTests {
    private struct Drawn {
        var truth: ClipLabels
        var frames: [FramePrediction]
        var events: [ObservedEvent]
        var seconds: Double
    }

    /// Gestures of 8 to 40 frames at 64 Hz with pauses between them.
    private func draw(_ random: inout SplitMix64, gestures: Int, shift: Double = 0, classes: ClassNames = sample) throws
        -> Drawn
    {
        var runs: [ClipLabels.Run] = []
        var events: [ClipLabels.Event] = []
        var frame = 0
        func extend(_ count: Int, _ classIndex: Int) {
            runs.append(.init(frames: frame..<(frame + count), classIndex: classIndex))
            frame += count
        }
        extend(5, classes.nullIndex)
        for _ in 0..<gestures {
            let begin = frame
            let classIndex = random.below(classes.count - 1)
            extend(8 + random.below(33), classIndex)
            events.append(
                .init(classIndex: classIndex, onset: Double(begin) / 64 + shift, end: Double(frame) / 64 + shift))
            extend(80 + random.below(40), classes.nullIndex)
        }
        let truth = try ClipLabels(
            rate: 64, frames: frame, events: events, runs: runs, undecided: [0..<3], lighting: "l\(random.below(3))",
            classes: classes)
        let frames = (0..<frame).map { index in
            FramePrediction(
                frame: index, time: Double(index) / 64, classIndex: truth.classIndex(ofFrame: index) ?? 0, confidence: 1
            )
        }
        let observed = events.enumerated().flatMap { index, event in
            fired(event.classIndex, event.onset, event.onset, event.end, UInt64(2 * index))
        }
        return Drawn(truth: truth, frames: frames, events: observed, seconds: Double(frame) / 64)
    }

    private func observe(_ drawn: Drawn, _ name: String = "c") throws -> ClipObservation {
        try ClipObservation(
            name: name, truth: drawn.truth, seconds: drawn.seconds, frames: drawn.frames, events: drawn.events)
    }

    /// Some frames are predicted wrongly or unsurely, events are moved, dropped and doubled.
    private func spoil(_ drawn: inout Drawn, _ random: inout SplitMix64) {
        for index in drawn.frames.indices where random.below(4) == 0 {
            drawn.frames[index].classIndex = random.below(sample.count)
            drawn.frames[index].confidence = Float(random.below(65)) / 64
        }
        drawn.events.removeAll { $0.kind == .begin && random.below(5) == 0 }
        for index in drawn.events.indices where random.below(3) == 0 {
            let by = Double(random.below(33) - 16) / 64
            drawn.events[index].onset += by
            drawn.events[index].decision += by
        }
        for index in drawn.events.indices where random.below(8) == 0 {
            drawn.events[index].classIndex = random.below(sample.count - 1)
        }
    }

    @Test(arguments: [1, 2, 7, 30])
    func whatIsPerfectIsOne(gestures: Int) throws {
        var random = SplitMix64(seed: UInt64(gestures))
        let all = report(try observe(try draw(&random, gestures: gestures))).overall
        for frames in [all.frames, all.decided_frames] {
            #expect(frames.top1 == 1 && frames.macro_f1 == 1 && frames.ece == 0)
            #expect(frames.above_threshold.gap == 0 && frames.above_threshold.right == 1)
            #expect(frames.above_threshold_gestures.gap == 0)
        }
        #expect(all.frames.frames == all.decided_frames.frames + 3)
        #expect(all.shrec.detection_rate == 1 && all.shrec.jaccard == 1 && all.shrec.false_positive_rate == 0)
        #expect(all.shrec.pooled_detection_rate == 1 && all.shrec.pooled_jaccard == 1)
        #expect(all.shrec.pooled_false_positive_rate == 0 && all.shrec.found == gestures)
        #expect(all.lenient.detection_rate == 1 && all.lenient.false_positives == 0 && all.lenient.double_fires == 0)
        #expect(all.levenshtein_accuracy == 1)
        #expect(all.lenient.onset_to_decision.p90_ms == 0 && all.shrec.delay_ms == 0)
    }

    /// A gesture that is reported late by up to half of its length is found, by more it is not; the lenient rule finds it
    /// until half a second after its end.
    @Test func latenessCostsAtItsLimit() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<100 {
            var drawn = try draw(&random, gestures: 1)
            let length = Int(((drawn.truth.events[0].end - drawn.truth.events[0].onset) * 64).rounded())
            let late = random.below(80)
            for index in drawn.events.indices {
                drawn.events[index].onset += Double(late) / 64
                drawn.events[index].decision += Double(late) / 64
            }
            let all = report(try observe(drawn)).overall
            #expect(all.shrec.found == (2 * late <= length ? 1 : 0), "\(late) of \(length)")
            #expect(all.lenient.found == (late <= length + 32 ? 1 : 0), "\(late) of \(length)")
            #expect(all.lenient.found + all.lenient.false_positives == 1)
            if all.lenient.found == 1 {
                #expect(closeTo(all.lenient.onset_to_decision.median_ms, 1000 * Double(late) / 64))
            }
            #expect(all.levenshtein_accuracy == 1)
        }
    }

    @Test func timeMayBeginAnywhere() throws {
        for seed in 0..<20 {
            var reports: [AccuracyReport] = []
            for shift in [0.0, 16, 1024.5] {
                var random = SplitMix64(seed: UInt64(seed))
                var drawn = try draw(&random, gestures: 6, shift: shift)
                spoil(&drawn, &random)
                reports.append(report(try observe(drawn)))
            }
            for other in reports.dropFirst() {
                #expect(other.overall.shrec == reports[0].overall.shrec)
                #expect(other.overall.lenient == reports[0].overall.lenient)
                #expect(other.overall.levenshtein_accuracy == reports[0].overall.levenshtein_accuracy)
            }
        }
    }

    @Test func theOrderOfClipsChangesNothing() throws {
        var random = SplitMix64(seed: 11)
        var clips: [ClipObservation] = []
        for index in 0..<6 {
            var drawn = try draw(&random, gestures: index)
            spoil(&drawn, &random)
            clips.append(try observe(drawn, "clip \(index)"))
        }
        func all(_ order: [ClipObservation]) -> AccuracyReport {
            var evaluator = Evaluator(classes: sample)
            for clip in order { evaluator.add(clip) }
            return evaluator.report
        }
        let straight = all(clips)
        #expect(straight.overall.frames.top1 ?? 1 < 1)
        #expect(straight.groups.clip.values.reduce(0) { $0 + $1.frames.frames } == straight.overall.frames.frames)
        #expect(straight.groups.lighting.values.reduce(0) { $0 + $1.shrec.found } == straight.overall.shrec.found)
        for _ in 0..<5 {
            for index in clips.indices.dropFirst() { clips.swapAt(index, random.below(index + 1)) }
            let other = all(clips)
            #expect(other.overall.frames == straight.overall.frames)
            #expect(other.confusion == straight.confusion && other.groups == straight.groups)
            #expect(other.overall.shrec.onset_to_decision == straight.overall.shrec.onset_to_decision)
            #expect(other.overall.lenient == straight.overall.lenient)
        }
    }

    @Test func theOrderOfClassesChangesNothing() throws {
        let turned = try ClassNames(["null", "swipe", "tap"], nullIndex: 0)
        for seed in 0..<20 {
            var random = SplitMix64(seed: UInt64(100 + seed))
            var drawn = try draw(&random, gestures: 8)
            spoil(&drawn, &random)
            let one = report(try observe(drawn))

            func index(_ old: Int) -> Int { (old + 1) % 3 }
            var other = drawn
            other.truth = try ClipLabels(
                rate: 64, frames: drawn.truth.frames,
                events: drawn.truth.events.map {
                    .init(classIndex: index($0.classIndex), onset: $0.onset, end: $0.end)
                },
                runs: drawn.truth.runs.map { .init(frames: $0.frames, classIndex: index($0.classIndex)) },
                undecided: drawn.truth.undecided, lighting: drawn.truth.lighting, classes: turned)
            for place in other.frames.indices { other.frames[place].classIndex = index(drawn.frames[place].classIndex) }
            for place in other.events.indices { other.events[place].classIndex = index(drawn.events[place].classIndex) }
            let two = report(try observe(other))

            #expect(one.classes == two.classes)
            #expect(one.overall.frames.top1 == two.overall.frames.top1)
            #expect(closeTo(one.overall.frames.macro_f1, two.overall.frames.macro_f1))
            #expect(closeTo(one.overall.shrec.detection_rate, two.overall.shrec.detection_rate))
            #expect(closeTo(one.overall.shrec.jaccard, two.overall.shrec.jaccard))
            #expect(one.overall.lenient == two.overall.lenient)
            #expect(one.overall.levenshtein_accuracy == two.overall.levenshtein_accuracy)
        }
    }

    /// Every reported gesture is found, false, or by the lenient rule repeated; every measure stays in its range.
    @Test func countsAddUp() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<100 {
            var drawn = try draw(&random, gestures: random.below(8))
            spoil(&drawn, &random)
            let clip = try observe(drawn)
            let all = report(clip).overall
            #expect(all.shrec.found + all.shrec.false_positives == clip.gestures.count)
            #expect(all.lenient.found + all.lenient.false_positives + all.lenient.double_fires == clip.gestures.count)
            #expect(all.shrec.truths == drawn.truth.events.count && all.shrec.found <= all.shrec.truths)
            for share in [
                all.frames.top1, all.frames.macro_f1, all.frames.ece, all.shrec.detection_rate, all.shrec.jaccard,
                all.lenient.detection_rate,
            ] {
                if let share { #expect((0...1).contains(share)) }
            }
            #expect(all.levenshtein_accuracy ?? 1 <= 1)
        }
    }

    @Test func editDistancesByHand() {
        #expect(editDistance([], []) == 0)
        #expect(editDistance([1, 2], []) == 2)
        #expect(editDistance([], [1]) == 1)
        // "kitten" and "sitting".
        #expect(editDistance([10, 8, 19, 19, 4, 13], [18, 8, 19, 19, 8, 13, 6]) == 3)
        #expect(editDistance([1, 2, 3], [2, 3, 4]) == 2)
        #expect(editDistance([1, 2, 1, 2], [2, 1, 2, 1]) == 2)
        // One dropped in the middle and one added at the end, either way round.
        #expect(editDistance([1, 9, 2, 3, 4], [1, 2, 3, 4, 5]) == 2)
        #expect(editDistance([1, 2, 3, 4, 5], [1, 9, 2, 3, 4]) == 2)
    }

    @Test func editDistancesByTheirDefinition() {
        /// The three choices at the last elements, tried one after another.
        func plain(_ one: ArraySlice<Int>, _ other: ArraySlice<Int>) -> Int {
            guard let last = one.last, let otherLast = other.last else { return one.count + other.count }
            return min(
                plain(one.dropLast(), other) + 1, plain(one, other.dropLast()) + 1,
                plain(one.dropLast(), other.dropLast()) + (last == otherLast ? 0 : 1))
        }
        var random = SplitMix64(seed: 8)
        for _ in 0..<200 {
            let one = (0..<random.below(6)).map { _ in random.below(4) }
            var other = one
            for _ in 0..<random.below(4) {
                switch random.below(3) {
                case 0: other.insert(random.below(4), at: random.below(other.count + 1))
                case 1: if !other.isEmpty { other.remove(at: random.below(other.count)) }
                default: if !other.isEmpty { other[random.below(other.count)] = random.below(4) }
                }
            }
            #expect(editDistance(one, other) == plain(one[...], other[...]), "\(one) \(other)")
        }
    }

    @Test func quantilesByHand() {
        #expect(quantile(0.5, ascending: []) == nil)
        #expect(quantile(0.9, ascending: [7]) == 7)
        #expect(quantile(0.5, ascending: [1, 2, 10]) == 2)
        #expect(quantile(0.5, ascending: [1, 2, 4, 10]) == 3)
        #expect(closeTo(quantile(0.9, ascending: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]), 90))
        #expect(closeTo(quantile(0.9, ascending: [0, 100]), 90))
        #expect(quantile(0, ascending: [3, 4]) == 3 && quantile(1, ascending: [3, 4]) == 4)
    }

    @Test func percentilesByHand() {
        #expect(percentile(50, ascending: [Int]()) == nil)
        #expect(percentile(99, ascending: [7]) == 7)
        #expect(percentile(50, ascending: [1, 2]) == 1 && percentile(51, ascending: [1, 2]) == 2)
        #expect(percentile(95, ascending: Array(1...100)) == 95 && percentile(100, ascending: [3, 4]) == 4)
        #expect(percentile(0, ascending: [3, 4]) == 3)
    }
}
