import Frames
import HandTracking
import KernelInterface
import TestSupport
import Tracking

func handTracker(
    _ maximumHands: Int = 1, _ orientation: ImageOrientation = .up, stillInterval: Duration? = .milliseconds(500),
    _ change: (inout HandTrackingConfiguration) -> Void = { _ in }
) throws -> HandTracker {
    var configuration = HandTrackingConfiguration(stillDetectionInterval: stillInterval)
    change(&configuration)
    return try HandTracker(
        configuration: configuration, maximumHands: maximumHands, orientation: orientation,
        kernels: portableCropKernels)
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

/// Finds hands, red or blue squares, in the input images: nothing else has their positions. Or outputs what a test has written,
/// whatever the images show.
struct SceneNetworks: HandNetworks {
    let images = NetworkImages(detector: .palms)
    private(set) var detections = 0
    private(set) var landmarkRuns = 0
    var boxes = [Float](repeating: 0, count: 2_016 * 18)
    var scores = [Float](repeating: -10, count: 2_016)
    var points = [Float](repeating: 0, count: 63)
    var worldPoints = [Float](repeating: 0, count: 63)
    var presence: Float = 0
    var rightHandedness: Float = 0
    private var isFixed = false
    /// The points of which poses were computed, the latest hand's last.
    private(set) var posed: [TrackedHand.Points] = []

    var palmImage: ImageBuffer { images.detectionImage }
    var landmarkImage: ImageBuffer { images.landmarkImage }
    var palmBoxes: Span<Float> { @_lifetime(borrow self) get { boxes.span } }
    var palmScores: Span<Float> { @_lifetime(borrow self) get { scores.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { worldPoints.span } }

    mutating func detectPalms() {
        detections += 1
        guard !isFixed else { return }
        scores = Array(repeating: -10, count: 2_016)
        for color in [SquareScene.Color.red, .blue] {
            guard let square = images.square(of: color, inDetection: true) else { continue }
            // A palm whose region is that of the landmarks. Red has the higher score.
            let index = color == .red ? 0 : 2_000
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
            scores[index] = color == .red ? 5 : 4
        }
    }

    mutating func findLandmarks() {
        landmarkRuns += 1
        guard !isFixed else { return }
        let side = NetworkImages.landmarkSide
        // The colour in the middle, or what is there of either.
        func extent(of color: SquareScene.Color) -> Double {
            images.square(of: color, inDetection: false, within: side / 4..<3 * side / 4)?.side ?? 0
        }
        let isRed = extent(of: .red) >= extent(of: .blue)
        guard let square = images.square(of: isRed ? .red : .blue, inDetection: false) else {
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

    /// A red hand is open, another one closed.
    mutating func pose(of points: TrackedHand.Points) -> TrackedHand.Pose? {
        guard !isFixed else { return nil }
        posed.append(points)
        var pose = TrackedHand.Pose(scores: SIMD8())
        pose.scores[rightHandedness > 0.5 ? 2 : 1] = 1
        return pose
    }

    /// An anchor near the middle of the image.
    static let settledAnchor = 1_700

    /// Fixed outputs: an upright hand in the middle of the frame, and in every region one that fills it like the one before.
    static func settled() -> SceneNetworks {
        var networks = SceneNetworks()
        (networks.isFixed, networks.presence, networks.rightHandedness) = (true, 1, 1)
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
}
