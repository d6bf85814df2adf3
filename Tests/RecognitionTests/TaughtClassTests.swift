import Recognition
import Testing
import Vocabulary

/// Classes that were added to a trained model.
@Suite struct TaughtClassTests {
    /// The probabilities of a recognizer after each of some logits.
    private static func probabilities(_ frames: [[Float]], null: Int, taught: [Int]) throws -> [[Float]] {
        let configuration = RecognitionConfiguration(medianLength: 3)
        var recognizer = Recognizer(
            rules: try RecognitionRules(
                labels: frames[0].indices.map { "class \($0)" }, nullIndex: null, configuration: configuration),
            taught: taught)
        return frames.enumerated().map { index, logits in
            _ = recognizer.step(logits: ContiguousArray(logits).span, at: Int64(index) * 33_000_000)
            return logits.indices.map { recognizer.probabilities[$0] }
        }
    }

    /// Other classes have the bits that they have without the taught ones, which divide null's probability by their logits.
    @Test(arguments: UInt64(0)..<20) func theyTakeFromNullAlone(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let scale = Float.random(in: 0.5...40, using: &random)
        let frames = (0..<50).map { _ in (0..<7).map { _ in Float.random(in: -scale...scale, using: &random) } }
        let (null, taught) = (3, [5, 1])
        let all = try Self.probabilities(frames, null: null, taught: taught)
        let old = [0, 2, 3, 4, 6]
        let before = try Self.probabilities(frames.map { frame in old.map { frame[$0] } }, null: 2, taught: [])
        for (frame, (now, then)) in zip(all, before).enumerated() {
            for (place, index) in old.enumerated() where index != null { #expect(now[index] == then[place]) }
            #expect(abs(now[1] + now[3] + now[5] - then[2]) <= 1e-6)
            // The median of one frame is the frame.
            if frame == 0, now[1] > 1e-6, now[5] > 1e-6 {
                #expect(abs(Double(now[5] / now[1]) / exp(frames[0][5] - frames[0][1]) - 1) < 1e-4)
            }
        }
    }

    private func exp(_ x: Float) -> Double {
        x > 0 ? 1 / Double(Softmax.exponential(-x)) : Double(Softmax.exponential(x))
    }

    @Test func logitsThatAreNotFiniteBringNothing() throws {
        let frames: [[Float]] = [[1, 2, 0, 1], [.nan, 0, 0, 9], [1, 2, 0, 1]]
        let all = try Self.probabilities(frames, null: 2, taught: [3])
        #expect(all[0] == all[1] && all[1] == all[2])
    }
}
