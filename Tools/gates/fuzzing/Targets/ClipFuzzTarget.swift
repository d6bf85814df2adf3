import Clips
import Frames

/// Y4M streams. The first byte says in how many bytes at a time the rest comes.
enum ClipFuzzTarget {
    /// The most bytes of a frame that is read.
    private static let frameLimit = 1 << 16

    static func enter(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        let rest = Array(bytes.dropFirst())
        // What is legal but large is left out.
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        if let header = try? Y4MHeader(line: line) {
            let shown = header.pixelAspect.size(of: header.width, header.height)
            let sizes = [header.lumaBytes + header.chromaBytes, 4 * shown.width * shown.height]
            guard sizes.allSatisfy({ $0 <= frameLimit }) else { return true }
        }
        var stream = Y4MStream()
        var start = 0
        do throws(Y4MError) {
            while start < rest.count {
                let piece = Array(rest[start..<min(rest.count, start + max(1, Int(first)))])
                var offset = 0
                // All bytes of an array are initialised, so all may be read raw.
                while try unsafe stream.consume(piece.span.bytes, from: &offset) { check(&stream) }
                precondition(offset == piece.count, "bytes are left")
                start += piece.count
            }
            try stream.finish()
        } catch {
            return false
        }
        return true
    }

    private static func check(_ stream: inout Y4MStream) {
        stream.withFrame { frame in
            precondition(frame.pixels.count == frame.width * frame.height, "a luma plane of another size")
            do throws(PixelView.FrameError) {
                let view = try frame.colorView()
                precondition(view.width == frame.width, "a frame of another width")
            } catch {
                preconditionFailure("a frame that cannot be seen: \(error)")
            }
        }
    }
}
