import Clips
import Frames

/// The first frames of a clip in a camera's format, NV12 of 1280x720, looped from memory. The clip is fitted with black
/// bars.
struct CameraFrames {
    static let width = 1280
    static let height = 720
    /// Frames that are kept: 165 MB.
    static let maximumFrames = 120

    private static let lumaBytes = width * height

    private static let frameBytes = lumaBytes * 3 / 2

    /// Of the clip.
    let path: String
    /// Luma and then chroma of each frame, one frame after another.
    private var pixels: [UInt8] = []

    private var count: Int { pixels.count / Self.frameBytes }

    /// - Throws: the errors of reading the clip; `BenchFailure.noColor` for a clip without colour.
    init(_ clip: Clip) async throws {
        var pixels: [UInt8] = []
        try await clip.forEachFrame { frame in
            pixels += try Self.scaled(try frame.colorView(), clip.info.path)
            return pixels.count < Self.maximumFrames * Self.frameBytes
        }
        self.pixels = pixels
        path = clip.info.path
    }

    /// View of frame `index`. The frames run forwards and backwards in turn, so that the hand never jumps.
    @_lifetime(borrow self)
    func view(_ index: Int) throws(PixelView.FrameError) -> PixelView {
        let period = max(1, 2 * count - 2)
        let place = index % period
        let start = (place < count ? place : period - place) * Self.frameBytes
        // All bytes of the array are initialised, so all may be read raw.
        let bytes = unsafe pixels.span.bytes
        return try PixelView(
            bytes.extracting(start..<start + Self.lumaBytes),
            chroma: PixelView.ChromaPlanes(
                interleaved: bytes.extracting(start + Self.lumaBytes..<start + Self.frameBytes),
                bytesPerRow: Self.width),
            format: .nv12(.video), width: Self.width, height: Self.height, bytesPerRow: Self.width)
    }

    private static func scaled(_ frame: borrowing PixelView, _ path: String) throws -> [UInt8] {
        let source = try Planes(frame, path)
        let (width, height) = (frame.width, frame.height)
        let scale = min(Double(Self.width) / Double(width), Double(Self.height) / Double(height))
        var picture =
            [UInt8](repeating: 16, count: lumaBytes) + [UInt8](repeating: 128, count: frameBytes - lumaBytes)
        let isFull = frame.format.lumaRange == .full
        fill(
            &picture, from: source.luma, width, height, source.lumaBytesPerRow, scale, Self.width, Self.height,
            place: { $1 * Self.width + $0 }, value: { isFull ? 16 + $0 * 219 / 255 : $0 })
        let (columns, rows) = source.chromaSize
        for (offset, plane) in [source.blue, source.red].enumerated() {
            fill(
                &picture, from: plane, columns, rows, source.chromaBytesPerRow,
                scale * Double(width) / Double(2 * columns), Self.width / 2, Self.height / 2,
                place: { lumaBytes + $1 * Self.width + 2 * $0 + offset }, value: { $0 })
        }
        return picture
    }

    /// Luma in the frame's range, and chroma, of a frame in colour.
    private struct Planes {
        var luma: [UInt8]
        var blue: [UInt8]
        var red: [UInt8]
        var lumaBytesPerRow: Int
        var chromaBytesPerRow: Int
        var chromaSize: (Int, Int)

        init(_ frame: borrowing PixelView, _ path: String) throws {
            if let chroma = frame.chroma {
                (luma, blue, red) = (
                    CameraFrames.array(frame.plane), CameraFrames.array(chroma.blue), CameraFrames.array(chroma.red)
                )
                (lumaBytesPerRow, chromaBytesPerRow) = (frame.bytesPerRow, chroma.bytesPerRow)
                chromaSize = ((frame.width + 1) / 2, (frame.height + 1) / 2)
                return
            }
            guard frame.format == .rgba else { throw BenchFailure.noColor(path) }
            let pixels = CameraFrames.array(frame.plane)
            (lumaBytesPerRow, chromaBytesPerRow) = (frame.width, frame.width)
            chromaSize = (frame.width, frame.height)
            (luma, blue, red) = ([], [], [])
            for index in 0..<frame.width * frame.height {
                let channels = (0..<3).map { Double(pixels[4 * index + $0]) }
                // BT.601, chroma in video range like the camera frames.
                let y = 0.299 * channels[0] + 0.587 * channels[1] + 0.114 * channels[2]
                luma.append(UInt8(y.rounded()))
                blue.append(UInt8((128 + (channels[2] - y) / 1.772 * 224 / 255).rounded()))
                red.append(UInt8((128 + (channels[0] - y) / 1.402 * 224 / 255).rounded()))
            }
        }
    }

    /// The bytes of a plane.
    static func array(_ plane: RawSpan) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(plane.byteCount)
        for offset in 0..<plane.byteCount {
            bytes.append(unsafe plane.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        }
        return bytes
    }

    /// Writes a plane, bilinearly enlarged or reduced, into the middle of a larger one.
    private static func fill(
        _ picture: inout [UInt8], from plane: [UInt8], _ width: Int, _ height: Int, _ bytesPerRow: Int,
        _ scale: Double, _ outerWidth: Int, _ outerHeight: Int, place: (Int, Int) -> Int, value: (Double) -> Double
    ) {
        func sample(_ x: Int, _ y: Int) -> Double {
            Double(plane[y * bytesPerRow + x])
        }
        let innerWidth = max(1, min(outerWidth, Int((Double(width) * scale).rounded())))
        let innerHeight = max(1, min(outerHeight, Int((Double(height) * scale).rounded())))
        let (left, top) = ((outerWidth - innerWidth) / 2, (outerHeight - innerHeight) / 2)
        for row in 0..<innerHeight {
            let (y0, y1, dy) = position(row, of: innerHeight, in: height)
            for column in 0..<innerWidth {
                let (x0, x1, dx) = position(column, of: innerWidth, in: width)
                let upper = sample(x0, y0) * (1 - dx) + sample(x1, y0) * dx
                let lower = sample(x0, y1) * (1 - dx) + sample(x1, y1) * dx
                picture[place(left + column, top + row)] = UInt8(value(upper * (1 - dy) + lower * dy).rounded())
            }
        }
    }

    /// The two samples beside the centre of an output pixel, and its distance from the first.
    private static func position(_ index: Int, of outputs: Int, in inputs: Int) -> (Int, Int, Double) {
        let place = max(0, (Double(index) + 0.5) * Double(inputs) / Double(outputs) - 0.5)
        let first = min(inputs - 1, Int(place))
        return (first, min(inputs - 1, first + 1), place - Double(first))
    }
}
