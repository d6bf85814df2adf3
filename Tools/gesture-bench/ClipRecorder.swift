import Clips
import FileOutput
import Foundation
import GestureEngine
import Scheduling
import ToolSupport

/// Makes recordings for enrolment of clips and images.
struct ClipRecorder {
    let engine: GestureEngine
    let model: ModelOptions
    let stream: StreamOptions
    let source: ClipSource

    /// What a recorder has made of a clip.
    struct Take {
        let recorder: GestureRecorder
        let rate: PacingConfiguration.Rate
        /// Whether the recording is complete: not longer than allowed, and without a gap.
        let isWhole: Bool
        /// The times of the clip's frames.
        let times: [Duration]
    }

    /// The length of an image as a clip, in seconds.
    private static let shownFor = 2.0

    static func isImage(_ path: String) -> Bool {
        InputFiles.imageExtensions.contains((path.lowercased() as NSString).pathExtension)
    }

    /// Shows a clip to a recorder; an image is shown for two seconds.
    func take(_ path: String) async throws -> Take {
        let clip = try await source.open(path)
        let isImage = Self.isImage(path)
        let rate = isImage ? PacingConfiguration.Rate.hz30 : stream.nominalRate(for: clip.info)
        let recorder = try engine.makeRecorder(stream.configuration(model, rate: rate))
        var hasGap = false
        var times: [Duration] = []
        try await clip.forEachFrame { frame in
            let shown =
                isImage
                ? (0..<Int(Self.shownFor * Double(rate.rawValue))).map { .seconds(Double($0) / Double(rate.rawValue)) }
                : [frame.time]
            for time in shown {
                times.append(time)
                let outcome = recorder.push(try frame.colorView(), at: time)
                if case .encoded(_, afterReset: true) = outcome { hasGap = true }
            }
            return true
        }
        return Take(
            recorder: recorder, rate: rate, isWhole: !hasGap && recorder.slotCount < GestureRecorder.slotLimit,
            times: times)
    }

    /// The recording of a clip.
    func record(_ path: String) async throws -> GestureRecording { try await take(path).recorder.finish() }
}
