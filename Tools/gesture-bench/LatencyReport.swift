import Foundation
import ToolSupport

/// The report of `latency`; property names are the JSON keys.
struct LatencyReport: Codable {
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

    var table: String {
        func row(_ name: String, _ s: LatencySummary) -> String {
            let numbers = [s.min_us, s.p50_us, s.p95_us, s.p99_us].map { number in
                let text = String(format: "%.1f", number)
                return String(repeating: " ", count: max(0, 11 - text.count)) + text
            }
            return name.padding(toLength: 22, withPad: " ", startingAt: 0) + numbers.joined() + "    \(s.n)"
        }
        let allocations = allocations_per_frame.map { String(format: "%.2f", $0) } ?? "not counted here"
        return """
            CPU \(cpu), tier \(tier), backend \(backend), 1 thread; microseconds
                                          min        p50        p95        p99    n
            \(row("whole step", streaming.step))
            \(row("  preprocess", streaming.preprocess))
            \(row("  encoder", streaming.encoder))
            \(row("  temporal", streaming.temporal))
            \(row("  recognition", streaming.recognition))
            \(row("network (enc.+temp.)", streaming.network))
            \(row("window, whole step", window.step))
            \(row("window, network", window.network))
            model loaded and first prediction from 16 frames: \(String(format: "%.0f", cold_us)) us
            heap allocations a frame: \(allocations); peak resident: \(peak_rss_bytes / 1_048_576) MiB
            """
    }
}

/// The report of `latency --front-end landmarks`; property names are the JSON keys.
struct LandmarkLatencyReport: Codable {
    struct Streaming: Codable {
        /// `palm` is over frames in which the detector ran, including those after a stream's start; `pose` over frames
        /// with a hand; all others over all frames.
        let step, crop, landmark, palm, pose, motion, features, temporal, recognition: LatencySummary
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

    var table: String {
        let stages = LatencySummary.table([
            ("whole step", streaming.step), ("  crop", streaming.crop), ("  landmark", streaming.landmark),
            ("  palm", streaming.palm), ("  pose", streaming.pose), ("  motion", streaming.motion),
            ("  features", streaming.features), ("  temporal", streaming.temporal),
            ("  recognition", streaming.recognition), ("whole step, hand tracked", tracked),
        ])
        let allocations = allocations_per_frame.map { String(format: "%.2f", $0) } ?? "not counted here"
        return """
            CPU \(cpu), tier \(tier), landmarks, 1 thread, 1280x720 NV12
            \(stages)
            \(frames_with_hands) of \(streaming.step.n) frames show a hand; the detector ran in \(detections); \
            a step takes \(decimals(step_mean_us, 1)) us on average
            heap allocations a frame: \(allocations); peak resident: \(peak_rss_bytes / 1_048_576) MiB
            """
    }
}
