import Foundation
import HandTracking
import Tracking

/// A hand of few numbers, as a column has it.
struct ShapedHand {
    /// How far it is turned about its length, in radians: 0 shows one side and pi the other.
    var turn: Double = 0
    /// The palm's middle, in widths of the frame.
    var middle: Double = 0.5
    /// What the network takes for the likelihood of a right hand in a mirrored frame.
    var right: Float = 0.9
    /// From the thumb's tip to that of the index finger, in heights of the frame.
    var gap: Double = 0.3
    /// Whether middle, ring and little finger are straight; else their tips lie at their knuckles.
    var isOpen = true

    /// The points, normalised to a square frame: a palm 0.2 wide and as long, with fingers of 0.2.
    var points: TrackedHand.Points {
        var points = TrackedHand.Points()
        func place(_ joint: Int, _ x: Double, _ y: Double) {
            points[joint] = SIMD3(
                Float(middle - x * cos(turn)), Float(0.7 - y), Float(-x * sin(turn)))
        }
        place(0, 0, 0)
        for finger in 0..<4 {
            let (knuckle, x) = (5 + 4 * finger, -0.1 + 0.066 * Double(finger))
            place(knuckle, x, 0.2)
            for bone in 1...3 {
                let isStraight = finger == 0 || isOpen
                let length = isStraight ? 0.066 * Double(bone) : [0.066, 0.03, -0.03][bone - 1]
                place(knuckle + bone, x, 0.2 + length)
            }
        }
        for joint in 1...4 { place(joint, -0.05 * Double(joint), 0.05 * Double(joint)) }
        let tip = points[8]
        points[4] = SIMD3(tip.x + Float(gap * cos(turn)), tip.y, tip.z)
        return points
    }

    var column: [UInt8] {
        var column = [UInt8](repeating: 0, count: LandmarkFeatures.count)
        var output = column.mutableSpan
        LandmarkFeatures.write(points, labelledRight: right, aspect: 1, pose: nil, to: &output)
        return column
    }

    /// Frames of each hand, or without one, one after the other.
    static func frames(_ parts: (ShapedHand?, Int)...) -> [ShapedHand?] {
        parts.flatMap { [ShapedHand?](repeating: $0.0, count: $0.1) }
    }

    var shape: HandShape? { HandShape(column.span) }
}
