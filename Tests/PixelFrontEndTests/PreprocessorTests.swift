import Frames
import KernelInterface
import PixelFrontEnd
import TestSupport
import Testing
import Vocabulary

private let formats: [PixelView.Format] = [
    .gray8, .nv12(.video), .nv12(.full), .i420(.video), .i420(.full), .yuyv(.video), .yuyv(.full), .bgra, .rgba,
]

/// Rounding to a code is 0.5; the fixed-point tables add at most 0.03 to four pixels,
private let tolerance = 0.53
/// and at most 0.05 to the up to 5,600 that a pixel of a shrunk frame covers.
private let areaTolerance = 0.55

private let sizes = [
    (1, 1), (1, 9), (9, 1), (2, 2), (3, 2), (7, 5), (8, 8), (15, 17), (16, 9), (31, 33), (112, 112), (223, 225),
    (224, 224),
    (225, 223), (224, 1), (1, 224), (320, 240), (447, 449), (448, 448), (641, 479), (640, 480), (1280, 720), (2047, 3),
    (449, 447), (3, 2047), (450, 100), (100, 450), (4100, 30), (16384, 3), (2, 16384),
]

/// The portable kernels, which check what the others rely on: a row's last pixel has no right neighbour with a weight, and an
/// odd number of row weights has a 0 after it.
private let checkingKernels: ResizeKernels = {
    var kernels = portableResizeKernels
    unsafe kernels.pack = { columns, weights, count, width, pixelBytes, bias, packed in
        if let columns = unsafe columns, let weights = unsafe weights {
            let isWhole = (0..<count).allSatisfy { unsafe Int(columns[$0]) < width - 1 || weights[2 * $0 + 1] == 0 }
            #expect(isWhole)
        }
        return unsafe portableResizeKernels.pack(columns, weights, count, width, pixelBytes, bias, packed)
    }
    unsafe kernels.area.luma = { rows, bytesPerRow, weights, count, width, pixelBytes, codes in
        let isPadded = unsafe count % 2 == 0 || weights[count] == 0
        #expect(isPadded)
        unsafe portableResizeKernels.area.luma(rows, bytesPerRow, weights, count, width, pixelBytes, codes)
    }
    return kernels
}()

