import BodyPose
import ToolSupport

extension AllocationsCommand {
    /// The last 20 of every 60 frames are gray and show no person, so that people are held or lost and found again.
    func countBodies(_ images: CameraFrames) throws {
        let engine = try BodyPoseEngine()
        let empty = SyntheticFrames(width: CameraFrames.width, height: CameraFrames.height)
        var mask = [Float](repeating: 0, count: 160 * 90)
        for (name, configuration) in Self.bodyConfigurations {
            let stream = try engine.makeStream(configuration)
            var seen = 0
            try count(name) { index in
                let time = Duration.nanoseconds(index * 1_000_000_000 / 30)
                if index % 60 < 40 {
                    stream.track(try images.view(index), at: time)
                } else {
                    stream.track(try empty.view(index), at: time)
                }
                guard configuration.segmentation else { return }
                var span = mask.mutableSpan
                _ = stream.copyMask(width: 160, height: 90, to: &span)
            } look: { index in
                if index % 60 < 40, stream.bodies.contains(where: { $0.state == .seen }) { seen += 1 }
            } result: {
                guard 2 * seen >= frames else {
                    throw BenchFailure.fewPeople(clip: images.path, frames: seen, of: frames)
                }
                return ", \(seen) with a person, \(stream.counts.found) found, \(stream.counts.lost) lost"
            }
        }
    }

    private static var bodyConfigurations: [(String, BodyTrackingConfiguration)] {
        // Two thirds of a second without people: held by default, lost with less.
        let short = Duration.milliseconds(200)
        return [
            ("one person, held", BodyTrackingConfiguration()),
            ("one person, lost", BodyTrackingConfiguration(hold: short)),
            ("two people, lost", BodyTrackingConfiguration(maximumBodies: 2, hold: short)),
            ("unsmoothed, held", BodyTrackingConfiguration(smoothing: nil)),
            ("segmented, lost", BodyTrackingConfiguration(hold: short, segmentation: true)),
            (
                "two people, unsmoothed, segmented, looked for in every frame, not held",
                BodyTrackingConfiguration(
                    maximumBodies: 2, detectionInterval: .zero, stillness: nil, hold: .zero, smoothing: nil,
                    segmentation: true)
            ),
        ]
    }
}
