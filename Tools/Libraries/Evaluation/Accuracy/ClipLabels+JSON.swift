package import Foundation

extension ClipLabels {
    /// Reads a label file.
    package init(contentsOf url: URL, classes: ClassNames) throws(ClipLabelsError) {
        try self.init(json: Self.read(url), classes: classes)
    }

    /// As `names(json:)`, for a file.
    package static func names(
        contentsOf url: URL
    ) throws(ClipLabelsError) -> (events: Set<String>, runs: Set<String>) {
        try names(json: read(url))
    }

    private static func read(_ url: URL) throws(ClipLabelsError) -> Data {
        do { return try Data(contentsOf: url) } catch { throw .unreadable(path: url.path) }
    }

    /// The labels of events and of runs in the text of a label file, independent of a model's classes.
    package static func names(json: Data) throws(ClipLabelsError) -> (events: Set<String>, runs: Set<String>) {
        let file = try LabelFile(json)
        return (Set(file.events.map(\.label)), Set(file.labels.map(\.label)))
    }

    /// Reads the text of a label file.
    package init(json: Data, classes: ClassNames) throws(ClipLabelsError) {
        let file = try LabelFile(json)
        func classIndex(_ label: String) throws(ClipLabelsError) -> Int {
            guard let index = classes.index(of: label) else { throw .unknownLabel(label) }
            return index
        }
        var events: [Event] = []
        for event in file.events {
            events.append(
                Event(classIndex: try classIndex(event.label), onset: event.onset_s.value, end: event.end_s.value))
        }
        var runs: [Run] = []
        for run in file.labels {
            runs.append(Run(frames: try run.frames.range(of: file.frames.value), classIndex: try classIndex(run.label)))
        }
        var undecided: [Range<Int>] = []
        for pair in file.undecided ?? [] { undecided.append(try pair.range(of: file.frames.value)) }
        try self.init(
            rate: file.rate_hz.value, frames: file.frames.value, events: events, runs: runs, undecided: undecided,
            sourceRate: file.source_hz?.value, lighting: file.lighting, hand: file.hand, classes: classes)
    }
}

/// The contents of a label file; property names are the keys.
private struct LabelFile: Decodable {
    struct Event: Decodable {
        let label: String
        let onset_s: Number<Double>
        let end_s: Number<Double>
    }

    struct Pair: Decodable {
        let first: Int
        let end: Int

        init(_ values: inout any UnkeyedDecodingContainer) throws {
            first = try values.decode(Number<Int>.self).value
            end = try values.decode(Number<Int>.self).value
        }

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            try self.init(&values)
            try values.checkEnd()
        }

        func range(of frames: Int) throws(ClipLabelsError) -> Range<Int> {
            guard first < end else { throw .runOutOfRange(first: first, end: end, frames: frames) }
            return first..<end
        }
    }

    struct Run: Decodable {
        let frames: Pair
        let label: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            frames = try Pair(&values)
            label = try values.decode(String.self)
            try values.checkEnd()
        }
    }

    /// A number whose error names its path: the decoder itself omits the path of a number that does not fit its type.
    struct Number<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            do {
                value = try decoder.singleValueContainer().decode(Value.self)
            } catch {
                throw DecodingError.typeMismatch(
                    Value.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(error)"))
            }
        }
    }

    let rate_hz: Number<Double>
    let frames: Number<Int>
    let events: [Event]
    let labels: [Run]
    let undecided: [Pair]?
    let source_hz: Number<Double>?
    let lighting: String?
    let hand: String?
}

extension LabelFile {
    fileprivate init(_ json: Data) throws(ClipLabelsError) {
        do {
            self = try JSONDecoder().decode(LabelFile.self, from: json)
        } catch let error as DecodingError {
            throw ClipLabelsError(error)
        } catch {
            throw .notJSON
        }
    }
}

extension UnkeyedDecodingContainer {
    fileprivate func checkEnd() throws {
        guard isAtEnd else { throw DecodingError.dataCorruptedError(in: self, debugDescription: "too many elements") }
    }
}

extension ClipLabelsError {
    fileprivate init(_ error: DecodingError) {
        func path(_ keys: [any CodingKey]) -> String {
            keys.map { key in key.intValue.map(String.init) ?? key.stringValue }.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): self = .missing(key: path(context.codingPath + [key]))
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .malformed(key: path(context.codingPath))
        case .dataCorrupted(let context):
            self = context.codingPath.isEmpty ? .notJSON : .malformed(key: path(context.codingPath))
        @unknown default: self = .notJSON
        }
    }
}
