package import ModelFile

extension Checkpoint {
    /// What training found best to turn the logits into events: metadata `median_frames`, `begin_frames`, `begin_confidence` and
    /// `end_frames`. Nil without any of them; with some, all must be there. With `return_ms` and `return_strokes`, a JSON object from
    /// labels to labels, the model knows return strokes, too.
    package func postProcessing() throws(ImportError) -> ModelManifest.PostProcessing? {
        let keys = ["median_frames", "begin_frames", "begin_confidence", "end_frames"]
        guard keys.contains(where: { metadata[$0] != nil }) else { return nil }
        func number<T: LosslessStringConvertible>(_ key: String, _ type: T.Type) throws(ImportError) -> T {
            guard let text = metadata[key] else { throw .file(.missingMetadata(key: key)) }
            guard let value = T(text) else { throw .file(.malformedMetadata(key: key, value: text)) }
            return value
        }
        // The model that is made of them says what is out of range.
        var rules = ModelManifest.PostProcessing(
            medianFrames: try number(keys[0], Int.self), beginFrames: try number(keys[1], Int.self),
            beginConfidence: try number(keys[2], Float.self), endFrames: try number(keys[3], Int.self))
        let strokes = "return_strokes"
        guard let text = metadata[strokes] else { return rules }
        guard let members = try? JSONText.stringMembers(in: Array(text.utf8)) else {
            throw .file(.malformedMetadata(key: strokes, value: text))
        }
        rules.returnMilliseconds = try number("return_ms", Int.self)
        rules.returnStrokes = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
        return rules
    }
}
