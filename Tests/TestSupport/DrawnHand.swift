package import HandTracking
import Tracking

/// A hand of ten centimetres from wrist to middle knuckle, in metres and in the frame, whose fingers are placed by numbers.
package struct DrawnHand {
    /// Where the palm's middle is, in shares of the frame.
    package var place = SIMD2<Float>(0.5, 0.5)
    /// From the tip of the thumb to that of the index finger, in lengths of the palm.
    package var gap: Float = 0.8
    /// Extension of the index finger and of the others; see `HandMeasures`.
    package var index: Float = 1.8
    package var others: Float = 1.8
    package var identity = 0
    package var presence: Float = 0.9

    package init(gap: Float = 0.8, index: Float = 1.8, others: Float = 1.8) {
        (self.gap, self.index, self.others) = (gap, index, others)
    }

    package static let pinch = DrawnHand(gap: 0.1, index: 1.3)
    package static let fist = DrawnHand(gap: 0.5, index: 0.8, others: 0.75)

    package func at(_ x: Float, _ y: Float) -> DrawnHand {
        var hand = self
        hand.place = SIMD2(x, y)
        return hand
    }

    package func named(_ identity: Int) -> DrawnHand {
        var hand = self
        hand.identity = identity
        return hand
    }

    package var tracked: TrackedHand {
        var world = TrackedHand.Points()
        let palm: Float = 0.1
        for (finger, x) in zip([TrackedHand.Finger.index, .middle, .ring, .little], [Float(0), 0, 0, 0]) {
            let knuckle = SIMD3(x, -palm, 0)
            world[finger.joints[0]] = knuckle
            world[finger.tip] = knuckle * (finger == .index ? index : others)
        }
        world[.thumbTip] = world[.indexTip] + SIMD3(gap * palm, 0, 0)
        var frame = TrackedHand.Points()
        for number in 0..<TrackedHand.Points.count {
            frame[number] = SIMD3(place + SIMD2(world[number].x, world[number].y), 0)
        }
        // The mean of wrist and knuckles of index and little finger is at `place`.
        frame[.wrist] = SIMD3(place, 0)
        frame[.indexKnuckle] = SIMD3(place, 0)
        frame[.littleKnuckle] = SIMD3(place, 0)
        return TrackedHand(
            identity: identity, presence: presence, rightHandedness: 1, landmarks: frame, worldLandmarks: world,
            region: TrackedRegion(centerX: 0.5, centerY: 0.5, side: 0.3))
    }
}
