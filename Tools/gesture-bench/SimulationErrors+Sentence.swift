import Evaluation
import ModelFile
import ToolSupport

extension ScenarioError: Explained {
    package var sentence: String {
        switch self {
        case .unreadable(let path): "\(path) is neither a scenario's name nor a file that can be read."
        case .notJSON: "The scenario is not JSON."
        case .missing(let key): "The scenario lacks \(key)."
        case .malformed(let key): "The scenario's \(key.isEmpty ? "text as a whole" : key) has the wrong type."
        case .unknown(let key): "The scenario has the unknown key \(key)."
        case .rate(let rate): "A stream has 30, 60 or 120 slots a second, not \(rate)."
        case .outOfRange(let key, let value, let allowed):
            "The scenario's \(key) is \(value); it must be from \(allowed.lowerBound) to \(allowed.upperBound)."
        case .notAscending(let first, let second): "The scenario's \(first) must be below \(second)."
        }
    }
}

extension ScenarioError: FileError {
    package var namesItsFile: Bool {
        if case .unreadable = self { true } else { false }
    }
}

extension SimulationError: Explained {
    package var sentence: String {
        switch self {
        case .scenario(let error): error.sentence
        case .configuration(let error): "\(error)"
        }
    }
}
