import ModelFile

extension GestureEngineError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .model(let error): error.description
        case .file(let path, let error): error.description(ofFile: path)
        case .resourcesMissing(let searched): ModelFileError.resourcesMissing(searched)
        case .notQuantised: "The model has float weights; only the float backend can run it."
        case .configuration(let error): error.description
        case .unitClasses(let name, let required, let found):
            "The compute unit \(name) has \(found) classes, the model has \(required)."
        case .unitOrder(let name):
            name.isEmpty
                ? "A stream needs a compute unit."
                : "The order of compute units names \(name) twice, or \(name) does not exist for this front end."
        case .enrolment(let error): error.description
        case .unitFeatures(let name, let required, let found):
            "The compute unit \(name) hands out \(found) features of \(required) that the user's gestures need."
        case .graph(let reason): "A network of the hand tracker cannot be run here: \(reason.excerpt(limit: 300))."
        case .handGraph(let expected, let found):
            "A network of the hand tracker has inputs or outputs of the shapes \(found.description.excerpt(limit: 300)) "
                + "instead of \(expected)."
        case .noHandModels: "Landmarks need the hand tracker's networks, which the engine was made without."
        case .noPixelModel: "The engine's model is one of landmarks; there is none of pixels."
        case .handLabels(let pixels, let landmarks):
            "The models of the two front ends have other labels: \(pixels.description.excerpt(limit: 300)) and "
                + "\(landmarks.description.excerpt(limit: 300))."
        case .thread(let code): "The system has no thread for a live stream: errno \(code)."
        case .frameRing(let reason): reason
        }
    }
}
