import BodyPose
import Evaluation
import Frames
import GestureEngine
import ToolSupport

/// A frame in red, green and blue, to draw on.
struct OverlayPicture {
    struct Color {
        let red, green, blue: UInt8

        static let bone = Color(red: 80, green: 220, blue: 120)
        static let joint = Color(red: 255, green: 80, blue: 60)
    }

    let width: Int
    let height: Int
    /// Three bytes a pixel, rows from the top without padding.
    private(set) var bytes: [UInt8]

    /// Width of lines, in pixels.
    private var stroke: Int { max(1, min(width, height) / 240) }

    /// - Parameter frame: RGBA or planar 4:2:0; without chroma it is gray.
    init(_ frame: borrowing PixelView) {
        (width, height) = (frame.width, frame.height)
        bytes = [UInt8](repeating: 0, count: 3 * frame.width * frame.height)
        if frame.format == .rgba {
            for y in 0..<height {
                for x in 0..<width {
                    for channel in 0..<3 {
                        // Inside the plane, whose size the view has checked.
                        bytes[3 * (y * width + x) + channel] = unsafe frame.plane.unsafeLoad(
                            fromByteOffset: y * frame.bytesPerRow + 4 * x + channel, as: UInt8.self)
                    }
                }
            }
            return
        }
        let isFull = frame.format.lumaRange == .full
        for y in 0..<height {
            for x in 0..<width {
                // Inside the planes, whose sizes the view has checked.
                let code = Double(
                    unsafe frame.plane.unsafeLoad(fromByteOffset: y * frame.bytesPerRow + x, as: UInt8.self))
                let luma = isFull ? code : (code - 16) * 255 / 219
                var (blue, red) = (0.0, 0.0)
                if let chroma = frame.chroma {
                    let place = y / 2 * chroma.bytesPerRow + x / 2
                    let gain = isFull ? 1.0 : 255.0 / 224
                    blue = gain * (Double(unsafe chroma.blue.unsafeLoad(fromByteOffset: place, as: UInt8.self)) - 128)
                    red = gain * (Double(unsafe chroma.red.unsafeLoad(fromByteOffset: place, as: UInt8.self)) - 128)
                }
                // BT.601.
                let first = 3 * (y * width + x)
                bytes[first] = Self.code(luma + 1.402 * red)
                bytes[first + 1] = Self.code(luma - 0.344_136 * blue - 0.714_136 * red)
                bytes[first + 2] = Self.code(luma + 1.772 * blue)
            }
        }
    }

    private static func code(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }

    /// Draws the bones and joints of a hand.
    mutating func draw(_ hand: TrackedHand) {
        func place(_ joint: TrackedHand.Joint) -> SIMD2<Double> {
            SIMD2(Double(hand.landmarks[joint].x) * Double(width), Double(hand.landmarks[joint].y) * Double(height))
        }
        for bone in TrackedHand.bones { drawLine(from: place(bone.start), to: place(bone.end), .bone) }
        for joint in TrackedHand.Joint.allCases { drawDot(place(joint), 2 * stroke, .joint) }
    }

    /// Draws the pointers of hands in view as if the picture were their screen; larger while they press.
    /// - Parameter isMirrored: whether left and right of the pointers are those of the mirrored picture.
    mutating func draw(_ result: HandPointer.Result, isMirrored: Bool) {
        for pointer in [result.first, result.second] where pointer.state != .absent {
            let x = Double(isMirrored ? 1 - pointer.position.x : pointer.position.x)
            let place = SIMD2(x * Double(width), Double(pointer.position.y) * Double(height))
            drawDot(place, (pointer.state.isPressed ? 8 : 4) * stroke, pointer.state.isPressed ? .joint : .bone)
        }
    }

