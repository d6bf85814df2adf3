import Frames
import HandTracking
import TestSupport
import Tracking

/// A scene of coloured squares that stand for hands, and networks that see them in their input images: nothing else tells
/// them where a hand is.
struct Scene {
    /// A hand: a red or a blue square, upright.
    struct Hand {
        var x: Double
        var y: Double
        var size = 40.0
        var isRed = true
    }

    var width = 320
    var height = 240
    var hands: [Hand] = []
    /// A gray square that is no hand.
    var distraction: (x: Int, y: Int)?

    var picture: OrientedPicture<SIMD3<UInt8>> {
        var picture = OrientedPicture(width, height) { _, _ in SIMD3<UInt8>(repeating: 60) }
        if let distraction { picture.fillSquare(distraction.x, distraction.y, side: 60, SIMD3(repeating: 130)) }
        for hand in hands {
            picture.fillSquare(
                Int(hand.x.rounded()), Int(hand.y.rounded()), side: Int(hand.size.rounded()),
                hand.isRed ? SIMD3(255, 0, 0) : SIMD3(0, 0, 255))
        }
        return picture
    }

    /// Lends the picture.
    func withFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        try picture.withView(.up, body)
    }
}

/// Owns the memory of two networks whose outputs a test writes.
@safe
final class NetworkMemory {
    let palm: UnsafeMutablePointer<Float>
    let landmark: UnsafeMutablePointer<Float>
    static let landmarkSide = 64

    init() {
        unsafe palm = .allocate(capacity: 3 * 192 * 192)
        unsafe palm.initialize(repeating: 0, count: 3 * 192 * 192)
        let count = 3 * Self.landmarkSide * Self.landmarkSide
        unsafe landmark = .allocate(capacity: count)
        unsafe landmark.initialize(repeating: 0, count: count)
    }

    deinit {
        unsafe palm.deallocate()
        unsafe landmark.deallocate()
    }

    var palmImage: ImageBuffer { unsafe ImageBuffer(palm, side: BoxAnchors.palms.side) }
    var landmarkImage: ImageBuffer { unsafe ImageBuffer(landmark, side: Self.landmarkSide) }

    /// How red a pixel of a picture is.
    func red(_ x: Int, _ y: Int, inPalmPicture isPalm: Bool) -> Float {
        let side = isPalm ? BoxAnchors.palms.side : Self.landmarkSide
        return unsafe (isPalm ? palm : landmark)[3 * (y * side + x)]
    }

    /// Mass, middle and side of a colour in a picture, in its pixels; nil where there is little of it.
    func square(
        ofRed isRed: Bool, inPalmPicture isPalm: Bool, within range: Range<Int>? = nil
    ) -> (middle: SIMD2<Double>, side: Double)? {
        let side = isPalm ? BoxAnchors.palms.side : Self.landmarkSide
        let pixels = unsafe isPalm ? palm : landmark
        var (mass, sum) = (0.0, SIMD2<Double>.zero)
        for y in range ?? 0..<side {
            for x in range ?? 0..<side {
                let first = 3 * (y * side + x)
                let (red, blue) = unsafe (pixels[first], pixels[first + 2])
                let excess = Double(isRed ? red - blue : blue - red)
                guard excess > 0.05 else { continue }
                mass += excess
                sum += excess * SIMD2(Double(x), Double(y))
            }
        }
        guard mass > 4 else { return nil }
        // A whole number is where the sample was taken.
        return (sum / mass, mass.squareRoot())
    }
}

/// Where the points of an upright hand are about its middle, in sides of its square. The way from the wrist to the knuckles, as
/// a region counts it, is straight up.
let handTemplate: [SIMD2<Double>] = {
    var points = [SIMD2(0, 0.5), SIMD2(-0.2, 0.4), SIMD2(-0.35, 0.25), SIMD2(-0.45, 0.1), SIMD2(-0.5, 0)]
    for finger in 0..<4 {
        let x = -0.15 + 0.15 * Double(finger)
        points += [SIMD2(x, 0), SIMD2(x, -0.2), SIMD2(x, -0.35), SIMD2(x, -0.5)]
    }
    return points
}()

