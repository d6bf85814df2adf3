import BodyTracking
import Frames
import GestureEngine
import HandTracking
import ModelFile
import Recognition
import Scheduling
import Vocabulary

/// What a session tells its page: one JSON object whose `kind` names it. Property names are the keys.
package enum PageReport: Sendable {
    case hello(Hello)
    case settings(Settings)
    case frame(Frame)
    case teaching(Teaching)
    case taught(Taught)
    case failure(Failure)
    case clip(ClipState)

    /// The first message.
    package struct Hello: Sendable {
        let version: String
        let frontEnd: String
        /// The name of the clip or camera at the server; nil if the page's own camera is wanted.
        let source: String?
    }

    /// How the stream recognises now.
    package struct Settings: Sendable {
        let settings: PageSettings
        let labels: [String]
        let nullIndex: Int
        /// Labels of the user's own gestures.
        let userGestures: [String]
        /// The file of the user's own gestures, in Base64; nil without any.
        let file: String?
        /// The thresholds in force.
        let beginConfidence: Float
        let beginFrames: Int
        let endFrames: Int
        let unit: String
        /// Hands that are followed at once, 1...4.
        let maximumHands: Int
        /// Whether the engine watches the arms.
        let watchesArms: Bool
    }

    /// What a picture brought. Times are in microseconds on the clock of the pictures. `text` has points in ten thousandths of the
    /// picture's sides, from its top left, and scores and confidences in thousandths. A tab gets `words` and `numbers` instead.
    package struct Frame: Sendable {
        let time: Int64
        /// `encoded`, `skipped: heat` and the like.
        let outcome: String
        /// In the order of the labels; nil before the first prediction.
        let scores: [Float]?
        let hands: [TrackedHand]
        /// Nil without a body that fits the hands.
        var arms: WatchedArms?
        /// Nil without the setting, and for a picture that was left out.
        var pointers: HandPointer.Result?
        let active: String?
        let events: [Event]
        /// Faults of the pictures.
        let quality: [String]
        let pace: String
        /// What holds the pace below full.
        let limit: String?
        /// What the engine took, and what the picture waited for it.
        let work: Int64
        let wait: Int64
        /// Pictures that came, and those that a newer one replaced before the engine was free.
        let received: Int
        let superseded: Int
        var bodies: Bodies?
    }

    package struct Bodies: Sendable {
        let people: [TrackedBody]
        let phase: String?
        let repetitions: Int?
        /// What the person is to be asked to do.
        let advice: [String]
    }

    package struct Event: Sendable {
        /// `begin`, or the cause of an end.
        let event: String
        let label: String
        let confidence: Int
        let onset: Int64
        let decision: Int64
    }

    /// How far the recording of a new gesture is.
    package struct Teaching: Sendable {
        let label: String
        /// `hand`: a take waits for a hand. `ready`: the network's window fills. `gesture`: a take. `nothing`: a take
        /// without the gesture. `again`: the last take is not usable; `sentence` says what to do. `learning`. `stopped`:
        /// nothing was learned; `sentence` says why, unless the page asked for it.
        let phase: String
        let gesture: TaughtKind
        /// From 1 on.
        let take: Int
        let takes: Int
        /// In thousandths of the take.
        let progress: Int
        var sentence: String?
    }

    /// The end of teaching.
    package struct Taught: Sendable {
        let label: String
        /// Why the gesture was refused, and what to do; nil if it was learned.
        let refusal: String?
        /// What was learned; nil if it was refused. A gesture that is both is a movement here.
        var gesture: TaughtKind?
        /// What the person should know of a gesture that was learned.
        var warning: String?
        /// How often a minute a movement is made up where nothing is meant, in thousandths.
        var falseEvents: Int?
        /// The gesture with which it would be confused.
        let collidesWith: String?
        /// The least of the takes' probabilities by a fit that did not see them, in thousandths.
        let agreement: Int?
    }

    /// A command or a picture was refused, and nothing changed.
    package struct Failure: Sendable {
        let sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    /// The server's clip begins, or ends.
    package struct ClipState: Sendable {
        let isPlaying: Bool

        package init(isPlaying: Bool) { self.isPlaying = isPlaying }
    }
}

extension PageReport.Event {
    init(_ gesture: GestureEvent) {
        event =
            switch gesture.kind {
            case .begin: "begin"
            case .end(let cause): cause.word
            }
        label = gesture.label
        confidence = thousandths(gesture.confidence)
        onset = microseconds(gesture.onset)
        decision = microseconds(gesture.decision)
    }
}

extension FrameResult.Outcome {
    var word: String {
        switch self {
        case .encoded: "encoded"
        case .surplus: "surplus"
        case .dropped(let reason): "dropped: " + reason.word
        case .skipped(let reason): "skipped: " + reason.word
        case .closed: "closed"
        }
    }
}

extension QualityFlags {
    /// What to do about each fault.
    var advice: [String] {
        let all: [(QualityFlags, String)] = [
            (.lowLight, "The picture is dark."), (.overexposed, "The picture is too bright."),
            (.blurred, "The picture is blurred."), (.subjectTooSmall, "Come closer to the camera."),
            (.exposureDrift, "The exposure changes."),
        ]
        return all.filter { contains($0.0) }.map { $0.1 }
    }
}

package func thousandths(_ share: Float) -> Int { Int((share * 1000).rounded()) }

package func microseconds(_ time: Duration) -> Int64 { time.saturatedNanoseconds / 1000 }
