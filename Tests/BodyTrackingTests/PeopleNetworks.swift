import BodyTracking
import Frames
import TestSupport
import Tracking

/// Where the points of a body are about its middle, in sides of its square: from one corner to the other.
let bodyTemplate: [SIMD2<Double>] = (0..<TrackedBody.Points.count).map {
    SIMD2(Double($0 * 7 % 33) / 32 - 0.5, Double($0) / 32 - 0.5)
}

/// The circle around a body, in sides of its square: its region is twice the square.
let bodyRadius = 0.8

/// Finds people, squares of four colours, in the input images: nothing else has their positions. Or outputs what a test has
/// written, whatever the images show.
struct PeopleNetworks: BodyNetworks {
    let images = NetworkImages(detector: .bodies)
    private(set) var detections = 0
    private(set) var landmarkRuns = 0
    var boxNumbers = [Float](repeating: 0, count: 2_254 * 12)
    var scoreNumbers = [Float](repeating: -10, count: 2_254)
    var points = [Float](repeating: 0, count: 39 * 5)
    var maps = [Float](repeating: -10, count: 64 * 64 * 39)
    var metres = [Float](repeating: 0, count: 39 * 3)
    private let maskSide: Int
    var maskNumbers: [Float] = []
    var presence: Float = 0
    private var isFixed = false
    /// By how much fixed points lie further to the right, in pixels of the region, in each run of the landmark network; none
    /// after these.
    var shifts: [Float] = []
    private var shift: Float = 0

    /// - Parameters:
    ///   - segmentation: whether there is a mask.
    ///   - maskSide: its width and height.
    init(segmentation: Bool = false, maskSide: Int = 256) {
        self.maskSide = maskSide
        if segmentation { maskNumbers = [Float](repeating: -8, count: maskSide * maskSide) }
    }

    var detectionImage: ImageBuffer { images.detectionImage }
    var landmarkImage: ImageBuffer { images.landmarkImage }
    var boxes: Span<Float> { @_lifetime(borrow self) get { boxNumbers.span } }
    var scores: Span<Float> { @_lifetime(borrow self) get { scoreNumbers.span } }
    var landmarks: Span<Float> { @_lifetime(borrow self) get { points.span } }
    var heatmaps: Span<Float> { @_lifetime(borrow self) get { maps.span } }
    var worldLandmarks: Span<Float> { @_lifetime(borrow self) get { metres.span } }
    var mask: Span<Float> { @_lifetime(borrow self) get { maskNumbers.span } }

    mutating func detectBodies() {
        detections += 1
        for (place, color) in SquareScene.Color.allCases.enumerated() where !isFixed {
            let index = 700 * place
            scoreNumbers[index] = -10
            guard let square = images.square(of: color, inDetection: true) else { continue }
            let offset = SIMD2<Float>(square.middle) - BoxAnchors.bodies.centers[index] * 224
            let side = Float(square.side)
            let numbers = [
                offset.x, offset.y - 0.4 * side, 0.2 * side, 0.2 * side, offset.x, offset.y, offset.x,
                offset.y - Float(bodyRadius) * side,
            ]
            for (number, value) in numbers.enumerated() { boxNumbers[12 * index + number] = value }
            // The last colour has the highest score.
            scoreNumbers[index] = 2 + Float(place)
        }
    }

    mutating func findLandmarks() {
        landmarkRuns += 1
        guard !isFixed else {
            let next = shifts.isEmpty ? 0 : shifts.removeFirst()
            for index in 0..<39 { points[5 * index] += next - shift }
            shift = next
            return
        }
        let side = NetworkImages.landmarkSide
        func extent(of color: SquareScene.Color) -> Double {
            images.square(of: color, inDetection: false, within: side / 4..<3 * side / 4)?.side ?? 0
        }
        // The colour that fills most of the middle.
        let color = SquareScene.Color.allCases.max { extent(of: $0) < extent(of: $1) } ?? .red
        guard extent(of: color) > 0, let square = images.square(of: color, inDetection: false) else {
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
            let pixel = images.color(
                index % maskSide * side / maskSide, index / maskSide * side / maskSide, inDetection: false)
            maskNumbers[index] = color.excess(pixel) > 0.4 ? 8 : -8
        }
    }

    /// The anchor in the middle of the image.
    static let settledAnchor = 1_960 + 6 * (3 * 7 + 3)

    /// Fixed outputs: an upright person in the middle of the frame, and in every region one who fills it.
    static func settled() -> PeopleNetworks {
        var networks = PeopleNetworks()
        (networks.isFixed, networks.presence) = (true, 1)
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
