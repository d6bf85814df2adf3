import ModelFile

/// Reads members of a JSON object whose grammar was checked. A value of another kind throws `wrongType` with the member's path, and
/// `null` gives nil.
package struct ObjectReader {
    private var reader: JSONReader

    /// Calls `member` for each key of the object in `bytes`, with the reader before its value.
    package static func read(
        _ bytes: [UInt8], _ member: (String, inout ObjectReader) throws(PageCommandError) -> Void
    ) throws(PageCommandError) {
        var reader = ObjectReader(reader: JSONReader(bytes))
        try reader.members("") { key, _, reader throws(PageCommandError) in try member(key, &reader) }
    }

    /// Calls `member` for each key of the object that follows, with the member's path.
    package mutating func object(
        _ path: String, _ member: (String, String, inout ObjectReader) throws(PageCommandError) -> Void
    ) throws(PageCommandError) {
        guard reader.isObject() else { throw .wrongType(path) }
        try members(path + ".", member)
    }

    private mutating func members(
        _ prefix: String, _ member: (String, String, inout ObjectReader) throws(PageCommandError) -> Void
    ) throws(PageCommandError) {
        do throws(ModelFileError) { try reader.beginObject() } catch { throw .notJSON }
        while let key = try key() { try member(key, prefix + key, &self) }
    }

    private mutating func key() throws(PageCommandError) -> String? {
        do throws(ModelFileError) { return try reader.nextKey() } catch { throw .notJSON }
    }

    /// What `body` reads; nil for `null`.
    private mutating func value<Value>(
        _ path: String, _ body: (inout JSONReader) throws(ModelFileError) -> Value
    ) throws(PageCommandError) -> Value? {
        do throws(ModelFileError) {
            return try reader.skipNull() ? nil : try body(&reader)
        } catch {
            throw .wrongType(path)
        }
    }

    package mutating func string(_ path: String) throws(PageCommandError) -> String? {
        try value(path) { reader throws(ModelFileError) in try reader.string() }
    }

    package mutating func boolean(_ path: String) throws(PageCommandError) -> Bool? {
        try value(path) { reader throws(ModelFileError) in try reader.boolean() }
    }

    package mutating func number(_ path: String) throws(PageCommandError) -> Double? {
        try value(path) { reader throws(ModelFileError) in try reader.number() }
    }

    package mutating func float(_ path: String) throws(PageCommandError) -> Float? {
        try number(path).map { Float($0) }
    }

    /// A time of up to a day, in milliseconds.
    package mutating func milliseconds(_ path: String) throws(PageCommandError) -> Duration? {
        guard let number = try number(path) else { return nil }
        guard abs(number) <= 86_400_000 else { throw .wrongType(path) }
        return .nanoseconds(Int64((number * 1e6).rounded()))
    }

    /// Whether the value that follows is an object.
    package mutating func isObject() -> Bool { reader.isObject() }

    /// A number without a fraction.
    package mutating func integer(_ path: String) throws(PageCommandError) -> Int? {
        guard let number = try number(path) else { return nil }
        guard let integer = Int(exactly: number) else { throw .wrongType(path) }
        return integer
    }

    package mutating func strings(_ path: String) throws(PageCommandError) -> [String]? {
        try value(path) { reader throws(ModelFileError) in
            var strings: [String] = []
            try reader.beginArray()
            while try reader.nextElement() { strings.append(try reader.string()) }
            return strings
        }
    }

    /// One of the values of an enumeration.
    package mutating func choice<Choice: RawRepresentable<String>>(_ path: String) throws(PageCommandError) -> Choice? {
        guard let text = try string(path) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw .wrongType(path) }
        return choice
    }

    package mutating func skip() throws(PageCommandError) {
        do throws(ModelFileError) { try reader.skipValue() } catch { throw .notJSON }
    }
}
