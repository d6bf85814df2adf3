import BodyTracking
import Frames
import TestSupport
import Tracking

/// A scene of coloured squares that stand for people, and networks that see them in the pictures they are shown: nothing else
/// tells them where somebody is.
struct PeopleScene {
    /// What tells people apart.
    enum Color: CaseIterable {
        case red, green, blue, yellow

        var bytes: SIMD3<UInt8> {
            switch self {
            case .red: SIMD3(255, 0, 0)
            case .green: SIMD3(0, 255, 0)
            case .blue: SIMD3(0, 0, 255)
            case .yellow: SIMD3(255, 255, 0)
            }
        }

        /// How much of it a pixel has, at most the larger of its numbers.
        func excess(_ red: Float, _ green: Float, _ blue: Float) -> Float {
            switch self {
            case .red: red - max(green, blue)
            case .green: green - max(red, blue)
            case .blue: blue - max(red, green)
            case .yellow: min(red, green) - blue
            }
        }
    }

    /// A square, upright, by its middle and side in pixels.
    struct Person {
        var x: Double
        var y: Double
        var size = 40.0
        var color = Color.red
    }

    var width = 320
    var height = 240
    /// Later ones cover earlier ones.
    var people: [Person] = []
    /// A gray square that is nobody.
    var distraction: (x: Int, y: Int)?

    var picture: OrientedPicture<SIMD3<UInt8>> {
        var picture = OrientedPicture(width, height) { _, _ in SIMD3<UInt8>(repeating: 60) }
        if let distraction { picture.fillSquare(distraction.x, distraction.y, side: 60, SIMD3(repeating: 130)) }
        for person in people {
            picture.fillSquare(
                Int(person.x.rounded()), Int(person.y.rounded()), side: Int(person.size.rounded()), person.color.bytes)
        }
        return picture
    }

    /// Lends the picture.
    func withFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        try picture.withView(.up, body)
    }
}

/// Owns the memory of the two pictures.
@safe
final class BodyPictures {
    static let landmarkSide = 64
    private let detection: UnsafeMutablePointer<Float>
    private let landmark: UnsafeMutablePointer<Float>

    init() {
        let detectionCount = 3 * BoxAnchors.bodies.side * BoxAnchors.bodies.side
        unsafe detection = .allocate(capacity: detectionCount)
        unsafe detection.initialize(repeating: 0, count: detectionCount)
        let landmarkCount = 3 * Self.landmarkSide * Self.landmarkSide
        unsafe landmark = .allocate(capacity: landmarkCount)
        unsafe landmark.initialize(repeating: 0, count: landmarkCount)
    }

    deinit {
        unsafe detection.deallocate()
        unsafe landmark.deallocate()
    }

    var detectionImage: ImageBuffer { unsafe ImageBuffer(detection, side: BoxAnchors.bodies.side) }
    var landmarkImage: ImageBuffer { unsafe ImageBuffer(landmark, side: Self.landmarkSide) }

    static func side(_ isDetection: Bool) -> Int { isDetection ? BoxAnchors.bodies.side : landmarkSide }

    /// Red, green and blue of a pixel, 0...1.
    func color(_ x: Int, _ y: Int, inDetection isDetection: Bool) -> SIMD3<Float> {
        let first = 3 * (y * Self.side(isDetection) + x)
        let pixels = unsafe isDetection ? detection : landmark
        return unsafe SIMD3(pixels[first], pixels[first + 1], pixels[first + 2])
    }

    /// Middle and side of a colour's square, in the picture's pixels; nil where there is little of it.
    func square(
        of color: PeopleScene.Color, inDetection isDetection: Bool, within range: Range<Int>? = nil
    ) -> (middle: SIMD2<Double>, side: Double)? {
        var (mass, sum) = (0.0, SIMD2<Double>.zero)
        for y in range ?? 0..<Self.side(isDetection) {
            for x in range ?? 0..<Self.side(isDetection) {
                let pixel = self.color(x, y, inDetection: isDetection)
                let excess = Double(color.excess(pixel.x, pixel.y, pixel.z))
                guard excess > 0.05 else { continue }
                mass += excess
                sum += excess * SIMD2(Double(x), Double(y))
            }
        }
        return mass > 4 ? (sum / mass, mass.squareRoot()) : nil
    }
}

/// Where the points of a body are about its middle, in sides of its square: from one corner to the other.
let bodyTemplate: [SIMD2<Double>] = (0..<TrackedBody.Points.count).map {
    SIMD2(Double($0 * 7 % 33) / 32 - 0.5, Double($0) / 32 - 0.5)
}

/// The circle around a body, in sides of its square: its region is twice the square.
let bodyRadius = 0.8

/// Sees people in the pictures.
struct PeopleNetworks: BodyNetworks {
    let pictures = BodyPictures()
    private(set) var detections = 0
    private(set) var landmarkRuns = 0
    private var boxNumbers = [Float](repeating: 0, count: 2_254 * 12)
    private var scoreNumbers = [Float](repeating: -10, count: 2_254)
    private var points = [Float](repeating: 0, count: 39 * 5)
    private let maps = [Float](repeating: -10, count: 64 * 64 * 39)
    private var metres = [Float](repeating: 0, count: 39 * 3)
    private let maskSide: Int
    private var maskNumbers: [Float] = []
    private(set) var presence: Float = 0

