import Frames
import KernelInterface
import PixelFrontEnd
import Testing

@Suite struct PixelViewTests {
    private static func refusal(
        _ count: Int, _ format: PixelView.Format, _ width: Int, _ height: Int, _ bytesPerRow: Int,
        _ region: PixelView.Region? = nil
    ) -> PixelView.FrameError? {
        let bytes = [UInt8](repeating: 0, count: count)
        do {
            let view = try PixelView(
                bytes.span, format: format, width: width, height: height, bytesPerRow: bytesPerRow, region: region)
            _ = view.width
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, -1, Int.min, PixelView.maximumSide + 1, Int.max]) func absurdSizes(_ side: Int) {
        let maximum = PixelView.maximumSide
        #expect(Self.refusal(64, .bgra, side, 4, 64) == .size(width: side, height: 4, maximum: maximum))
        #expect(Self.refusal(64, .bgra, 4, side, 64) == .size(width: 4, height: side, maximum: maximum))
    }

    @Test func strides() {
        for (format, pixel) in [
            (PixelView.Format.gray8, 1), (.nv12(.video), 1), (.yuyv(.full), 2), (.bgra, 4), (.rgba, 4),
        ] {
            let minimum = 5 * pixel
            #expect(Self.refusal(1000, format, 5, 3, minimum) == nil)
            for stride in [minimum - 1, 0, -1, -minimum, Int.min, Int.max] {
                #expect(
                    Self.refusal(1000, format, 5, 3, stride) == .bytesPerRow(minimum: minimum, found: stride),
                    "\(format) \(stride)")
            }
        }
        // One row needs no second: any stride that holds it will do.
        #expect(Self.refusal(5, .gray8, 5, 1, Int.max) == nil)
    }

    @Test func shortPlanes() {
        for (format, pixel) in [(PixelView.Format.gray8, 1), (.i420(.video), 1), (.yuyv(.full), 2), (.rgba, 4)] {
            let required = 2 * 40 + 5 * pixel
            #expect(Self.refusal(required, format, 5, 3, 40) == nil)
            #expect(
                Self.refusal(required - 1, format, 5, 3, 40) == .planeTooShort(required: required, found: required - 1))
            #expect(Self.refusal(0, format, 5, 3, 40) == .planeTooShort(required: required, found: 0))
        }
        #expect(
            Self.refusal(100, .gray8, 5, 3, Int.max / 2 - 5)
                == .planeTooShort(required: 2 * (Int.max / 2 - 5) + 5, found: 100))
    }

    @Test(arguments: [
        PixelView.Region(x: -1, y: 0, width: 2, height: 2), PixelView.Region(x: 0, y: -1, width: 2, height: 2),
        PixelView.Region(x: 0, y: 0, width: 0, height: 2), PixelView.Region(x: 0, y: 0, width: 2, height: -1),
        PixelView.Region(x: 4, y: 0, width: 2, height: 1), PixelView.Region(x: 0, y: 2, width: 1, height: 2),
        PixelView.Region(x: Int.max, y: 0, width: 1, height: 1),
        PixelView.Region(x: 1, y: 1, width: Int.max, height: Int.max),
        PixelView.Region(x: Int.min, y: Int.min, width: Int.max, height: Int.max),
    ]) func regionsOutside(_ region: PixelView.Region) {
        #expect(Self.refusal(15, .gray8, 5, 3, 5, region) == .region(region, width: 5, height: 3))
    }

    @Test func emptyMemory() {
        do {
            let view = unsafe try PixelView(
                unsafeBytes: UnsafeRawBufferPointer(start: nil, count: 0), format: .gray8, width: 1, height: 1,
                bytesPerRow: 1)
            Issue.record("admitted \(view.width)")
        } catch {
            #expect(error == .planeTooShort(required: 1, found: 0))
        }
    }

    @Test(arguments: [0, 1, 224 * 224 - 1, 224 * 224 + 1]) func destinations(_ count: Int) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let bytes: [UInt8] = [1, 2, 3, 4]
        let view = try PixelView(bytes.span, format: .gray8, width: 2, height: 2, bytesPerRow: 2)
        var output = [UInt8](repeating: 0x88, count: count)
        do {
            var destination = output.mutableSpan
            do {
                try preprocessor.resize(view, into: &destination)
                Issue.record("wrote")
            } catch {
                #expect(error == .destination(required: 224 * 224, found: count))
            }
        }
        #expect(output.allSatisfy { $0 == 0x88 })
    }
}
