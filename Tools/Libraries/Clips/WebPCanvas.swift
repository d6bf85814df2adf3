/// The canvas of an animated WebP, which receives the decoded pixels of its frames and shows them on black.
///
/// A canvas begins transparent, and a disposed frame leaves a transparent rectangle. Transparent areas are shown as
/// black, so that the canvas needs no alpha: a pixel of value v and alpha a becomes v * a / 255, and a share of 1 - a /
/// 255 of the canvas below is added when it is blended.
struct WebPCanvas: ~Copyable {
    private let animation: WebPAnimation
    /// Green, blue and red, as `ClipFrame` stores them.
    private var planes: [UInt8]
    /// Red, green, blue and alpha of the row being received.
    private var row: [UInt8] = []
    private var filled = 0
    private var y = 0
    /// Frames completed.
    private(set) var frameCount = 0
    private var frame: ClipFrame

    init(_ animation: WebPAnimation) {
        self.animation = animation
        planes = Array(repeating: 0, count: 3 * animation.width * animation.height)
        frame = ClipFrame(width: animation.width, height: animation.height)
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
            Self.show(planes, on: &frame)
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
            let through = part.isBlended ? 255 - alpha : 0
            func mix(_ channel: Int, at place: Int) {
                let sum = Int(row[4 * column + channel]) * alpha + Int(planes[place]) * through
                planes[place] = UInt8((sum + 127) / 255)
            }
            mix(1, at: start + column)
            mix(2, at: start + column + plane)
            mix(0, at: start + column + 2 * plane)
        }
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
