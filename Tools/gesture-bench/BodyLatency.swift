import BodyPose
import Evaluation
import KernelInterface
import Kernels
import Platform
import ToolSupport

extension LatencyCommand {
    private static let bodyWarmUp = 60

    /// Times the tracking of people on a clip's frames. Nil if a signal came before the first timed frame.
    func measureBodies(on images: CameraFrames) throws -> (report: BodyLatencyReport, steps: LatencySamples)? {
        try timing.pinThread()
        let excluded = Set(model.excludeTier.map(\.name))
        let stream = try BodyPoseEngine(excludedTiers: excluded).makeStream(
            BodyTrackingConfiguration(maximumBodies: maximumBodies))
        let empty = LatencySamples(capacity: frames)
        var (step, tracked, crop, landmark, detection) = (empty, empty, empty, empty, empty)
        let clock = ContinuousClock()
        var (allocations, shown, detections) = (Int?.none, 0, 0)
        var loop = timing.loop("latency", frames: frames)
        var index = -1
        while index + 1 < Self.bodyWarmUp || loop.goesOn() {
            index += 1
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
            guard stream.bodies.count(where: { $0.state == .seen }) >= maximumBodies else { continue }
            shown += 1
            if times.detection == 0 { tracked.add(elapsed) }
        }
        let count = loop.count
        guard count > 0 else { return nil }
        guard emptyScene ? stream.counts.found == 0 : 2 * shown >= count else {
            throw emptyScene
                ? BenchFailure.somePeople(clip: images.path, frames: shown)
                : .fewPeople(clip: images.path, frames: shown, of: count)
        }
        // A stream that restarts has no person to track.
        for index in 0..<max(20, count / 10) where !Interruption.hasCome {
            stream.reset()
            stream.track(try images.view(index), at: .zero)
            if stream.networkTimes.detection > 0 { detection.add(nanoseconds: stream.networkTimes.detection) }
        }
        let report = BodyLatencyReport(
            cpu: Machine.cpuModel, tier: KernelRegistry.select(excluding: excluded).tier, threads: 1,
            people: maximumBodies,
            streaming: .init(
                step: step.summary, crop: crop.summary, landmark: landmark.summary, detection: detection.summary),
            tracked: tracked.summary, step_mean_us: step.summary.mean_us, detections: detections,
            frames_with_people: shown, allocations_per_frame: allocations.map { Double($0) / Double(count) },
            peak_rss_bytes: Machine.peakResidentBytes, conditions: conditions(loop, rate: rate, step: step))
        return (report, step)
    }
}

/// The report of `latency --body`; property names are the JSON keys.
struct BodyLatencyReport: Codable, PagedReport {
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
    let conditions: TimingConditions

    var stages: [LatencyStage] {
        [
            LatencyStage("step", "whole step", streaming.step), LatencyStage("crop", "  crop", streaming.crop),
            LatencyStage("landmark", "  landmark", streaming.landmark),
            LatencyStage("detection", "  detection", streaming.detection),
            LatencyStage("tracked", "whole step, people tracked", tracked),
        ]
    }

    var heading: String { "CPU \(cpu), tier \(tier), bodies, 1 thread, 1280x720 NV12" }

    var ownFacts: [(name: String, value: String)] {
        [("frames with people", "\(frames_with_people)"), ("frames with the detector", "\(detections)")]
    }

    var remark: String {
        "\(frames_with_people) of \(streaming.step.n) frames show \(people == 1 ? "a person" : "\(people) people"); the "
            + "detector ran in \(detections)"
    }
}
