public import Tracking

extension TrackedBody {
    /// Where the hands are, by the body's points: square regions in pixels of the upright frame.
    ///
    /// Each holds a hand with a margin and is turned as the hand points. They help a hand tracker, which misses hands
    /// that are small in the frame.
    ///
    /// As in MediaPipe's holistic graph: the middle finger's knuckle lies a third of the way from the index finger's to
    /// the little finger's. The centre is that knuckle, moved a tenth of the side away from the wrist; the side is 5.4
    /// times the distance from wrist to knuckle. That distance is foreshortened when the hand points at the camera, so
    /// it counts as at least 0.4 of the forearm.
    /// - Parameters:
    ///   - width: width of the upright frame, in pixels.
    ///   - height: height of the upright frame, in pixels.
    /// - Returns: the person's own left and right hand; nil where the wrist is not visible or the region is not usable,
    ///   and while the body is held.
    public func handRegions(width: Int, height: Int) -> (left: TrackedRegion?, right: TrackedRegion?) {
        handRegions(FrameSize(width: width, height: height))
    }

    package func handRegions(_ frame: FrameSize) -> (left: TrackedRegion?, right: TrackedRegion?) {
        (
            handRegion(.leftElbow, .leftWrist, .leftIndex, .leftPinky, frame),
            handRegion(.rightElbow, .rightWrist, .rightIndex, .rightPinky, frame)
        )
    }

    /// Least visibility of a wrist, as in MediaPipe's graph.
    private static let minimumVisibility: Float = 0.1
    private static let shareOfForearm = 0.4

    private func handRegion(
        _ elbow: Joint, _ wrist: Joint, _ index: Joint, _ pinky: Joint, _ frame: FrameSize
    ) -> TrackedRegion? {
        guard state == .seen, visibility[wrist] > Self.minimumVisibility, landmarks.isFinite else { return nil }
        func place(_ joint: Joint) -> SIMD2<Double> {
            SIMD2(Double(landmarks[joint].x) * frame.width, Double(landmarks[joint].y) * frame.height)
        }
        let knuckle = (2 * place(index) + place(pinky)) / 3
        let hand = knuckle - place(wrist)
        let forearm = place(wrist) - place(elbow)
        func length(_ way: SIMD2<Double>) -> Double { (way * way).sum().squareRoot() }
        let side = 5.4 * max(length(hand), Self.shareOfForearm * length(forearm))
        let rotation = TrackedRegion.rotation(pointing: hand)
        let center = knuckle - 0.1 * side * TrackedRegion.axes(rotation).down
        let region = TrackedRegion(centerX: center.x, centerY: center.y, side: side, rotation: rotation)
        return region.isUsable(in: frame) ? region : nil
    }
}
