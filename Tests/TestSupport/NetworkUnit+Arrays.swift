import Network
import PixelFrontEnd

/// Arrays in and out, for tests that compare values.
extension NetworkUnit {
    /// One streaming step: the logits, or nil before the window is full.
    package func push(_ frame: [UInt8]) -> [Float]? {
        encode(frame.span)
        return advanced()
    }

    /// One step that repeats the newest column.
    package func pushRepeat() -> [Float]? {
        repeatColumn()
        return advanced()
    }

    /// The logits of 16 frames at once.
    package func window(_ frames: some Sequence<[UInt8]>) -> [Float] {
        let bytes = Array(frames.joined())
        var logits = [Float](repeating: 0, count: classCount)
        var output = logits.mutableSpan
        window(bytes.span, logits: &output)
        return logits
    }

    private func advanced() -> [Float]? {
        var logits = [Float](repeating: 0, count: classCount)
        var output = logits.mutableSpan
        advance(&output)
        return isWarm ? logits : nil
    }
}