@Suite struct PreprocessorTests {
    @Test(arguments: formats) func agreesWithRealNumbers(_ format: PixelView.Format) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (index, (width, height)) in sizes.enumerated() {
            let padding = [0, 1, 13, 64][index % 4]
            let frame = StoredFrame.random(format, width, height, padding: padding, seed: UInt64(index))
            for antialiased in [true, false] {
                let geometry = FrameGeometry(antialiased: antialiased)
                let output = try frame.resized(&preprocessor, geometry: geometry)
                let error = largestError(output, reference(frame, geometry: geometry))
                let limit = antialiased && max(width, height) > 448 ? areaTolerance : tolerance
                #expect(
                    error <= limit,
                    "antialiased \(antialiased), \(format) \(width) x \(height) + \(padding): \(error)")
            }
        }
    }

    /// Frames of several sizes through the same tables, with four rows a line before three, and larger than the output before
    /// smaller.
    @Test func kernelsGetWhatTheyRelyOn() throws {
        var preprocessor = Preprocessor(kernels: checkingKernels)
        for (width, height) in [(896, 896), (672, 672), (5, 7), (1, 1)] {
            let frame = StoredFrame.random(.gray8, width, height, seed: 4)
            let output = try frame.resized(&preprocessor)
            #expect(largestError(output, reference(frame)) <= areaTolerance, "\(width) x \(height)")
        }
    }

    @Test(arguments: formats) func constantsStayConstant(_ format: PixelView.Format) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (width, height) in [(1, 1), (7, 5), (224, 224), (320, 240), (641, 479)] {
            for code in UInt8.min...UInt8.max where width <= 7 || code % 17 == 0 {
                let frame = StoredFrame(format, width, height) { _, _, _ in code }
                var expected = Double(code)
                if format.lumaRange == .video { expected = min(max((expected - 16) * 255 / 219, 0), 255) }
                let output = try frame.resized(&preprocessor)
                #expect(
                    output.allSatisfy { Double($0) == expected.rounded() },
                    "\(format) \(width) x \(height), code \(code)")
            }
        }
    }

    @Test func identityIsExact() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for format in [PixelView.Format.gray8, .nv12(.full), .i420(.full), .yuyv(.full)] {
            let frame = StoredFrame.random(format, 224, 224, padding: 7, seed: 1)
            let output = try frame.resized(&preprocessor)
            let agrees = output == (0..<(224 * 224)).map { UInt8(frame.luma($0 % 224, $0 / 224)) }
            #expect(agrees, "\(format)")
        }
    }

    @Test func videoRangeIsExactWherePixelsCoincide() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame(.nv12(.video), 224, 224) { x, y, _ in UInt8((x + y * 224) % 256) }
        let output = try frame.resized(&preprocessor)
        for code in 0..<256 {
            let expected = min(max((Double(code) - 16) * 255 / 219, 0), 255).rounded()
            #expect(Double(output[code]) == expected, "code \(code)")
        }
    }

    @Test func halvingIsTheMeanOfFour() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame.random(.gray8, 448, 448, padding: 3, seed: 2)
        let output = try frame.resized(&preprocessor)
        for y in 0..<224 {
            for x in 0..<224 {
                let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
                    $0 + Int(frame.luma(2 * x + $1.0, 2 * y + $1.1))
                }
                #expect(Int(output[y * 224 + x]) == (sum + 2) / 4, "\(x), \(y)")
            }
        }
    }

    @Test func rampsStayRamps() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame(.gray8, 672, 256) { x, y, _ in UInt8(x * 255 / 671) }
        let output = try frame.resized(&preprocessor)
        for y in 0..<224 {
            let line = output[(y * 224)..<(y * 224 + 224)]
            #expect(zip(line, line.dropFirst()).allSatisfy { $0 <= $1 }, "line \(y)")
            #expect(line.elementsEqual(output[0..<224]))
        }
    }

    @Test func isNotNearestNeighbour() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame(.gray8, 2, 1) { x, _, _ in x == 0 ? 0 : 255 }
        let output = try frame.resized(&preprocessor)
        #expect(Set(output).count > 100)
        // The middle of the output is the middle of the source, whose pixel centres are a quarter from each end.
        #expect(output[0] == 0 && output[55] == 0 && output[168] == 255 && output[223] == 255)
        #expect(abs(Int(output[111]) + Int(output[112]) - 255) <= 1)
    }

    @Test(arguments: formats) func bytesThatAreNoLumaHaveNoInfluence(_ format: PixelView.Format) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (width, height) in [(1, 1), (9, 5), (225, 3), (321, 241)] {
            let outputs = try [UInt8(0), 0xFF, 0x5A].map { poison in
                var pixels = SplitMix64(seed: 5)
                let frame = StoredFrame(format, width, height, padding: 29, poison: poison) { _, _, _ in
                    UInt8(truncatingIfNeeded: pixels.next())
                }
                return try frame.resized(&preprocessor)
            }
            #expect(Set(outputs).count == 1, "\(format) \(width) x \(height)")
        }
    }

    @Test(arguments: formats) func regionIsACropOfACopy(_ format: PixelView.Format) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let frame = StoredFrame.random(format, 97, 61, padding: 5, seed: 9)
        let pixel = format.bytesPerPixel
        for region in [
            PixelView.Region(x: 0, y: 0, width: 97, height: 61), PixelView.Region(x: 1, y: 0, width: 1, height: 1),
            PixelView.Region(x: 3, y: 7, width: 50, height: 20), PixelView.Region(x: 96, y: 60, width: 1, height: 1),
            PixelView.Region(x: 12, y: 1, width: 85, height: 60), PixelView.Region(x: 33, y: 0, width: 17, height: 61),
        ] {
            let copy = StoredFrame(format, region.width, region.height) { x, y, channel in
                frame.bytes[1 + (y + region.y) * frame.bytesPerRow + (x + region.x) * pixel + channel]
            }
            for geometry in [
                FrameGeometry(), FrameGeometry(crop: .fill), FrameGeometry(crop: .fit, orientation: .right),
            ] {
                let whole = try frame.resized(&preprocessor, region: region, geometry: geometry)
                let agrees = try whole == copy.resized(&preprocessor, geometry: geometry)
                #expect(agrees, "\(format) \(region) \(geometry.crop)")
            }
        }
    }

    /// No byte is read after the last pixel: the frame ends where the process's memory does.
    @Test(arguments: formats) func readsNothingBehindTheLastPixel(_ format: PixelView.Format) throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        let page = try GuardedPage()
        var output = [UInt8](repeating: 0, count: 224 * 224)
        let wide = (449...520).map { ($0, 2) }
        let high = (1...36).map { ($0, 449) }
        for (width, height) in (1...40).map({ ($0, 3) }) + wide + high {
            let frame = StoredFrame.random(format, width, height, seed: UInt64(width))
            let bytes = unsafe page.place(frame.bytes.dropFirst())
            let view = unsafe try PixelView(
                unsafeBytes: bytes, format: format, width: width, height: height, bytesPerRow: frame.bytesPerRow)
            var destination = output.mutableSpan
            try preprocessor.resize(view, into: &destination)
            let error = largestError(output, reference(frame))
            let limit = max(width, height) > 448 ? areaTolerance : tolerance
            #expect(error <= limit, "\(format) \(width) x \(height)")
        }
    }
}
