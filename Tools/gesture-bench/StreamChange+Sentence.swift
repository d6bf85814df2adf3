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
        case .frontEnd(let change): "\(at(change.time))\(change.to) instead of \(change.from), \(change.reason)"
        case .unit(let change): "\(at(change.time))unit \(change.to) instead of \(change.from), \(change.reason)"
        case .times(let fault): fault.sentences
        }
    }

    /// Warns on standard error of what the user should know before the results are used. Returns whether it did.
    func isToldAsWarning() -> Bool {
        guard case .times(let fault) = self else { return false }
        Terminal.warn("gesture-bench", fault.sentences)
        return true
    }

    private func at(_ time: Duration) -> String { String(format: "%.3f s: ", time.inSeconds) }
}
