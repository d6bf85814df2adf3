import Frames
import PixelFrontEnd
import Vocabulary

/// A stored frame of a test: bytes with padded rows that start at an odd address, and what its pixels mean.
struct StoredFrame {
    var format: PixelView.Format
    var width: Int
    var height: Int
    var bytesPerRow: Int
    /// One byte of nothing, then the rows; the last row has no padding.
    var bytes: [UInt8]

    /// `value(x, y, channel)` gives every byte that has an influence; the others are `poison`.
    init(
        _ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0, poison: UInt8 = 0xA5,
        value: (Int, Int, Int) -> UInt8
    ) {
        self.format = format
        self.width = width
        self.height = height
        let pixel = format.bytesPerPixel
        bytesPerRow = width * pixel + padding
        bytes = Array(repeating: poison, count: 1 + (height - 1) * bytesPerRow + width * pixel)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<(pixel == 4 ? 3 : 1) {
                    bytes[1 + y * bytesPerRow + x * pixel + channel] = value(x, y, channel)
                }
            }
        }
    }

    static func random(_ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0, seed: UInt64) -> Self
    {
        var pixels = SplitMix64(seed: seed)
        return Self(format, width, height, padding: padding) { _, _, _ in UInt8(truncatingIfNeeded: pixels.next()) }
    }

    /// The luma code of a pixel, before any expansion of range.
    func luma(_ x: Int, _ y: Int) -> Double {
        let at = 1 + y * bytesPerRow + x * format.bytesPerPixel
        func code(_ channel: Int) -> Double { Double(bytes[at + channel]) }
        switch format {
        case .gray8, .nv12, .nv21, .i420, .yuyv: return code(0)
        case .bgra: return 0.114 * code(0) + 0.587 * code(1) + 0.299 * code(2)
        case .rgba: return 0.299 * code(0) + 0.587 * code(1) + 0.114 * code(2)
        }
    }

    /// The engine's answer, from between guard bytes that must survive.
    func resized(
        _ preprocessor: inout Preprocessor, region: PixelView.Region? = nil, geometry: FrameGeometry = FrameGeometry()
    ) throws -> [UInt8] {
        let guardBytes = 64
        var output = [UInt8](repeating: 0x88, count: 224 * 224 + 2 * guardBytes)
        do {
            let view = try PixelView(
                bytes.span.extracting(droppingFirst: 1), format: format, width: width, height: height,
                bytesPerRow: bytesPerRow, region: region)
            var all = output.mutableSpan
            var middle = all._mutatingExtracting(guardBytes..<(guardBytes + 224 * 224))
            try preprocessor.resize(view, geometry: geometry, into: &middle)
        }
        guard output.prefix(guardBytes).allSatisfy({ $0 == 0x88 }), output.suffix(guardBytes).allSatisfy({ $0 == 0x88 })
        else { throw WroteOutside() }
        return Array(output[guardBytes..<(guardBytes + 224 * 224)])
    }

    struct WroteOutside: Error {}
}

/// A picture of real numbers, rows from top to bottom.
struct Picture {
    var width: Int
    var height: Int
    var values: [Double]

