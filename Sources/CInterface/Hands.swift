import CGesture
import HandTracking

extension gesture_hand {
    /// A tracked hand.
    /// - Parameter identity: nil takes the tracker's.
    init(_ hand: TrackedHand, identity: Int? = nil) {
        self.init()
        self.identity = Int64(identity ?? hand.identity)
        handedness = Int32(hand.handedness == .right ? GESTURE_HAND_RIGHT : GESTURE_HAND_LEFT)
        presence = hand.presence
        right_handedness = hand.rightHandedness
        Self.copy(hand.landmarks, to: &landmarks)
        Self.copy(hand.worldLandmarks, to: &world_landmarks)
        pose = Int32(hand.pose?.name.place ?? -1)
        if let scores = hand.pose?.scores {
            // Eight floats, as the tuple.
            unsafe withUnsafeMutableBytes(of: &pose_scores) { buffer in
                for index in scores.indices {
                    unsafe buffer.storeBytes(
                        of: scores[index], toByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
                }
            }
        }
    }

    /// - Parameter target: a tuple of `GESTURE_POINT_COUNT` points.
    private static func copy<Tuple>(_ points: TrackedHand.Points, to target: inout Tuple) {
        unsafe withUnsafeMutableBytes(of: &target) { buffer in
            for index in 0..<TrackedHand.Points.count {
                let point = points[index]
                unsafe buffer.storeBytes(
                    of: gesture_point(x: point.x, y: point.y, z: point.z),
                    toByteOffset: index * MemoryLayout<gesture_point>.stride, as: gesture_point.self)
            }
        }
    }
}

/// Where a caller wants hands.
@safe
struct HandsTarget {
    private let array: CallersArray<gesture_hand>
    private let count: UnsafeMutablePointer<Int>

    init(
        _ hands: UnsafeMutablePointer<gesture_hand>?, capacity: Int, size: Int, count: UnsafeMutablePointer<Int>?
    ) throws(CallFailure) {
        guard let count = unsafe count else { throw .null("The count of hands") }
        array = unsafe try CallersArray(hands, capacity: capacity, size: size, "hands")
        unsafe self.count = count
    }

    /// Writes the hands, or fails if there are too many.
    /// - Parameter numbered: whether the identity is the index, as in still images.
    func write(_ hands: [TrackedHand], numbered: Bool = false) throws(CallFailure) {
        unsafe count.pointee = hands.count
        guard hands.count <= array.room else {
            throw CallFailure(.tooSmall, "There are \(hands.count) hands and room for \(array.room).")
        }
        for (index, hand) in hands.enumerated() {
            array.write(gesture_hand(hand, identity: numbered ? index : nil), at: index)
        }
    }
}

/// The names of poses by their index.
private let poseNames: [StaticString] = [
    "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory", "ILoveYou",
]

/// Names a pose; see `gesture.h`.
@c @implementation
public func gesture_pose_name(_ index: Int32) -> UnsafePointer<CChar>? {
    poseNames.indices.contains(Int(index)) ? unsafe characters(of: poseNames[Int(index)]) : nil
}
