import BodyTracking
import Frames
import KernelInterface
import TestSupport
import Testing
import Tracking

/// Points of a body from a stored frame to an app's view.
@Suite struct BodyCoordinatesTests {
    private static let scene = SquareScene(
        width: 200, height: 300, squares: [SquareScene.Square(x: 110, y: 140, size: 60)])
    /// Where the scene has the nose, in pixels of the upright frame.
    private static let nose = SIMD2(110, 140) + 60 * bodyTemplate[0]

    /// The joint of the nose, as tracked in the second frame, when the landmarks' own region has been used.
    private static func joint(stored orientation: ImageOrientation) throws -> BodyJoints.Point {
        var tracker = try BodyTracker(
            configuration: BodyTrackingConfiguration(stillness: nil, orientation: orientation, smoothing: nil),
            kernels: portableCropKernels)
        var networks = PeopleNetworks()
        try scene.picture.withView(orientation) { frame in
            tracker.track(frame, at: 0, with: &networks)
            tracker.track(frame, at: 33_000_000, with: &networks)
        }
        return try #require(tracker.bodies.first?.joints[.nose])
    }

    /// With each orientation, both mirrors of the preview, all gravities and both origins, the nose is shown where the stored
    /// pixel of its spot is shown, and goes back to that pixel.
    @Test(arguments: ImageOrientation.allCases)
    func everyPreviewShowsTheNoseOnTheNose(_ orientation: ImageOrientation) throws {
        let joint = try Self.joint(stored: orientation)
        let image = joint.imagePoint(width: 200, height: 300)
        #expect(abs(Double(image.x) - Self.nose.x) < 2 && abs(Double(image.y) - 300 + Self.nose.y) < 2)
        let nose = PlanePoint(x: Double(joint.location.x), y: Double(joint.location.y))
        let picture = Self.scene.picture
        let (columns, rows) = picture.storedSize(orientation)
        let stored = picture.storedPlace(Int(Self.nose.x.rounded()), Int(Self.nose.y.rounded()), orientation)
        for gravity in [PixelView.CropMode.fit, .fill, .stretch] {
            for mirrored in [false, true] {
                for origin in [ViewTransform.Origin.topLeft, .bottomLeft] {
                    let transform = try ViewTransform(
                        frameWidth: columns, frameHeight: rows, geometry: FrameGeometry(orientation: orientation),
                        preview: ViewTransform.Preview(
                            width: 390, height: 844, gravity: gravity, mirrored: mirrored, origin: origin))
                    let back = transform.map(nose, from: .picture(.bottomLeft), to: .frame)
                    #expect(abs(back.x - Double(stored.x)) < 2.5 && abs(back.y - Double(stored.y)) < 2.5)

                    // 200 x 300 in 390 x 844 points, one step at a time.
                    let scale =
                        switch gravity {
                        case .fit: SIMD2(390.0 / 200, 390.0 / 200)
                        case .fill: SIMD2(844.0 / 300, 844.0 / 300)
                        case .stretch: SIMD2(390.0 / 200, 844.0 / 300)
                        }
                    var x = 195 + (Self.nose.x - 100) * scale.x
                    var y = 422 + (Self.nose.y - 150) * scale.y
                    if mirrored { x = 390 - x }
                    if origin == .bottomLeft { y = 844 - y }
                    let shown = transform.map(nose, from: .picture(.bottomLeft), to: .view)
                    #expect(abs(shown.x - x) < 2 * scale.x, "\(gravity) \(mirrored) \(origin)")
                    #expect(abs(shown.y - y) < 2 * scale.y, "\(gravity) \(mirrored) \(origin)")
                }
            }
        }
    }
}
