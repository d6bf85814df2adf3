import Foundation
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking
import Vocabulary

/// A picture between guard values that must survive.
struct Output {
    static let guardValue: Float = -77
    let side: Int
    let rowStride: Int
    let pixelStride: Int
    /// Whether the whole region could be read.
    private(set) var isWhole = false
    private var values: [Float]
    private let margin = 100

    init(side: Int, rowStride: Int? = nil, pixelStride: Int = 3) {
        self.side = side
        self.rowStride = rowStride ?? side * pixelStride
        self.pixelStride = pixelStride
        values = Array(repeating: Self.guardValue, count: side * self.rowStride + 2 * margin)
    }

    mutating func write(
        _ crop: inout RotatedCrop, _ frame: borrowing PixelView, _ region: TrackedRegion,
        orientation: ImageOrientation = .up, border: RotatedCrop.Border = .nearest, isAveraged: Bool = false
    ) {
        unsafe values.withUnsafeMutableBufferPointer { values in
            let picture = unsafe ImageBuffer(
                values.baseAddress! + margin, side: side, rowStride: rowStride, pixelStride: pixelStride)
            isWhole = crop.write(
                frame, region, orientation: orientation, border: border, isAveraged: isAveraged, into: picture)
        }
    }

    /// In codes.
    func at(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let first = margin + y * rowStride + x * pixelStride
        return 255 * SIMD3(Double(values[first]), Double(values[first + 1]), Double(values[first + 2]))
    }

    var guardsSurvive: Bool {
        var isPicture = [Bool](repeating: false, count: values.count)
        for y in 0..<side {
            for x in 0..<side {
                for channel in 0..<3 { isPicture[margin + y * rowStride + x * pixelStride + channel] = true }
            }
        }
        return zip(values, isPicture).allSatisfy { $1 || $0 == Self.guardValue }
    }
}

/// The places of an axis that a position may be rounded to, in 1/32 of a pixel, with those that a thousandth part of a pixel
/// more or less would be rounded to.
private func roundings(_ place: Double) -> Set<Int> {
    Set([-0.003, 0, 0.003].map { Int((32 * (place + $0)).rounded()) })
}

/// The definition of a crop, in real numbers: `color` of an upright picture of this size, interpolated.
private func reference(
    _ width: Int, _ height: Int, _ x: Int, _ y: Int, border: RotatedCrop.Border,
    color: (Int, Int) -> SIMD3<Double>
) -> SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    for (column, xShare) in [(x >> 5, 32 - x & 31), ((x >> 5) + 1, x & 31)] {
        for (row, yShare) in [(y >> 5, 32 - y & 31), ((y >> 5) + 1, y & 31)] {
            let (inX, inY) = (min(max(column, 0), width - 1), min(max(row, 0), height - 1))
            guard border == .nearest || inX == column && inY == row else { continue }
            sum += Double(xShare * yShare) / 1_024 * color(inX, inY)
        }
    }
    return sum.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
}

extension Output {
    /// The largest distance in codes from what a region of a picture is to show.
    func largestError(
        _ width: Int, _ height: Int, _ region: TrackedRegion, border: RotatedCrop.Border,
        color: (Int, Int) -> SIMD3<Double>
    ) -> Double {
        var largest = 0.0
        let (sine, cosine) = (sin(region.rotation), cos(region.rotation))
        for y in 0..<side {
            for x in 0..<side {
                let u = region.side * (Double(x) / Double(side) - 0.5)
                let v = region.side * (Double(y) / Double(side) - 0.5)
                let (columns, rows) = (
                    roundings(region.centerX + u * cosine - v * sine), roundings(region.centerY + u * sine + v * cosine)
                )
                var least = Double.infinity
                for column in columns {
                    for row in rows {
                        let error = at(x, y) - reference(width, height, column, row, border: border, color: color)
                        least = min(least, max(abs(error.x), abs(error.y), abs(error.z)))
                    }
                }
                largest = max(largest, least)
            }
        }
        return largest
    }
}

/// Codes are rounded once, luma and chroma before that to 1/128 each.
private let tolerance = 0.56

