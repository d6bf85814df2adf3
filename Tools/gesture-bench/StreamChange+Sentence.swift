import Foundation
import GestureEngine
import Scheduling
import ToolSupport

extension StreamChange {
    /// Time, change and reason, as text.
    var sentence: String {
        switch self {
        case .pace(let change): "\(at(change.time))pace from \(change.from) to \(change.to), \(change.reason)"
        case .budget(let change):
            "\(at(change.time))budget from \(change.from.pace) to \(change.to.pace), \(change.to.reason)"
        case .activity(let change): "\(at(change.time))the scene is \(change.to)"
        case .unit(let change): "\(at(change.time))unit \(change.to) instead of \(change.from), \(change.reason)"
        case .times(let fault): fault.sentences
        case .grayFrames: "The frames have no colour. Hands are found in colour; --front-end pixels reads gray frames."
        }
    }

    /// Warns on standard error of what the user should know before the results are used. Returns whether it did.
    func isToldAsWarning() -> Bool {
        switch self {
        case .times, .grayFrames:
            Terminal.warn("gesture-bench", sentence)
            return true
        case .pace, .budget, .activity, .unit: return false
        }
    }

    private func at(_ time: Duration) -> String { String(format: "%.3f s: ", time.inSeconds) }
}
