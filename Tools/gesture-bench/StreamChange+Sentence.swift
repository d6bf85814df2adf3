import Foundation
import GestureEngine
import Scheduling
import ToolSupport

extension StreamChange {
    /// Time, change and reason, as text.
    var sentence: String {
        switch self {
        case .pace(let from, let to, let reason, let time): "\(at(time))pace from \(from) to \(to), \(reason)"
        case .budget(let from, let to, let time):
            "\(at(time))budget from \(from.pace) to \(to.pace), \(to.reason)"
        case .idle(let isIdle, let time): "\(at(time))the scene is \(isIdle ? "idle" : "active")"
        case .unit(let from, let to, let reason, _, let time):
            "\(at(time))unit \(to) instead of \(from), \(reason)"
        case .armed(let time): "\(at(time))armed: gestures count"
        case .disarmed(let time): "\(at(time))disarmed: gestures are withheld"
        case .times(let fault): fault.sentences
        case .grayFrames: "The frames have no colour. Hands are found in colour; --front-end pixels reads gray frames."
        }
    }

    /// Warns on standard error of what the user should know before the results are used. Returns whether it did.
    func isReportedAsWarning() -> Bool {
        switch self {
        case .times, .grayFrames:
            Terminal.warn("gesture-bench", sentence)
            return true
        case .pace, .budget, .idle, .unit, .armed, .disarmed: return false
        }
    }

    private func at(_ time: Duration) -> String { String(format: "%.3f s: ", time.inSeconds) }
}
