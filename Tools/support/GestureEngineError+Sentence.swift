package import GestureEngine
package import Network

extension GestureEngineError: Explained {
    package var sentence: String {
        switch self {
        case .model(let error): error.sentence
        case .network(let error): error.sentence
        case .recognition(let error): "The recognition thresholds cannot be used: \(error)."
        case .pacing(let error): "The pacing values cannot be used: \(error)."
        case .scheduling(let error): "The scheduling values cannot be used: \(error)."
        case .exposure(let error): "The exposure values cannot be used: \(error)."
        case .quality(let error): "The thresholds of quality cannot be used: \(error)."
        case .unitClasses(let name, let required, let found):
            "The compute unit \(name) has \(found) classes, the model has \(required)."
        case .unitOrder(let name):
            name.isEmpty
                ? "A stream needs a compute unit."
                : "The order of compute units names \(name), which is not to be had once."
        case .enrolment(let error): "The user's gestures cannot be used: \(error)."
        case .unitFeatures(let name, let required, let found):
            "The compute unit \(name) hands out \(found) features of \(required) that the user's gestures need."
        case .thread(let error): "The system has no thread for a live stream: errno \(error.code)."
        case .ring(let error): "There is no memory for the frame ring: \(error)."
        }
    }
}

extension NetworkError: Explained {
    package var sentence: String {
        switch self {
        case .notQuantised: "The model has float weights; only the float backend can run it."
        }
    }
}
