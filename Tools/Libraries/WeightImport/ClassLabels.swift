import ModelFile

/// Lists of class labels, in the order of the logits.
package enum ClassLabels {
    /// Reads a JSON text, an array of labels.
    package static func read(json: [UInt8]) throws(ImportError) -> [String] {
        var reader = try JSONReader(json, of: .labels, beginningWith: "[")
        return try checked(read(&reader))
    }

    /// The labels of a checkpoint's metadata; nil without any.
    package static func of(_ checkpoint: Checkpoint) throws(ImportError) -> [String]? {
        guard let text = checkpoint.metadata["labels"] else { return nil }
        do throws(ImportError) { return try read(json: Array(text.utf8)) } catch {
            // The rule that a label breaks is reported; faults of the JSON are the metadata's.
            if case .label = error { throw error }
            throw .file(.malformedMetadata(key: "labels", value: text))
        }
    }

    /// The labels, if a model can have them.
    static func checked(_ labels: [String]) throws(ImportError) -> [String] {
        do throws(ModelManifest.LabelFault) { try ModelManifest.LabelFault.check(labels) } catch {
            throw .label(error)
        }
        return labels
    }

    /// Reads the array that is the rest of a JSON text.
    static func read(_ reader: inout JSONReader) throws(ImportError) -> [String] {
        var reading = reader
        let labels = try importing { () throws(ModelFileError) in
            let labels = try reading.textsOfArray()
            try reading.finishText()
            return labels
        }
        reader = reading
        return try texts(labels)
    }

    /// The elements of an array, which must all be text.
    static func texts(_ labels: [String?]) throws(ImportError) -> [String] {
        if let position = labels.firstIndex(of: nil) { throw .label(.notText(position: position)) }
        return labels.compactMap(\.self)
    }
}

extension JSONReader {
    /// Begins a JSON text from the user; a byte order mark before it is left out.
    /// - Parameter beginnings: the characters with which it may begin.
    init(_ text: [UInt8], of content: JSONContent, beginningWith beginnings: String) throws(ImportError) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        let first = text.dropFirst(start).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first, beginnings.utf8.contains(first) else {
            throw .json(content, found: ModelFileError.FileFormat.detect(text))
        }
        self.init(text, in: start..<text.count)
    }

    /// Reads the next value; nil for one that is not text.
    mutating func stringIfText() throws(ModelFileError) -> String? {
        if isString() { return try string() }
        try skipValue()
        return nil
    }

    /// Reads the value of a key that could be a label with its index, or an index with its label.
    mutating func labelOfMap(_ key: String) throws(ModelFileError) -> (label: String, index: Double?) {
        if isString() { return (try string(), Double(key)) }
        var number = self
        guard let index = try? number.number() else {
            try skipValue()
            return (key, nil)
        }
        self = number
        return (key, index)
    }

    /// Reads an array; nil in place of elements that are not text.
    mutating func textsOfArray() throws(ModelFileError) -> [String?] {
        var texts: [String?] = []
        try beginArray()
        while try nextElement() { texts.append(try stringIfText()) }
        return texts
    }
}
