import Frames
import Testing

@Suite struct ChromaPlanesTests {
    /// The error for a view with such chroma; nil if it is accepted.
    private static func refusal(
        _ format: PixelView.Format, _ width: Int, _ height: Int, planes: Int, counts: (Int, Int), bytesPerRow: Int
    ) -> PixelView.FrameError? {
        let luma = [UInt8](repeating: 0, count: width * height)
        let (blue, red) = ([UInt8](repeating: 0, count: counts.0), [UInt8](repeating: 0, count: counts.1))
        // Bytes have no padding.
        let (blueBytes, redBytes) = unsafe (blue.span.bytes, red.span.bytes)
        let chroma =
            planes == 1
            ? PixelView.ChromaPlanes(interleaved: blueBytes, bytesPerRow: bytesPerRow)
            : PixelView.ChromaPlanes(blue: blueBytes, red: redBytes, bytesPerRow: bytesPerRow)
        do {
            let view = try unsafe PixelView(
                luma.span.bytes, chroma: chroma, format: format, width: width, height: height, bytesPerRow: width)
            let isColor = view.isColor
            #expect(isColor)
            return nil
        } catch {
            return error
        }
    }

    @Test func formats() {
        for format in [PixelView.Format.gray8, .yuyv(.video), .bgra, .rgba, .i420(.full)] {
            let width = format.bytesPerPixel == 1 ? 4 : 1
            #expect(
                Self.refusal(format, width, 1, planes: 1, counts: (64, 64), bytesPerRow: 8)
                    == (format.bytesPerPixel == 1
                        ? .chromaOfFormat(format)
                        : .bytesPerRow(
                            minimum: format.bytesPerPixel, found: 1)))
        }
        #expect(
            Self.refusal(.nv12(.video), 4, 4, planes: 2, counts: (64, 64), bytesPerRow: 8)
                == .chromaOfFormat(.nv12(.video)))
    }

    /// Half the sides, rounded up; the last row may lack its padding.
    @Test(arguments: [(4, 4, 2, 2), (5, 4, 3, 2), (4, 5, 2, 3), (1, 1, 1, 1), (7, 3, 4, 2)])
    func sizes(_ width: Int, _ height: Int, _ columns: Int, _ rows: Int) {
        for (format, planes, samples) in [
            (PixelView.Format.nv12(.video), 1, 2), (.nv21(.full), 1, 2), (.i420(.full), 2, 1),
        ] {
            let rowBytes = columns * samples
            for padding in [0, 9] {
                let stride = rowBytes + padding
                let required = (rows - 1) * stride + rowBytes
                func refusal(_ first: Int, _ second: Int, _ bytesPerRow: Int) -> PixelView.FrameError? {
                    Self.refusal(
                        format, width, height, planes: planes, counts: (first, second), bytesPerRow: bytesPerRow)
                }
                #expect(refusal(required, required, stride) == nil)
                #expect(
                    refusal(required - 1, required, stride)
                        == .chromaTooShort(required: required, found: required - 1))
                #expect(
                    refusal(required, required - 1, stride)
                        == (planes == 1 ? nil : .chromaTooShort(required: required, found: required - 1)))
            }
            for stride in [rowBytes - 1, 0, -1, Int.min] {
                #expect(
                    Self.refusal(
                        format, width, height, planes: planes, counts: (4_096, 4_096), bytesPerRow: stride)
                        == .chromaBytesPerRow(minimum: rowBytes, found: stride))
            }
            let large = Self.refusal(
                format, width, height, planes: planes, counts: (4_096, 4_096), bytesPerRow: Int.max)
            #expect(rows == 1 ? large == nil : large != nil)
        }
    }

    @Test func colour() throws {
        let bytes = [UInt8](repeating: 0, count: 64)
        for (format, isColor) in [
            (PixelView.Format.gray8, false), (.nv12(.video), false), (.i420(.full), false), (.yuyv(.video), true),
            (.bgra, true),
            (.rgba, true),
        ] {
            let view = try PixelView(bytes.span, format: format, width: 4, height: 4, bytesPerRow: 16)
            let (found, matrix) = (view.isColor, view.matrix)
            #expect(found == isColor, "\(format)")
            #expect(matrix == .bt601)
        }
        let wide = try PixelView(
            bytes.span, format: .yuyv(.video), width: 4, height: 4, bytesPerRow: 8, matrix: .bt709)
        let matrix = wide.matrix
        #expect(matrix == .bt709)
    }
}
