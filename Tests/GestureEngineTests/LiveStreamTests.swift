import Frames
import GestureEngine
import Recognition
import TestSupport
import Testing

@Suite struct LiveStreamTests {
    private static let frames = RandomModel.frames(seed: 41, count: 24)
    private static let configuration = Configuration(
        recognition: RecognitionConfiguration(medianLength: 1, beginFrames: 1, beginConfidence: 0, endFrames: 1))

    private static func engine() throws -> GestureEngine {
        try GestureEngine(.file(path: Fixtures.golden("golden-int8.safetensors")))
    }

    @Test func bringsTheEventsOfTheSynchronousStream() async throws {
        let engine = try Self.engine()
        let stream = try engine.makeStream(Self.configuration)
        let live = try engine.makeLiveStream(Self.configuration)
        var expected: [GestureEvent] = []
        for index in 0..<60 {
            let time = Duration.nanoseconds(Int64(index) * 1_000_000_000 / 120)
            let frame = Self.frames[index % Self.frames.count]
            let view = try PixelView(frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
            expected += stream.push(view, at: time).events
            live.push(view, at: time)
        }
        expected += stream.finish()
        live.finish()
        var events: [GestureEvent] = []
        for await event in live.events { events.append(event) }
        #expect(events == expected)
        #expect(!events.isEmpty)
    }

    /// Frames from several threads: each is counted once, and nothing breaks.
    @Test func takesFramesFromAnyThread() async throws {
        let live = try Self.engine().makeLiveStream(Self.configuration)
        let outcomes = await withTaskGroup(of: [FrameOutcome].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    (0..<25).compactMap { index in
                        let frame = Self.frames[index % Self.frames.count]
                        let time = Duration.milliseconds(index * 8 + worker)
                        guard
                            let view = try? PixelView(
                                frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
                        else { return nil }
                        return live.push(view, at: time).outcome
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count == 100)
        live.finish()
        for await _ in live.events {}
    }

    @Test func eventsEndWhenTheStreamIsReleased() async throws {
        var live: LiveGestureStream? = try Self.engine().makeLiveStream()
        let events = try #require(live?.events)
        live = nil
        var count = 0
        for await _ in events { count += 1 }
        #expect(count == 0)
    }
}
