package import ModelFile

extension Checkpoint {
    /// The rules that training chose for turning logits into events: metadata `median_ms`, `begin_ms`,
    /// `begin_confidence` and `end_ms`, or `median_frames`, `begin_frames` and `end_frames` in columns. Nil without any
    /// of them; if one is present, all must be. With `return_ms` and `return_strokes`, a JSON object from labels to
    /// labels, the model has return strokes; with `steady_ms` and `steady_confidence`, what else begins a gesture.
    /// `unsure_end_ms`, `once_ms` and `class_confidence`, a JSON object from
    /// labels to decimals as text, are optional, and so is `taught`, a JSON array of labels.
    package func postProcessing() throws(ImportError) -> ModelManifest.PostProcessing? {
        let keys = ["median", "begin", "end"]
        let names = keys.flatMap { [$0 + "_frames", $0 + "_ms"] } + ["begin_confidence"]
        guard names.contains(where: { metadata[$0] != nil }) else { return nil }
        func number<T: LosslessStringConvertible>(_ key: String, _ type: T.Type) throws(ImportError) -> T {
            guard let text = metadata[key] else { throw .file(.missingMetadata(key: key)) }
            guard let value = T(text) else { throw .file(.malformedMetadata(key: key, value: text)) }
            return value
        }
        func extent(_ key: String) throws(ImportError) -> RecognitionExtent {
            let (frames, milliseconds) = (key + "_frames", key + "_ms")
            guard metadata[milliseconds] != nil else { return .frames(try number(frames, Int.self)) }
            guard metadata[frames] == nil else { throw .file(.conflictingMetadata(key: milliseconds, with: frames)) }
            return .milliseconds(try number(milliseconds, Int.self))
        }
        /// A JSON object from labels to values; nil if it is missing.
        func members<T>(_ key: String, _ read: (String) -> T?) throws(ImportError) -> [String: T]? {
            guard let text = metadata[key] else { return nil }
            guard let members = try? JSONText.stringMembers(in: Array(text.utf8)) else {
                throw .file(.malformedMetadata(key: key, value: text))
            }
            var values: [String: T] = [:]
            for member in members {
                guard let value = read(member.value) else {
                    throw .file(.malformedMetadata(key: key, value: text))
                }
                values[member.key] = value
            }
            return values
        }
        // Ranges are checked by the model that is built from these values.
        var rules = ModelManifest.PostProcessing(
            median: try extent(keys[0]), begin: try extent(keys[1]),
            beginConfidence: try number("begin_confidence", Float.self), end: try extent(keys[2]))
        if metadata["steady_ms"] != nil || metadata["steady_confidence"] != nil {
            rules.steady = ModelManifest.Steady(
                milliseconds: try number("steady_ms", Int.self),
                confidence: try number("steady_confidence", Float.self))
        }
        if metadata["unsure_end_ms"] != nil { rules.unsureEndMilliseconds = try number("unsure_end_ms", Int.self) }
        if metadata["once_ms"] != nil { rules.mergeWindowMilliseconds = try number("once_ms", Int.self) }
        rules.classConfidence = try members("class_confidence") { Float($0) } ?? [:]
        if let strokes = try members("return_strokes", { $0 }) {
            rules.returnMilliseconds = try number("return_ms", Int.self)
            rules.returnStrokes = strokes
        }
        if let text = metadata["taught"] {
            guard let taught = try? JSONText.stringArray(in: Array(text.utf8)) else {
                throw .file(.malformedMetadata(key: "taught", value: text))
            }
            rules.taught = taught
        }
        return rules
    }
}
