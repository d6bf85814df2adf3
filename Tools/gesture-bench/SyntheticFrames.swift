import Frames

/// A few NV12 luma planes with moving structure, computed once, for timing.
struct SyntheticFrames {
    private static let count = 8

    /// All planes, one after another.
    private let luma: [UInt8]
    private let width: Int
    private let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        luma = (0..<Self.count * width * height).map { position in
            let (index, inside) = (position / (width * height), position % (width * height))
            let (x, y) = (inside % width, inside / width)
            let dx = x - width / 2 - 20 * index
            let dy = y - height / 2
            let shape = max(0, 180 - (dx * dx + dy * dy) / 200)
            return UInt8(min(235, 16 + shape + (x &* 31 &+ y &* 17) & 31))
        }
    }

    /// View of frame `index`; the planes are used in turn.
    @_lifetime(borrow self)
    func view(_ index: Int) throws(PixelView.FrameError) -> PixelView {
        let start = index % Self.count * width * height
        let plane = luma.span.extracting(start..<start + width * height)
        return try PixelView(plane, format: .nv12(.video), width: width, height: height, bytesPerRow: width)
    }
}
