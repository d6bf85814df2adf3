package import Frames
package import Tracking

/// A scene of upright coloured squares that stand for hands or people.
package struct SquareScene {
    package enum Color: CaseIterable {
        case red, green, blue, yellow

        var bytes: SIMD3<UInt8> {
            switch self {
            case .red: SIMD3(255, 0, 0)
            case .green: SIMD3(0, 255, 0)
            case .blue: SIMD3(0, 0, 255)
            case .yellow: SIMD3(255, 255, 0)
            }
        }

        /// By how much a pixel, 0...1, has more of the colour than of the others.
        package func excess(_ pixel: SIMD3<Float>) -> Float {
            switch self {
            case .red: pixel.x - max(pixel.y, pixel.z)
            case .green: pixel.y - max(pixel.x, pixel.z)
            case .blue: pixel.z - max(pixel.x, pixel.y)
            case .yellow: min(pixel.x, pixel.y) - pixel.z
            }
        }
    }

    /// Its middle and side in pixels.
    package struct Square {
        package var x, y, size: Double
        package var color: Color

        package init(x: Double, y: Double, size: Double = 40, color: Color = .red) {
            (self.x, self.y, self.size, self.color) = (x, y, size, color)
        }
    }

    package var width, height: Int
    /// Later ones cover earlier ones.
    package var squares: [Square]
    /// The middle of a gray square, which stands for nothing.
    package var distraction: (x: Int, y: Int)?

    package init(
        width: Int = 320, height: Int = 240, squares: [Square] = [], distraction: (x: Int, y: Int)? = nil
    ) {
        (self.width, self.height, self.squares, self.distraction) = (width, height, squares, distraction)
    }

    package var picture: OrientedPicture<SIMD3<UInt8>> {
        var picture = OrientedPicture(width, height) { _, _ in SIMD3<UInt8>(repeating: 60) }
        if let distraction { picture.fillSquare(distraction.x, distraction.y, side: 60, SIMD3(repeating: 130)) }
        for square in squares {
            picture.fillSquare(
                Int(square.x.rounded()), Int(square.y.rounded()), side: Int(square.size.rounded()), square.color.bytes)
        }
        return picture
    }

    /// Lends the picture.
    package func withFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        try picture.withView(.up, body)
    }
}

/// Owns the memory of the input images of a detector and of a landmark network, and finds squares in them.
@safe
package final class NetworkImages {
    package static let landmarkSide = 64
    private let detectionSide: Int
    private let detection, landmark: UnsafeMutablePointer<Float>

    package init(detector: BoxAnchors) {
        func image(_ side: Int) -> UnsafeMutablePointer<Float> {
            let pixels = UnsafeMutablePointer<Float>.allocate(capacity: 3 * side * side)
            unsafe pixels.initialize(repeating: 0, count: 3 * side * side)
            return unsafe pixels
        }
        detectionSide = detector.side
        unsafe (detection, landmark) = unsafe (image(detector.side), image(Self.landmarkSide))
    }

    deinit {
        unsafe detection.deallocate()
        unsafe landmark.deallocate()
    }

    package var detectionImage: ImageBuffer { unsafe ImageBuffer(detection, side: detectionSide) }
    package var landmarkImage: ImageBuffer { unsafe ImageBuffer(landmark, side: Self.landmarkSide) }

    /// Red, green and blue of a pixel, 0...1.
    package func color(_ x: Int, _ y: Int, inDetection isDetection: Bool) -> SIMD3<Float> {
        let first = 3 * (y * (isDetection ? detectionSide : Self.landmarkSide) + x)
        let pixels = unsafe isDetection ? detection : landmark
        return unsafe SIMD3(pixels[first], pixels[first + 1], pixels[first + 2])
    }

    /// Middle and side of a colour's square, in pixels of the image, of which a whole number is where the sample was taken; nil
    /// where there is little of it.
    package func square(
        of color: SquareScene.Color, inDetection isDetection: Bool, within range: Range<Int>? = nil
    ) -> (middle: SIMD2<Double>, side: Double)? {
        let range = range ?? 0..<(isDetection ? detectionSide : Self.landmarkSide)
        var (mass, sum) = (0.0, SIMD2<Double>.zero)
        for y in range {
            for x in range {
                let excess = Double(color.excess(self.color(x, y, inDetection: isDetection)))
                guard excess > 0.05 else { continue }
                mass += excess
                sum += excess * SIMD2(Double(x), Double(y))
            }
        }
        return mass > 4 ? (sum / mass, mass.squareRoot()) : nil
    }
}
