import BodyTracking
import Frames
import TestSupport
import Tracking

/// A dark picture with three spots that stand for a person: red is the nose, green the left wrist, blue the middle of the hips.
struct SpotScene {
    var width = 200
    var height = 300
    /// Pixels of the upright picture from its top left; spots reach four pixels to each side.
    var nose = (x: 110, y: 60)
    var wrist = (x: 160, y: 120)
    var hips = (x: 90, y: 170)

    var picture: OrientedPicture<SIMD3<UInt8>> {
        var picture = OrientedPicture(width, height) { _, _ in SIMD3<UInt8>(20, 20, 20) }
        picture.fillSquare(nose.x, nose.y, side: 9, SIMD3(255, 0, 0))
        picture.fillSquare(wrist.x, wrist.y, side: 9, SIMD3(0, 255, 0))
        picture.fillSquare(hips.x, hips.y, side: 9, SIMD3(0, 0, 255))
        return picture
    }
}

/// Networks that see the spots of a `SpotScene` in the pictures that they are shown: nothing else tells them where a body is.
@safe
struct SpotNetworks: BodyNetworks, ~Copyable {
    static let landmarkSide = 256
    private let detector: UnsafeMutablePointer<Float>
    private let pixels: UnsafeMutablePointer<Float>
    private var boxNumbers = [Float](repeating: 0, count: BoxAnchors.bodies.count * BoxAnchors.bodies.numbersPerBox)
    private var scoreNumbers = [Float](repeating: -10, count: BoxAnchors.bodies.count)
    private var points = [Float](repeating: 0, count: BodyLandmarks.count * BodyLandmarks.numbersPerPoint)
    private let maps = [Float](
        repeating: -10, count: BodyLandmarks.mapSide * BodyLandmarks.mapSide * BodyLandmarks.count)
    private let metres = [Float](repeating: 0, count: 3 * BodyLandmarks.count)
    private(set) var presence: Float = 0

    init() {
        let side = BoxAnchors.bodies.side
        unsafe detector = .allocate(capacity: 3 * side * side)
        unsafe detector.initialize(repeating: 0, count: 3 * side * side)
        unsafe pixels = .allocate(capacity: 3 * Self.landmarkSide * Self.landmarkSide)
        unsafe pixels.initialize(repeating: 0, count: 3 * Self.landmarkSide * Self.landmarkSide)
    }

    deinit {
        unsafe detector.deallocate()
        unsafe pixels.deallocate()
    }

    var detectionImage: ImageBuffer { unsafe ImageBuffer(detector, side: BoxAnchors.bodies.side) }
    var landmarkImage: ImageBuffer { unsafe ImageBuffer(pixels, side: Self.landmarkSide) }
    var boxes: Span<Float> { @_lifetime(borrow self) get { boxNumbers.span } }
    var scores: Span<Float> { @_lifetime(borrow self) get { scoreNumbers.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var heatmaps: Span<Float> { @_lifetime(borrow self) get { maps.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { metres.span } }
    var mask: Span<Float> { @_lifetime(borrow self) get { Span() } }

    mutating func detectBodies() {
        let side = BoxAnchors.bodies.side
        scoreNumbers[0] = -10
        let found = unsafe (spot(0, detector, side), spot(2, detector, side))
        guard let nose = found.0, let hips = found.1 else { return }
        let anchor = BoxAnchors.bodies.centers[0] * Float(side)
        let edge = hips + 1.5 * (nose - hips) - anchor
        boxNumbers[0] = nose.x - anchor.x
        boxNumbers[1] = nose.y - anchor.y
        (boxNumbers[2], boxNumbers[3]) = (20, 20)
        (boxNumbers[4], boxNumbers[5]) = (hips.x - anchor.x, hips.y - anchor.y)
        (boxNumbers[6], boxNumbers[7]) = (edge.x, edge.y)
        scoreNumbers[0] = 5
    }

    mutating func findLandmarks() {
        let side = Self.landmarkSide
        let found = unsafe (spot(0, pixels, side), spot(1, pixels, side), spot(2, pixels, side))
        guard let nose = found.0, let wrist = found.1, let hips = found.2 else {
            presence = 0
            return
        }
        presence = 0.9
        for index in 0..<BodyLandmarks.count {
            let place =
                switch index {
                case TrackedBody.Joint.nose.rawValue: nose
                case TrackedBody.Joint.leftWrist.rawValue: wrist
                case TrackedBody.Points.count + 1: hips + 1.5 * (nose - hips)
                default: hips
                }
            let first = index * BodyLandmarks.numbersPerPoint
            (points[first], points[first + 1], points[first + 2]) = (place.x, place.y, 0)
            (points[first + 3], points[first + 4]) = (5, 5)
        }
    }

    /// The middle of a colour, in a picture's pixels; nil where there is little of it.
    private func spot(_ channel: Int, _ pixels: UnsafeMutablePointer<Float>, _ side: Int) -> SIMD2<Float>? {
        var (mass, sum) = (Float(0), SIMD2<Float>.zero)
        for y in 0..<side {
            for x in 0..<side {
                let first = 3 * (y * side + x)
                let others = unsafe max(pixels[first + (channel + 1) % 3], pixels[first + (channel + 2) % 3])
                let excess = unsafe pixels[first + channel] - others
                guard excess > 0.05 else { continue }
                mass += excess
                sum += excess * SIMD2(Float(x), Float(y))
            }
        }
        return mass > 1 ? sum / mass : nil
    }
}
