package import Frames
package import KernelInterface
import Platform

/// Reads a turned square of a frame into a network's input image, interpolated between four pixels and converted to
/// colours.
///
/// The same as MediaPipe on a CPU, which uses OpenCV's `warpPerspective`: pixel (i, j) of n x n shows the point of the
/// frame at i / n and j / n of the region's sides from its corner, where integers are the centres of stored pixels. (So
/// a region that is the whole frame at its own size gives the frame itself, and a region twice the image's size gives
/// every second pixel, not means of two.) Positions are rounded to 1/32 of a pixel, colours to 8 bits, which are then
/// scaled to the image's range.
///
/// If a pixel of the image is larger than one of the frame, an averaged image shows the mean of four points, evenly
/// spread over the pixel, instead: noise and dither then even out, as in shrinking by area.
///
/// YUV becomes colour after the interpolation, by the view's matrix; every pixel uses the chroma sample whose area
/// contains it, as in OpenCV, which converts a video's frame first. The last pixel of a row of YUYV with an odd width
/// has the chroma of the pixel before it. Luma alone becomes gray.
@safe
package struct RotatedCrop: ~Copyable {
    /// The largest distance of a position from the frame's corner, in pixels; it fits 16 bits.
    package static let coordinateLimit = 32_700.0

    /// Points per pixel of an averaged image, along each axis.
    private static let places = 2

    /// The surroundings of the frame.
    package enum Border: Sendable {
        /// Black, as around the image of MediaPipe's palm detector.
        case black
        /// The nearest pixel of the frame, as around the image of its landmark network.
        case nearest
    }

    private let kernels: CropKernels
    private let memory = MemoryOwner(byteCount: 9 * ImageBuffer.maximumSide + 1)
    /// A row of bytes, red, green and blue in turn.
    private let bytes: UnsafeMutablePointer<UInt8>
    /// Sums of such rows.
    private let sums: UnsafeMutablePointer<UInt16>
    /// Chroma for formats that have none.
    private let neutral: UnsafeMutablePointer<UInt8>

    package init(kernels: CropKernels) {
        self.kernels = kernels
        let count = 3 * ImageBuffer.maximumSide
        unsafe sums = memory.base.bindMemory(to: UInt16.self, capacity: count)
        unsafe bytes = (memory.base + 2 * count).bindMemory(to: UInt8.self, capacity: count + 1)
        unsafe neutral = bytes + count
        unsafe neutral.initialize(to: 128)
    }

    /// Fills an image. Allocates nothing.
    /// - Parameters:
    ///   - frame: pixels outside its region have no influence.
    ///   - region: the square to show, in pixels of the frame's region in upright orientation.
    ///   - orientation: how the frame is stored.
    ///   - border: what is shown where the square lies outside the frame.
    ///   - isAveraged: whether a pixel that is larger than the frame's shows a mean. It takes four times as long.
    ///   - image: the image to write.
    /// - Returns: whether all of the square lies within `reach`. If not, the image is black.
    package func write(
        _ frame: borrowing PixelView, _ region: TrackedRegion, orientation: ImageOrientation = .up, border: Border,
        isAveraged: Bool = false, into image: ImageBuffer
    ) -> Bool {
        guard let line = Line(region, side: image.side, frame.region, orientation) else {
            image.clear()
            return false
        }
        let limits = Limits(frame.region)
        let source = unsafe Source(frame, neutral: neutral)
        let averages = isAveraged && region.side > Double(image.side)
        if !averages { readAhead(source, line, image.side, limits) }
        for row in 0..<image.side {
            if averages {
                average(source, line, row, border, image.side, limits)
            } else {
                read(source, line.below(row), border, image.side, limits)
            }
            write(row, into: image)
        }
        return true
    }

    /// Bytes of a frame that are read before a crop: what fits a second-level cache beside the networks.
    private static let readAheadLimit = 512 * 1024

    /// Reads the cache lines that the square covers, so that a kernel finds them in a cache.
    ///
    /// A camera's frame comes from memory. These reads wait for it side by side, while those of a kernel, along a slanted
    /// line, wait one after another: of 0.20 ms for a hand in a frame of 1280x720 it saves 0.05.
    private func readAhead(_ source: Source, _ line: Line, _ side: Int, _ limits: Limits) {
        let (columns, rows) = line.extent(side, within: limits)
        let pixelBytes = source.red == nil ? source.lumaStep : 4
        guard !columns.isEmpty, columns.count * rows.count * pixelBytes <= Self.readAheadLimit else { return }
        // All samples are in the view's region. YUYV has chroma between the luma, other formats in planes or none.
        let hasPlanes = source.chromaStep == 1 || source.chromaStep == 2
        let chromaRange =
            columns.lowerBound >> 1 * source.chromaStep..<((columns.upperBound + 1) >> 1 - 1) * source.chromaStep + 1
        let pixelRange = columns.lowerBound * pixelBytes..<columns.upperBound * pixelBytes
        var sum: UInt8 = 0
        for y in rows {
            unsafe CacheLines.read(source.pixels + y * source.bytesPerRow, pixelRange, &sum)
            guard hasPlanes, y & 1 == 0 else { continue }
            let row = y >> source.rowShift * source.chromaBytesPerRow
            unsafe CacheLines.read(source.blueSamples + row, chromaRange, &sum)
            if source.chromaStep == 1 { unsafe CacheLines.read(source.redSamples + row, chromaRange, &sum) }
        }
        // So that the reads are not optimised away; the crop overwrites it.
        unsafe bytes[0] = sum
    }

    /// Computes a row of bytes.
    private func read(_ source: Source, _ line: Line, _ border: Border, _ side: Int, _ limits: Limits) {
        let shown =
            switch border {
            case .nearest: 0..<side
            case .black: line.pixels(side, touching: limits)
            }
        // `shown` is within the side, the capacity of `bytes`.
        unsafe read(source, line.after(shown.lowerBound), shown.count, limits, bytes + 3 * shown.lowerBound)
        if border == .black { darken(line, shown, side, limits) }
    }

    /// Computes the mean of a row over the points of each pixel.
    private func average(
        _ source: Source, _ line: Line, _ row: Int, _ border: Border, _ side: Int, _ limits: Limits
    ) {
        // All indices are below the capacities.
        let count = 3 * side
        unsafe sums.update(repeating: 0, count: count)
        func offset(_ place: Int) -> Double { (Double(place) + 0.5) / Double(Self.places) - 0.5 }
        for lower in 0..<Self.places {
            for further in 0..<Self.places {
                read(source, line.below(row, further: offset(further), lower: offset(lower)), border, side, limits)
                for index in 0..<count { unsafe sums[index] &+= UInt16(bytes[index]) }
            }
        }
        let half = UInt16(Self.places * Self.places / 2)
        for index in 0..<count { unsafe bytes[index] = UInt8((sums[index] + half) / (2 * half)) }
    }

    /// One call of a kernel.
    private func read(
        _ source: Source, _ line: Line, _ count: Int, _ limits: Limits, _ bytes: UnsafeMutablePointer<UInt8>
    ) {
        // Both tables have the sizes that the kernels need; a view's planes hold every pixel of its region, and the
        // limits are that region.
        unsafe limits.numbers.withUnsafeBufferPointer { limits in
            guard let limits = limits.baseAddress else { return }
            if let red = source.red {
                unsafe kernels.packed(
                    source.pixels, source.bytesPerRow, limits, red, line.x, line.y, line.stepX, line.stepY, count, bytes
                )
                return
            }
            unsafe source.conversion.numbers.withUnsafeBufferPointer { numbers in
                guard let numbers = numbers.baseAddress else { return }
                unsafe kernels.planar(
                    source.pixels, source.bytesPerRow, source.lumaStep, source.blueSamples, source.redSamples,
                    source.chromaBytesPerRow, source.chromaStep, source.rowShift, numbers, limits, line.x, line.y,
                    line.stepX, line.stepY, count, bytes)
            }
        }
    }

    /// Makes pixels outside the frame black, and darkens pixels at its edge by their share outside.
    private func darken(_ line: Line, _ shown: Range<Int>, _ side: Int, _ limits: Limits) {
        // All indices are below the side.
        unsafe bytes.update(repeating: 0, count: 3 * shown.lowerBound)
        unsafe (bytes + 3 * shown.upperBound).update(repeating: 0, count: 3 * (side - shown.upperBound))
        let full = line.pixels(side, inside: limits).clamped(to: shown)
        for i in shown.lowerBound..<full.lowerBound { darken(i, line, limits) }
        for i in full.upperBound..<shown.upperBound { darken(i, line, limits) }
    }

    private func darken(_ pixel: Int, _ line: Line, _ limits: Limits) {
        let place = line.after(pixel)
        let share =
            Self.share(place.x, limits.numbers[0], limits.numbers[2])
            * Self.share(place.y, limits.numbers[1], limits.numbers[3])
        for channel in 0..<3 {
            let value = unsafe Int(bytes[3 * pixel + channel])
            unsafe bytes[3 * pixel + channel] = UInt8((value * share + 512) >> 10)
        }
    }

    /// The share of an axis' interpolation that lies within limits, 0...32.
    private static func share(_ place: Int32, _ first: Int32, _ last: Int32) -> Int {
        let (index, next) = ((place + 1024) >> 16, Int((place + 1024) >> 11 & 31))
        return (first...last ~= index ? 32 - next : 0) + (first...last ~= index + 1 ? next : 0)
    }

    /// Writes a row as bytes or as floats, as the image requires. The row is within the side.
    private func write(_ row: Int, into image: ImageBuffer) {
        switch image.elements {
        case .bytes(let pixels):
            // As memory: Embedded Swift copies elements one by one.
            unsafe UnsafeMutableRawPointer(pixels + row * image.rowStride).copyMemory(
                from: bytes, byteCount: 3 * image.side)
        case .floats(let pixels): unsafe write(to: pixels + row * image.rowStride, of: image)
        }
    }

    private func write(to row: UnsafeMutablePointer<Float>, of image: ImageBuffer) {
        let black = image.range.lowerBound
        let scale = (image.range.upperBound - black) / 255
        guard image.pixelStride > 3 else {
            var index = 0
            let count = 3 * image.side
            while index + 16 <= count {
                let sixteen = unsafe UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD16<UInt8>.self)
                let numbers = SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: sixteen)) * scale + black
                unsafe UnsafeMutableRawPointer(row + index).storeBytes(of: numbers, as: SIMD16<Float>.self)
                index += 16
            }
            while index < count {
                unsafe row[index] = Float(bytes[index]) * scale + black
                index += 1
            }
            return
        }
        for pixel in 0..<image.side {
            for channel in 0..<3 {
                unsafe row[pixel * image.pixelStride + channel] = Float(bytes[3 * pixel + channel]) * scale + black
            }
        }
    }
}

