import Kernels
import Network
import PixelFrontEnd
import TestSupport
import Testing

#if BLAS && canImport(CBLAS)
    import CBLAS
#endif

/// Streaming over rings against the whole window at once, in float32.
@Suite struct FloatStreamingTests {
    private let program: PackedLayers
    private let unit: NetworkUnit
    private let frames = RandomModel.frames(seed: 22, count: 20)

    init() throws {
        let weights = try NetworkWeights(float: RandomModel.floats(seed: 21), classCount: 13)
        program = try PackedLayers(weights, backend: .float, kernels: KernelRegistry.select())
        unit = NetworkUnit(program)
    }

    @Test func streamingEqualsWindow() throws {
        for last in frames.indices {
            let streamed = unit.push(frames[last])
            #expect((streamed != nil) == (last >= 15))
            guard let streamed else { continue }
            let whole = unit.window(frames[last - 15...last])
            for index in whole.indices { #expect(abs(streamed[index] - whole[index]) < 1e-4) }
        }
    }

    @Test func repeatsEqualTheFrameAgain() throws {
        let other = NetworkUnit(program)
        for index in 0..<18 {
            // Every third frame never came: one stream repeats a column, the other sees the frame before twice.
            if index % 3 == 2 {
                #expect(unit.pushRepeat() == other.push(frames[index - 1]))
            } else {
                #expect(unit.push(frames[index]) == other.push(frames[index]))
            }
        }
    }

    #if BLAS && canImport(CBLAS) && !canImport(Accelerate)
        /// Whatever the library's default is.
        @Test func productsStayOnTheCallingThread() { #expect(openblas_get_num_threads() == 1) }
    #endif

    @Test func resetForgetsEverything() throws {
        let fresh = NetworkUnit(program)
        for frame in frames { _ = unit.push(frame) }
        unit.reset()
        for frame in frames { #expect(unit.push(frame) == fresh.push(frame)) }
    }
}
