package import GestureEngine
package import Network

extension GestureEngineError: Explained {
    package var sentence: String {
        switch self {
        case .model(let error): error.sentence
        case .network(let error): error.sentence
        case .recognition(let error): "The recognition thresholds cannot be used: \(error)."
        case .pacing(let error): "The pacing values cannot be used: \(error)."
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
