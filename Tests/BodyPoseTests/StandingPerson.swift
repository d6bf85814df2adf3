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

    let picture: OrientedPicture<SIMD3<UInt8>>

    init() throws {
        let file = try Data(contentsOf: Fixtures.directory.appendingPathComponent("body/standing.ppm"))
        let colors = Array(file.suffix(3 * Self.width * Self.height))
        picture = OrientedPicture(Self.width, Self.height) { x, y in
            let first = 3 * (y * Self.width + x)
            return SIMD3(colors[first], colors[first + 1], colors[first + 2])
        }
    }

    /// The picture as an orientation stores it, RGBA.
    func stored(_ orientation: ImageOrientation) -> (rgba: [UInt8], width: Int, height: Int) {
        picture.rgba(orientation)
    }

    func withView<Result>(
        _ orientation: ImageOrientation = .up, _ body: (borrowing PixelView) throws -> Result
    ) throws -> Result {
        try picture.withView(orientation, body)
    }

    /// The person small, in the middle of a gray picture.
    func withDistantView<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        let (left, top) = (3 * Self.width / 2, 3 * Self.height / 2)
        let distant = OrientedPicture(4 * Self.width, 4 * Self.height) { x, y in
            (left..<left + Self.width).contains(x) && (top..<top + Self.height).contains(y)
                ? picture.pixels[(y - top) * Self.width + x - left] : SIMD3(repeating: 190)
        }
        return try distant.withView(.up, body)
    }
}
