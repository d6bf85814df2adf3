import ArgumentParser
import BodyPose
import Clips
import ToolSupport

/// An activity whose movements `body` counts, by its name in the option.
struct ActivityName: ExpressibleByArgument {
    let activity: BodyActivity

    /// The activities that count movements.
    static let counted = BodyActivity.all.filter { !$0.movements.isEmpty }

    init?(argument: String) {
        guard let activity = Self.counted.first(where: { $0.name == argument }) else { return nil }
        self.activity = activity
    }

    static var allValueStrings: [String] { counted.map(\.name) }
}

/// Counts the movements in a clip.
struct ActivityWatch {
    /// The printed state; property names are the JSON keys.
    struct State: Encodable {
        let phase: BodyPhase
        let repetitions: Int
        /// The advice for the user.
        let advice: [String]

        var text: String { (["\(phase.rawValue) \(repetitions)"] + advice).joined(separator: ", ") }
    }

    /// After the latest frame.
    private(set) var state: State?

    private var tracker: BodyActivityTracker

    init(_ activity: BodyActivity) throws { tracker = try BodyActivityTracker(activity) }

    mutating func step(_ stream: BodyStream, _ frame: borrowing ClipFrame, _ latency: Duration) throws {
        tracker.observe(at: try frame.colorView(), at: frame.time)
        let result = tracker.step(
            stream.bodies, at: frame.time, isBodyLost: stream.isBodyLost, latency: latency)
        state = State(phase: result.phase, repetitions: result.repetitions, advice: result.advice.names)
    }

    /// One line about the whole clip.
    var summary: String {
        let statistics = tracker.statistics
        let counts = zip(tracker.activity.movements, statistics.movements).map { movement, tempo in
            "\(tempo.count) x \(movement.name)"
                + (tempo.count > 0
                    ? ", mean \(decimals(tempo.mean.inSeconds, 2)) s (\(decimals(tempo.minimum.inSeconds, 2)) to "
                        + "\(decimals(tempo.maximum.inSeconds, 2)) s)" : "")
                + (tempo.shallow > 0 ? ", \(tempo.shallow) too shallow" : "")
        }
        return "\(tracker.activity.name): \(counts.joined(separator: "; ")); seen for "
            + "\(decimals(statistics.timeVisible.inSeconds, 1)) of \(decimals(statistics.duration.inSeconds, 1)) s"
    }
}
