package import Frames
import Platform

/// How the image in a file is stored, for the formats whose orientation FFmpeg does not apply (5.1) or applies only in
/// later versions: PNG, WebP, TIFF and AVIF. The file's statement is read here, so that every version of the program
/// shows the same picture.
///
/// A statement that is missing or damaged counts as upright, as in image viewers.
package struct StoredOrientation: ~Copyable {
    /// Chunks, boxes or entries that are read of a file.
    private static let partLimit = 65_536
    /// Bytes of AVIF's `meta` box that are read.
    private static let metaLimit = 1 << 20

    private var file: ByteFile
    private let byteCount: Int

    /// The orientation that a file states; nil for a format whose orientation the program applies.
    package static func read(path: String) -> ImageOrientation? {
        // A pipe has no orientation, and need not have a writer yet.
        guard let file = try? ByteFile(reading: path, writerWithin: 0), case .regular(let byteCount) = file.kind
        else { return nil }
        var reader = StoredOrientation(file: file, byteCount: byteCount)
        return reader.orientation()
    }

    private init(file: consuming ByteFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    private mutating func orientation() -> ImageOrientation? {
        guard let start = bytes(0, 16) else { return nil }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return png() ?? .up }
        if start.starts(with: "RIFF".utf8), start[8..<12].elementsEqual("WEBP".utf8) { return webP() ?? .up }
        if start.starts(with: [0x49, 0x49, 0x2A, 0]) || start.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            return exif(at: 0) ?? .up
        }
        if start[4..<8].elementsEqual("ftyp".utf8), start[8..<12].elementsEqual("avif".utf8) { return avif() ?? .up }
        return nil
    }

    // MARK: Reading

    /// Nil if the file has fewer bytes there.
    private mutating func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= byteCount - offset else { return nil }
        guard let bytes = try? file.bytes(at: offset, count: count), bytes.count == count else { return nil }
        return bytes
    }

    private static func number(_ bytes: some Collection<UInt8>, littleEndian: Bool = false) -> Int {
        littleEndian
            ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: Exif

    /// The orientation of the first directory of a TIFF structure (TIFF 6.0, section 8; tag 274), which is also what
    /// Exif consists of.
    private mutating func exif(at start: Int) -> ImageOrientation? {
        // Some writers keep the introduction that Exif has in JPEG.
        var start = start
        if let introduction = bytes(start, 6), introduction.elementsEqual("Exif\0\0".utf8) { start += 6 }
        guard let header = bytes(start, 8) else { return nil }
        let isLittle = header[0] == 0x49
        let directory = start + Self.number(header[4..<8], littleEndian: isLittle)
        guard let count = bytes(directory, 2) else { return nil }
        for index in 0..<Self.number(count, littleEndian: isLittle) {
            guard let entry = bytes(directory + 2 + 12 * index, 12) else { return nil }
            guard Self.number(entry[0..<2], littleEndian: isLittle) == 274 else { continue }
            // One value of 16 bits, or, of careless writers, of 32.
            let isLong = Self.number(entry[2..<4], littleEndian: isLittle) == 4
            return ImageOrientation(rawValue: Self.number(entry[8..<(isLong ? 12 : 10)], littleEndian: isLittle))
        }
        return nil
    }

    // MARK: Containers

    /// The chunk `eXIf`, before or after the image (PNG specification, third edition, 11.3.4.4). Chunks end with a
    /// checksum of four bytes.
    private mutating func png() -> ImageOrientation? {
        chunk("eXIf", from: 8) { header in
            (header[4..<8], Self.number(header[0..<4]) + 4)
        }
    }

    /// The chunk `EXIF` (RFC 9649, section 2.7.1.5). Chunks have even sizes.
    private mutating func webP() -> ImageOrientation? {
        chunk("EXIF", from: 12) { header in
            let size = Self.number(header[4..<8], littleEndian: true)
            return (header[0..<4], size + size % 2)
        }
    }

    /// - Parameter parse: the name in a chunk's header of eight bytes, and the bytes that follow the header.
    private mutating func chunk(
        _ name: String, from start: Int, parse: ([UInt8]) -> (name: ArraySlice<UInt8>, size: Int)
    ) -> ImageOrientation? {
        var offset = start
        for _ in 0..<Self.partLimit {
            guard let header = bytes(offset, 8) else { return nil }
            let chunk = parse(header)
            if chunk.name.elementsEqual(name.utf8) { return exif(at: offset + 8) }
            offset += 8 + chunk.size
        }
        return nil
    }

    /// A box of ISO 14496-12 in memory.
    private struct Box {
        let type: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>
        /// Including its header.
        let end: Int

        /// The box at the start of a slice; nil if it is not whole. Sizes of 64 bits do not occur inside `meta`.
        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= 8 else { return nil }
            let start = bytes.startIndex
            let size = StoredOrientation.number(bytes[start..<start + 4])
            guard size >= 8, size <= bytes.count else { return nil }
            type = bytes[start + 4..<start + 8]
            content = bytes[start + 8..<start + size]
            end = start + size
        }

        /// The boxes in a slice.
        static func all(in bytes: ArraySlice<UInt8>) -> [Box] {
            var boxes: [Box] = []
            var rest = bytes
            while boxes.count < StoredOrientation.partLimit, let box = Box(rest) {
                boxes.append(box)
                rest = rest[box.end...]
            }
            return boxes
        }

        func isNamed(_ name: String) -> Bool { type.elementsEqual(name.utf8) }
    }

    /// The turns (`irot`) and mirrors (`imir`) of the primary item, in their order (ISO 23008-12, 6.5.10 and 6.5.12).
    private mutating func avif() -> ImageOrientation? {
        var offset = 0
        for _ in 0..<Self.partLimit {
            guard let header = bytes(offset, 8) else { return nil }
            var size = Self.number(header[0..<4])
            if size == 1 {
                guard let long = bytes(offset + 8, 8), long[0] == 0 else { return nil }
                size = Self.number(long)
            }
            if size == 0 { size = byteCount - offset }
            if header[4..<8].elementsEqual("meta".utf8) {
                guard size <= Self.metaLimit, size >= 12, let meta = bytes(offset + 12, size - 12) else { return nil }
                return Self.orientation(meta: meta)
            }
            guard size >= 8 else { return nil }
            offset += size
        }
        return nil
    }

    private static func orientation(meta: [UInt8]) -> ImageOrientation? {
        let boxes = Box.all(in: meta[...])
        guard let primary = boxes.first(where: { $0.isNamed("pitm") })?.content, primary.count >= 6,
            let properties = boxes.first(where: { $0.isNamed("iprp") })
        else { return nil }
        let parts = Box.all(in: properties.content)
        guard let container = parts.first(where: { $0.isNamed("ipco") }) else { return nil }
        let wide = primary.first == 0 ? 2 : 4
        let item = number(primary.dropFirst(4).prefix(wide))
        let known = Box.all(in: container.content)
        var result = ImageOrientation.up
        for part in parts where part.isNamed("ipma") {
            for index in associations(part.content, of: item) where index >= 1 && index <= known.count {
                let property = known[index - 1]
                guard let value = property.content.first else { continue }
                if property.isNamed("irot") {
                    // Quarter turns counterclockwise.
                    let turns: [ImageOrientation] = [.up, .left, .down, .right]
                    result = result.followed(by: turns[Int(value & 3)])
                } else if property.isNamed("imir") {
                    // 0 swaps top and bottom, 1 left and right.
                    result = result.followed(by: value & 1 == 0 ? .downMirrored : .upMirrored)
                }
            }
        }
        return result
    }

    /// The properties of an item, counted from 1, in their order (ISO 23008-12, 9.3.2).
    private static func associations(_ content: ArraySlice<UInt8>, of item: Int) -> [Int] {
        var rest = content
        func take(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return number(rest.prefix(count))
        }
        guard let version = take(1), let flags = take(3), let entries = take(4) else { return [] }
        let isWide = flags & 1 == 1
        for _ in 0..<min(entries, partLimit) {
            guard let owner = take(version == 0 ? 2 : 4), let count = take(1) else { return [] }
            var indices: [Int] = []
            for _ in 0..<count {
                guard let entry = take(isWide ? 2 : 1) else { return indices }
                // The highest bit marks a property as essential.
                indices.append(entry & (isWide ? 0x7FFF : 0x7F))
            }
            if owner == item { return indices }
        }
        return []
    }
}