    init(_ width: Int, _ height: Int, _ value: (Int, Int) -> Double) {
        self.width = width
        self.height = height
        values = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { values.append(value(x, y)) }
        }
    }

    func at(_ x: Int, _ y: Int) -> Double {
        values[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }

    /// What of the picture an output pixel of a side shows: bilinear interpolation, or the mean of its stretch.
    private static func taps(_ i: Int, of count: Int, along length: Int, _ antialiased: Bool) -> [(Int, Double)] {
        let scale = Double(length) / Double(count)
        if antialiased && length > 2 * count {
            let (start, end) = (Double(i) * scale, Double(i + 1) * scale)
            return (Int(start)..<min(length, Int(end.rounded(.up)))).map { pixel in
                (pixel, max(0, min(Double(pixel + 1), end) - max(Double(pixel), start)) / scale)
            }
        }
        let place = min(max((Double(i) + 0.5) * scale - 0.5, 0), Double(length - 1))
        let share = place - place.rounded(.down)
        return [(Int(place), 1 - share), (Int(place) + 1, share)]
    }

    /// The picture in another size, as the definition has it.
    func scaled(_ newWidth: Int, _ newHeight: Int, antialiased: Bool) -> Picture {
        let rows = (0..<newHeight).map { Self.taps($0, of: newHeight, along: height, antialiased) }
        let columns = (0..<newWidth).map { Self.taps($0, of: newWidth, along: width, antialiased) }
        let lines = Picture(width, newHeight) { x, y in rows[y].reduce(0) { $0 + at(x, $1.0) * $1.1 } }
        return Picture(newWidth, newHeight) { x, y in columns[x].reduce(0) { $0 + lines.at($1.0, y) * $1.1 } }
    }

    /// The picture as it is to be seen, by the EXIF definition: where the first row and the first column belong.
    func upright(_ orientation: ImageOrientation) -> Picture {
        let (w, h) = (width, height)
        switch orientation.rawValue {
        case 1: return self  // row 0 top, column 0 left
        case 2: return Picture(w, h) { at(w - 1 - $0, $1) }  // top, right
        case 3: return Picture(w, h) { at(w - 1 - $0, h - 1 - $1) }  // bottom, right
        case 4: return Picture(w, h) { at($0, h - 1 - $1) }  // bottom, left
        case 5: return Picture(h, w) { at($1, $0) }  // left, top
        case 6: return Picture(h, w) { at($1, h - 1 - $0) }  // right, top
        case 7: return Picture(h, w) { at(w - 1 - $1, h - 1 - $0) }  // right, bottom
        default: return Picture(h, w) { at(w - 1 - $1, $0) }  // left, bottom
        }
    }

    var mirrored: Picture { Picture(width, height) { at(width - 1 - $0, $1) } }

    /// Video range to 0...255.
    var expanded: Picture { Picture(width, height) { min(max((at($0, $1) - 16) * 255 / 219, 0), 255) } }
}

/// The definition of `Preprocessor`'s output, in real numbers, step by step.
func reference(_ frame: StoredFrame, region: PixelView.Region? = nil, geometry: FrameGeometry = FrameGeometry())
    -> Picture
{
    var region = region ?? PixelView.Region(x: 0, y: 0, width: frame.width, height: frame.height)
    if geometry.crop == .fill {
        let square = min(region.width, region.height)
        region = PixelView.Region(
            x: region.x + (region.width - square) / 2, y: region.y + (region.height - square) / 2, width: square,
            height: square)
    }
    let stored = Picture(region.width, region.height) { frame.luma(region.x + $0, region.y + $1) }
    var picture = stored.upright(geometry.orientation)
    if geometry.mirrored { picture = picture.mirrored }
    var (width, height) = (224, 224)
    if geometry.crop == .fit {
        let factor = 224 / Double(max(picture.width, picture.height))
        width = max(1, Int((Double(picture.width) * factor).rounded()))
        height = max(1, Int((Double(picture.height) * factor).rounded()))
    }
    picture = picture.scaled(width, height, antialiased: geometry.antialiased)
    if frame.format.lumaRange == .video { picture = picture.expanded }
    let (left, top) = ((224 - width) / 2, (224 - height) / 2)
    return Picture(224, 224) { x, y in
        let inside = (left..<(left + width)).contains(x) && (top..<(top + height)).contains(y)
        return inside ? picture.at(x - left, y - top) : 0
    }
}

/// The largest distance between an answer and the reference.
func largestError(_ output: [UInt8], _ picture: Picture) -> Double {
    zip(output, picture.values).reduce(0) { max($0, abs(Double($1.0) - $1.1)) }
}
