import Frames
import Testing
import Vocabulary

@Suite struct ViewTransformTests {
    private static let topLeft = PlanePoint(x: 0, y: 0)
    private static let topRight = PlanePoint(x: 1, y: 0)
    private static let bottomLeft = PlanePoint(x: 0, y: 1)
    private static let bottomRight = PlanePoint(x: 1, y: 1)

    /// Where the stored frame's corners are in the upright picture: top left, top right, bottom left, bottom right. From the
    /// EXIF standard's words on where the first row and the first column are seen.
    @Test(arguments: [
        (ImageOrientation.up, [topLeft, topRight, bottomLeft, bottomRight]),  // row 0 top, column 0 left
        (.upMirrored, [topRight, topLeft, bottomRight, bottomLeft]),  // top, right
        (.down, [bottomRight, bottomLeft, topRight, topLeft]),  // bottom, right
        (.downMirrored, [bottomLeft, bottomRight, topLeft, topRight]),  // bottom, left
        (.leftMirrored, [topLeft, bottomLeft, topRight, bottomRight]),  // left, top
        (.right, [topRight, bottomRight, topLeft, bottomLeft]),  // right, top
        (.rightMirrored, [bottomRight, topRight, bottomLeft, topLeft]),  // right, bottom
        (.left, [bottomLeft, topLeft, bottomRight, topRight]),  // left, bottom
    ]) func cornersGoWhereExifSays(_ orientation: ImageOrientation, _ expected: [PlanePoint]) throws {
        let stored = [(0.0, 0.0), (640, 0), (0, 480), (640, 480)].map { PlanePoint(x: $0.0, y: $0.1) }
        for mirrored in [false, true] {
            let transform = try ViewTransform(
                frameWidth: 640, frameHeight: 480,
                geometry: FrameGeometry(orientation: orientation, mirrored: mirrored),
                preview: ViewTransform.Preview(width: 300, height: 200, gravity: .stretch, mirrored: mirrored))
            for (corner, place) in zip(stored, expected) {
                let seen = PlanePoint(x: mirrored ? 1 - place.x : place.x, y: place.y)
                #expect(distance(transform.map(corner, from: .frame, to: .picture(.topLeft)), place) < 1e-12)
                #expect(distance(transform.map(corner, from: .frame, to: .unitModel), seen) < 1e-12)
                let model = PlanePoint(x: 224 * seen.x, y: 224 * seen.y)
                #expect(distance(transform.map(corner, from: .frame, to: .model), model) < 1e-9)
                let view = PlanePoint(x: 300 * seen.x, y: 200 * seen.y)
                #expect(distance(transform.map(corner, from: .frame, to: .view), view) < 1e-9)
            }
        }
    }

