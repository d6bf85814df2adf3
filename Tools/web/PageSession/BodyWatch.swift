import BodyPose
import BodyTracking
import Frames
import GestureEngine
import Streams
import TrackerInference
import Vocabulary

/// What the page may count of people: nothing but their points, or the movements of an activity.
package enum BodyMode: String, Sendable, CaseIterable {
    case points
    case squat
    case jumpingJacks
    case punches
    case sideLunge

    /// The activity whose movements are counted.
    var activity: BodyActivity? {
        switch self {
        case .points: nil
        case .squat: .squat
        case .jumpingJacks: .jumpingJacks
        case .punches: .punches
        case .sideLunge: .sideLunge
        }
    }
}

/// Follows one person of a session, and counts their movements.
struct BodyWatch {
    let mode: BodyMode
    let stream: BodyStream
    private var tracker: BodyActivityTracker?
    private let clock = StreamClock.system

    init(_ mode: BodyMode, _ engine: BodyPoseEngine) throws(EngineError) {
        self.mode = mode
        stream = try engine.makeStream()
        if let activity = mode.activity {
            do { tracker = try BodyActivityTracker(activity) } catch { throw .configuration(error) }
        }
    }

    /// Takes a frame in, before the hands of the same frame are looked for.
    mutating func track(_ frame: borrowing PixelView, at time: Duration) -> PageReport.Bodies {
        let begin = clock.now()
        stream.track(frame, at: time)
        tracker?.observe(at: frame, at: time)
        let result = tracker?.step(
            stream.bodies, at: time, isBodyLost: stream.isBodyLost, latency: .nanoseconds(clock.now() - begin))
        return PageReport.Bodies(
            people: stream.bodies, phase: result?.phase.rawValue, repetitions: result?.repetitions,
            advice: result?.advice.names ?? [])
    }

    /// Forgets the person, as before another clip.
    mutating func reset() {
        stream.reset()
        guard let activity = mode.activity, let fresh = try? BodyActivityTracker(activity) else { return }
        tracker = fresh
    }
}
