import CGesture
import HandTracking
import Platform

extension gesture_hand {
    /// A tracked hand.
    /// - Parameter identity: nil takes the tracker's.
    init(_ hand: TrackedHand, identity: Int? = nil) {
        self.init()
        self.identity = Int64(identity ?? hand.identity)
        handedness = Int32(hand.handedness == .right ? GESTURE_HAND_RIGHT : GESTURE_HAND_LEFT)
        presence = hand.presence
        right_handedness = hand.rightHandedness
        copyPoints(count: TrackedHand.Points.count, to: &landmarks) { hand.landmarks[$0] }
        copyPoints(count: TrackedHand.Points.count, to: &world_landmarks) { hand.worldLandmarks[$0] }
        pose = Int32(hand.pose?.name.place ?? -1)
        if let pose = hand.pose {
            copyNumbers(count: pose.scores.scalarCount, to: &pose_scores) { pose.scores[$0] }
            copyNumbers(count: TrackedHand.Pose.Embedding.count, to: &embedding) { pose.embedding[$0] }
        }
    }
}

/// Writes numbers.
/// - Parameter target: a tuple of `count` floats.
private func copyNumbers<Tuple>(count: Int, to target: inout Tuple, _ number: (Int) -> Float) {
    unsafe withUnsafeMutableBytes(of: &target) { buffer in
        for index in 0..<count {
            unsafe buffer.storeBytes(
                of: number(index), toByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
        }
    }
}

/// Writes points.
/// - Parameter target: a tuple of `count` points.
func copyPoints<Tuple>(count: Int, to target: inout Tuple, _ point: (Int) -> SIMD3<Float>) {
    unsafe withUnsafeMutableBytes(of: &target) { buffer in
        for index in 0..<count {
            let point = point(index)
            unsafe buffer.storeBytes(
                of: gesture_point(x: point.x, y: point.y, z: point.z),
                toByteOffset: index * MemoryLayout<gesture_point>.stride, as: gesture_point.self)
        }
    }
}

/// The caller's memory for what was found in a frame: hands or bodies.
@safe
struct FoundTarget<Found: BitwiseCopyable> {
    private let array: CallersArray<Found>
    private let count: UnsafeMutablePointer<Int>
    private let name: String

    /// - Parameter name: of what is found, for sentences.
    init(
        _ found: UnsafeMutablePointer<Found>?, capacity: Int, size: Int, count: UnsafeMutablePointer<Int>?,
        _ name: String
    ) throws(CallFailure) {
        guard let count = unsafe count else { throw .null("The count of \(name)") }
        array = unsafe try CallersArray(found, capacity: capacity, size: size, name)
        unsafe self.count = count
        self.name = name
    }

    /// Writes what was found, or fails if there is too much.
    func write(_ found: [Found]) throws(CallFailure) {
        unsafe count.pointee = found.count
        guard found.count <= array.capacity else {
            throw CallFailure(.tooSmall, "There are \(found.count) \(name) and room for \(array.capacity).")
        }
        for (index, one) in found.enumerated() { array.write(one, at: index) }
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
