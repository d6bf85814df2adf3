import GestureEngine
import GesturePixels
import KernelInterface
import Kernels
import Network
import PixelFrontEnd
import Platform
import Scheduling
import TestSupport
import Testing
import TrackerInference

@Suite(.serialized) struct StreamMemoryTests {
    /// Weights and the memory of the encoder are there once; a stream of its own needs 1.1 MB at most, of which its
    /// ring of sixteen frames is 0.8. In a process of its own: other tests take and free memory.
    @Test(.enabled(if: ProcessMemory.resident != nil, "the system does not tell"))
    func streamsShareTheModel() async {
        await #expect(processExitsWith: .success) {
            let engine = try GestureEngine(pixels: .bundled)
            let frames = RandomModel.frames(seed: 3, count: 18)
            var streams: [GestureStream] = []
            var excluded: Set<String> = []
            for kernels in KernelRegistry.available {
                let configuration = GestureEngine.Configuration(advanced: .init(excludedTiers: excluded))
                func makeUsed() throws -> GestureStream {
                    let stream = try engine.makeStream(configuration)
                    for (index, frame) in frames.enumerated() {
                        let view = try PixelView(frame.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224)
                        _ = stream.push(view, at: .slot(index))
                    }
                    return stream
                }
                streams += [try makeUsed(), try makeUsed()]
                let before = try #require(ProcessMemory.resident)
                for _ in 0..<40 { streams.append(try makeUsed()) }
                let each = (try #require(ProcessMemory.resident) - before) / 40
                #expect(each <= 1_150_000, "\(kernels.tier): \(each) bytes a stream")
                #expect(each >= 800_000, "\(kernels.tier): \(each) bytes a stream, less than its frames: not measured")
                excluded.insert(kernels.tier)
            }
            withExtendedLifetime(streams) {}
        }
    }

    @Test func keyframesAreAShareAndBounded() throws {
        let engine = try goldenEngine()
        let stream = try engine.makeStream(GestureEngine.Configuration(advanced: .init(keyframeCapacity: 10)))
        for index in 0..<200 {
            try PixelView.withFlat(UInt8(index)) { _ = stream.push($0, at: .slot(index)) }
            #expect(stream.keyframes.count <= min(10, (index + 1) * 15 / 100))
        }
        let kept = stream.keyframes
        #expect(kept.count == 10)
        for frame in kept {
            // The level of a frame is its index.
            let level = try #require(frame.luma.first)
            #expect(frame.time == .slot(Int(level)))
            #expect(frame.luma.count == 224 * 224)
        }
        #expect(kept.map(\.time) == kept.map(\.time).sorted())
        #expect(
            throws: EngineError.configuration(
                .init("GestureEngine.Configuration.advanced.keyframeCapacity", -1, allowed: 0...1_000_000))
        ) {
            try engine.makeStream(GestureEngine.Configuration(advanced: .init(keyframeCapacity: -1)))
        }
        #expect(try engine.makeStream().keyframes.isEmpty)
    }
}
