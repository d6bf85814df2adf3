import Frames
import GestureEngine
import PixelFrontEnd
import Recognition
import Scheduling
import TestSupport
import Testing
import TrackerInference

/// A stream over the golden int8 model: random weights, so thresholds are set where its classes come and go.
private func makeStream(
    _ pixels: PixelConfiguration = PixelConfiguration(),
    _ change: (inout GestureEngine.Configuration) -> Void = { _ in }
) throws -> GestureStream {
    var configuration = GestureEngine.Configuration()
    configuration.recognition = RecognitionConfiguration(
        medianLength: 1, beginFrames: 1, beginConfidence: 0, endFrames: 1)
    change(&configuration)
    let engine = try GestureEngine(pixels: .file(path: Fixtures.golden("golden-int8.safetensors")))
    return try engine.makeStream(configuration, pixels: pixels)
}

private let frames = RandomModel.frames(seed: 31, count: 40)

extension GestureStream {
    /// Pushes a 224x224 gray frame at a time in nanoseconds.
    fileprivate func push(_ frame: [UInt8], atNanoseconds time: Int64) throws -> FrameResult {
        let view = try PixelView(frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
        return push(view, at: .nanoseconds(time))
    }

    /// Pushes frame `index` at its place on the 120 Hz grid.
    fileprivate func push(_ index: Int) throws -> FrameResult {
        try push(frames[index % frames.count], atNanoseconds: Int64(index) * 1_000_000_000 / 120)
    }
}

@Suite struct StreamTests {
    @Test func predictsFromTheSixteenthSlotOn() throws {
        let stream = try makeStream()
        for index in 0..<20 {
            let result = try stream.push(index)
            #expect(result.outcome == .encoded(repeats: 0, afterReset: false))
            #expect((result.prediction != nil) == (index >= 15))
        }
        #expect(stream.counts.run == 20)
    }

    /// Recognition begins with the sixteenth frame.
    @Test func everyStageOfEveryFrameIsTimed() throws {
        let stream = try makeStream()
        for index in 0..<20 { _ = try stream.push(index) }
        let statistics = stream.statistics
        #expect(statistics.intake?.count == 20 && statistics.inference?.count == 20 && statistics.frame?.count == 20)
        #expect(statistics.recognition?.count == 5)
    }

    /// Bad timestamps are refused by name and change nothing: the stream goes on as if they had not come.
    @Test func badTimestampsPoisonNothing() throws {
        let clean = try makeStream()
        let tried = try makeStream()
        let bad: [(Int64, FrameCounts.DropReason)] = [
            (-1, .backwardTimestamp), (.min, .beyondHorizon), (.max, .beyondHorizon),
            (3_600_000_000_000, .unconfirmedJump), (0, .backwardTimestamp),
        ]
        for index in 0..<40 {
            let expected = try clean.push(index)
            #expect(try tried.push(index) == expected)
            guard index > 0 else { continue }
            let (time, reason) = bad[index % bad.count]
            #expect(try tried.push(frames[0], atNanoseconds: time).outcome == .dropped(reason))
            let again = Int64(index) * 1_000_000_000 / 120
            #expect(try tried.push(frames[0], atNanoseconds: again).outcome == .dropped(.equalTimestamp))
        }
        #expect(tried.counts.drops == 2 * 39)
        #expect(tried.counts.run == clean.counts.run)
    }

