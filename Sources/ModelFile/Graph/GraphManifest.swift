/// A graph file's description of itself: the safetensors file's `__metadata__` without the graph.
///
/// | key | value |
/// |---|---|
/// | `format`, `format_version` | `graph-model`, `1` |
/// | `precision` | `int8`, `float16` or `float32`: how weights are stored |
/// | `graph` | the operators as JSON (`NetworkGraph.json`) |
/// | `quantisation` | in int8 files: the quantised values, `{"<value>":["<scale>",<zero point>],...}` |
/// | `source`, `source_sha256` | name and SHA-256 of the file from which the graph was made |
/// | `calibration`, `provenance` | the data on which activations were measured; the weights' origin and licence |
/// | `content_xxh64` | the file's `ContentHash`, which `GraphFile` checks and writes; not part of the manifest |
///
/// `source`, `source_sha256`, `calibration` and `provenance` may be absent. Other keys are kept in `additional` and
/// written back.
package struct GraphManifest: Sendable, Equatable {
    package static let format = "graph-model"
    package static let version = 1

    package var precision: ModelManifest.Precision
    package var source: String?
    /// 64 lowercase hexadecimal digits.
    package var sourceSHA256: String?
    package var calibration: String?
    package var provenance: String?
    /// Metadata of other keys.
    package var additional: [String: String]

    package init(
        precision: ModelManifest.Precision = .float32, source: String? = nil, sourceSHA256: String? = nil,
        calibration: String? = nil, provenance: String? = nil, additional: [String: String] = [:]
    ) {
        self.precision = precision
        self.source = source
        self.sourceSHA256 = sourceSHA256
        self.calibration = calibration
        self.provenance = provenance
        self.additional = additional
    }

    enum Key {
        static let format = "format"
        static let version = "format_version"
        static let precision = "precision"
        static let graph = "graph"
        static let quantisation = "quantisation"
        static let source = "source"
        static let sourceSHA256 = "source_sha256"
        static let calibration = "calibration"
        static let provenance = "provenance"
    }

    /// Reads the metadata. Of `graph` and, for int8, `quantisation` it checks only that they exist.
    init(metadata: [String: String]) throws(ModelFileError) {
        var rest = metadata
        func take(_ key: String) throws(ModelFileError) -> String {
            guard let value = rest.removeValue(forKey: key) else { throw .missingMetadata(key: key) }
            return value
        }
        guard rest.removeValue(forKey: Key.format) == Self.format else { throw .notAGraph }
        let version = try take(Key.version)
        guard version == String(Self.version) else { throw .unsupportedVersion(version) }
        let precision = try take(Key.precision)
        guard let known = ModelManifest.Precision(rawValue: precision) else {
            throw .malformedMetadata(key: Key.precision, value: precision)
        }
        self.precision = known
        _ = try take(Key.graph)
        if known == .int8 { _ = try take(Key.quantisation) }
        source = rest.removeValue(forKey: Key.source)
        sourceSHA256 = rest.removeValue(forKey: Key.sourceSHA256)
        if let sourceSHA256, !ModelManifest.isDigest(sourceSHA256) {
            throw .malformedMetadata(key: Key.sourceSHA256, value: sourceSHA256)
        }
        calibration = rest.removeValue(forKey: Key.calibration)
        provenance = rest.removeValue(forKey: Key.provenance)
        rest.removeValue(forKey: ContentHash.key)
        additional = rest
    }

    /// The metadata of a file with this graph; `quantisation` is nil except for int8.
    func metadata(graph: String, quantisation: String?) throws(ModelFileError) -> [String: String] {
        var result = [
            Key.format: Self.format, Key.version: String(Self.version), Key.precision: precision.rawValue,
            Key.graph: graph,
        ]
        result[Key.quantisation] = quantisation
        result[Key.source] = source
        result[Key.sourceSHA256] = sourceSHA256
        result[Key.calibration] = calibration
        result[Key.provenance] = provenance
        for key in additional.keys.sorted() {
            guard result[key] == nil else { throw .duplicateKey(key) }
            result[key] = additional[key]
        }
        return result
    }
}
