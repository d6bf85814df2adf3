import BodyTracking
import Frames
import HandTracking
import Tracking

/// A frame whose pixels say where they are, so that a network that is shown a part of it can tell which part: red grows to the
/// right and green downwards. Objects are not drawn; the networks are told where they are.
enum MapScene {
    /// Side of the frame in pixels.
    static let side = 64

    private static let pixels: [UInt8] = (0..<side * side).flatMap { index -> [UInt8] in
        [UInt8(4 * (index % side) + 2), UInt8(4 * (index / side) + 2), 255, 255]
    }

    static func withFrame(_ body: (borrowing PixelView) -> Void) throws {
        try body(PixelView(pixels.span, format: .rgba, width: side, height: side, bytesPerRow: 4 * side))
    }

    /// Places that are far from each other, in pixels of the frame.
    static let spots: [SIMD2<Double>] = [SIMD2(16, 16), SIMD2(48, 16), SIMD2(16, 48), SIMD2(48, 48)]

    struct Object {
        /// In pixels of the frame.
        var place: SIMD2<Double>
        var size: Double
    }

    /// Owns the memory of an input image, and reads it.
    @safe
    final class Image {
        private let pixels: UnsafeMutablePointer<Float>
        let side: Int

        init(side: Int) {
            self.side = side
            unsafe pixels = .allocate(capacity: 3 * side * side)
            unsafe pixels.initialize(repeating: 0, count: 3 * side * side)
        }

        deinit { unsafe pixels.deallocate() }

        var buffer: ImageBuffer { unsafe ImageBuffer(pixels, side: side) }

        /// The position in the frame, in pixels, that a pixel of the image shows.
        private func shown(_ x: Int, _ y: Int) -> SIMD2<Double> {
            let first = 3 * (y * side + x)
            let (red, green) = unsafe (pixels[first], pixels[first + 1])
            return (SIMD2(Double(red), Double(green)) * 255 - 2) / 4 + 0.5
        }

        /// The part of the frame that the middle half of the image shows: its middle, and what one pixel covers. Upright.
        var part: (middle: SIMD2<Double>, scale: Double) {
            let (low, high) = (side / 4, 3 * side / 4)
            let (first, last) = (shown(low, low), shown(high, high))
            let scale = (last.x - first.x) / Double(high - low)
            return ((first + last) / 2 - scale * 0.5, scale)
        }

        /// A position of the frame in pixels of the image.
        func place(_ point: SIMD2<Double>) -> SIMD2<Float> {
            let part = part
            return SIMD2<Float>((point - part.middle) / part.scale + Double(side) / 2)
        }

        /// The object in the middle of the image, if there is one.
        func object(of objects: [Object]) -> Object? {
            let middle = part.middle
            func distance(_ object: Object) -> Double {
                let way = object.place - middle
                return (way * way).sum().squareRoot()
            }
            return objects.filter { distance($0) < $0.size }.min { distance($0) < distance($1) }
        }
    }
}

/// Sees people where the test says that they are.
struct MapBodyNetworks: BodyNetworks {
    var people: [MapScene.Object] = []
    private let detection = MapScene.Image(side: BoxAnchors.bodies.side)
    private let landmark = MapScene.Image(side: 16)
    private var boxNumbers = [Float](repeating: 0, count: 2_254 * 12)
    private var scoreNumbers = [Float](repeating: -10, count: 2_254)
    private var points = [Float](repeating: 0, count: 39 * 5)
    private static let noMaps = [Float](repeating: -10, count: 64 * 64 * 39)
    private let maps = Self.noMaps
    private let metres = [Float](repeating: 0, count: 39 * 3)
    private(set) var presence: Float = 0

    /// The circle around a body, in sizes.
    private static let radius = 0.8

    var detectionImage: ImageBuffer { detection.buffer }
    var landmarkImage: ImageBuffer { landmark.buffer }
    var boxes: Span<Float> { @_lifetime(borrow self) get { boxNumbers.span } }
    var scores: Span<Float> { @_lifetime(borrow self) get { scoreNumbers.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var heatmaps: Span<Float> { @_lifetime(borrow self) get { maps.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { metres.span } }
    private let noMask: [Float] = []
    var mask: Span<Float> { @_lifetime(borrow self) get { noMask.span } }

    mutating func detectBodies() {
        let scale = Double(BoxAnchors.bodies.side) / Double(MapScene.side)
        for place in MapScene.spots.indices {
            let index = 500 * place
            scoreNumbers[index] = -10
            guard place < people.count else { continue }
            let offset = SIMD2<Float>(scale * people[place].place) - BoxAnchors.bodies.centers[index] * 224
            let size = Float(scale * people[place].size)
            let numbers = [
                offset.x, offset.y - 0.4 * size, 0.2 * size, 0.2 * size, offset.x, offset.y, offset.x,
                offset.y - Float(Self.radius) * size,
            ]
            for (number, value) in numbers.enumerated() { boxNumbers[12 * index + number] = value }
            scoreNumbers[index] = 3
        }
    }

    mutating func findLandmarks() {
        guard let person = landmark.object(of: people) else {
            presence = 0.1
            return
        }
        presence = 0.95
        for index in 0..<39 {
            var offset = SIMD2(Double(index * 7 % 33) / 32 - 0.5, Double(index) / 32 - 0.5)
            if index == 33 { offset = .zero }
            if index == 34 { offset = SIMD2(0, -Self.radius) }
            let point = landmark.place(person.place + person.size * offset)
            (points[5 * index], points[5 * index + 1]) = (point.x, point.y)
            (points[5 * index + 3], points[5 * index + 4]) = (3, 4)
        }
    }
}
