import Frames
import Testing
import Vocabulary

@Suite struct PixelRegionRectTests {
    private static let notARectangle = ConfigurationError(
        "PixelView.Region.rect", Double.nan, mustBe: "a rectangle of numbers")

    @Test func coversAndGrows() throws {
        for (rect, margin, expected) in [
            (
                PlaneRect(x: 10, y: 20, width: 30, height: 40), 1.0,
                PixelView.Region(x: 10, y: 20, width: 30, height: 40)
            ),
            (PlaneRect(x: 10, y: 20, width: 30, height: 40), 1.5, PixelView.Region(x: 2, y: 10, width: 46, height: 60)),
            (
                PlaneRect(x: 10, y: 20, width: 30, height: 40), 0.5,
                PixelView.Region(x: 17, y: 30, width: 16, height: 20)
            ),
            (
                PlaneRect(x: 10.2, y: 20.9, width: 1, height: 0.05), 1,
                PixelView.Region(x: 10, y: 20, width: 2, height: 1)
            ),
            // A rounding is no pixel.
            (
                PlaneRect(x: 9.9999999, y: 20, width: 30.0000002, height: 40), 1,
                PixelView.Region(x: 10, y: 20, width: 30, height: 40)
            ),
            // A negative side is the same rectangle from its other corner.
            (
                PlaneRect(x: 40, y: 60, width: -30, height: -40), 1,
                PixelView.Region(x: 10, y: 20, width: 30, height: 40)
            ),
            (PlaneRect(x: -50, y: 90, width: 80, height: 100), 1, PixelView.Region(x: 0, y: 90, width: 30, height: 10)),
            (
                PlaneRect(x: -1e300, y: -1e300, width: .greatestFiniteMagnitude, height: .infinity), 10,
                PixelView.Region(x: 0, y: 0, width: 200, height: 100)
            ),
        ] {
            let region = try PixelView.Region(covering: rect, margin: margin, frameWidth: 200, frameHeight: 100)
            #expect(region == expected, "\(rect) by \(margin)")
        }
    }

    @Test func onePixelIsLeft() throws {
        for (rect, x, y) in [
            (PlaneRect(x: 50.5, y: 30.5, width: 0, height: 0), 50, 30),
            (PlaneRect(x: 500, y: -9, width: 5, height: 5), 199, 0),
            (PlaneRect(x: -1e308, y: 1e308, width: 1, height: 1), 0, 99),
            (PlaneRect(x: 200, y: 100, width: 0, height: 0), 199, 99),
        ] {
            let region = try PixelView.Region(covering: rect, frameWidth: 200, frameHeight: 100)
            #expect(region == PixelView.Region(x: x, y: y, width: 1, height: 1), "\(rect)")
        }
    }

    /// Whatever the numbers, a `PixelView` takes the region.
    @Test func alwaysFitsTheFrame() throws {
        var random = SplitMix64(seed: 21)
        let bytes = [UInt8](repeating: 0, count: 97 * 61)
        let extremes: [Double] = [0, -1, 1e9, -1e18, .infinity, -.infinity, .greatestFiniteMagnitude, 0.5]
        for _ in 0..<5000 {
            func number() -> Double {
                Int.random(in: 0..<4, using: &random) == 0
                    ? extremes[Int.random(in: 0..<8, using: &random)] : Double.random(in: -200...200, using: &random)
            }
            let rect = PlaneRect(x: number(), y: number(), width: number(), height: number())
            let sums = [rect.x + rect.width, rect.y + rect.height]
            guard !sums.contains(where: \.isNaN) else {
                #expect(throws: Self.notARectangle) {
                    try PixelView.Region(covering: rect, frameWidth: 97, frameHeight: 61)
                }
                continue
            }
            let region = try PixelView.Region(
                covering: rect, margin: .random(in: 0.1...10, using: &random), frameWidth: 97, frameHeight: 61)
            let view = try PixelView(
                bytes.span, format: .gray8, width: 97, height: 61, bytesPerRow: 97, region: region)
            #expect(view.region == region)
        }
    }

    /// A box of a detector, in the upright picture of a frame that is stored on its side, becomes the stored pixels.
    @Test func fromAnySpace() throws {
        let transform = try ViewTransform(
            frameWidth: 640, frameHeight: 480, geometry: FrameGeometry(orientation: .right))
        let box = PlaneRect(x: 0.25, y: 0.1, width: 0.5, height: 0.2)
        // Upright 480 x 640: x 120...360, y 64...192. Stored: x is the upright y, y is 480 less the upright x.
        let tight = try transform.region(covering: box, in: .picture(.topLeft), margin: 1)
        #expect(tight == PixelView.Region(x: 64, y: 120, width: 128, height: 240))
        let grown = try transform.region(covering: box, in: .picture(.topLeft))
        #expect(grown == PixelView.Region(x: 48, y: 90, width: 160, height: 300))
        let stored = try transform.region(covering: box, in: .unitFrame, margin: 1)
        #expect(stored == PixelView.Region(x: 160, y: 48, width: 320, height: 96))
        let upsideDown = try transform.region(covering: box, in: .picture(.bottomLeft), margin: 1)
        #expect(upsideDown == PixelView.Region(x: 448, y: 120, width: 128, height: 240))
    }

    @Test func faults() {
        let rect = PlaneRect(x: 1, y: 2, width: 3, height: 4)
        for margin in [0, 0.09, 10.1, -1, .infinity] {
            #expect(throws: ConfigurationError("PixelView.Region.margin", margin, allowed: 0.1...10)) {
                try PixelView.Region(covering: rect, margin: margin, frameWidth: 200, frameHeight: 100)
            }
        }
        #expect(throws: ConfigurationError("PixelView.Region.margin", Double.nan, allowed: 0.1...10)) {
            try PixelView.Region(covering: rect, margin: .nan, frameWidth: 200, frameHeight: 100)
        }
        #expect(throws: Self.notARectangle) {
            try PixelView.Region(
                covering: PlaneRect(x: 0, y: .nan, width: 1, height: 1), frameWidth: 200, frameHeight: 100)
        }
        #expect(throws: ConfigurationError("ViewTransform.frameWidth", 0, allowed: 1...16_384)) {
            try PixelView.Region(covering: rect, frameWidth: 0, frameHeight: 100)
        }
    }
}