    /// Durations beyond 2^63 nanoseconds neither trap nor pass.
    @Test func absurdDurationsAreDropped() throws {
        let stream = try makeStream()
        _ = try stream.push(0)
        let frame = frames[0]
        let view = try PixelView(frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
        #expect(stream.push(view, at: .seconds(Int64.max)).outcome == .dropped(.beyondHorizon))
        #expect(stream.push(view, at: .seconds(Int64.min)).outcome == .dropped(.beyondHorizon))
    }

    /// A fault of the times is a change, reported once; frames that work afterwards are recognised.
    @Test func unusableTimesAreReported() throws {
        let stream = try makeStream()
        var reported: [Int] = []
        for index in 0..<40 {
            let result = try stream.push(frames[0], atNanoseconds: 0)
            if result.changes == [.times(.neverAdvances)] {
                reported.append(index)
            } else {
                #expect(result.changes == [])
            }
        }
        #expect(reported == [10])
        for index in 1..<40 { #expect(try stream.push(index).changes == []) }
        #expect(stream.counts.run == 40)
    }

    /// Slots from one end of the clock to the other, with everything that measures time.
    @Test func timesFarApartDoNotTrap() throws {
        let stream = try makeStream(PixelConfiguration(evensExposure: true)) {
            $0.scheduling = SchedulingConfiguration()
            $0.advanced.keyframeCapacity = 4
        }
        let ends: [Int64] = [-4_611_686_018_427_387_903, 0, 4_611_686_018_427_387_904 - 500_000_000, -1_000_000_000]
        for round in 0..<8 {
            let start = ends[round % ends.count]
            for index in 0..<30 {
                _ = try stream.push(frames[index], atNanoseconds: start + Int64(index) * 1_000_000_000 / 120)
            }
            stream.update(DeviceReading(thermal: .fair))
        }
        #expect(stream.counts.run == 8 * 30 - 7 * 2)
        #expect(stream.counts.resets == 7)
    }

    @Test func aLateFrameRepeatsTheColumnBefore() throws {
        let late = try makeStream()
        let repeated = try makeStream()
        for index in 0..<30 {
            // Frame 20 never comes: the column of frame 19 stands in its slot, as if frame 19 had come twice.
            if index == 20 {
                _ = try repeated.push(frames[19], atNanoseconds: Int64(20) * 1_000_000_000 / 120)
                continue
            }
            let result = try late.push(index)
            let other = try repeated.push(index)
            if index == 21 { #expect(result.outcome == .encoded(repeats: 1, afterReset: false)) }
            #expect(result.prediction == other.prediction)
        }
    }

    @Test func aGapLongerThanTheWindowForgetsEverything() throws {
        let stream = try makeStream()
        for index in 0..<20 { _ = try stream.push(index) }
        let hadGesture = stream.activeGesture
        let result = try stream.push(60)
        #expect(result.outcome == .encoded(repeats: 0, afterReset: true))
        #expect(result.prediction == nil)
        #expect(stream.activeGesture == nil)
        if let hadGesture {
            #expect(result.events.map(\.label) == [hadGesture])
            #expect(result.events.first?.kind == .end(.flushed))
        }
    }

    @Test func finishEndsTheActiveGesture() throws {
        let stream = try makeStream()
        for index in 0..<40 { _ = try stream.push(index) }
        let active = try #require(stream.activeGesture)
        let events = stream.finish()
        #expect(events.map(\.label) == [active])
        #expect(events.first?.kind == .end(.flushed))
        #expect(stream.finish().isEmpty)
    }

    @Test func sequenceNumbersCountEvents() throws {
        let stream = try makeStream()
        var events: [GestureEvent] = []
        for index in 0..<200 { events += try stream.push(index).events }
        events += stream.finish()
        #expect(events.count >= 2)
        #expect(events.map(\.sequence) == events.indices.map { UInt64($0) })
        for (index, event) in events.enumerated() { #expect((event.kind == .begin) == index.isMultiple(of: 2)) }
    }

    /// A camera format with stride, video range and another size goes the same way as its plain luma would.
    @Test func formatsOfTheSamePictureAgree() throws {
        let gray = try makeStream()
        let rgba = try makeStream()
        for index in 0..<20 {
            let picture = frames[index]
            var packed = [UInt8](repeating: 77, count: 224 * 1000)
            for y in 0..<224 {
                for x in 0..<224 {
                    for channel in 0..<3 { packed[y * 1000 + 4 * x + channel] = picture[y * 224 + x] }
                }
            }
            let time = Duration.nanoseconds(Int64(index) * 1_000_000_000 / 120)
            let view = try PixelView(packed.span, format: .rgba, width: 224, height: 224, bytesPerRow: 1000)
            #expect(rgba.push(view, at: time) == (try gray.push(index)))
        }
    }

    @Test func configurationIsChecked() throws {
        #expect(
            throws: EngineError.configuration(
                .init("RecognitionConfiguration.beginConfidence", Float.nan, mustBe: "0 or more and below 1"))
        ) {
            try makeStream { $0.recognition?.beginConfidence = .nan }
        }
        #expect(
            throws: EngineError.configuration(
                .init("RecognitionConfiguration.overrides.key", "\"wave\"", mustBe: "a label of the model"))
        ) {
            try makeStream { $0.recognition?.overrides = ["wave": RecognitionConfiguration.Override(beginFrames: 2)] }
        }
        #expect(
            throws: EngineError.configuration(
                .init(
                    "PacingConfiguration.Policy.literal(lateAfter:)", Duration.zero,
                    mustBe: "a nanosecond or more and below a second"))
        ) {
            try makeStream { $0.advanced.pacing = .literal(lateAfter: .zero) }
        }
    }

    @Test func framesThatDoNotFitAreNamed() {
        let bytes = [UInt8](repeating: 0, count: 100)
        #expect(throws: PixelView.FrameError.planeTooShort(required: 200, found: 100)) {
            _ = try PixelView(bytes.span, format: .gray8, width: 20, height: 10, bytesPerRow: 20)
        }
        #expect(throws: PixelView.FrameError.bytesPerRow(minimum: 20, found: -20)) {
            _ = try PixelView(bytes.span, format: .gray8, width: 20, height: 5, bytesPerRow: -20)
        }
    }
}
