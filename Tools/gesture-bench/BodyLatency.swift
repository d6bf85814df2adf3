import BodyPose
import KernelInterface
import Kernels
import ToolSupport

extension LatencyCommand {
    private static let bodyWarmUp = 60

    /// Times the tracking of people on a clip's frames.
    func measureBodies(on images: CameraFrames) throws -> BodyLatencyReport {
        let excluded = Set(model.excludeTier.map(\.name))
        let stream = try BodyPoseEngine(excludedTiers: excluded).makeStream(
            BodyTrackingConfiguration(maximumBodies: people))
        let empty = LatencySamples(capacity: frames)
        var (step, tracked, crop, landmark, detection) = (empty, empty, empty, empty, empty)
        let clock = ContinuousClock()
        var (allocations, shown, detections) = (Int?.none, 0, 0)
        for index in 0..<Self.bodyWarmUp + frames {
            let view = try images.view(index)
            let before = heapAllocations
            let start = clock.now
            stream.track(view, at: .nanoseconds(index * 1_000_000_000 / rate))
            let elapsed = clock.now - start
            guard index >= Self.bodyWarmUp else { continue }
            if let before, let after = heapAllocations { allocations = (allocations ?? 0) + after - before }
            let times = stream.networkTimes
            step.add(elapsed)
            crop.add(elapsed - .nanoseconds(times.detection + times.landmarks))
            landmark.add(nanoseconds: times.landmarks)
            if times.detection > 0 {
                detection.add(nanoseconds: times.detection)
                detections += 1
            }
            guard stream.bodies.count(where: { $0.state == .seen }) >= people else { continue }
            shown += 1
            if times.detection == 0 { tracked.add(elapsed) }
        }
        guard emptyScene ? stream.counts.found == 0 : 2 * shown >= frames else {
            throw emptyScene ? BenchFailure.somePeople(frames: shown) : .fewPeople(frames: shown, of: frames)
        }
        // A stream that restarts has no person to track.
        for index in 0..<max(20, frames / 10) {
            stream.reset()
            stream.track(try images.view(index), at: .zero)
            if stream.networkTimes.detection > 0 { detection.add(nanoseconds: stream.networkTimes.detection) }
        }
        return BodyLatencyReport(
            cpu: Machine.cpuModel, tier: KernelRegistry.select(excluding: excluded).tier, threads: 1, people: people,
            streaming: .init(
                step: step.summary, crop: crop.summary, landmark: landmark.summary, detection: detection.summary),
            tracked: tracked.summary, step_mean_us: step.mean, detections: detections, frames_with_people: shown,
            allocations_per_frame: allocations.map { Double($0) / Double(frames) },
            peak_rss_bytes: Machine.peakResidentBytes)
    }
}

/// The report of `latency --body`; property names are the JSON keys.
struct BodyLatencyReport: Codable {
    struct Streaming: Codable {
        /// `detection` is over frames in which the detector ran, including those after a stream's start; all others
        /// over all frames.
        let step, crop, landmark, detection: LatencySummary
    }

    let cpu: String
    let tier: String
    let threads: Int
    /// People to track at once.
    let people: Int
    let streaming: Streaming
    /// Steps in which the detector did not run and all people were seen.
    let tracked: LatencySummary
    /// The average of `streaming.step`.
    let step_mean_us: Double
    /// Timed frames in which the detector ran.
    let detections: Int
    /// Timed frames in which all people were seen.
    let frames_with_people: Int
    let allocations_per_frame: Double?
    let peak_rss_bytes: Int

    var table: String {
        let stages = LatencySummary.table([
            ("whole step", streaming.step), ("  crop", streaming.crop), ("  landmark", streaming.landmark),
            ("  detection", streaming.detection), ("whole step, people tracked", tracked),
        ])
        let allocations = allocations_per_frame.map { decimals($0, 2) } ?? "not counted here"
        return """
            CPU \(cpu), tier \(tier), bodies, 1 thread, 1280x720 NV12
            \(stages)
            \(frames_with_people) of \(streaming.step.n) frames show \(people == 1 ? "a person" : "\(people) people"); the \
            detector ran in \(detections); a step takes \(decimals(step_mean_us, 1)) us on average
            heap allocations a frame: \(allocations); peak resident: \(peak_rss_bytes / 1_048_576) MiB
            """
    }
}