    /// - Parameters:
    ///   - segmentation: whether there is a mask.
    ///   - maskSide: its width and height.
    init(segmentation: Bool = false, maskSide: Int = 256) {
        self.maskSide = maskSide
        if segmentation { maskNumbers = [Float](repeating: -8, count: maskSide * maskSide) }
    }

    var detectionImage: ImageBuffer { pictures.detectionImage }
    var landmarkImage: ImageBuffer { pictures.landmarkImage }
    var boxes: Span<Float> { @_lifetime(borrow self) get { boxNumbers.span } }
    var scores: Span<Float> { @_lifetime(borrow self) get { scoreNumbers.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var heatmaps: Span<Float> { @_lifetime(borrow self) get { maps.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { metres.span } }
    var mask: Span<Float> { @_lifetime(borrow self) get { maskNumbers.span } }

    mutating func detectBodies() {
        detections += 1
        for (place, color) in PeopleScene.Color.allCases.enumerated() {
            let index = 700 * place
            scoreNumbers[index] = -10
            guard let square = pictures.square(of: color, inDetection: true) else { continue }
            let offset = SIMD2<Float>(square.middle) - BoxAnchors.bodies.centers[index] * 224
            let side = Float(square.side)
            let numbers = [
                offset.x, offset.y - 0.4 * side, 0.2 * side, 0.2 * side, offset.x, offset.y, offset.x,
                offset.y - Float(bodyRadius) * side,
            ]
            for (number, value) in numbers.enumerated() { boxNumbers[12 * index + number] = value }
            // The last colour is the surest.
            scoreNumbers[index] = 2 + Float(place)
        }
    }

    mutating func findLandmarks() {
        landmarkRuns += 1
        let side = BodyPictures.landmarkSide
        let middle = side / 4..<3 * side / 4
        func mass(_ color: PeopleScene.Color) -> Double {
            pictures.square(of: color, inDetection: false, within: middle)?.side ?? 0
        }
        // The colour that fills most of the middle.
        let color = PeopleScene.Color.allCases.max { mass($0) < mass($1) } ?? .red
        guard mass(color) > 0, let square = pictures.square(of: color, inDetection: false) else {
            presence = 0.1
            return
        }
        presence = 0.95
        let places = bodyTemplate + [SIMD2(0, 0), SIMD2(0, -bodyRadius)]
        for (index, place) in places.enumerated() {
            let point = square.middle + square.side * place
            (points[5 * index], points[5 * index + 1]) = (Float(point.x), Float(point.y))
            (points[5 * index + 3], points[5 * index + 4]) = (3, 4)
            (metres[3 * index], metres[3 * index + 1]) = (Float(place.x), Float(place.y))
        }
        for index in maskNumbers.indices {
            let pixel = pictures.color(
                index % maskSide * side / maskSide, index / maskSide * side / maskSide, inDetection: false)
            maskNumbers[index] = color.excess(pixel.x, pixel.y, pixel.z) > 0.4 ? 8 : -8
        }
    }
}

/// Outputs what a test has written, whatever the input shows.
struct FixedBodyNetworks: BodyNetworks {
    let pictures = BodyPictures()
    var boxNumbers = [Float](repeating: 0, count: 2_254 * 12)
    var scoreNumbers = [Float](repeating: -10, count: 2_254)
    var points = [Float](repeating: 0, count: 39 * 5)
    var maps = [Float](repeating: -10, count: 64 * 64 * 39)
    var metres = [Float](repeating: 0, count: 39 * 3)
    var maskNumbers: [Float] = []
    var presence: Float = 1

    var detectionImage: ImageBuffer { pictures.detectionImage }
    var landmarkImage: ImageBuffer { pictures.landmarkImage }
    var boxes: Span<Float> { @_lifetime(borrow self) get { boxNumbers.span } }
    var scores: Span<Float> { @_lifetime(borrow self) get { scoreNumbers.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var heatmaps: Span<Float> { @_lifetime(borrow self) get { maps.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { metres.span } }
    var mask: Span<Float> { @_lifetime(borrow self) get { maskNumbers.span } }

    /// By how much points lie further to the right, in pixels of the region, in each run of the landmark network; none after these.
    var shifts: [Float] = []
    private var shift: Float = 0

    mutating func detectBodies() {}

    mutating func findLandmarks() {
        let next = shifts.isEmpty ? 0 : shifts.removeFirst()
        for index in 0..<39 { points[5 * index] += next - shift }
        shift = next
    }

    /// The anchor in the middle of the picture.
    static let settledAnchor = 1_960 + 6 * (3 * 7 + 3)

    /// Networks that see an upright person in the middle of the frame, and in every region one who fills it.
    static func settled() -> FixedBodyNetworks {
        var networks = FixedBodyNetworks()
        networks.scoreNumbers[settledAnchor] = 4
        let first = 12 * settledAnchor
        (networks.boxNumbers[first + 2], networks.boxNumbers[first + 3]) = (30, 30)
        networks.boxNumbers[first + 7] = -40
        let places = bodyTemplate.map { 0.8 * $0 } + [SIMD2(0, 0), SIMD2(0, -0.4)]
        for (index, place) in places.enumerated() {
            networks.points[5 * index] = Float(64 * (0.5 + place.x))
            networks.points[5 * index + 1] = Float(64 * (0.5 + place.y))
            (networks.points[5 * index + 3], networks.points[5 * index + 4]) = (3, 4)
        }
        return networks
    }
}
