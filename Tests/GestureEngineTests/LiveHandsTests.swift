import GestureEngine
import GesturePixels
import PixelFrontEnd
import Scheduling
import TestSupport
import Testing

/// Hands of a live stream, and the times of its results.
@Suite struct LiveHandsTests {
    /// Times that lie beside the grid's slots.
    private static func time(_ index: Int) -> Duration {
        .nanoseconds(Int64(index) * 1_000_000_000 / 30 + Int64(index % 3) * 2_000_000)
    }

    private static func configuration() -> GestureEngine.Configuration {
        var configuration = GestureEngine.Configuration.eager
        configuration.rate = .hz30
        configuration.scheduling = .everySlot
        return configuration
    }

    private static func all<Element>(_ stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    private static let poses = (
        embedder: HandScript.weights("gesture-embedder"), classifier: HandScript.weights("canned-gesture-classifier")
    )

    /// Every frame brings its hands at its own time, with poses, as the synchronous stream has them.
    @Test func handsAreThoseOfTheSynchronousStream() async throws {
        let engine = try GestureEngine(hands: HandScript.models(poses: Self.poses))
        let stream = try engine.makeStream(Self.configuration())
        let live = try engine.makeLiveStream(Self.configuration(), sensors: nil)
        var hands = live.hands.makeAsyncIterator()
        var frames: [LiveGestureStream.HandFrame] = []
        var expected: [[TrackedHand]] = []
        for index in 0..<40 {
            let format: PixelView.Format = (10..<14).contains(index) ? .gray8 : .rgba
            let color: SIMD3<UInt8> = (20..<24).contains(index) ? SIMD3(30, 40, 200) : SIMD3(210, 60, 30)
            try ColorPicture(format, 160, 120, color: color, seed: UInt64(index)).withView { view in
                _ = stream.push(view, at: Self.time(index))
                live.push(view, at: Self.time(index))
            }
            live.drain()
            expected.append(stream.hands)
            #expect(live.latestHands == stream.hands)
            frames.append(try #require(await hands.next()))
        }
        live.finish()
        #expect(await hands.next() == nil)
        #expect(frames.map(\.hands) == expected)
        #expect(frames.map(\.time) == (0..<40).map(Self.time))
        #expect(frames.map(\.sequence) == Array(0..<40))
        #expect(frames.map(\.gesturingHand) == expected.map { $0.first?.identity })
        #expect(frames.allSatisfy { $0.latency > .zero })
        #expect(expected.contains { $0.isEmpty } && expected.contains { $0.first?.pose != nil })
        #expect(live.latestHands.isEmpty && live.lostHands == 0)
    }

    /// A listener that does not read keeps the newest, and the numbers show the gap.
    @Test func aSlowListenerKeepsTheNewest() async throws {
        let live = try GestureEngine(hands: HandScript.models()).makeLiveStream(Self.configuration(), sensors: nil)
        let hands = live.hands
        let count = LiveGestureStream.bufferedHands + 5
        for index in 0..<count {
            try ColorPicture.red(.rgba, 64, 48, seed: UInt64(index)).withView {
                _ = live.push($0, at: Self.time(index))
            }
            live.drain()
        }
        live.finish()
        #expect(await Self.all(hands).map(\.sequence) == Array(5..<count))
        #expect(live.lostHands == 5)
    }

    /// A stream of pixels looks for no hands; one of landmarks tells of gray frames without hands.
    @Test func pixelsHaveNoHands() async throws {
        for (engine, count) in [
            (try GestureEngine(pixels: .bundled), 0), (try GestureEngine(hands: HandScript.models()), 6),
        ] {
            let live = try engine.makeLiveStream(Self.configuration(), sensors: nil)
            for index in 0..<6 {
                try ColorPicture.red(.gray8, 64, 48, seed: UInt64(index)).withView {
                    _ = live.push($0, at: Self.time(index))
                }
                live.drain()
            }
            live.finish()
            let frames = await Self.all(live.hands)
            #expect(frames.count == count)
        }
    }

    @Test func aResetForgetsTheHands() throws {
        let live = try GestureEngine(hands: HandScript.models()).makeLiveStream(Self.configuration(), sensors: nil)
        for index in 0..<4 {
            try ColorPicture.red(.rgba, 64, 48, seed: UInt64(index)).withView {
                _ = live.push($0, at: Self.time(index))
            }
            live.drain()
        }
        #expect(live.latestHands.count == 1)
        live.reset()
        #expect(live.latestHands.isEmpty)
        live.finish()
    }

    // MARK: Times of events

    /// The latency is what the clock says from the push to the event, and the synchronous stream says none.
    @Test func eventsSayHowLongTheyTook() async throws {
        let hand = HandClock()
        let unit = ScriptedUnit("scripted", classCount: 13)
        unit.willEncode = { _ in hand.move(by: 3_000_000) }
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = .everySlot
        let live = try goldenEngine().makeLiveStream(
            configuration, pixels: .only(unit), sensors: nil, adding: [unit], clock: hand.clock)
        let silent = ScriptedUnit("scripted", classCount: 13)
        let stream = try goldenEngine().makeStream(configuration, pixels: .only(silent), adding: [silent])
        var expected: [GestureEvent] = []
        func push(_ index: Int, at time: Duration) throws {
            try PixelView.withFlat(UInt8(index / 10)) { frame in
                expected += stream.push(frame, at: time).events
                live.push(frame, at: time)
            }
            live.drain()
        }
        func time(_ index: Int) -> Duration { .slot(index) + .milliseconds(index % 2) }
        for index in 0..<40 { try push(index, at: time(index)) }
        expected += stream.finish()
        live.finish()
        let events = await Self.all(live.events)
        #expect(events == expected && events.count >= 4)
        #expect(expected.allSatisfy { $0.latency == nil })
        let (last, others) = (try #require(events.last), events.dropLast())
        #expect(others.allSatisfy { $0.latency == .milliseconds(3) })
        #expect(last.kind == .end(.flushed) && last.latency == nil)
        // The class changes with frame 20 and frame 30; the frames' own times are beside the grid's.
        let begins = events.filter { $0.kind == .begin }.map(\.frameTime)
        #expect(begins.suffix(2) == [time(20), time(30)])
        #expect(events.allSatisfy { (.zero - .slot(1) ... .slot(1)).contains($0.frameTime - $0.decision) })
    }

    /// Slots that repeat a frame's column decide by that frame: it is the event's, and its push is where the time begins.
    @Test func aRepeatedColumnDecidesByItsFrame() async throws {
        let hand = HandClock()
        let unit = ScriptedUnit("scripted", classCount: 13)
        var configuration = GestureEngine.Configuration.eager
        configuration.recognition?.beginFrames = 3
        configuration.scheduling = .everySlot
        let live = try goldenEngine().makeLiveStream(
            configuration, pixels: .only(unit), sensors: nil, adding: [unit], clock: hand.clock)
        for index in 0..<20 {
            try PixelView.withFlat(12) { _ = live.push($0, at: .slot(index)) }
            live.drain()
        }
        try PixelView.withFlat(3) { _ = live.push($0, at: .slot(20)) }
        live.drain()
        hand.move(by: 50_000_000)
        // Five slots are missing, and repeat the frame before.
        try PixelView.withFlat(3) { _ = live.push($0, at: .slot(26)) }
        live.drain()
        live.finish()
        let begin = try #require(await Self.all(live.events).first { $0.kind == .begin && $0.classIndex == 3 })
        #expect(begin.frameTime == .slot(20) && begin.latency == .milliseconds(50))
        #expect(begin.decision > begin.frameTime)
    }

    // MARK: Predictions

    @Test func predictionsHaveTheirLabels() throws {
        for directions: ImageOrientation in [.up, .down] {
            let unit = ScriptedUnit("scripted", classCount: 13)
            var configuration = GestureEngine.Configuration.eager
            configuration.advanced.directions = directions
            let stream = try goldenEngine().makeStream(configuration, pixels: .only(unit), adding: [unit])
            var seen: Set<String> = []
            for index in 0..<80 {
                let result = try PixelView.withFlat(UInt8(index / 5 % 13)) { stream.push($0, at: .slot(index)) }
                guard let prediction = result.prediction else { continue }
                #expect(prediction.label == stream.labels[prediction.classIndex])
                seen.insert(prediction.label)
            }
            #expect(seen.count == 13)
        }
    }
}
