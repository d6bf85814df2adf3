import Evaluation
import ToolSupport

/// The report of `latency`; property names are the JSON keys.
struct LatencyReport: Codable, PagedReport {
    struct Streaming: Codable {
        let step, network, encoder, temporal, preprocess, recognition: LatencySummary
    }
    struct Window: Codable {
        let step, network: LatencySummary
    }

    let cpu: String
    let tier: String
    let backend: String
    let threads: Int
    let streaming: Streaming
    let window: Window
    /// Loading the model, making a stream and the first prediction from 16 frames of 224x224, in a process that did
    /// nothing before.
    let cold_us: Double
    let allocations_per_frame: Double?
    let peak_rss_bytes: Int
    let conditions: TimingConditions

    var stages: [LatencyStage] {
        [
            LatencyStage("step", "whole step", streaming.step),
            LatencyStage("preprocess", "  preprocess", streaming.preprocess),
            LatencyStage("encoder", "  encoder", streaming.encoder),
            LatencyStage("temporal", "  temporal", streaming.temporal),
            LatencyStage("recognition", "  recognition", streaming.recognition),
            LatencyStage("network", "network (enc.+temp.)", streaming.network),
            LatencyStage("window.step", "window, whole step", window.step),
            LatencyStage("window.network", "window, network", window.network),
        ]
    }

    var heading: String { "CPU \(cpu), tier \(tier), backend \(backend), 1 thread" }

    var ownFacts: [(name: String, value: String)] { [("first prediction, microseconds", decimals(cold_us, 0))] }

    var remark: String { "model loaded and first prediction from 16 frames: \(decimals(cold_us, 0)) us" }
}

/// The report of `latency --front-end landmarks`; property names are the JSON keys.
struct LandmarkLatencyReport: Codable, PagedReport {
    struct Streaming: Codable {
        /// `palm` is over frames in which the detector ran, including those after a stream's start; `pose` over frames
        /// with a hand; all others over all frames.
        let step, crop, landmark, palm, pose: LatencySummary
        /// Over frames in which the body network looked; nil without arms.
        let arms: LatencySummary?
        let motion, features, temporal, recognition: LatencySummary
    }

    let cpu: String
    let tier: String
    let threads: Int
    let front_end: String
    let streaming: Streaming
    /// Steps in which the palm detector did not run and a hand was seen.
    let tracked: LatencySummary
    /// The average of `streaming.step`: without people in view most steps take almost no time, and a few run the palm
    /// detector.
    let step_mean_us: Double
    /// Timed frames in which the palm detector ran.
    let detections: Int
    /// Timed frames that show a hand.
    let frames_with_hands: Int
    let allocations_per_frame: Double?
    let peak_rss_bytes: Int
    let conditions: TimingConditions

    var stages: [LatencyStage] {
        [
            LatencyStage("step", "whole step", streaming.step), LatencyStage("crop", "  crop", streaming.crop),
            LatencyStage("landmark", "  landmark", streaming.landmark), LatencyStage("palm", "  palm", streaming.palm),
            LatencyStage("pose", "  pose", streaming.pose),
        ] + (streaming.arms.map { [LatencyStage("arms", "  arms", $0)] } ?? []) + [
            LatencyStage("motion", "  motion", streaming.motion),
            LatencyStage("features", "  features", streaming.features),
            LatencyStage("temporal", "  temporal", streaming.temporal),
            LatencyStage("recognition", "  recognition", streaming.recognition),
            LatencyStage("tracked", "whole step, hand tracked", tracked),
        ]
    }

    var heading: String { "CPU \(cpu), tier \(tier), landmarks, 1 thread, 1280x720 NV12" }

    var ownFacts: [(name: String, value: String)] {
        [("frames with a hand", "\(frames_with_hands)"), ("frames with the detector", "\(detections)")]
    }

    var remark: String {
        "\(frames_with_hands) of \(streaming.step.n) frames show a hand; the detector ran in \(detections)"
    }
}
