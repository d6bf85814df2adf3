import Evaluation
import Testing

@Suite struct PointerLabelsTests {
    @Test func rowsAreRead() throws {
        let labels = try PointerLabels(
            csv: "recording,kind,start_s,end_s\na,pinch,1.5,2\na,still,0.25,1\na,pinch,3,4\n\nb,none,,\n")
        #expect(
            labels.recordings == [
                .init(name: "a", pinches: [1.5...2, 3...4], still: [0.25...1]), .init(name: "b"),
            ])
    }

    @Test(arguments: [
        ("recording,kind,start_s\n", 1, ClipTruthError.Fault.missingColumn("end_s")),
        ("recording,kind,start_s,end_s\na,pinch,1\n", 2, .missingCell(column: "end_s")),
        ("recording,kind,start_s,end_s\na,pinch,1,\n", 2, .missingCell(column: "end_s")),
        ("recording,kind,start_s,end_s\na,none,,\na,still,-1,2\n", 3, .notATime(column: "start_s", "-1")),
        ("recording,kind,start_s,end_s\na,pinch,1,inf\n", 2, .notATime(column: "end_s", "inf")),
        ("recording,kind,start_s,end_s\na,pinch,2,2\n", 2, .endNotAfterStart(start: 2, end: 2)),
        (
            "recording,kind,start_s,end_s\na,click,1,2\n", 2,
            .unknownKind("click", known: ["pinch", "still", "none"])
        ),
    ])
    func faultsSayTheirLine(_ text: String, _ line: Int, _ fault: ClipTruthError.Fault) {
        #expect(throws: ClipTruthError(line: line, fault: fault)) { try PointerLabels(csv: text) }
    }
}

@Suite struct PointerMeasuresTests {
    private func samples(_ count: Int, every interval: Double = 0.1, _ sample: (Double) -> PointerSample)
        -> [PointerSample]
    {
        (0..<count).map { sample(Double($0) * interval) }
    }

    private func measures(
        _ samples: [PointerSample], _ labels: PointerLabels.Recording = .init(name: "a")
    ) -> PointerMeasures {
        let recording = PointerRecording(labels: labels, frames: [], aspect: 0.75)
        return PointerMeasures(PointerMethod.all[0], [recording], [samples], costs: [3])
    }

    @Test func jitterIsWhatAParabolaLeaves() {
        func jitter(_ xs: [Float]) -> Double? {
            let found = xs.enumerated().map { index, x in
                PointerSample(time: Double(index), position: SIMD2(x, 0.5), target: nil, isPressed: false)
            }
            return measures(found, .init(name: "a", still: [0...Double(xs.count)])).jitter_px?.median
        }
        #expect(closeTo(jitter([0.5, 0.51, 0.54, 0.59]), 0, within: 0.01))
        // Four points leave the direction -1, 3, -3, 1: here by 1.92 pixels, so sqrt(20 / 4) * 1.92.
        #expect(closeTo(jitter([0.499, 0.503, 0.497, 0.501]), 4.2933, within: 0.01))
    }

    @Test func lagIsTheWayBehindOverTheSpeed() {
        func lag(_ behind: Float, speed: Float) -> Double? {
            measures(
                samples(10) { time in
                    let target = SIMD2(0.2 + speed * Float(time), 0.5)
                    return PointerSample(
                        time: time, position: target - SIMD2(behind, 0), target: target, isPressed: false)
                }
            ).lag_ms?.median
        }
        #expect(closeTo(lag(0.05, speed: 0.5), 100, within: 0.1))
        #expect(closeTo(lag(0, speed: 0.5), 0, within: 0.1))
        #expect(lag(0.05, speed: 0.2) == nil)
    }

    @Test func pressesAreMatchedWithPinches() {
        // Pressed from 0.5 to 1, from 2 to 2.5 and from 3 to the end.
        let found = samples(40) { time in
            let isPressed = (0.45...0.95).contains(time) || (1.95...2.45).contains(time) || time > 2.95
            return PointerSample(
                time: time, position: SIMD2(0.2 + 0.01 * Float(time), 0.5), target: nil, isPressed: isPressed)
        }
        let measured = measures(found, .init(name: "a", pinches: [0.45...1.05, 2.25...3, 5...6]))
        #expect(measured.presses?.found == 2)
        #expect(measured.presses?.in_time == 1)
        #expect(measured.presses?.made_up == 1)
        // From 0.3 s to 0.5 s and from 1.8 s to 2 s: 0.002 of 1920 pixels each.
        #expect(closeTo(measured.presses?.shift_px?.maximum, 3.84, within: 0.01))
        #expect(PressMatch.presses(found).map(\.upperBound).last == found.last?.time)
    }

    @Test func methodsWithoutPressesHaveNoCounts() throws {
        let palm = try #require(PointerMethod.all.first { !$0.presses })
        let measured = PointerMeasures(palm, [], [], costs: [])
        #expect(measured.presses == nil && measured.jitter_px == nil && measured.lag_ms == nil)
    }

    @Test func everyMethodSaysAsManySamplesAsFrames() throws {
        let frames = [pointing(0), PointerRecording.Frame(time: 0.1, hand: nil), pointing(0.2)]
        for method in PointerMethod.all {
            let samples = try method.samples(frames)
            #expect(samples.map(\.time) == [0, 0.1, 0.2] && samples[1].position == nil, "\(method.name)")
        }
    }
}

@Suite struct PointerLeftOutTests {
    @Test func eachRecordingIsJudgedWithGapsOfTheOthers() {
        let labels: [PointerLabels.Recording] = [
            .init(name: "one", pinches: [1...2]), .init(name: "two", pinches: [1...2]), .init(name: "none"),
        ]
        let gaps = [0.2, 0.3, 0.4].map { PointerLeftOut.Gaps(press: $0, release: 0.5) }
        // Found less made up, of all: 1, 1 and 0. Without the first: 0, 1, 0; without the second: 1, 0, -1; without the third: 1, 1, 1.
        let found = PointerLeftOut(
            labels, gaps,
            [
                [.init(found: 1), .init(), .init()],
                [.init(found: 1, made_up: 1), .init(found: 1), .init()],
                [.init(), .init(found: 1), .init(made_up: 1)],
            ])
        #expect(found.candidates == 3)
        #expect(found.all == .init(recording: nil, gaps: gaps[1], count: .init(found: 2, made_up: 1)))
        #expect(
            found.recordings == [
                .init(recording: "one", gaps: gaps[1], count: .init(found: 1, made_up: 1)),
                .init(recording: "two", gaps: gaps[0], count: .init()),
            ])
        #expect(found.sum == .init(found: 1, made_up: 1))
    }

    @Test func allGapsCanBeUsed() throws {
        let found = try PointerLeftOut([])
        #expect(found.candidates == PointerLeftOut.candidates.count && found.recordings.isEmpty)
    }
}
