import Enrolment
import GestureEngine

/// What a page teaches.
package enum TaughtKind: String, Sendable {
    /// Something that a hand does between two rests.
    case movement
    /// A hand that is held still.
    case pose

    /// The same for enrolment.
    var enrolment: EnrolmentConfiguration.Kind { self == .pose ? .pose : .movement }
}

/// A gesture that is being recorded.
struct Teaching {
    let label: String
    let kind: TaughtKind
    let recorder: GestureRecorder
    /// Slots of a take with the gesture, and of the one without.
    let slots: (gesture: Int, nothing: Int)
    var takes: [GestureRecording] = []
    /// Takes that were not usable.
    var failures = 0
    /// Whether a take waits for a hand.
    var isWaiting: Bool

    static let failureLimit = 3

    init(_ label: String, _ kind: TaughtKind, _ recorder: GestureRecorder, rate: Int, isWaiting: Bool) {
        (self.label, self.kind, self.recorder) = (label, kind, recorder)
        // 2.2 seconds with rest at both ends, 2 of a pose in which half a second has to be still, and 1.7 of nothing.
        slots = (kind == .pose ? 2 * rate : rate * 22 / 10, rate * 17 / 10)
        self.isWaiting = isWaiting
    }

    /// Takes of the gesture.
    var count: Int { kind == .pose ? 2 : 3 }
    /// All takes. The last of a movement is of nothing; a pose needs none.
    var total: Int { kind == .pose ? count : count + 1 }
    /// The take that is recorded, from 0 on.
    var take: Int { takes.count }
    var isNothing: Bool { kind == .movement && take == count }
    var wantedSlots: Int { isNothing ? slots.nothing : slots.gesture }
}

extension EnrolmentError {
    /// What a person who teaches a gesture on the page is to do.
    /// - Parameter recording: the take that was refused; nil once all of them are fitted.
    func advice(_ kind: TaughtKind, in recording: GestureRecording? = nil) -> String {
        switch self {
        case .noActivity:
            if recording?.holdsPose == true {
                return "The hand kept still. Make the gesture while the bar crosses its middle, or choose a held pose."
            }
            return
                "No movement was seen. Rest your hand in view, and make the gesture while the bar crosses its middle."
        case .noHold:
            return
                "The hand did not keep still. Hold the pose until the bar is full, with the whole hand in the picture."
        case .tooShort, .noBackground:
            return "The take was too short. Keep this page in front, and begin and end at rest."
        case .duplicateRecording: return "The picture does not change. Check the camera."
        case .alreadyRecognised(let label, _, _):
            return "It is known already, as \(spoken(label)). Choose a gesture that looks different."
        case .firesOnClass(let label, _, _):
            return "It looks too much like \(spoken(label)). Choose a gesture that looks different."
        case .firesOnBackground:
            return
                "It looks too much like the last take, which shows doing nothing. Make it larger, and then keep quiet."
        case .madeUp:
            return
                "Hands make this movement by chance, too. Make it larger or less common, and the same way each time, or teach a held pose."
        case .examplesDisagree(let takes, _, _, _):
            return "\(Self.list(takes)) unlike the others. Make the gesture the same way each time."
        case .inseparable: return "It can hardly be distinguished from rest. Make a larger or a faster movement."
        case .posesDiffer: return "The takes show different poses. Hold the same one each time."
        case .poseTooNear(let label, _, _):
            return "It looks too much like \(spoken(label)). Stretch out other fingers, or forget that gesture first."
        default: return description
        }
    }

    private static func list(_ takes: [Int]) -> String {
        let numbers = takes.map { String($0 + 1) }
        return numbers.count == 1 ? "Take \(numbers[0]) is" : "Takes \(numbers.joined(separator: " and ")) are"
    }
}

/// The words of a label such as swipeLeft.
private func spoken(_ label: String) -> String {
    var text = ""
    for character in label {
        if character.isUppercase, text.last?.isLowercase == true { text += " " }
        text += character == "_" ? " " : character.isUppercase ? character.lowercased() : String(character)
    }
    return text
}
