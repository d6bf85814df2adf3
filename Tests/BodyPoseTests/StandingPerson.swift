import BodyPose
import Foundation
import TestSupport

/// The drawn person of `Fixtures/body`.
struct StandingPerson {
    static let width = 120
    static let height = 160

    /// Where the rig that was drawn has its joints: shares from the top left.
    static let rig: [(name: BodyJoints.Name, place: SIMD2<Float>)] = [
        (.leftShoulder, SIMD2(0.629, 0.307)), (.rightShoulder, SIMD2(0.408, 0.293)),
        (.leftElbow, SIMD2(0.696, 0.407)), (.rightElbow, SIMD2(0.264, 0.259)), (.leftWrist, SIMD2(0.757, 0.505)),
        (.rightWrist, SIMD2(0.213, 0.149)), (.leftHip, SIMD2(0.596, 0.540)), (.rightHip, SIMD2(0.442, 0.540)),
        (.leftKnee, SIMD2(0.664, 0.731)), (.rightKnee, SIMD2(0.378, 0.734)), (.leftAnkle, SIMD2(0.699, 0.903)),
        (.rightAnkle, SIMD2(0.330, 0.910)),
    ]

    /// Red, green and blue, pixel by pixel, upright.
    let colors: [UInt8]

    init() throws {
        let file = try Data(contentsOf: Fixtures.directory.appendingPathComponent("body/standing.ppm"))
        colors = Array(file.suffix(3 * Self.width * Self.height))
    }

    /// The picture as an orientation stores it, RGBA.
    func stored(_ orientation: ImageOrientation) -> (rgba: [UInt8], width: Int, height: Int) {
        let columns = orientation.rawValue >= 5 ? Self.height : Self.width
        let rows = orientation.rawValue >= 5 ? Self.width : Self.height
        var rgba = [UInt8](repeating: 255, count: 4 * columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let (x, y) = uprightPlace(column, row, columns, rows, orientation)
                for channel in 0..<3 {
                    rgba[4 * (row * columns + column) + channel] = colors[3 * (y * Self.width + x) + channel]
                }
            }
        }
        return (rgba, columns, rows)
    }

    func withView<Result>(
        _ orientation: ImageOrientation = .up, _ body: (borrowing PixelView) throws -> Result
    ) throws -> Result {
        let (rgba, width, height) = stored(orientation)
        return try body(PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width))
    }

    /// The person small, in the middle of a gray picture.
    func withDistantView<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        let (width, height) = (4 * Self.width, 4 * Self.height)
        var rgba = [UInt8](repeating: 190, count: 4 * width * height)
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let first = 4 * ((y + 3 * Self.height / 2) * width + x + 3 * Self.width / 2)
                for channel in 0..<3 { rgba[first + channel] = colors[3 * (y * Self.width + x) + channel] }
            }
        }
        return try body(PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width))
    }

    /// Where EXIF says that a stored pixel belongs in the upright picture.
    private func uprightPlace(
        _ x: Int, _ y: Int, _ columns: Int, _ rows: Int, _ orientation: ImageOrientation
    ) -> (x: Int, y: Int) {
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (columns - 1 - x, y)
        case .down: (columns - 1 - x, rows - 1 - y)
        case .downMirrored: (x, rows - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (rows - 1 - y, x)
        case .rightMirrored: (rows - 1 - y, columns - 1 - x)
        case .left: (y, columns - 1 - x)
        }
    }
}
