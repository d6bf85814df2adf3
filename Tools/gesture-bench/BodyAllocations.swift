import BodyPose
import ToolSupport

extension AllocationsCommand {
    /// The last 20 of every 60 frames are gray and show no person, so that people are held or lost and found again.
    func countBodies(_ images: CameraFrames) throws {
        let engine = try BodyPoseEngine()
        let empty = SyntheticFrames(width: CameraFrames.width, height: CameraFrames.height)
        var mask = [Float](repeating: 0, count: 160 * 90)
        var worst = 0
        for (name, configuration) in Self.bodyConfigurations {
            let stream = try engine.makeStream(configuration)
            var (counted, seen) = (0, 0)
            let shown = progress.progress(name, total: 200 + frames, unit: "frames")
            for index in 0..<200 + frames {
                shown.update(index)
                let isShown = index % 60 < 40
                let time = Duration.nanoseconds(index * 1_000_000_000 / 30)
                guard let before = heapAllocations else { throw BenchFailure.allocationsUncounted }
                if isShown {
                    stream.track(try images.view(index), at: time)
                } else {
                    stream.track(try empty.view(index), at: time)
                }
                if configuration.segmentation {
                    var span = mask.mutableSpan
                    _ = stream.copyMask(width: 160, height: 90, to: &span)
                }
                if index >= 200, let after = heapAllocations { counted += after - before }
                if isShown, stream.bodies.contains(where: { $0.state == .seen }) { seen += 1 }
            }
            guard 2 * seen >= frames else { throw BenchFailure.fewPeople(clip: images.path, frames: seen, of: frames) }
            worst = max(worst, counted)
            try Terminal.print(
                "\(name): \(counted) allocations in \(frames) frames, \(seen) with a person, \(stream.counts.found) found, "
                    + "\(stream.counts.lost) lost")
        }
        guard worst == 0 else { throw BenchFailure.allocations(count: worst) }
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