/// First and last x and y of a view's region, in the order that the kernels read.
private struct Limits {
    /// First x, first y, last x, last y.
    let numbers: FixedArray<SIMD4<Int32>, Int32>

    init(_ region: PixelView.Region) {
        // A view is at most 16384 pixels wide and high.
        let (right, bottom) = (region.x + region.width - 1, region.y + region.height - 1)
        numbers = FixedArray(SIMD4(Int32(region.x), Int32(region.y), Int32(right), Int32(bottom)))
    }
}

/// A row of a crop in the stored frame, in 1/65536 of a pixel.
private struct Line {
    var x: Int32
    var y: Int32
    let stepX: Int32
    let stepY: Int32
    /// From the first row's first pixel to that of the next row.
    private let down: SIMD2<Double>
    /// From a row's first pixel to the next pixel.
    private let across: SIMD2<Double>
    private let origin: SIMD2<Double>

    /// The first row; nil if any pixel is out of reach.
    init?(_ region: TrackedRegion, side: Int, _ frame: PixelView.Region, _ orientation: ImageOrientation) {
        let (right, down) = region.axes
        let stored = StoredAxes(frame, orientation)
        origin = stored.place(region.corner)
        let (width, height) = (stored.direction(region.side * right), stored.direction(region.side * down))
        let step = width / Double(side)
        across = step
        self.down = height / Double(side)
        // Half a pixel around, for the additional points of averaged pixels.
        let margin = (pointwiseMax(step, -step) + pointwiseMax(self.down, -self.down)) / 2
        let least = pointwiseMin(origin, origin + width) + pointwiseMin(.zero, height) - margin
        let most = pointwiseMax(origin, origin + width) + pointwiseMax(.zero, height) + margin
        let reach = -RotatedCrop.coordinateLimit...RotatedCrop.coordinateLimit
        guard reach.contains(least.x), reach.contains(least.y), reach.contains(most.x), reach.contains(most.y) else {
            return nil
        }
        (stepX, stepY) = (Self.fixed(step.x), Self.fixed(step.y))
        (x, y) = (Self.fixed(origin.x), Self.fixed(origin.y))
    }

