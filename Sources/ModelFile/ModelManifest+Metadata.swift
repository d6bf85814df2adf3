extension ModelManifest {
    package static let versionKey = "format_version"

    private enum Key {
        static let format = "format"
        static let network = "network"
        static let precision = "precision"
        static let labels = "labels"
        static let nullIndex = "null_index"
        /// With the suffix `_frames` or `_ms`.
        static let median = "post.median"
        static let begin = "post.begin"
        static let end = "post.end"
        static let beginConfidence = "post.begin_confidence"
        static let classConfidence = "post.class_confidence"
        static let steadyMilliseconds = "post.steady_ms"
        static let steadyConfidence = "post.steady_confidence"
        static let unsureEndMilliseconds = "post.unsure_end_ms"
        static let mergeWindowMilliseconds = "post.once_ms"
        static let returnMilliseconds = "post.return_ms"
        static let returnStrokes = "post.return_strokes"
        static let taught = "post.taught"
        static let calibration = "calibration"
        static let training = "training"
        static let sourceSHA256 = "source_sha256"
    }

    /// Throws for metadata that are not those of a gesture model of this version.
    static func requireVersion(_ metadata: [String: String]) throws(ModelFileError) {
        guard metadata[Key.format] == format else { throw .notAGestureModel }
        guard let version = metadata[versionKey] else { throw .missingMetadata(key: versionKey) }
        guard version == String(Self.version) else { throw .unsupportedVersion(version) }
    }

    /// Reads the metadata of a gesture model; errors name the key. `ModelFile` checks the content hash.
    package init(metadata: [String: String]) throws(ModelFileError) {
        try Self.requireVersion(metadata)
        var fields = MetadataFields(remaining: metadata)
        for key in [Key.format, Self.versionKey, ContentHash.key] { _ = fields.optional(key) }

        network = try fields.required(Key.network)
        precision = try fields.required(Key.precision) { Precision(rawValue: $0) }
        let labels = try fields.required(Key.labels) { Self.labels(from: $0) }
        self.labels = labels
        let nullIndex = try fields.integer(Key.nullIndex, in: 0...labels.count - 1)
        self.nullIndex = nullIndex
        let gestures = labels.enumerated().filter { $0.offset != nullIndex }.map { $0.element }
        postProcessing = try Self.postProcessing(from: &fields, of: gestures)
        calibration = fields.optional(Key.calibration)
        training = fields.optional(Key.training)
        sourceSHA256 = nil
        if metadata[Key.sourceSHA256] != nil {
            let digest: String = try fields.required(Key.sourceSHA256) { Self.isDigest($0) ? $0 : nil }
            sourceSHA256 = digest
        }

        activationScales = [:]
        for key in metadata.keys.sorted() where key.hasPrefix(Self.activationScalePrefix) {
            let layer = String(key.dropFirst(Self.activationScalePrefix.count))
            // With an explicit type, because the closure's nil would otherwise be a value of the dictionary's optional.
            let scale: Float = try fields.required(key) { text in
                Self.decimal(text).flatMap { !layer.isEmpty && $0 > 0 ? $0 : nil }
            }
            activationScales[layer] = scale
        }
        additional = fields.remaining
    }

    private static func postProcessing(
        from fields: inout MetadataFields, of gestures: [String]
    ) throws(ModelFileError) -> PostProcessing {
        var postProcessing = PostProcessing(
            median: try fields.extent(Key.median, limit: Self.medianLimit) { $0 % 2 == 1 },
            begin: try fields.extent(Key.begin, limit: Self.extentLimit),
            beginConfidence: try fields.required(Key.beginConfidence) { text in
                Self.decimal(text).flatMap { (0...1).contains($0) ? $0 : nil }
            },
            end: try fields.extent(Key.end, limit: Self.extentLimit))
        if fields.remaining[Key.classConfidence] != nil {
            postProcessing.classConfidence = try fields.required(Key.classConfidence) { text in
                Self.classConfidence(from: text, of: gestures)
            }
        }
        if fields.remaining[Key.steadyMilliseconds] != nil || fields.remaining[Key.steadyConfidence] != nil {
            postProcessing.steady = Steady(
                milliseconds: try fields.integer(Key.steadyMilliseconds, in: 1...Self.extentLimit),
                confidence: try fields.required(Key.steadyConfidence) { text in
                    Self.decimal(text).flatMap { $0 >= 0 && $0 < 1 ? $0 : nil }
                })
        }
        if fields.remaining[Key.unsureEndMilliseconds] != nil {
            let end = postProcessing.end
            postProcessing.unsureEndMilliseconds = try fields.integer(
                Key.unsureEndMilliseconds, in: 1...Self.extentLimit
            ) { value in if case .milliseconds(let minimum) = end { value >= minimum } else { true } }
        }
        if fields.remaining[Key.mergeWindowMilliseconds] != nil {
            postProcessing.mergeWindowMilliseconds = try fields.integer(
                Key.mergeWindowMilliseconds, in: 0...Self.returnLimit)
        }
        if fields.remaining[Key.returnMilliseconds] != nil || fields.remaining[Key.returnStrokes] != nil {
            postProcessing.returnMilliseconds = try fields.integer(Key.returnMilliseconds, in: 1...Self.returnLimit)
            postProcessing.returnStrokes = try fields.required(Key.returnStrokes) { text in
                Self.returnStrokes(from: text, of: gestures)
            }
        }
        if fields.remaining[Key.taught] != nil {
            postProcessing.taught = try fields.required(Key.taught) { Self.taught(from: $0, of: gestures) }
        }
        return postProcessing
    }

    /// The metadata that `init(metadata:)` reads back as this manifest.
    ///
    /// Throws the errors that reading would throw, so that every written model can be read. `additional` must not
    /// contain a key of the manifest's own.
    package func metadata() throws(ModelFileError) -> [String: String] {
        var result: [String: String] = [
            Key.format: Self.format,
            Self.versionKey: String(Self.version),
            Key.network: network,
            Key.precision: precision.rawValue,
            Key.labels: JSONText.array(labels),
            Key.nullIndex: String(nullIndex),
            // `description` is the shortest decimal that reads back as the same Float.
            Key.beginConfidence: postProcessing.beginConfidence.description,
        ]
        for (key, extent) in [
            (Key.median, postProcessing.median), (Key.begin, postProcessing.begin), (Key.end, postProcessing.end),
        ] {
            switch extent {
            case .frames(let count): result[key + Self.framesSuffix] = String(count)
            case .milliseconds(let count): result[key + Self.millisecondsSuffix] = String(count)
            }
        }
        if !postProcessing.classConfidence.isEmpty {
            result[Key.classConfidence] = JSONText.object(postProcessing.classConfidence.mapValues { $0.description })
        }
        result[Key.steadyMilliseconds] = postProcessing.steady.map { String($0.milliseconds) }
        result[Key.steadyConfidence] = postProcessing.steady.map { $0.confidence.description }
        result[Key.unsureEndMilliseconds] = postProcessing.unsureEndMilliseconds.map { String($0) }
        if postProcessing.mergeWindowMilliseconds != 0 {
            result[Key.mergeWindowMilliseconds] = String(postProcessing.mergeWindowMilliseconds)
        }
        if postProcessing.returnMilliseconds != 0 || !postProcessing.returnStrokes.isEmpty {
            result[Key.returnMilliseconds] = String(postProcessing.returnMilliseconds)
            result[Key.returnStrokes] = JSONText.object(postProcessing.returnStrokes)
        }
        if !postProcessing.taught.isEmpty { result[Key.taught] = JSONText.array(postProcessing.taught) }
        result[Key.calibration] = calibration
        result[Key.training] = training
        result[Key.sourceSHA256] = sourceSHA256
        for (layer, scale) in activationScales { result[Self.activationScalePrefix + layer] = scale.description }
        for key in additional.keys.sorted() {
            guard result[key] == nil else { throw .duplicateKey(key) }
            result[key] = additional[key]
        }
        let readBack = try ModelManifest(metadata: result)
        // An optional key of the manifest that is absent could be in `additional`; reading back would move it.
        for key in additional.keys.sorted() where readBack.additional[key] == nil { throw .duplicateKey(key) }
        return result
    }

    private static func labels(from text: String) -> [String]? {
        // For an invalid label list the key is reported instead of the JSON error.
        guard let labels = try? JSONText.stringArray(in: Array(text.utf8)) else { return nil }
        guard (try? LabelFault.check(labels)) != nil else { return nil }
        return labels
    }

    static let framesSuffix = "_frames"
    static let millisecondsSuffix = "_ms"

    /// At least one entry, with labels from `gestures` as keys.
    private static func classConfidence(from text: String, of gestures: [String]) -> [String: Float]? {
        guard let members = try? JSONText.stringMembers(in: Array(text.utf8)), !members.isEmpty else { return nil }
        var result: [String: Float] = [:]
        for member in members {
            guard gestures.contains(member.key), let value = decimal(member.value), value >= 0, value < 1 else {
                return nil
            }
            result[member.key] = value
        }
        return result
    }

    /// At least one entry, from labels of `gestures` to other labels of `gestures`.
    private static func returnStrokes(from text: String, of gestures: [String]) -> [String: String]? {
        guard let members = try? JSONText.stringMembers(in: Array(text.utf8)), !members.isEmpty,
            members.allSatisfy({ gestures.contains($0.key) && gestures.contains($0.value) && $0.key != $0.value })
        else { return nil }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value) })
    }

    /// At least one label from `gestures`, each once.
    private static func taught(from text: String, of gestures: [String]) -> [String]? {
        guard let taught = try? JSONText.stringArray(in: Array(text.utf8)), !taught.isEmpty,
            Set(taught).count == taught.count, taught.allSatisfy({ gestures.contains($0) })
        else { return nil }
        return taught
    }

    /// A finite decimal number. `Float.init` alone would also take `nan`, `inf` and hexadecimal.
    static func decimal(_ text: String) -> Float? {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Float(text), value.isFinite
        else { return nil }
        return value
    }

    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}

