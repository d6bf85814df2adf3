import ModelFile

/// The members of a zip archive, such as MediaPipe's `.task` bundles, PyTorch's files and archives of NumPy arrays.
///
/// The archive is found by the record at its end, so bytes may lie before it, as in MediaPipe's aligned bundles.
/// Members are read by the central directory and checked against their own headers (PKWARE APPNOTE 6.3): no encryption,
/// no compression other than DEFLATE, no repeated name or name outside the archive, no two members that share bytes,
/// including headers, and correct checksums. Sizes of 64 bits are read where zip64's records state them, as PyTorch and
/// NumPy always do. The sizes that members state are limited, each by what DEFLATE can give and all together by
/// `contentLimit`, before memory is allocated.
package struct ZipArchive: Sendable {
    package struct Entry: Sendable, Equatable {
        package let name: String
        /// The position of the member's bytes, compressed or not.
        package let range: Range<Int>
        /// Bytes of the content.
        package let size: Int
        fileprivate let isCompressed: Bool
        fileprivate let checksum: UInt32
    }

    /// Why an archive was rejected.
    package enum Fault: Error, Sendable, Equatable {
        /// No end of a central directory, or not at the position that it states.
        case directory
        /// A record at this offset is broken.
        case malformed(offset: Int)
        case tooManyEntries(limit: Int)
        /// The archive spans files, or its records of 64-bit sizes are not where they should be.
        case unsupported
        /// The name is not UTF-8, empty, absolute, leads upwards, or is repeated.
        case name(String)
        case encrypted(String)
        /// A compression method that is not read, by its number.
        case compressed(String, method: Int)
        /// The member states a larger content than its bytes can give.
        case ratio(String, size: Int)
        /// The contents would be larger together than the limit.
        case tooLarge(limit: Int)
        /// The compressed bytes were refused.
        case deflate(String, Inflate.Fault)
        /// The two headers of a member contradict each other.
        case contradiction(String)
        case overlap(String)
        case checksum(String)
        /// Archives inside archives, deeper than the limit.
        case tooDeep(String, limit: Int)
    }

    package static let entryLimit = 1024
    /// Most bytes of all contents together.
    package static let contentLimit = 256 << 20

    package let bytes: [UInt8]
    /// In the order of their bytes; directories are left out.
    package let entries: [Entry]

    /// - Parameter allowingDeflate: whether members may be compressed.
    package init(bytes: [UInt8], allowingDeflate: Bool = false) throws(Fault) {
        self.bytes = bytes
        guard let record = Self.endRecord(bytes) else { throw .directory }
        let reader = Records(bytes: bytes)
        let directoryRecord = try EndRecord(reader, at: record)
        let (count, end) = (directoryRecord.count, directoryRecord.offset)
        guard count <= Self.entryLimit else { throw .tooManyEntries(limit: Self.entryLimit) }
        // The directory ends where its record begins. If it lies further back than its offset says, all offsets count
        // from the start of the archive, after the bytes that were put before it.
        let directory = end - directoryRecord.size
        let base = directory - directoryRecord.start
        guard directory >= 0, base >= 0 else { throw .directory }

        var members: [(name: String, span: Range<Int>)] = []
        var entries: [Entry] = []
        var names: Set<String> = []
        var offset = directory
        var total = 0
        for _ in 0..<count {
            let record = try CentralRecord(reader, at: offset, allowingDeflate: allowingDeflate)
            offset = record.end
            guard offset <= end else { throw .malformed(offset: offset) }
            guard names.insert(record.name).inserted else { throw .name(record.name) }
            let range = try record.range(reader, base: base, before: directory)
            members.append((record.name, base + record.headerOffset..<range.upperBound))
            guard record.size <= Self.contentLimit - total else { throw .tooLarge(limit: Self.contentLimit) }
            total += record.size
            guard !record.isDirectory else { continue }
            entries.append(
                Entry(
                    name: record.name, range: range, size: record.size, isCompressed: record.isCompressed,
                    checksum: record.checksum))
        }
        guard offset == end else { throw .directory }
        members.sort { $0.span.lowerBound < $1.span.lowerBound }
        for (member, next) in zip(members, members.dropFirst()) where next.span.lowerBound < member.span.upperBound {
            throw .overlap(next.name)
        }
        self.entries = entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The content of a member of this archive, decompressed.
    package func contents(of entry: Entry) throws(Fault) -> ArraySlice<UInt8> {
        // The checksums of other members have been compared.
        guard entry.isCompressed else { return bytes[entry.range] }
        let content: [UInt8]
        do throws(Inflate.Fault) { content = try Inflate.bytes(bytes[entry.range], count: entry.size) } catch {
            throw .deflate(entry.name, error)
        }
        guard CRC32.of(content[...]) == entry.checksum else { throw .checksum(entry.name) }
        return content[...]
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

    /// A number of at most 8 bytes.
    func number(_ offset: Int, _ width: Int) throws(ZipArchive.Fault) -> Int {
        guard offset >= 0, offset <= bytes.count - width else { throw .malformed(offset: offset) }
        let value = (0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        guard let number = Int(exactly: value) else { throw .malformed(offset: offset) }
        return number
    }

    func bytes(_ offset: Int, _ count: Int) throws(ZipArchive.Fault) -> ArraySlice<UInt8> {
        guard offset >= 0, offset <= bytes.count - count else { throw .malformed(offset: offset) }
        return bytes[offset..<offset + count]
    }

    /// The numbers of 64 bits that zip64's extra field has for those of `values` that say so by the largest number of
    /// 32 bits, in their order (section 4.5.3); the others as they are.
    func wide(
        _ values: [Int], extra: Range<Int>
    ) throws(ZipArchive.Fault) -> [Int] {
        guard values.contains(Self.seeWide) else { return values }
        var field = extra.lowerBound
        while field <= extra.upperBound - 4 {
            let (kind, start) = (try number(field, 2), field + 4)
            let end = start + (try number(field + 2, 2))
            guard end <= extra.upperBound else { throw .malformed(offset: field) }
            field = end
            guard kind == 1 else { continue }
            var (wide, next): ([Int], Int) = ([], start)
            for value in values {
                guard value == Self.seeWide else {
                    wide.append(value)
                    continue
                }
                guard next <= end - 8 else { throw .malformed(offset: next) }
                wide.append(try number(next, 8))
                next += 8
            }
            return wide
        }
        throw .unsupported
    }

    static let seeWide = 0xFFFF_FFFF
}

/// Where the central directory is, from the record at the end and, if there is one, zip64's before it.
private struct EndRecord {
    /// Where the first of the records begins and the directory ends.
    let offset: Int
    let count, size, start: Int

    init(_ reader: Records, at end: Int) throws(ZipArchive.Fault) {
        guard try reader.number(end + 4, 2) == 0, try reader.number(end + 6, 2) == 0 else { throw .unsupported }
        let counts = [try reader.number(end + 8, 2), try reader.number(end + 10, 2)]
        let extent = [try reader.number(end + 12, 4), try reader.number(end + 16, 4)]
        guard end >= Self.wideLength + Self.locatorLength,
            try reader.number(end - Self.locatorLength, 4) == 0x0706_4B50
        else {
            guard counts[0] == counts[1], counts[0] != 0xFFFF, extent[1] != Records.seeWide else { throw .unsupported }
            (offset, count, size, start) = (end, counts[0], extent[0], extent[1])
            return
        }
        let wide = end - Self.locatorLength - Self.wideLength
        // The record's length counts what follows it.
        guard try reader.number(wide, 4) == 0x0606_4B50, try reader.number(wide + 4, 8) == Self.wideLength - 12,
            try reader.number(wide + 16, 4) == 0, try reader.number(wide + 20, 4) == 0
        else { throw .unsupported }
        offset = wide
        count = try reader.number(wide + 32, 8)
        size = try reader.number(wide + 40, 8)
        start = try reader.number(wide + 48, 8)
        guard try reader.number(wide + 24, 8) == count, counts.allSatisfy({ [0xFFFF, count].contains($0) }),
            [Records.seeWide, size].contains(extent[0]), [Records.seeWide, start].contains(extent[1])
        else { throw .unsupported }
        guard size <= wide, start <= wide else { throw .directory }
    }

    private static let wideLength = 56
    private static let locatorLength = 20
}

/// A member as described by the central directory.
private struct CentralRecord {
    let name: String
    let end: Int
    /// Counted from the start of the archive.
    let headerOffset: Int
    let size: Int
    let checksum: UInt32
    private let flags, method, storedSize: Int
    private let rawName: ArraySlice<UInt8>

    init(_ reader: Records, at offset: Int, allowingDeflate: Bool) throws(ZipArchive.Fault) {
        guard try reader.number(offset, 4) == 0x0201_4B50 else { throw .malformed(offset: offset) }
        flags = try reader.number(offset + 8, 2)
        method = try reader.number(offset + 10, 2)
        checksum = UInt32(truncatingIfNeeded: try reader.number(offset + 16, 4))
        rawName = try reader.bytes(offset + 46, try reader.number(offset + 28, 2))
        let (extra, comment) = (try reader.number(offset + 30, 2), try reader.number(offset + 32, 2))
        let extraStart = offset + 46 + rawName.count
        end = extraStart + extra + comment
        let wide = try reader.wide(
            [
                try reader.number(offset + 24, 4), try reader.number(offset + 20, 4),
                try reader.number(offset + 42, 4),
            ], extra: extraStart..<extraStart + extra)
        (size, storedSize, headerOffset) = (wide[0], wide[1], wide[2])
        guard let name = String(validating: rawName, as: UTF8.self) else {
            throw .name(String(decoding: rawName, as: UTF8.self))
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("\\"), !name.contains("\0"), !parts.contains("..")
        else {
            throw .name(name)
        }
        self.name = name
        guard flags & 1 == 0 else { throw .encrypted(name) }
        guard method == 0 || method == Self.deflate && allowingDeflate else {
            throw .compressed(name, method: method)
        }
        guard headerOffset <= reader.bytes.count else { throw .malformed(offset: offset) }
        guard isCompressed || size == storedSize else { throw .contradiction(name) }
        guard size / Inflate.largestRatio <= storedSize else { throw .ratio(name, size: size) }
    }

    private static let deflate = 8

    var isDirectory: Bool { name.hasSuffix("/") }

    var isCompressed: Bool { method == Self.deflate }

    /// The position of the member's bytes, checked against its own header. They must end before the central directory.
    /// - Parameter base: the start of the archive.
    func range(_ reader: Records, base: Int, before limit: Int) throws(ZipArchive.Fault) -> Range<Int> {
        let header = base + headerOffset
        guard try reader.number(header, 4) == 0x0403_4B50 else { throw .malformed(offset: header) }
        let ownName = try reader.bytes(header + 30, try reader.number(header + 26, 2))
        let extraStart = header + 30 + ownName.count
        let start = extraStart + (try reader.number(header + 28, 2))
        let own = try reader.wide(
            [try reader.number(header + 22, 4), try reader.number(header + 18, 4)], extra: extraStart..<start)
        let ownChecksum = try reader.number(header + 14, 4)
        // With this flag checksum and sizes follow the member, and its header may contain zeros instead.
        let isDeferred = flags & 8 != 0
        guard try reader.number(header + 6, 2) == flags, try reader.number(header + 8, 2) == method,
            ownName.elementsEqual(rawName),
            own == [size, storedSize] && ownChecksum == Int(checksum)
                || isDeferred && own == [0, 0] && ownChecksum == 0
        else { throw .contradiction(name) }
        guard storedSize <= limit - start else { throw .malformed(offset: header) }
        let stored = try reader.bytes(start, storedSize)
        guard isCompressed || CRC32.of(stored) == checksum else { throw .checksum(name) }
        return start..<start + storedSize
    }
}
