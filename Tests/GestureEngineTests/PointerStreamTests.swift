import GestureEngine
import GestureHands
import GesturePixels
import TestSupport
import Testing

@Suite struct PointerStreamTests {
    private static let frames = 12

    private static var configuration: GestureEngine.Configuration {
        GestureEngine.Configuration(rate: .hz30, pointer: HandPointer.Configuration())
    }

    private static func push<Result>(_ index: Int, _ body: (borrowing PixelView, Duration) -> Result) throws -> Result {
        let picture = ColorPicture.red(.rgba, 80, 60, seed: UInt64(index))
        return try picture.withView { body($0, .milliseconds(34 * index)) }
    }

    /// A pointer of the tracked hand in each frame, and the same ones live.
    @Test func liveAndSynchronousStreamsPointAlike() async throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration)
        var pointers: [HandPointer.Result] = []
        for index in 0..<Self.frames {
            let result = try Self.push(index) { stream.push($0, at: $1) }
            pointers.append(try #require(result.pointer))
        }
        let first = try #require(pointers.first { $0.first.state == .hovering })
        #expect(Array(first.first.events) == [.entered])
        let last = try #require(pointers.last)
        #expect(last.first.identity == stream.hands.first?.identity && last.first.state == .hovering)

        let live = try engine.makeLiveStream(Self.configuration, sensors: nil)
        let frames = live.hands
        for index in 0..<Self.frames {
            try Self.push(index) { _ = live.push($0, at: $1) }
            live.drain()
        }
        live.finish()
        var found: [HandPointer.Result] = []
        for await frame in frames { found.append(try #require(frame.pointer)) }
        #expect(found == pointers)
    }

    @Test func withoutTheOptionThereIsNoPointer() throws {
        let stream = try GestureEngine(hands: HandScript.models()).makeStream(GestureEngine.Configuration(rate: .hz30))
        #expect(try Self.push(0) { stream.push($0, at: $1) }.pointer == nil)
    }

    @Test func pixelsHaveNoPointers() throws {
        let engine = try GestureEngine(pixels: .bundled)
        #expect(throws: EngineError.self) { try engine.makeStream(Self.configuration) }
    }
}