    /// The row that is `row` rows below the first, moved by a fraction of a pixel of the image, -0.5...0.5.
    func below(_ row: Int, further: Double = 0, lower: Double = 0) -> Line {
        var line = self
        let place = origin + (Double(row) + lower) * down + further * across
        (line.x, line.y) = (Self.fixed(place.x), Self.fixed(place.y))
        return line
    }

    /// The same row, from a later pixel on.
    func after(_ pixels: Int) -> Line {
        var line = self
        // A pixel within the square is within reach.
        line.x &+= Int32(truncatingIfNeeded: pixels) &* stepX
        line.y &+= Int32(truncatingIfNeeded: pixels) &* stepY
        return line
    }

    /// The columns and rows of the frame, within limits, around a square of `side` rows with as many pixels.
    func extent(_ side: Int, within limits: Limits) -> (columns: Range<Int>, rows: Range<Int>) {
        let last = below(side)
        func range(_ start: Int32, _ end: Int32, _ step: Int32, _ first: Int32, _ last: Int32) -> Range<Int> {
            let (across, down) = (Int(step) * side, Int(end) - Int(start))
            let low = (Int(start) + min(across, 0) + min(down, 0)) >> 16
            let high = (Int(start) + max(across, 0) + max(down, 0)) >> 16
            let from = max(low, Int(first))
            return from..<max(from, min(high, Int(last)) + 1)
        }
        return (
            range(x, last.x, stepX, limits.numbers[0], limits.numbers[2]),
            range(y, last.y, stepY, limits.numbers[1], limits.numbers[3])
        )
    }