/// Sees hands in the pictures.
struct SceneNetworks: HandNetworks {
    let memory = NetworkMemory()
    private(set) var detections = 0
    private(set) var landmarkRuns = 0
    private var boxes = [Float](repeating: 0, count: 2_016 * 18)
    private var scores = [Float](repeating: -10, count: 2_016)
    private var points = [Float](repeating: 0, count: 63)
    private var worldPoints = [Float](repeating: 0, count: 63)
    private(set) var presence: Float = 0
    private(set) var rightHandedness: Float = 0
    /// What poses were asked of, the latest hand's last.
    private(set) var posed: [TrackedHand.Points] = []

    var palmImage: ImageBuffer { memory.palmImage }
    var landmarkImage: ImageBuffer { memory.landmarkImage }
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { boxes.span } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { scores.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { worldPoints.span } }

    mutating func detectPalms() {
        detections += 1
        scores = Array(repeating: -10, count: 2_016)
        for isRed in [true, false] {
            guard let square = memory.square(ofRed: isRed, inPalmPicture: true) else { continue }
            // A palm whose region is that of the landmarks. Red is surer.
            let index = isRed ? 0 : 2_000
            let anchor = BoxAnchors.palms.centers[index] * 192
            let offset = SIMD2<Float>(Float(square.middle.x), Float(square.middle.y)) - anchor
            let side = Float(square.side)
            boxes[18 * index] = offset.x
            boxes[18 * index + 1] = offset.y + 0.35 * side
            (boxes[18 * index + 2], boxes[18 * index + 3]) = (0.54 * side, 0.54 * side)
            for keyPoint in 0..<7 {
                boxes[18 * index + 4 + 2 * keyPoint] = offset.x
                boxes[18 * index + 5 + 2 * keyPoint] = offset.y + (keyPoint == 0 ? side / 2 : 0)
            }
            scores[index] = isRed ? 5 : 4
        }
    }

    mutating func findLandmarks() {
        landmarkRuns += 1
        let side = NetworkMemory.landmarkSide
        // The colour in the middle, or what is there of either.
        let middle = side / 4..<3 * side / 4
        let isRed =
            memory.square(ofRed: true, inPalmPicture: false, within: middle)?.side ?? 0
            >= memory.square(ofRed: false, inPalmPicture: false, within: middle)?.side ?? 0
        guard let square = memory.square(ofRed: isRed, inPalmPicture: false) else {
            presence = 0.1
            return
        }
        presence = 0.95
        rightHandedness = isRed ? 0.9 : 0.2
        for index in 0..<21 {
            let point = square.middle + square.side * handTemplate[index]
            (points[3 * index], points[3 * index + 1]) = (Float(point.x), Float(point.y))
            points[3 * index + 2] = Float(index)
            worldPoints[3 * index] = Float(handTemplate[index].x / 10)
            worldPoints[3 * index + 1] = Float(handTemplate[index].y / 10)
        }
    }
}

extension SceneNetworks {
    /// A red hand is open, another one closed.
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? {
        posed.append(points)
        var pose = TrackedHand.Pose(scores: SIMD8())
        pose.scores[rightHandedness > 0.5 ? 2 : 1] = 1
        return pose
    }
}

/// Outputs what a test has written, whatever the input shows.
struct FixedNetworks: HandNetworks {
    let memory = NetworkMemory()
    var boxes = [Float](repeating: 0, count: 2_016 * 18)
    var scores = [Float](repeating: -10, count: 2_016)
    var points = [Float](repeating: 0, count: 63)
    var worldPoints = [Float](repeating: 0, count: 63)
    var presence: Float = 1
    var rightHandedness: Float = 1

    var palmImage: ImageBuffer { memory.palmImage }
    var landmarkImage: ImageBuffer { memory.landmarkImage }
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { boxes.span } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { scores.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { worldPoints.span } }

    mutating func detectPalms() {}
    mutating func findLandmarks() {}
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? { nil }

    /// Networks that see an upright hand in the middle of the frame, and in every region one that fills it like the one before.
    static func settled() -> FixedNetworks {
        var networks = FixedNetworks()
        // An anchor near the middle of the picture.
        networks.scores[settledAnchor] = 4
        let first = 18 * settledAnchor
        (networks.boxes[first + 2], networks.boxes[first + 3]) = (30, 30)
        networks.boxes[first + 5] = 15
        for index in 0..<21 {
            // The points that count are three quarters of the square wide, their region has twice that.
            let point = 32 + 64 / 1.5 * (handTemplate[index] - SIMD2(-0.075, 0.08))
            (networks.points[3 * index], networks.points[3 * index + 1]) = (Float(point.x), Float(point.y))
        }
        return networks
    }

    static let settledAnchor = 1_700
}
