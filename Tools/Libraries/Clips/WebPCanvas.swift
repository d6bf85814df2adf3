import Frames

/// The canvas of an animated WebP, on which its frames are drawn one over the other.
///
/// The canvas keeps alpha as libwebp's decoder of animations does, because a blended frame needs it: a canvas begins
/// black and transparent, and so does the rectangle that a disposed frame leaves. What is shown are the colours alone,
/// as of every picture: alpha is ignored.
struct WebPCanvas: ~Copyable {
    private let animation: WebPAnimation
    /// Green, blue and red, as `ClipFrame` stores them, not multiplied by alpha.
    private var planes: [UInt8]
    private var alphas: [UInt8]
    /// Red, green, blue and alpha of the row being received.
    private var row: [UInt8] = []
    private var filled = 0
    private var y = 0
    /// Frames completed.
    private(set) var frameCount = 0
    private var frame: ClipFrame

    /// Where each pixel of the canvas stands in the upright frame; empty if the canvas is upright.
    private let places: [Int]

    /// - Parameter orientation: how the canvas is stored.
    init(_ animation: WebPAnimation, orientation: ImageOrientation) {
        self.animation = animation
        let (width, height) = (animation.width, animation.height)
        planes = Array(repeating: 0, count: 3 * width * height)
        alphas = Array(repeating: 0, count: width * height)
        let size = orientation.upright(width, height)
        frame = ClipFrame(width: size.width, height: size.height)
        guard orientation != .up else {
            places = []
            return
        }
        places = (0..<width * height).map { index in
            var (x, y) = (index % width, index / width)
            if orientation.isReflection { x = width - 1 - x }
            // Clockwise turns after the mirror.
            switch orientation.quarterTurns {
            case 1: (x, y) = (height - 1 - y, x)
            case 2: (x, y) = (width - 1 - x, height - 1 - y)
            case 3: (x, y) = (y, width - 1 - x)
            default: break
            }
            return y * size.width + x
        }
    }

    /// Receives decoded pixels from `offset` on, four bytes each, up to the end of a frame or of the bytes.
    /// - Parameter offset: moved past the bytes used.
    /// - Returns: whether a frame was completed. If false, all bytes are used.
    mutating func take(_ bytes: RawSpan, from offset: inout Int) -> Bool {
        while offset < bytes.byteCount, frameCount < animation.frames.count {
            let part = animation.frames[frameCount]
            if y == 0, filled == 0 { begin(part) }
            let count = min(4 * part.width - filled, bytes.byteCount - offset)
            for index in 0..<count { row[filled + index] = bytes.byte(at: offset + index) }
            filled += count
            offset += count
            guard filled == 4 * part.width else { continue }
            draw(part)
            filled = 0
            y += 1
            guard y == part.height else { continue }
            y = 0
            frameCount += 1
            Self.show(places.isEmpty ? planes : turned(), on: &frame)
            frame.index = frameCount - 1
            frame.time = .milliseconds(part.time)
            return true
        }
        // No pixels are expected after the last frame.
        offset = bytes.byteCount
        return false
    }

    private mutating func begin(_ part: WebPAnimation.Frame) {
        row = Array(repeating: 0, count: 4 * part.width)
        guard frameCount > 0 else { return }
        let previous = animation.frames[frameCount - 1]
        guard previous.isDisposed else { return }
        let plane = animation.width * animation.height
        for line in previous.y..<previous.y + previous.height {
            let start = line * animation.width + previous.x
            for place in start..<start + previous.width { alphas[place] = 0 }
            for channel in 0..<3 {
                for place in start + channel * plane..<start + channel * plane + previous.width { planes[place] = 0 }
            }
        }
    }

    private mutating func draw(_ part: WebPAnimation.Frame) {
        let plane = animation.width * animation.height
        let start = (part.y + y) * animation.width + part.x
        for column in 0..<part.width {
            let alpha = Int(row[4 * column + 3])
            let below = part.isBlended ? Int(alphas[start + column]) : 0
            // The share of the canvas below. The colours of a frame replace a transparent canvas as they are.
            let kept = (below * (255 - alpha) + 127) / 255
            let total = alpha + kept
            func mix(_ channel: Int, at place: Int) {
                let color = Int(row[4 * column + channel])
                planes[place] =
                    kept == 0 ? UInt8(color) : UInt8((color * alpha + Int(planes[place]) * kept + total / 2) / total)
            }
            mix(1, at: start + column)
            mix(2, at: start + column + plane)
            mix(0, at: start + column + 2 * plane)
            alphas[start + column] = UInt8(total)
        }
    }

    /// The planes, upright.
    private func turned() -> [UInt8] {
        var result = planes
        for start in stride(from: 0, to: planes.count, by: places.count) {
            for (index, place) in places.enumerated() { result[start + place] = planes[start + index] }
        }
        return result
    }

    private static func show(_ planes: [UInt8], on frame: inout ClipFrame) {
        // All bytes of the array are initialised, so all may be read raw.
        let bytes = unsafe planes.span.bytes
        let plane = bytes.byteCount / 3
        frame.storeLuma(bytes.extracting(0..<plane), at: 0)
        frame.storeChroma(bytes.extracting(plane..<(3 * plane)), at: 0)
        frame.complete()
    }

    /// Lends the latest completed frame.
    nonisolated(nonsending) func lend(
        to body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Bool {
        try await body(frame)
    }
}

extension ImageOrientation {
    /// The upright size of an image that is stored with this size.
    func upright(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        quarterTurns % 2 == 1 ? (height, width) : (width, height)
    }
}