    /// The pixels of a row that lie at least partly within limits.
    func pixels(_ count: Int, touching limits: Limits) -> Range<Int> {
        let byX = Self.pixels(count, x, stepX, from: limits.numbers[0] - 1, through: limits.numbers[2])
        let byY = Self.pixels(count, y, stepY, from: limits.numbers[1] - 1, through: limits.numbers[3])
        return Self.shared(byX, byY)
    }

    /// The pixels of a row that lie entirely within limits.
    func pixels(_ count: Int, inside limits: Limits) -> Range<Int> {
        let byX = Self.pixels(count, x, stepX, from: limits.numbers[0], through: limits.numbers[2] - 1)
        let byY = Self.pixels(count, y, stepY, from: limits.numbers[1], through: limits.numbers[3] - 1)
        return Self.shared(byX, byY)
    }

    private static func shared(_ one: Range<Int>, _ other: Range<Int>) -> Range<Int> {
        let first = max(one.lowerBound, other.lowerBound)
        return first..<max(first, min(one.upperBound, other.upperBound))
    }

    /// The pixels of a row whose integer part, as the kernels round it, is within bounds along one axis.
    private static func pixels(
        _ count: Int, _ start: Int32, _ step: Int32, from first: Int32, through last: Int32
    ) -> Range<Int> {
        let (start, step) = (Int(start) + 1024, Int(step))
        let (low, end) = (Int(first) << 16, (Int(last) + 1) << 16)
        guard low < end else { return 0..<0 }
        // low <= start + i * step < end
        let range: (Int, Int)
        if step > 0 {
            range = (quotient(low - start + step - 1, step), quotient(end - start + step - 1, step))
        } else if step < 0 {
            range = (quotient(start - end, -step) + 1, quotient(start - low, -step) + 1)
        } else {
            range = (low..<end).contains(start) ? (0, count) : (0, 0)
        }
        let from = min(max(range.0, 0), count)
        return from..<max(from, min(range.1, count))
    }

    /// The quotient, rounded down.
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// - Requires: a number within twice `RotatedCrop.coordinateLimit`.
    private static func fixed(_ place: Double) -> Int32 { Int32((place * 65_536).rounded()) }
}

/// The upright axes in stored coordinates: the eight EXIF orientations.
private struct StoredAxes {
    private let origin: SIMD2<Double>
    /// The steps in the stored frame for one pixel to the right, and one down, in the upright frame.
    private let right: SIMD2<Double>
    private let down: SIMD2<Double>

    init(_ frame: PixelView.Region, _ orientation: ImageOrientation) {
        let (x, y) = (SIMD2(1.0, 0.0), SIMD2(0.0, 1.0))
        (right, down) =
            switch orientation {
            case .up: (x, y)
            case .upMirrored: (-x, y)
            case .down: (-x, -y)
            case .downMirrored: (x, -y)
            case .leftMirrored: (y, x)
            case .right: (-y, x)
            case .rightMirrored: (-y, -x)
            case .left: (y, -x)
            }
        // An axis that runs backwards begins at the last pixel.
        let backward = right + down
        let size = SIMD2(Double(frame.width - 1), Double(frame.height - 1))
        origin =
            SIMD2(Double(frame.x), Double(frame.y))
            + SIMD2(backward.x < 0 ? size.x : 0, backward.y < 0 ? size.y : 0)
    }

