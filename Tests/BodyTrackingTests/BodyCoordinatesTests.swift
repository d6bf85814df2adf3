import BodyTracking
import Frames
import KernelsPortable
import TestSupport
import Testing
import Tracking

/// Points of a body from a stored frame to an app's view.
@Suite struct BodyCoordinatesTests {
    private static let configuration = BodyTrackingConfiguration(stillness: nil, smoothing: nil)

    /// The spots' body as the tracker sees it in the second frame, when the landmarks' own region has been used.
    private static func body(_ scene: SpotScene, stored orientation: ImageOrientation) throws -> TrackedBody {
        var configuration = configuration
        configuration.orientation = orientation
        var tracker = try BodyTracker(configuration: configuration, kernels: portableCropKernels)
        var networks = SpotNetworks()
        try scene.picture.withView(orientation) { frame in
            tracker.track(frame, at: 0, with: &networks)
            tracker.track(frame, at: 33_000_000, with: &networks)
        }
        return try #require(tracker.bodies.first)
    }

    /// The points are upright however the frame is stored, and left stays the person's left in mirrored frames.
    @Test(arguments: ImageOrientation.allCases)
    func landmarkZeroLandsOnTheNose(_ orientation: ImageOrientation) throws {
        let scene = SpotScene()
        let body = try Self.body(scene, stored: orientation)
        let sides = SIMD2(Float(scene.width), Float(scene.height))
        for (joint, place) in [(TrackedBody.Joint.nose, scene.nose), (.leftWrist, scene.wrist), (.leftHip, scene.hips)]
        {
            let found = SIMD2(body.landmarks[joint].x, body.landmarks[joint].y) * sides
            #expect(abs(found.x - Float(place.x)) < 1 && abs(found.y - Float(place.y)) < 1, "\(joint) at \(found)")
        }
        let nose = try #require(body.joints[.nose]).imagePoint(width: scene.width, height: scene.height)
        #expect(abs(nose.x - Float(scene.nose.x)) < 1)
        #expect(abs(nose.y - Float(scene.height - scene.nose.y)) < 1)
    }

    /// With each orientation, both mirrors of the preview, all gravities and both origins, the nose is shown where the stored
    /// pixel of its spot is shown, and goes back to that pixel.
    @Test(arguments: ImageOrientation.allCases)
    func everyPreviewShowsTheNoseOnTheNose(_ orientation: ImageOrientation) throws {
        let scene = SpotScene()
        let joint = try #require(try Self.body(scene, stored: orientation).joints[.nose])
        let nose = PlanePoint(x: Double(joint.location.x), y: Double(joint.location.y))
        let (columns, rows) = scene.picture.storedSize(orientation)
        let stored = scene.picture.storedPlace(scene.nose.x, scene.nose.y, orientation)
        for gravity in [PixelView.CropMode.fit, .fill, .stretch] {
            for mirrored in [false, true] {
                for origin in [ViewTransform.Origin.topLeft, .bottomLeft] {
                    let transform = try ViewTransform(
                        frameWidth: columns, frameHeight: rows, geometry: FrameGeometry(orientation: orientation),
                        preview: ViewTransform.Preview(
                            width: 390, height: 844, gravity: gravity, mirrored: mirrored, origin: origin))
                    let back = transform.map(nose, from: .picture(.bottomLeft), to: .frame)
                    #expect(abs(back.x - Double(stored.x)) < 1.5 && abs(back.y - Double(stored.y)) < 1.5)

                    // 200 x 300 in 390 x 844 points, one step at a time.
                    let scale =
                        switch gravity {
                        case .fit: SIMD2(390.0 / 200, 390.0 / 200)
                        case .fill: SIMD2(844.0 / 300, 844.0 / 300)
                        case .stretch: SIMD2(390.0 / 200, 844.0 / 300)
                        }
                    var x = 195 + (Double(scene.nose.x) - 100) * scale.x
                    var y = 422 + (Double(scene.nose.y) - 150) * scale.y
                    if mirrored { x = 390 - x }
                    if origin == .bottomLeft { y = 844 - y }
                    let shown = transform.map(nose, from: .picture(.bottomLeft), to: .view)
                    #expect(abs(shown.x - x) < 1.5 * scale.x, "\(gravity) \(mirrored) \(origin)")
                    #expect(abs(shown.y - y) < 1.5 * scale.y, "\(gravity) \(mirrored) \(origin)")
                }
            }
        }
    }
}
