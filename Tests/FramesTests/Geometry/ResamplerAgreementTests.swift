import Frames
import KernelInterface
import PixelFrontEnd
import Testing

/// `ViewTransform` and the resampler are separate code; these tests prove that they agree.
@Suite struct ResamplerAgreementTests {
    private struct Gray {
        var width: Int
        var height: Int
        var bytes: [UInt8]

        init(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) {
            self.width = width
            self.height = height
            bytes = (0..<height).flatMap { y in (0..<width).map { value($0, y) } }
        }

        func resized(
            _ preprocessor: inout Preprocessor, region: PixelView.Region?, geometry: FrameGeometry
        ) throws -> [UInt8] {
            var output = [UInt8](repeating: 0x88, count: 224 * 224)
            let view = try PixelView(
                bytes.span, format: .gray8, width: width, height: height, bytesPerRow: width, region: region)
            var span = output.mutableSpan
            try preprocessor.resize(view, geometry: geometry, into: &span)
            return output
        }
    }

    private static let shapes: [(width: Int, height: Int, region: PixelView.Region?)] = [
        (640, 480, nil), (241, 320, nil), (101, 60, nil),
        (640, 480, PixelView.Region(x: 131, y: 57, width: 211, height: 333)),
        (400, 300, PixelView.Region(x: 3, y: 201, width: 390, height: 98)),
    ]

    /// A bright dot is resampled to where the transform says, within one pixel of the model.
    @Test func theDotIsWhereTheTransformSays() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        var seen = 0
        for (width, height, region) in Self.shapes {
            let part = region ?? PixelView.Region(x: 0, y: 0, width: width, height: height)
            for (across, down) in [(0.3, 0.2), (0.8, 0.45), (0.45, 0.9)] {
                let x = part.x + Int(across * Double(part.width))
                let y = part.y + Int(down * Double(part.height))
                let frame = Gray(width, height) { abs($0 - x) <= 2 && abs($1 - y) <= 2 ? 255 : 0 }
                for geometry in geometries {
                    let transform = try ViewTransform(
                        frameWidth: width, frameHeight: height, region: region, geometry: geometry)
                    let expected = transform.map(
                        PlanePoint(x: Double(x) + 0.5, y: Double(y) + 0.5), from: .frame, to: .model)
                    let output = try frame.resized(&preprocessor, region: region, geometry: geometry)
                    // Away from the edges, where the dot would be cut.
                    guard (8...216).contains(expected.x), (8...216).contains(expected.y) else { continue }
                    let found = try #require(Self.centre(of: output), "\(geometry)")
                    #expect(distance(found, expected) < 1, "\(geometry) \(width) x \(height) (\(x), \(y))")
                    seen += 1
                }
            }
        }
        #expect(seen >= 400)
    }

    /// Luma that is the stored column, or row, tells for every pixel of the model where it was taken from: within the
    /// rounding of one code, a fraction of a stored pixel.
    @Test func everyPixelComesFromWhereTheTransformSays() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let shapes: [(Int, Int, PixelView.Region?)] = [
            (256, 144, nil), (97, 251, nil), (255, 256, nil), (20, 11, nil),
            (256, 256, PixelView.Region(x: 17, y: 30, width: 121, height: 86)),
            (200, 256, PixelView.Region(x: 1, y: 99, width: 199, height: 5)),
        ]
        for (width, height, region) in shapes {
            let columns = Gray(width, height) { x, _ in UInt8(x) }
            let rows = Gray(width, height) { _, y in UInt8(y) }
            let part = region ?? PixelView.Region(x: 0, y: 0, width: width, height: height)
            for geometry in geometries {
                let transform = try ViewTransform(
                    frameWidth: width, frameHeight: height, region: region, geometry: geometry)
                // The resampler holds positions half a pixel inside the part it samples.
                let shown = transform.map(PlaneRect(x: 0, y: 0, width: 1, height: 1), from: .unitModel, to: .frame)
                let (left, right) = Self.held(part.x, part.width, shown.x, shown.width)
                let (top, bottom) = Self.held(part.y, part.height, shown.y, shown.height)
                let taken = try columns.resized(&preprocessor, region: region, geometry: geometry)
                let takenDown = try rows.resized(&preprocessor, region: region, geometry: geometry)
                var worst = 0.0
                var compared = 0
                for y in 0..<224 {
                    for x in 0..<224 {
                        let place = transform.map(
                            PlanePoint(x: Double(x) + 0.5, y: Double(y) + 0.5), from: .model, to: .frame)
                        guard Self.contains(part, place) else { continue }
                        let column = min(max(place.x - 0.5, left), right)
                        let row = min(max(place.y - 0.5, top), bottom)
                        worst = max(worst, abs(Double(taken[y * 224 + x]) - column))
                        worst = max(worst, abs(Double(takenDown[y * 224 + x]) - row))
                        compared += 1
                    }
                }
                #expect(worst < 0.54, "\(geometry) \(width) x \(height): \(worst)")
                #expect(compared >= (geometry.crop == .fit ? 224 * 5 : 224 * 224), "\(geometry) \(compared)")
            }
        }
    }

    /// The region of a box is what the model then sees: a bright box fills the square.
    @Test func theRegionOfABoxFillsTheSquare() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = Gray(320, 200) { (80..<180).contains($0) && (50..<90).contains($1) ? 255 : 0 }
        for orientation in ImageOrientation.allCases {
            for mirrored in [false, true] {
                let geometry = FrameGeometry(orientation: orientation, mirrored: mirrored)
                let whole = try ViewTransform(frameWidth: 320, frameHeight: 200, geometry: geometry)
                let box = whole.map(
                    PlaneRect(x: 80, y: 50, width: 100, height: 40), from: .frame, to: .picture(.bottomLeft))
                let tight = try whole.region(covering: box, in: .picture(.bottomLeft), margin: 1)
                #expect(tight == PixelView.Region(x: 80, y: 50, width: 100, height: 40))
                let output = try frame.resized(&preprocessor, region: tight, geometry: geometry)
                #expect(output.allSatisfy { $0 == 255 })
            }
        }
    }

    /// First and last centre of the pixels that a region has in common with what the square shows, less one half.
    private static func held(
        _ start: Int, _ length: Int, _ shown: Double, _ shownLength: Double
    ) -> (first: Double, last: Double) {
        (max(Double(start), shown.rounded()), min(Double(start + length), (shown + shownLength).rounded()) - 1)
    }

    private static func contains(_ region: PixelView.Region, _ point: PlanePoint) -> Bool {
        let (x, y) = (Double(region.x), Double(region.y))
        return (x...x + Double(region.width)).contains(point.x) && (y...y + Double(region.height)).contains(point.y)
    }

    /// The middle of what is bright, weighted by luma, in coordinates of edges.
    private static func centre(of picture: [UInt8]) -> PlanePoint? {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for (index, luma) in picture.enumerated() {
            sum += Double(luma)
            x += Double(luma) * (Double(index % 224) + 0.5)
            y += Double(luma) * (Double(index / 224) + 0.5)
        }
        return sum > 0 ? PlanePoint(x: x / sum, y: y / sum) : nil
    }
}
