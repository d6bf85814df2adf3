import ModelFile

extension GestureEngineError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .model(let error): error.description
        case .file(let path, let error): error.description(ofFile: path)
        case .resourcesMissing(let searched):
            ModelFileError.resourcesMissing(searched, inside: "GestureHandsEmbedded")
        case .notQuantised: "The model has float weights; only the float backend can run it."
        case .configuration(let error): error.description
        case .unitClasses(let name, let required, let found):
            "The compute unit \(name) has \(found) classes; it needs the model's \(required)."
        case .unitOrder(let name):
            name.isEmpty
                ? "The order of compute units is empty; a stream needs at least one."
                : "The order of compute units names \(name) twice, or \(name) does not exist for this front end."
        case .enrolment(let error): error.description
        case .unitFeatures(let name, let required, let found):
            "The compute unit \(name) outputs \(found) features; the user's gestures need \(required)."
        case .graph(let reason): "A network of the hand tracker cannot be run here: \(reason.excerpt(limit: 300))."
        case .handGraph(let expected, let found):
            "A network of the hand tracker has inputs or outputs of the shapes \(text(found).excerpt(limit: 300)) "
                + "instead of \(text(expected))."
        case .noHandModels:
            "The engine sees pixels and has no networks of hands. Make it with hand models."
        case .thread(let code): "The system could not start the thread of a live stream: errno \(code)."
        case .frameMemory(let code): "There is no memory for the frames: errno \(code)."
        }
    }
}

/// Shapes as `print` shows them.
private func text(_ shapes: [[Int]]) -> String {
    let texts = shapes.map { shape in "[" + shape.map { $0.description }.joined(separator: ", ") + "]" }
    return "[" + texts.joined(separator: ", ") + "]"
}