    /// Every orientation, mirror and crop mode of the model with every gravity, mirror and origin of the preview: stored
    /// places come out in the view where the plain steps say, and every way back ends where it began.
    @Test func everyCombinationThereAndBack() throws {
        var random = SplitMix64(seed: 5)
        var count = 0
        let spaces: [ViewTransform.Space] = [
            .frame, .unitFrame, .picture(.topLeft), .picture(.bottomLeft), .model, .unitModel, .view,
        ]
        for (width, height, viewWidth, viewHeight) in [
            (640, 480, 390.0, 844.0), (481, 1283, 1024, 576.5), (16_384, 1, 1, 100_000),
        ] {
            let region = PixelView.Region(
                x: width / 5, y: height / 7, width: max(1, width / 2), height: max(1, height / 3))
            for geometry in geometries {
                for preview in previews(viewWidth, viewHeight) {
                    let transform = try ViewTransform(
                        frameWidth: width, frameHeight: height, region: region, geometry: geometry, preview: preview)
                    let frame = (width: Double(width), height: Double(height))
                    let stored = PlanePoint(
                        x: .random(in: -10...frame.width, using: &random),
                        y: .random(in: -10...frame.height, using: &random))
                    let shown = transform.map(stored, from: .frame, to: .view)
                    let expected = shownPlace(stored, of: frame, geometry.orientation, in: preview)
                    let scale = max(viewWidth, viewHeight) * max(frame.width, frame.height)
                    #expect(distance(shown, expected) < 1e-13 * scale, "\(geometry) \(preview)")
                    for space in spaces {
                        let there = transform.map(stored, from: .frame, to: space)
                        let back = transform.map(there, from: space, to: .frame)
                        #expect(
                            distance(back, stored) < (width > 2000 ? 1e-6 : 1e-9), "\(space) \(geometry) \(preview)")
                        let onward = transform.map(there, from: space, to: .view)
                        #expect(distance(onward, shown) < 1e-12 * scale, "\(space) \(geometry) \(preview)")
                    }
                    count += 1
                }
            }
        }
        #expect(count == 3 * 8 * 2 * 3 * 3 * 2 * 2)
    }

    /// The stored frame of a phone held upright lies on its side: x on the screen is the stored y times the width, and y the
    /// stored x times the height, which is a quarter turn and the preview's mirror.
    @Test func portraitFrontCamera() throws {
        let transform = try ViewTransform(
            frameWidth: 640, frameHeight: 480, geometry: FrameGeometry(orientation: .right),
            preview: ViewTransform.Preview(width: 390, height: 520, gravity: .stretch, mirrored: true))
        for (x, y) in [(0.0, 0.0), (0.25, 0.5), (1, 0.125)] {
            let shown = transform.map(PlanePoint(x: x, y: y), from: .unitFrame, to: .view)
            #expect(distance(shown, PlanePoint(x: y * 390, y: x * 520)) < 1e-9)
        }
        // The picture is as wide as the view here; where it is not, its own corner is added.
        let barred = try ViewTransform(
            frameWidth: 640, frameHeight: 480, geometry: FrameGeometry(orientation: .right),
            preview: ViewTransform.Preview(width: 390, height: 844, gravity: .fit, mirrored: true))
        let shown = barred.map(PlanePoint(x: 0.25, y: 0.5), from: .unitFrame, to: .view)
        #expect(distance(shown, PlanePoint(x: 195, y: 162 + 130)) < 1e-9)
    }

    @Test func mirroredPreviewCountsFromTheOtherSide() throws {
        let transform = try ViewTransform(
            frameWidth: 1280, frameHeight: 720,
            preview: ViewTransform.Preview(width: 1, height: 1, gravity: .stretch, mirrored: true))
        let shown = transform.map(PlanePoint(x: 0.3, y: 0.8), from: .picture(.topLeft), to: .view)
        #expect(distance(shown, PlanePoint(x: 0.7, y: 0.8)) < 1e-12)
        // The model's mirror is its own: what it sees on its left is on the right of this screen too, but not the reverse.
        let both = try ViewTransform(
            frameWidth: 1280, frameHeight: 720, geometry: FrameGeometry(mirrored: true),
            preview: ViewTransform.Preview(width: 100, height: 50, gravity: .stretch, mirrored: true))
        let same = both.map(PlanePoint(x: 0.1, y: 0.2), from: .unitModel, to: .view)
        #expect(distance(same, PlanePoint(x: 10, y: 10)) < 1e-9)
        let one = try ViewTransform(
            frameWidth: 1280, frameHeight: 720, geometry: FrameGeometry(mirrored: true),
            preview: ViewTransform.Preview(width: 100, height: 50, gravity: .stretch))
        #expect(
            distance(one.map(PlanePoint(x: 0.1, y: 0.2), from: .unitModel, to: .view), PlanePoint(x: 90, y: 10)) < 1e-9)
    }

    /// 640 x 480 in 300 x 600 points: 300 x 225 with bars of 187.5, 800 x 600 with 250 cut off at each side, or pulled.
    @Test func gravities() throws {
        for (gravity, picture) in [
            (PixelView.CropMode.fit, PlaneRect(x: 0, y: 187.5, width: 300, height: 225)),
            (.fill, PlaneRect(x: -250, y: 0, width: 800, height: 600)),
            (.stretch, PlaneRect(x: 0, y: 0, width: 300, height: 600)),
        ] {
            for origin in [ViewTransform.Origin.topLeft, .bottomLeft] {
                let transform = try ViewTransform(
                    frameWidth: 640, frameHeight: 480,
                    preview: ViewTransform.Preview(width: 300, height: 600, gravity: gravity, origin: origin))
                let all = PlaneRect(x: 0, y: 0, width: 640, height: 480)
                #expect(distance(transform.map(all, from: .frame, to: .view), picture) < 1e-9, "\(gravity) \(origin)")
            }
        }
    }

    /// One known landmark through all of a usual app: the tip of a nose at (400, 120) of a 640 x 480 frame that is stored on
    /// its side, the model fed with the mirrored centre square, an upright mirrored preview that covers 390 x 844 points.
    @Test func firstLandmark() throws {
        let transform = try ViewTransform(
            frameWidth: 640, frameHeight: 480,
            geometry: FrameGeometry(crop: .fill, orientation: .right, mirrored: true),
            preview: ViewTransform.Preview(width: 390, height: 844, mirrored: true))
        let nose = PlanePoint(x: 400, y: 120)
        // Upright: (480 - 120, 400) of 480 x 640. Mirrored: (120, 400). Square: rows 80 to 560, so (120, 320) of 480.
        #expect(distance(transform.map(nose, from: .frame, to: .model), PlanePoint(x: 56, y: 149 + 1.0 / 3)) < 1e-9)
        // Covering: 844 / 640 points a pixel, 633 points wide, 121.5 of them cut off at each side.
        let onScreen = PlanePoint(x: 120 * 1.31875 - 121.5, y: 400 * 1.31875)
        #expect(distance(transform.map(nose, from: .frame, to: .view), onScreen) < 1e-9)
        let seen = PlanePoint(x: 0.25, y: 2.0 / 3)
        #expect(distance(transform.map(seen, from: .unitModel, to: .view), onScreen) < 1e-9)
    }

    /// Vision counts from the bottom left: a point of an image w x h is (u w, v h) from there, and a screen counts from the
    /// top.
    @Test func visionCountsFromTheBottom() throws {
        let point = PlanePoint(x: 0.25, y: 0.1)
        let pixels = try ViewTransform(
            frameWidth: 640, frameHeight: 480,
            preview: ViewTransform.Preview(width: 640, height: 480, gravity: .stretch, origin: .bottomLeft))
        #expect(distance(pixels.map(point, from: .picture(.bottomLeft), to: .view), PlanePoint(x: 160, y: 48)) < 1e-9)
        let screen = try ViewTransform(frameWidth: 640, frameHeight: 480)
        #expect(distance(screen.map(point, from: .picture(.bottomLeft), to: .view), PlanePoint(x: 160, y: 432)) < 1e-9)
        let box = PlaneRect(x: 0.25, y: 0.1, width: 0.5, height: 0.3)
        #expect(
            distance(
                screen.map(box, from: .picture(.bottomLeft), to: .view),
                PlaneRect(x: 160, y: 288, width: 320, height: 144)) < 1e-9)
        // A picture stored on its side: Vision is told so and answers for the upright one, 480 x 640.
        let portrait = try ViewTransform(
            frameWidth: 640, frameHeight: 480, geometry: FrameGeometry(orientation: .right))
        #expect(
            distance(portrait.map(point, from: .picture(.bottomLeft), to: .view), PlanePoint(x: 120, y: 576)) < 1e-9)
    }

    @Test func rectanglesAreTheirCornersInOrder() throws {
        var random = SplitMix64(seed: 9)
        for geometry in geometries {
            for preview in previews(500, 333) {
                let transform = try ViewTransform(
                    frameWidth: 301, frameHeight: 200, geometry: geometry, preview: preview)
                let rect = PlaneRect(
                    x: .random(in: 0...100, using: &random), y: .random(in: 0...100, using: &random),
                    width: .random(in: 0...50, using: &random), height: .random(in: 0...50, using: &random))
                let map = transform.map(.model, to: .view)
                let corners = [0, 1].flatMap { i in
                    [0, 1].map { j in
                        map.apply(PlanePoint(x: rect.x + Double(i) * rect.width, y: rect.y + Double(j) * rect.height))
                    }
                }
                let (left, right) = (corners.map(\.x).min()!, corners.map(\.x).max()!)
                let (top, bottom) = (corners.map(\.y).min()!, corners.map(\.y).max()!)
                let expected = PlaneRect(x: left, y: top, width: right - left, height: bottom - top)
                #expect(distance(map.apply(rect), expected) < 1e-9)
                #expect(distance(map.inverse.apply(map.apply(rect)), rect) < 1e-9)
            }
        }
    }

    /// The six numbers are those of Core Graphics: x' = a x + c y + tx, y' = b x + d y + ty.
    @Test func coefficientsAreTheMap() throws {
        for geometry in geometries {
            let transform = try ViewTransform(frameWidth: 97, frameHeight: 55, geometry: geometry)
            let map = transform.map(.unitModel, to: .view)
            for (x, y) in [(0.0, 0.0), (0.5, 0.25), (-3, 7)] {
                let point = map.apply(PlanePoint(x: x, y: y))
                #expect(abs(point.x - (map.a * x + map.c * y + map.tx)) < 1e-9)
                #expect(abs(point.y - (map.b * x + map.d * y + map.ty)) < 1e-9)
            }
        }
        #expect(ViewTransform.PlaneTransform.identity.apply(PlanePoint(x: 3, y: -4)) == PlanePoint(x: 3, y: -4))
    }

    @Test func impossibleSizesAreRefused() throws {
        let sides = 1...16_384
        for (width, height, name, wrong) in [
            (0, 480, "frameWidth", 0), (640, -1, "frameHeight", -1), (16_385, 480, "frameWidth", 16_385),
            (.max, .min, "frameWidth", .max),
        ] {
            #expect(throws: ConfigurationError("ViewTransform.\(name)", wrong, allowed: sides)) {
                try ViewTransform(frameWidth: width, frameHeight: height)
            }
        }
        for region in [
            PixelView.Region(x: -1, y: 0, width: 10, height: 10), PixelView.Region(x: 0, y: 0, width: 0, height: 10),
            PixelView.Region(x: 600, y: 0, width: 41, height: 10),
            PixelView.Region(x: .max, y: .max, width: .max, height: .max),
            PixelView.Region(x: 0, y: 471, width: 10, height: 10), PixelView.Region(x: 0, y: 0, width: 10, height: -1),
        ] {
            let fault = ConfigurationError(
                "ViewTransform.region", "\(region.width)x\(region.height) at \(region.x), \(region.y)",
                mustBe: "inside the frame of 640x480")
            #expect(throws: fault) {
                try ViewTransform(frameWidth: 640, frameHeight: 480, region: region)
            }
        }
        for side in [0, -300, 0.999, 100_001, .infinity, -.infinity] {
            for (preview, name) in [
                (ViewTransform.Preview(width: side, height: 200), "width"),
                (ViewTransform.Preview(width: 200, height: side), "height"),
            ] {
                #expect(throws: ConfigurationError("ViewTransform.Preview.\(name)", side, allowed: 1...100_000)) {
                    try ViewTransform(frameWidth: 640, frameHeight: 480, preview: preview)
                }
            }
        }
        #expect(throws: ConfigurationError("ViewTransform.Preview.width", Double.nan, allowed: 1...100_000)) {
            try ViewTransform(frameWidth: 640, frameHeight: 480, preview: ViewTransform.Preview(width: .nan, height: 1))
        }
    }

    /// An axis that is not a number does not spoil the other one.
    @Test func anyNumberMayBeMapped() throws {
        for geometry in geometries {
            let transform = try ViewTransform(frameWidth: 640, frameHeight: 480, geometry: geometry)
            let transposed = geometry.orientation.rawValue >= 5
            for bad in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
                let shown = transform.map(PlanePoint(x: bad, y: 100), from: .frame, to: .view)
                let good = transform.map(PlanePoint(x: 5, y: 100), from: .frame, to: .view)
                #expect(transposed ? shown.x == good.x : shown.y == good.y)
            }
        }
    }
}