    /// Draws the bones and joints of a body that are likely visible.
    mutating func draw(_ body: TrackedBody) {
        func place(_ joint: TrackedBody.Joint) -> SIMD2<Double> {
            SIMD2(Double(body.landmarks[joint].x) * Double(width), Double(body.landmarks[joint].y) * Double(height))
        }
        func isShown(_ joint: TrackedBody.Joint) -> Bool { body.visibility[joint] >= 0.5 }
        for bone in TrackedBody.bones where isShown(bone.start) && isShown(bone.end) {
            drawLine(from: place(bone.start), to: place(bone.end), .bone)
        }
        for joint in TrackedBody.Joint.allCases where isShown(joint) { drawDot(place(joint), 2 * stroke, .joint) }
    }

    private mutating func drawLine(from: SIMD2<Double>, to: SIMD2<Double>, _ color: Color) {
        let offset = to - from
        // A hand may lie far outside the frame; this is the most dots that a line needs.
        let steps = Int(min(4_096, max(abs(offset.x), abs(offset.y)).rounded(.up)))
        for step in 0...max(1, steps) { drawDot(from + offset * (Double(step) / Double(max(1, steps))), stroke, color) }
    }

    private mutating func drawDot(_ center: SIMD2<Double>, _ radius: Int, _ color: Color) {
        // NaN is outside this range.
        let reach = -1_000_000.0...1_000_000
        guard reach.contains(center.x), reach.contains(center.y) else { return }
        let (x, y) = (Int(center.x.rounded()), Int(center.y.rounded()))
        fill(x - radius, y - radius, 2 * radius + 1, 2 * radius + 1, color)
    }

    private mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ color: Color) {
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            for column in max(0, x)..<max(0, x, min(self.width, x + width)) {
                let first = 3 * (row * self.width + column)
                (bytes[first], bytes[first + 1], bytes[first + 2]) = (color.red, color.green, color.blue)
            }
        }
    }

    /// The picture with this width at most, each pixel the mean of those that it stands for.
    func reduced(toWidth limit: Int) -> (width: Int, height: Int, bytes: [UInt8]) {
        let small = min(width, limit)
        let low = max(1, height * small / width)
        var result = [UInt8](repeating: 0, count: 3 * small * low)
        for row in 0..<low {
            let rows = row * height / low..<max(row * height / low + 1, (row + 1) * height / low)
            for column in 0..<small {
                let columns = column * width / small..<max(column * width / small + 1, (column + 1) * width / small)
                var sums = SIMD3<Int>(repeating: 0)
                for y in rows {
                    for x in columns {
                        let first = 3 * (y * width + x)
                        sums &+= SIMD3(Int(bytes[first]), Int(bytes[first + 1]), Int(bytes[first + 2]))
                    }
                }
                let count = rows.count * columns.count
                for channel in 0..<3 { result[3 * (row * small + column) + channel] = UInt8(sums[channel] / count) }
            }
        }
        return (small, low, result)
    }

    /// Height of a line of text in pixels, larger in larger pictures.
    private var lineHeight: Double { max(14, Double(min(width, height)) / 22) }

    /// Writes a line of text on a darkened background, counted from the top; a character that the font lacks is a box.
    mutating func write(_ text: String, line: Int) {
        let font = StrokeFont(height: lineHeight)
        let margin = Int(lineHeight / 4)
        let top = margin + line * Int(lineHeight * 1.25)
        let (textWidth, textHeight) = (font.width(of: text), font.lineHeight)
        darken(0, top - margin / 2, textWidth + 3 * margin, textHeight + margin)
        font.draw(text) { x, y, coverage in
            let (column, row) = (margin + x, top + y)
            guard (0..<width).contains(column), (0..<height).contains(row) else { return }
            let first = 3 * (row * width + column)
            for channel in first..<first + 3 {
                bytes[channel] = UInt8((Double(bytes[channel]) + (255 - Double(bytes[channel])) * coverage).rounded())
            }
        }
    }

    private mutating func darken(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            for column in max(0, x)..<max(0, x, min(self.width, x + width)) {
                let first = 3 * (row * self.width + column)
                for channel in first..<first + 3 { bytes[channel] /= 4 }
            }
        }
    }
}

extension TrackedHand.Pose {
    /// The most likely name and its score, as drawn on frames.
    var caption: String { "\(name.rawValue) \(decimals(Double(self[name]), 2))" }
}
