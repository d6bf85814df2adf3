import BodyPose
import Frames
import GestureEngine
import ToolSupport

/// A frame in red, green and blue, to draw on.
struct OverlayPicture {
    struct Color {
        let red, green, blue: UInt8

        static let white = Color(red: 255, green: 255, blue: 255)
        static let bone = Color(red: 80, green: 220, blue: 120)
        static let joint = Color(red: 255, green: 80, blue: 60)
    }

    let width: Int
    let height: Int
    /// Three bytes a pixel, rows from the top without padding.
    private(set) var bytes: [UInt8]

    /// Width of lines and of the font's dots, in pixels.
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

    /// Writes a line of text on a dark background, counted from the top; a character that the font lacks is a box.
    mutating func write(_ text: String, line: Int) {
        let dot = stroke
        let glyphs = text.uppercased().map { BitmapFont.glyphs[$0] ?? BitmapFont.box }
        let top = 2 * dot + line * (BitmapFont.height + 4) * dot
        fill(
            0, top - dot, (glyphs.count * (BitmapFont.width + 1) + 3) * dot, (BitmapFont.height + 3) * dot,
            Color(red: 0, green: 0, blue: 0))
        for (index, glyph) in glyphs.enumerated() {
            let left = (2 + index * (BitmapFont.width + 1)) * dot
            for (column, bits) in glyph.enumerated() {
                for row in 0..<BitmapFont.height where bits >> UInt8(row) & 1 == 1 {
                    fill(left + column * dot, top + row * dot, dot, dot, .white)
                }
            }
        }
    }
}

/// Characters of five columns by seven rows; a byte is a column, its lowest bit the top row.
enum BitmapFont {
    static let width = 5
    static let height = 7

    static let box: [UInt8] = [0x7F, 0x41, 0x41, 0x41, 0x7F]

    static let glyphs: [Character: [UInt8]] = [
        " ": [0x00, 0x00, 0x00, 0x00, 0x00], "%": [0x23, 0x13, 0x08, 0x64, 0x62],
        "-": [0x08, 0x08, 0x08, 0x08, 0x08], ".": [0x00, 0x60, 0x60, 0x00, 0x00],
        ",": [0x00, 0x50, 0x30, 0x00, 0x00], ":": [0x00, 0x00, 0x14, 0x00, 0x00],
        "_": [0x40, 0x40, 0x40, 0x40, 0x40], "/": [0x20, 0x10, 0x08, 0x04, 0x02],
        "0": [0x3E, 0x51, 0x49, 0x45, 0x3E], "1": [0x00, 0x42, 0x7F, 0x40, 0x00],
        "2": [0x72, 0x49, 0x49, 0x49, 0x46], "3": [0x21, 0x41, 0x49, 0x4D, 0x33],
        "4": [0x18, 0x14, 0x12, 0x7F, 0x10], "5": [0x27, 0x45, 0x45, 0x45, 0x39],
        "6": [0x3C, 0x4A, 0x49, 0x49, 0x31], "7": [0x41, 0x21, 0x11, 0x09, 0x07],
        "8": [0x36, 0x49, 0x49, 0x49, 0x36], "9": [0x46, 0x49, 0x49, 0x29, 0x1E],
        "A": [0x7C, 0x12, 0x11, 0x12, 0x7C], "B": [0x7F, 0x49, 0x49, 0x49, 0x36],
        "C": [0x3E, 0x41, 0x41, 0x41, 0x22], "D": [0x7F, 0x41, 0x41, 0x41, 0x3E],
        "E": [0x7F, 0x49, 0x49, 0x49, 0x41], "F": [0x7F, 0x09, 0x09, 0x09, 0x01],
        "G": [0x3E, 0x41, 0x41, 0x51, 0x73], "H": [0x7F, 0x08, 0x08, 0x08, 0x7F],
        "I": [0x00, 0x41, 0x7F, 0x41, 0x00], "J": [0x20, 0x40, 0x41, 0x3F, 0x01],
        "K": [0x7F, 0x08, 0x14, 0x22, 0x41], "L": [0x7F, 0x40, 0x40, 0x40, 0x40],
        "M": [0x7F, 0x02, 0x1C, 0x02, 0x7F], "N": [0x7F, 0x04, 0x08, 0x10, 0x7F],
        "O": [0x3E, 0x41, 0x41, 0x41, 0x3E], "P": [0x7F, 0x09, 0x09, 0x09, 0x06],
        "Q": [0x3E, 0x41, 0x51, 0x21, 0x5E], "R": [0x7F, 0x09, 0x19, 0x29, 0x46],
        "S": [0x26, 0x49, 0x49, 0x49, 0x32], "T": [0x03, 0x01, 0x7F, 0x01, 0x03],
        "U": [0x3F, 0x40, 0x40, 0x40, 0x3F], "V": [0x1F, 0x20, 0x40, 0x20, 0x1F],
        "W": [0x3F, 0x40, 0x38, 0x40, 0x3F], "X": [0x63, 0x14, 0x08, 0x14, 0x63],
        "Y": [0x03, 0x04, 0x78, 0x04, 0x03], "Z": [0x61, 0x59, 0x49, 0x4D, 0x43],
    ]
}

extension TrackedHand.Pose {
    /// The most likely name and its score, as drawn on frames.
    var caption: String { "\(name.rawValue) \(decimals(Double(self[name]), 2))" }
}
