import Frames
import KernelInterface
import PixelFrontEnd
import Testing
import Vocabulary

private let orientations = ImageOrientation.allCases.flatMap { [($0, false), ($0, true)] }

@Suite struct GeometryTests {
    @Test(arguments: orientations) func everyOrientationAgainstPlainRemapping(
        _ orientation: ImageOrientation, _ mirrored: Bool
    ) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for crop in [PixelView.CropMode.stretch, .fit, .fill] {
            let geometry = FrameGeometry(crop: crop, orientation: orientation, mirrored: mirrored)
            for (index, format) in [PixelView.Format.gray8, .yuyv(.video), .bgra].enumerated() {
                for (width, height) in [
                    (1, 1), (5, 3), (224, 224), (97, 301), (320, 241), (300, 1), (701, 460), (30, 460), (3000, 20),
                ] {
                    let frame = StoredFrame.random(format, width, height, padding: index, seed: 77)
                    let output = try frame.resized(&preprocessor, geometry: geometry)
                    let error = largestError(output, reference(frame, geometry: geometry))
                    let limit = max(width, height) > 448 ? 0.55 : 0.53
                    #expect(error <= limit, "\(geometry) \(format) \(width) x \(height): \(error)")
                }
            }
        }
    }

    /// A bright quarter in the stored frame's first rows and columns, and the corner of the upright picture it is seen in.
    @Test(arguments: [
        (ImageOrientation.up, 0), (.upMirrored, 1), (.down, 3), (.downMirrored, 2), (.leftMirrored, 0), (.right, 1),
        (.rightMirrored, 3), (.left, 2),
    ]) func cornersGoWhereExifSays(_ orientation: ImageOrientation, _ corner: Int) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame(.gray8, 640, 480) { x, y, _ in x < 320 && y < 240 ? 255 : 0 }
        for mirrored in [false, true] {
            let output = try frame.resized(
                &preprocessor, geometry: FrameGeometry(orientation: orientation, mirrored: mirrored))
            let seen = [(10, 10), (213, 10), (10, 213), (213, 213)].map { output[$0.1 * 224 + $0.0] }
            var expected: [UInt8] = [0, 0, 0, 0]
            expected[mirrored ? corner ^ 1 : corner] = 255
            #expect(seen == expected, "\(orientation), mirrored \(mirrored)")
        }
    }

    @Test func fitKeepsTheAspectAndPadsBothEnds() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (width, height, rows) in [
            (640, 480, 168), (1280, 720, 126), (640, 360, 126), (1000, 1, 1), (224, 223, 223),
        ] {
            let frame = StoredFrame(.gray8, width, height) { _, _, _ in 200 }
            let output = try frame.resized(&preprocessor, geometry: FrameGeometry(crop: .fit))
            let top = (224 - rows) / 2
            for y in 0..<224 {
                let expected: UInt8 = (top..<(top + rows)).contains(y) ? 200 : FrameGeometry.padding
                #expect(
                    output[(y * 224)..<(y * 224 + 224)].allSatisfy { $0 == expected }, "\(width) x \(height) row \(y)")
            }
        }
    }

    @Test func fillIsTheCentredSquare() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (width, height) in [(640, 480), (480, 640), (301, 100), (5, 2), (224, 224)] {
            let frame = StoredFrame.random(.gray8, width, height, seed: 3)
            let side = min(width, height)
            let square = PixelView.Region(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
            let filled = try frame.resized(&preprocessor, geometry: FrameGeometry(crop: .fill))
            let agrees = try filled == frame.resized(&preprocessor, region: square)
            #expect(agrees, "\(width) x \(height)")
        }
    }

    /// One preprocessor through changing geometries gives what a new one gives each time.
    @Test func tablesFollowTheGeometry() throws {
        var kept = Preprocessor(kernels: portableResizeKernels)
        var random = SplitMix64(seed: 11)
        let formats: [PixelView.Format] = [.gray8, .nv12(.video), .yuyv(.full), .bgra]
        for step in 0..<200 {
            let frame = StoredFrame.random(
                formats[Int.random(in: 0..<4, using: &random)], Int.random(in: 1...900, using: &random),
                Int.random(in: 1...50, using: &random), seed: UInt64(step))
            let geometry = FrameGeometry(
                crop: [.stretch, .fit, .fill][Int.random(in: 0..<3, using: &random)],
                orientation: ImageOrientation.allCases[Int.random(in: 0..<8, using: &random)],
                mirrored: Bool.random(using: &random), antialiased: step % 3 > 0)
            var new = Preprocessor(kernels: portableResizeKernels)
            let expected = try frame.resized(&new, geometry: geometry)
            let agrees = try (0..<2).map { _ in try frame.resized(&kept, geometry: geometry) == expected }
            #expect(agrees == [true, true], "step \(step)")
        }
    }
}