struct Variant: CustomTestStringConvertible {
    var layout: ColorFrame.Layout
    var range: PixelView.LumaRange
    var matrix: PixelView.ColorMatrix
    var testDescription: String { "\(layout) \(range) \(matrix)" }

    static let all: [Variant] =
        [ColorFrame.Layout.gray, .rgba, .bgra].map { Variant(layout: $0, range: .full, matrix: .bt601) }
        + [ColorFrame.Layout.yuyv, .nv12, .nv21, .i420, .lumaOnly].flatMap { layout in
            [(PixelView.LumaRange.video, PixelView.ColorMatrix.bt601), (.full, .bt601), (.video, .bt709)].map {
                Variant(layout: layout, range: $0.0, matrix: $0.1)
            }
        }
}

@Suite struct RotatedCropTests {
    /// Around the middle, at the edges, outside, tiny and larger than the frame.
    private static func regions(_ width: Int, _ height: Int, using random: inout SplitMix64) -> [TrackedRegion] {
        let (w, h) = (Double(width), Double(height))
        var regions = [
            TrackedRegion(centerX: w / 2, centerY: h / 2, side: max(w, h)),
            TrackedRegion(centerX: w / 2, centerY: h / 2, side: 1.5 * max(w, h), rotation: 0.3),
            TrackedRegion(centerX: 0, centerY: h, side: min(w, h), rotation: -2),
            TrackedRegion(centerX: -3 * w, centerY: h / 2, side: w, rotation: 1),
            TrackedRegion(centerX: w / 2, centerY: h / 2, side: 1),
        ]
        for _ in 0..<6 {
            regions.append(
                TrackedRegion(
                    centerX: w * random.unit(), centerY: h * random.unit(), side: 1 + max(w, h) * random.unit(),
                    rotation: 6.3 * random.unit() - 3.15))
        }
        for quarter in -2...2 {
            regions.append(
                TrackedRegion(
                    centerX: w * random.unit(), centerY: h * random.unit(), side: h / 2,
                    rotation: .pi / 2 * Double(quarter)))
        }
        return regions
    }