/// Metadata from which keys are removed as they are read.
private struct MetadataFields {
    var remaining: [String: String]

    mutating func optional(_ key: String) -> String? {
        remaining.removeValue(forKey: key)
    }

    mutating func required(_ key: String) throws(ModelFileError) -> String {
        guard let value = remaining.removeValue(forKey: key) else { throw .missingMetadata(key: key) }
        return value
    }

    /// The value that `parse` returns; nil means malformed.
    mutating func required<T>(_ key: String, _ parse: (String) -> T?) throws(ModelFileError) -> T {
        let text = try required(key)
        guard let value = parse(text) else { throw .malformedMetadata(key: key, value: text) }
        return value
    }

    /// A count of frames or of milliseconds, from whichever of the two keys exists.
    /// - condition: must hold for a count of frames.
    mutating func extent(
        _ key: String, limit: Int, where condition: (Int) -> Bool = { _ in true }
    ) throws(ModelFileError) -> RecognitionExtent {
        let frames = key + ModelManifest.framesSuffix
        let milliseconds = key + ModelManifest.millisecondsSuffix
        guard remaining[milliseconds] != nil else {
            return .frames(try integer(frames, in: 1...ModelManifest.countLimit, where: condition))
        }
        guard remaining[frames] == nil else { throw .conflictingMetadata(key: milliseconds, with: frames) }
        return .milliseconds(try integer(milliseconds, in: 1...limit))
    }

    mutating func integer(
        _ key: String, in range: ClosedRange<Int>, where condition: (Int) -> Bool = { _ in true }
    ) throws(ModelFileError) -> Int {
        try required(key) { text in
            guard text.utf8.allSatisfy({ "0123456789".utf8.contains($0) }), let value = Int(text),
                range.contains(value), condition(value)
            else { return nil }
            return value
        }
    }
}
