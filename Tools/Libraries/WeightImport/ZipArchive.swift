import ModelFile

/// The members of a zip archive without compression, such as MediaPipe's `.task` bundles and PyTorch's files.
///
/// The archive is found by the record at its end, so bytes may lie before it, as in MediaPipe's aligned bundles.
/// Members are read by the central directory and checked against their own headers (PKWARE APPNOTE 6.3): no encryption,
/// no compression, no zip64, no repeated name or name outside the archive, no two members that share bytes, including
/// headers, and correct checksums.
package struct ZipArchive: Sendable {
    package struct Entry: Sendable, Equatable {
        package let name: String
        /// The position of the member's bytes.
        package let range: Range<Int>
    }

    /// Why an archive was rejected.
    package enum Fault: Error, Sendable, Equatable {
        /// No end of a central directory, or not at the position that it states.
        case directory
        /// A record at this offset is broken.
        case malformed(offset: Int)
        case tooManyEntries(limit: Int)
        /// The archive spans files or needs 64-bit sizes.
        case unsupported
        /// The name is not UTF-8, empty, absolute, leads upwards, or is repeated.
        case name(String)
        case encrypted(String)
        /// A compression method other than none, by its number.
        case compressed(String, method: Int)
        /// The two headers of a member contradict each other.
        case contradiction(String)
        case overlap(String)
        case checksum(String)
        /// Archives inside archives, deeper than the limit.
        case tooDeep(String, limit: Int)
    }

    package static let entryLimit = 1024

    package let bytes: [UInt8]
    /// In the order of their bytes; directories are left out.
    package let entries: [Entry]

    package init(bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        guard let end = Self.endRecord(bytes) else { throw .directory }
        let reader = Records(bytes: bytes)
        let count = try reader.number(end + 10, 2)
        guard try reader.number(end + 4, 2) == 0, try reader.number(end + 6, 2) == 0,
            try reader.number(end + 8, 2) == count, count != 0xFFFF
        else { throw .unsupported }
        guard count <= Self.entryLimit else { throw .tooManyEntries(limit: Self.entryLimit) }
        let start = try reader.number(end + 16, 4)
        guard start != 0xFFFF_FFFF else { throw .unsupported }
        // The directory ends where its record begins. If it lies further back than its offset says, all offsets count
        // from the start of the archive, after the bytes that were put before it.
        let directory = end - (try reader.number(end + 12, 4))
        let base = directory - start
        guard base >= 0 else { throw .directory }

        var members: [(name: String, span: Range<Int>)] = []
        var entries: [Entry] = []
        var names: Set<String> = []
        var offset = directory
        for _ in 0..<count {
            let record = try CentralRecord(reader, at: offset)
            offset = record.end
            guard offset <= end else { throw .malformed(offset: offset) }
            guard names.insert(record.name).inserted else { throw .name(record.name) }
            let range = try record.range(reader, base: base, before: directory)
            members.append((record.name, base + record.headerOffset..<range.upperBound))
            if !record.isDirectory { entries.append(Entry(name: record.name, range: range)) }
        }
        guard offset == end else { throw .directory }
        members.sort { $0.span.lowerBound < $1.span.lowerBound }
        for (member, next) in zip(members, members.dropFirst()) where next.span.lowerBound < member.span.upperBound {
            throw .overlap(next.name)
        }
        self.entries = entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Whether the bytes end like an archive.
    static func isArchive(_ bytes: [UInt8]) -> Bool { endRecord(bytes) != nil }

    /// The offset of the record that ends the archive; its comment must reach exactly to the end of the bytes.
    private static func endRecord(_ bytes: [UInt8]) -> Int? {
        let last = bytes.count - 22
        guard last >= 0 else { return nil }
        return (max(0, last - 0xFFFF)...last).last { offset in
            bytes[offset...].starts(with: [0x50, 0x4B, 5, 6])
                && last - offset == Int(bytes[offset + 20]) | Int(bytes[offset + 21]) << 8
        }
    }
}

/// Little-endian numbers of an archive.
private struct Records {
    let bytes: [UInt8]

    func number(_ offset: Int, _ width: Int) throws(ZipArchive.Fault) -> Int {
        guard offset >= 0, offset <= bytes.count - width else { throw .malformed(offset: offset) }
        return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    func bytes(_ offset: Int, _ count: Int) throws(ZipArchive.Fault) -> ArraySlice<UInt8> {
        guard offset >= 0, offset <= bytes.count - count else { throw .malformed(offset: offset) }
        return bytes[offset..<offset + count]
    }
}

/// A member as described by the central directory.
private struct CentralRecord {
    let name: String
    let end: Int
    /// Counted from the start of the archive.
    let headerOffset: Int
    private let flags, method, checksum, storedSize, size: Int
    private let rawName: ArraySlice<UInt8>

    init(_ reader: Records, at offset: Int) throws(ZipArchive.Fault) {
        guard try reader.number(offset, 4) == 0x0201_4B50 else { throw .malformed(offset: offset) }
        flags = try reader.number(offset + 8, 2)
        method = try reader.number(offset + 10, 2)
        checksum = try reader.number(offset + 16, 4)
        storedSize = try reader.number(offset + 20, 4)
        size = try reader.number(offset + 24, 4)
        headerOffset = try reader.number(offset + 42, 4)
        rawName = try reader.bytes(offset + 46, try reader.number(offset + 28, 2))
        let (extra, comment) = (try reader.number(offset + 30, 2), try reader.number(offset + 32, 2))
        end = offset + 46 + rawName.count + extra + comment
        guard let name = String(validating: rawName, as: UTF8.self) else {
            throw .name(String(decoding: rawName, as: UTF8.self))
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("\\"), !name.contains("\0"), !parts.contains("..")
        else {
            throw .name(name)
        }
        self.name = name
    }

    var isDirectory: Bool { name.hasSuffix("/") }

    /// The position of the member's bytes, checked against its own header. They must end before the central directory.
    /// - Parameter base: the start of the archive.
    func range(_ reader: Records, base: Int, before limit: Int) throws(ZipArchive.Fault) -> Range<Int> {
        guard flags & 1 == 0 else { throw .encrypted(name) }
        guard method == 0 else { throw .compressed(name, method: method) }
        guard size != 0xFFFF_FFFF, headerOffset != 0xFFFF_FFFF else { throw .unsupported }
        guard size == storedSize else { throw .contradiction(name) }
        let header = base + headerOffset
        guard try reader.number(header, 4) == 0x0403_4B50 else { throw .malformed(offset: header) }
        let ownName = try reader.bytes(header + 30, try reader.number(header + 26, 2))
        let extra = try reader.number(header + 28, 2)
        // With this flag the sizes follow the member, and its header may contain zeros instead.
        let isDeferred = flags & 8 != 0
        let ownSizes = [try reader.number(header + 18, 4), try reader.number(header + 22, 4)]
        guard try reader.number(header + 6, 2) == flags, try reader.number(header + 8, 2) == method,
            ownName.elementsEqual(rawName),
            ownSizes == [size, size] || isDeferred && ownSizes == [0, 0]
        else { throw .contradiction(name) }
        let start = header + 30 + ownName.count + extra
        guard start + size <= limit else { throw .malformed(offset: header) }
        guard CRC32.of(try reader.bytes(start, size)) == UInt32(checksum) else { throw .checksum(name) }
        return start..<start + size
    }
}