    func direction(_ upright: SIMD2<Double>) -> SIMD2<Double> { upright.x * right + upright.y * down }

    func place(_ upright: SIMD2<Double>) -> SIMD2<Double> { origin + direction(upright) }
}

/// A frame's planes as the kernels read them.
@safe
private struct Source {
    let pixels: UnsafePointer<UInt8>
    let bytesPerRow: Int
    /// The byte of a packed pixel that is red; nil for luma and chroma.
    var red: Int?
    var lumaStep = 1
    var blueSamples: UnsafePointer<UInt8>
    var redSamples: UnsafePointer<UInt8>
    var chromaBytesPerRow = 0
    var chromaStep = 0
    var rowShift = 0
    var conversion: ColorConversion

    /// - Requires: the frame outlives this; so does `neutral`, a byte of 128.
    @unsafe
    init(_ frame: borrowing PixelView, neutral: UnsafePointer<UInt8>) {
        unsafe pixels = Self.address(frame.plane)
        bytesPerRow = frame.bytesPerRow
        unsafe (blueSamples, redSamples) = (neutral, neutral)
        var last = (frame.width + 1) / 2 - 1
        switch frame.format {
        case .gray8: break
        case .bgra: red = 2
        case .rgba: red = 0
        case .yuyv:
            lumaStep = 2
            // The last pixel of an odd width has no red difference of its own.
            last = frame.width / 2 - 1
            guard last >= 0 else { break }
            unsafe (blueSamples, redSamples) = (pixels + 1, pixels + 3)
            (chromaBytesPerRow, chromaStep) = (bytesPerRow, 4)
        case .nv12, .nv21, .i420:
            guard let chroma = frame.chroma else { break }
            unsafe (blueSamples, redSamples) = (Self.address(chroma.blue), Self.address(chroma.red))
            (chromaBytesPerRow, chromaStep, rowShift) = (chroma.bytesPerRow, 1, 1)
            if chroma.layout == .interleaved {
                if case .nv21 = frame.format { unsafe blueSamples += 1 } else { unsafe redSamples += 1 }
                chromaStep = 2
            }
        }
        conversion = ColorConversion(frame.format.lumaRange, frame.matrix, last: max(last, 0))
    }

    /// - Requires: a span that is not empty and outlives the use of its address.
    private static func address(_ span: RawSpan) -> UnsafePointer<UInt8> {
        unsafe span.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("a view must have at least one pixel") }
            return unsafe start.assumingMemoryBound(to: UInt8.self)
        }
    }
}

/// Converts stored luma and chroma; holds the numbers of `CropKernels.Planar`.
///
/// With the shares Kr, Kg and Kb of red, green and blue in luma and chroma in -1/2...1/2, red = Y + 2 (1 - Kr) Cr, blue
/// = Y + 2 (1 - Kb) Cb, and green follows from luma. In full range this chroma interval has 255 steps, in video range
/// 224, and luma 219 from 16 on (ITU-R BT.601-7, BT.709-6).
struct ColorConversion {
    /// The seven numbers; see `CropKernels.Planar`.
    let numbers: FixedArray<(SIMD4<Int32>, SIMD2<Int32>, Int32), Int32>

    /// - Parameter last: the last sample of a row of chroma.
    init(_ range: PixelView.LumaRange, _ matrix: PixelView.ColorMatrix, last: Int) {
        let (red, blue) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            }
        let green = 1 - red - blue
        let (luma, chroma) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
        func fixed(_ factor: Double) -> Int32 { Int32((8192 * factor).rounded()) }
        let (byRed, byBlue) = (2 * (1 - red) * chroma, 2 * (1 - blue) * chroma)
        let (blueInGreen, redInGreen) = (fixed(byBlue * blue / green), fixed(byRed * red / green))
        // Seven fraction bits.
        let black: Int32 = range == .video ? 16 * 128 : 0
        numbers = FixedArray(
            (SIMD4(fixed(luma), fixed(byRed), blueInGreen, redInGreen), SIMD2(fixed(byBlue), black), Int32(last)))
    }
}
