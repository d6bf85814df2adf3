import Platform

/// A directory of sysfs, in which each file holds one short line of text.
///
/// A file counts as absent if it cannot be opened or read, does not answer at once, has more than 64 bytes or is not
/// UTF-8.
struct AttributeDirectory {
    /// The kernel's own values have at most 20 bytes: names of thermal zones and 64-bit numbers.
    static let attributeLimit = 64
    /// Most entries that are read from one directory; phones have about a hundred thermal zones.
    static let entryLimit = 1_024

    let path: String

    /// The value of an attribute without surrounding white space; nil if it is absent or empty.
    func attribute(_ name: String) -> String? {
        guard let bytes = bytes(name), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let isSpace: (Character) -> Bool = { $0.isASCII && $0.isWhitespace }
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return String(text[start...end])
    }

    /// The value of an attribute as a decimal number; nil if it is none.
    func integer(_ name: String) -> Int? {
        attribute(name).flatMap { Int($0) }
    }

    func subdirectory(_ name: String) -> AttributeDirectory {
        AttributeDirectory(path: path + "/" + name)
    }

    /// The entries whose name begins with `prefix`, shorter names first, so that 2 comes before 10.
    func names(startingWith prefix: String = "") -> [String] {
        let names = OpenFile.names(inDirectory: path, limit: Self.entryLimit).filter { $0.hasPrefix(prefix) }
        return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    private func bytes(_ name: String) -> [UInt8]? {
        guard let file = try? OpenFile(reading: path + "/" + name, waits: false),
            let bytes = try? file.readBytes(Self.attributeLimit + 1), bytes.count <= Self.attributeLimit
        else { return nil }
        return bytes
    }
}
