/// Writes and reads the simple JSON of model files.
package enum JSONText {
    /// `text` as a JSON string with quotes. Only what JSON requires is escaped; the rest stays UTF-8.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A JSON array of strings without white space.
    package static func array(_ strings: [String]) -> String {
        "[" + strings.map(quoted).joined(separator: ",") + "]"
    }

    /// A JSON object of strings, without white space, with ascending keys.
    package static func object(_ strings: [String: String]) -> String {
        let members = strings.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(quoted($0.value))" }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The strings of a JSON text that must be an array of strings.
    package static func stringArray(in text: [UInt8]) throws(ModelFileError) -> [String] {
        var reader = JSONReader(text)
        var strings: [String] = []
        try reader.beginArray()
        while try reader.nextElement() { strings.append(try reader.string()) }
        try reader.finishText()
        return strings
    }

    /// The members of a JSON text that must be an object of strings, in the text's order. Throws if a key occurs twice.
    package static func stringMembers(in text: [UInt8]) throws(ModelFileError) -> [(key: String, value: String)] {
        var reader = JSONReader(text)
        var members: [(key: String, value: String)] = []
        var seen: Set<String> = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
            guard seen.insert(key).inserted else { throw .duplicateKey(key) }
            members.append((key, try reader.string()))
        }
        try reader.finishText()
        return members
    }
}
