import Platform
import Tracking

/// The pixels of a region that belong to a body.
package struct BodyMask: Sendable {
    /// Width and height, in cells.
    private let side: Int
    /// How likely each cell belongs to the body, 0...1.
    private var shares: [Float]
    private var region = TrackedRegion(centerX: 0, centerY: 0, side: 1)

    init(side: Int) {
        self.side = side
        shares = [Float](repeating: 0, count: side * side)
    }

    /// Takes the network's logits; NaN counts as background.
    mutating func read(_ logits: Span<Float>, of region: TrackedRegion) {
        precondition(logits.count == shares.count)
        self.region = region
        for index in logits.indices {
            let share = BodyLandmarks.logistic(logits[index])
            shares[index] = share >= 0 ? share : 0
        }
    }

    /// Raises the pixels of an image of the whole frame to this mask's values, interpolated between four of its cells.
    func add(width: Int, height: Int, of frame: FrameSize, to pixels: inout MutableSpan<Float>) {
        precondition(width > 0 && height > 0 && pixels.count == width * height)
        let (right, down) = region.axes
        let cells = Double(side)
        let step = SIMD2(frame.width / Double(width), frame.height / Double(height))
        for y in 0..<height {
            for x in 0..<width {
                let place = (SIMD2(Double(x), Double(y)) + 0.5) * step - SIMD2(region.centerX, region.centerY)
                let cell =
                    SIMD2((place * right).sum() / region.side + 0.5, (place * down).sum() / region.side + 0.5) * cells
                    - 0.5
                guard cell.x > -1, cell.y > -1, cell.x < cells, cell.y < cells else { continue }
                let share = interpolated(cell)
                if share > pixels[y * width + x] { pixels[y * width + x] = share }
            }
        }
    }

    /// Outside the mask the value is 0.
    private func interpolated(_ cell: SIMD2<Double>) -> Float {
        let (column, row) = (Int(cell.x.rounded(.down)), Int(cell.y.rounded(.down)))
        let (u, v) = (Float(cell.x - Double(column)), Float(cell.y - Double(row)))
        func share(_ x: Int, _ y: Int) -> Float {
            (0..<side).contains(x) && (0..<side).contains(y) ? shares[y * side + x] : 0
        }
        let top = share(column, row) * (1 - u) + share(column + 1, row) * u
        let bottom = share(column, row + 1) * (1 - u) + share(column + 1, row + 1) * u
        return top * (1 - v) + bottom * v
    }
}