    @Test(arguments: Variant.all) func agreesWithRealNumbers(_ variant: Variant) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        var random = SplitMix64(seed: 10)
        for (width, height) in [(1, 1), (2, 3), (5, 1), (37, 29), (64, 48), (33, 80)] {
            let frame = ColorFrame.random(
                variant.layout, variant.range, variant.matrix, width, height, padding: 7, seed: random.next())
            for region in Self.regions(width, height, using: &random) {
                var output = Output(side: 23, rowStride: 23 * 4 + 5, pixelStride: 4)
                try frame.withView { output.write(&crop, $0, region) }
                #expect(output.isWhole && output.guardsSurvive)
                let error = output.largestError(width, height, region, border: .nearest) { frame.color($0, $1) }
                #expect(error <= tolerance, "\(width) x \(height) \(region)")
            }
        }
    }

    /// The mean of the pictures of four regions, each moved by a quarter of a pixel of the picture both ways; a picture that enlarges is
    /// as without.
    @Test(arguments: [RotatedCrop.Border.black, .nearest]) func averagesFourPlaces(_ border: RotatedCrop.Border) throws
    {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let frame = ColorFrame.random(.rgba, .full, .bt601, 97, 71, seed: 15)
        for (side, rotation) in [(110.0, 0.0), (64, 0.7), (23, 0.7), (10, 0)] {
            let region = TrackedRegion(centerX: 45, centerY: 36, side: side, rotation: rotation)
            var averaged = Output(side: 23)
            try frame.withView { averaged.write(&crop, $0, region, border: border, isAveraged: true) }
            var pictures: [Output] = []
            let quarter = side > 23 ? side / 23 / 4 : 0
            for (x, y) in [(-quarter, -quarter), (quarter, -quarter), (-quarter, quarter), (quarter, quarter)] {
                var moved = region
                moved.centerX += x * cos(rotation) - y * sin(rotation)
                moved.centerY += x * sin(rotation) + y * cos(rotation)
                var picture = Output(side: 23)
                try frame.withView { picture.write(&crop, $0, moved, border: border) }
                pictures.append(picture)
            }
            for y in 0..<23 {
                for x in 0..<23 {
                    let mean = pictures.reduce(SIMD3.zero) { $0 + $1.at(x, y) } / 4
                    let error = averaged.at(x, y) - mean
                    // The mean is rounded; places that lie between two 32nds of a pixel may be rounded apart.
                    #expect(max(abs(error.x), abs(error.y), abs(error.z)) <= 3, "\(side) \(x) \(y) \(error)")
                }
            }
        }
    }

    @Test(arguments: Variant.all) func isBlackAround(_ variant: Variant) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        var random = SplitMix64(seed: 11)
        for (width, height) in [(1, 1), (2, 3), (5, 1), (40, 24), (24, 41)] {
            let frame = ColorFrame.random(
                variant.layout, variant.range, variant.matrix, width, height, tame: true, seed: random.next())
            for region in Self.regions(width, height, using: &random) {
                var output = Output(side: 31)
                try frame.withView { output.write(&crop, $0, region, border: .black) }
                #expect(output.isWhole && output.guardsSurvive)
                let error = output.largestError(width, height, region, border: .black) { frame.color($0, $1) }
                // At the edge a code is rounded twice.
                #expect(error <= tolerance + 0.5, "\(width) x \(height) \(region)")
            }
        }
    }

    /// What a stored frame shows is what the upright one would.
    @Test(arguments: ImageOrientation.allCases) func orientations(_ orientation: ImageOrientation) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        var random = SplitMix64(seed: 12)
        let whole = PixelView.Region(x: 0, y: 0, width: 40, height: 30)
        for part in [whole, PixelView.Region(x: 3, y: 5, width: 21, height: 17)] {
            let frame = ColorFrame.random(.nv12, .video, .bt601, 40, 30, tame: true, seed: random.next())
            let size = FrameSize(part, orientation)
            let (width, height) = (Int(size.width), Int(size.height))
            // By the EXIF definition: where the first row and the first column of the stored picture belong.
            func upright(_ x: Int, _ y: Int) -> SIMD3<Double> {
                let (right, bottom) = (part.width - 1, part.height - 1)
                let (column, row) =
                    switch orientation.rawValue {
                    case 1: (x, y)
                    case 2: (right - x, y)
                    case 3: (right - x, bottom - y)
                    case 4: (x, bottom - y)
                    case 5: (y, x)
                    case 6: (y, bottom - x)
                    case 7: (right - y, bottom - x)
                    default: (right - y, x)
                    }
                return frame.color(part.x + column, part.y + row)
            }
            for border in [RotatedCrop.Border.nearest, .black] {
                for region in Self.regions(width, height, using: &random) {
                    var output = Output(side: 20)
                    try frame.withView(region: part) {
                        output.write(&crop, $0, region, orientation: orientation, border: border)
                    }
                    let error = output.largestError(width, height, region, border: border, color: upright)
                    #expect(error <= tolerance + 0.5, "\(part) \(region)")
                }
            }
        }
    }

    /// A region as large as the picture gives the frame itself, bit for bit: no half pixel is added.
    @Test func theFrameItself() throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let frame = ColorFrame.random(.rgba, .full, .bt601, 48, 48, seed: 13)
        for border in [RotatedCrop.Border.nearest, .black] {
            var output = Output(side: 48)
            try frame.withView {
                output.write(&crop, $0, TrackedRegion(centerX: 24, centerY: 24, side: 48), border: border)
            }
            for y in 0..<48 {
                for x in 0..<48 {
                    let difference = output.at(x, y) - frame.color(x, y)
                    #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-4)
                }
            }
        }
        // One that is twice as large every second pixel.
        var half = Output(side: 24)
        try frame.withView { half.write(&crop, $0, TrackedRegion(centerX: 24, centerY: 24, side: 48)) }
        let difference = half.at(7, 5) - frame.color(14, 10)
        #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 1e-4)
    }

    /// The palm detector's picture of 4:3: the frame in the middle, black above and below.
    @Test func letterbox() throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let frame = ColorFrame(.bgra, .full, .bt601, 640, 480) { _, _, _ in 255 }
        var output = Output(side: 192)
        let region = TrackedRegion(around: FrameSize(width: 640, height: 480))
        try frame.withView { output.write(&crop, $0, region, border: .black) }
        for y in 0..<192 {
            let expected = (24..<168).contains(y) ? 255.0 : 0
            #expect((0..<192).allSatisfy { abs(output.at($0, y).x - expected) < 1e-3 }, "row \(y)")
        }
    }

    /// White, black, gray and the primaries of video, by their codes in the standards.
    @Test func knownColours() throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let colours: [(PixelView.ColorMatrix, SIMD3<UInt8>, SIMD3<Double>)] = [
            (.bt601, SIMD3(16, 128, 128), SIMD3(0, 0, 0)), (.bt601, SIMD3(235, 128, 128), SIMD3(255, 255, 255)),
            (.bt601, SIMD3(81, 90, 240), SIMD3(255, 0, 0)), (.bt601, SIMD3(145, 54, 34), SIMD3(0, 255, 0)),
            (.bt601, SIMD3(41, 240, 110), SIMD3(0, 0, 255)), (.bt709, SIMD3(63, 102, 240), SIMD3(255, 0, 0)),
            (.bt709, SIMD3(173, 42, 26), SIMD3(0, 255, 0)), (.bt709, SIMD3(32, 240, 118), SIMD3(0, 0, 255)),
        ]
        for (matrix, code, expected) in colours {
            for layout in [ColorFrame.Layout.nv12, .i420, .yuyv] {
                let frame = ColorFrame(layout, .video, matrix, 8, 8) { plane, x, _ in
                    switch layout {
                    case .nv12: plane == 0 ? code.x : x % 2 == 0 ? code.y : code.z
                    case .i420: code[plane]
                    default: x % 2 == 0 ? code.x : x % 4 == 1 ? code.y : code.z
                    }
                }
                var output = Output(side: 4)
                try frame.withView { output.write(&crop, $0, TrackedRegion(centerX: 4, centerY: 4, side: 4)) }
                let difference = output.at(2, 2) - expected
                #expect(
                    max(abs(difference.x), abs(difference.y), abs(difference.z)) < 2.5, "\(layout) \(matrix) \(code)")
            }
        }
    }

    /// A picture of codes has the numbers of one of floats times 255, exactly, and nothing beside it is written; with lines farther
    /// apart than the picture is wide and a border of either kind.
    @Test(arguments: Variant.all) func codes(_ variant: Variant) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        var random = SplitMix64(seed: 21)
        let frame = ColorFrame.random(variant.layout, variant.range, variant.matrix, 40, 30, seed: 20)
        let (side, line, margin) = (17, 17 * 3 + 5, 64)
        for region in Self.regions(40, 30, using: &random) {
            for border in [RotatedCrop.Border.nearest, .black] {
                var numbers = Output(side: side)
                var codes = [UInt8](repeating: 0x88, count: side * line + 2 * margin)
                var isWhole = false
                try frame.withView { view in
                    numbers.write(&crop, view, region, border: border)
                    unsafe codes.withUnsafeMutableBufferPointer { codes in
                        let picture = unsafe ImageBuffer(
                            bytes: codes.baseAddress! + margin, side: side, rowStride: line)
                        isWhole = crop.write(view, region, border: border, into: picture)
                    }
                }
                #expect(isWhole == numbers.isWhole)
                var expected = [UInt8](repeating: 0x88, count: codes.count)
                for y in 0..<side {
                    for x in 0..<side {
                        let color = numbers.at(x, y)
                        for channel in 0..<3 {
                            expected[margin + y * line + 3 * x + channel] = UInt8(color[channel].rounded())
                            #expect(abs(color[channel] - color[channel].rounded()) < 1e-4)
                        }
                    }
                }
                #expect(codes == expected, "\(region) \(border)")
            }
        }
    }

    /// Padding bytes, and pixels outside of the view's region, have no influence.
    @Test(arguments: Variant.all) func onlyTheRegionIsRead(_ variant: Variant) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let part = PixelView.Region(x: 6, y: 4, width: 20, height: 12)
        var outputs: [[SIMD3<Double>]] = []
        for poison in [UInt8(0), 255] {
            let inside = ColorFrame.random(variant.layout, variant.range, variant.matrix, 40, 30, seed: 14)
            let mixed = ColorFrame(variant.layout, variant.range, variant.matrix, 40, 30, padding: 3, poison: poison) {
                plane, x, y in
                // In samples of the plane: chroma of 4:2:0 has half the columns and rows.
                let (columns, rows): (Range<Int>, Range<Int>) =
                    switch (variant.layout, plane) {
                    case (.nv12, 1), (.nv21, 1): (6..<26, 2..<8)
                    case (.i420, 1), (.i420, 2): (3..<13, 2..<8)
                    case (.rgba, _), (.bgra, _): (24..<104, 4..<16)
                    case (.yuyv, _): (12..<52, 4..<16)
                    default: (6..<26, 4..<16)
                    }
                guard columns.contains(x), rows.contains(y) else { return poison }
                return inside.planes[plane][1 + y * inside.rows[plane] + x]
            }
            var output = Output(side: 40)
            try mixed.withView(region: part) {
                output.write(&crop, $0, TrackedRegion(centerX: 10, centerY: 6, side: 30, rotation: 0.2))
            }
            outputs.append((0..<1_600).map { output.at($0 % 40, $0 / 40) })
        }
        #expect(outputs[0] == outputs[1])
    }

    /// No byte is read behind the last sample of a plane, or before the first.
    @Test(arguments: Variant.all) func readsNothingOutside(_ variant: Variant) throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let pages = try (0..<3).map { _ in try GuardedPage() }
        var random = SplitMix64(seed: 15)
        for (width, height) in (1...9).flatMap({ width in (1...5).map { (width, $0) } }) {
            let frame = ColorFrame.random(
                variant.layout, variant.range, variant.matrix, width, height, seed: random.next())
            for region in Self.regions(width, height, using: &random) {
                var (first, second) = (Output(side: 9), Output(side: 9))
                try frame.withView(pages: pages) { first.write(&crop, $0, region) }
                try frame.withView { second.write(&crop, $0, region) }
                #expect((0..<81).allSatisfy { first.at($0 % 9, $0 / 9) == second.at($0 % 9, $0 / 9) })
            }
        }
    }

    /// What 16 bits cannot hold is black and said so.
    @Test func tooFarAway() throws {
        var crop = RotatedCrop(kernels: portableCropKernels)
        let frame = ColorFrame(.gray, .full, .bt601, 8, 8) { _, _, _ in 200 }
        var regions = [
            TrackedRegion(centerX: 4, centerY: 4, side: 65_500),
            TrackedRegion(centerX: -40_000, centerY: 4, side: 8),
            TrackedRegion(centerX: 4, centerY: 1e300, side: 8),
            TrackedRegion(centerX: 4, centerY: 4, side: .infinity),
        ]
        for odd in [Double.nan, .infinity] {
            regions.append(TrackedRegion(centerX: odd, centerY: 4, side: 8))
            regions.append(TrackedRegion(centerX: 4, centerY: 4, side: 8, rotation: odd))
        }
        for orientation in ImageOrientation.allCases {
            for region in regions {
                var output = Output(side: 8, pixelStride: 5)
                try frame.withView { output.write(&crop, $0, region, orientation: orientation) }
                #expect(!output.isWhole && output.guardsSurvive)
                #expect((0..<64).allSatisfy { output.at($0 % 8, $0 / 8) == .zero })
            }
            var far = Output(side: 8)
            try frame.withView {
                far.write(&crop, $0, TrackedRegion(centerX: 4, centerY: 4, side: 40_000), orientation: orientation)
            }
            #expect(far.isWhole)
        }
    }
}
