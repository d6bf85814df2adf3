/// A segment of a JPEG file: a marker and what belongs to it, without the length.
struct JPEGSegment {
    let marker: UInt8
    let content: ArraySlice<UInt8>

    /// What is wrong with a segment that does not say what it must.
    var fault: JPEGError { .segment(marker: marker) }

    /// The byte at an offset.
    func byte(_ offset: Int) throws(JPEGError) -> Int {
        guard offset < content.count else { throw fault }
        return Int(content[content.startIndex + offset])
    }

    /// The number of two bytes at an offset.
    func number(_ offset: Int) throws(JPEGError) -> Int { try byte(offset) << 8 | byte(offset + 1) }

    /// So many bytes from an offset on.
    func bytes(_ offset: Int, _ count: Int) throws(JPEGError) -> [UInt8] {
        guard offset + count <= content.count else { throw fault }
        return Array(content.dropFirst(offset).prefix(count))
    }
}

/// Goes through the segments of an image up to its scan.
struct SegmentReader {
    private let bytes: [UInt8]
    /// The byte after the latest segment.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the bytes begin with the marker of an image, which is then passed.
    mutating func beginsImage() throws(JPEGError) -> Bool {
        guard bytes.count >= 2 else { throw .truncated }
        position = 2
        return bytes[0] == 0xFF && bytes[1] == 0xD8
    }

    /// The next segment; the image must not end before its scan.
    mutating func next() throws(JPEGError) -> JPEGSegment {
        var marker = try byte()
        guard marker == 0xFF else { throw .noMarker(marker) }
        while marker == 0xFF { marker = try byte() }
        switch marker {
        case 0x01, 0xD0...0xD8: return JPEGSegment(marker: marker, content: [])
        case 0xD9: throw .truncated
        default: break
        }
        let length = Int(try byte()) << 8 | Int(try byte())
        guard length >= 2 else { throw .segment(marker: marker) }
        guard length - 2 <= bytes.count - position else { throw .truncated }
        defer { position += length - 2 }
        return JPEGSegment(marker: marker, content: bytes[position..<position + length - 2])
    }

    private mutating func byte() throws(JPEGError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }
}

/// The tables of an image and its restart interval.
struct JPEGTables: Sendable {
    /// Four tables of quantisers in the order of a scan; nil for those that the image has not brought.
    private(set) var quantisers = [[Float]?](repeating: nil, count: 4)
    private(set) var dc: [HuffmanTable?] = HuffmanTable.standardDC + [nil, nil]
    private(set) var ac: [HuffmanTable?] = HuffmanTable.standardAC + [nil, nil]
    /// MCUs from one restart marker to the next; 0 for none.
    private(set) var restartInterval = 0

    mutating func readQuantisers(_ segment: JPEGSegment) throws(JPEGError) {
        var offset = 0
        while offset < segment.content.count {
            let (precision, place) = (try segment.byte(offset) >> 4, try segment.byte(offset) & 15)
            guard precision <= 1, place <= 3 else { throw segment.fault }
            var table: [Float] = []
            for index in 0..<64 {
                let value =
                    precision == 0
                    ? try segment.byte(offset + 1 + index) : try segment.number(offset + 1 + 2 * index)
                table.append(Float(value))
            }
            quantisers[place] = table
            offset += 1 + 64 << precision
        }
    }

    mutating func readHuffman(_ segment: JPEGSegment) throws(JPEGError) {
        var offset = 0
        while offset < segment.content.count {
            let (kind, place) = (try segment.byte(offset) >> 4, try segment.byte(offset) & 15)
            let counts = try segment.bytes(offset + 1, 16)
            let symbols = try segment.bytes(offset + 17, counts.reduce(0) { $0 + Int($1) })
            guard kind <= 1, place <= 3, let table = HuffmanTable(counts: counts, symbols: symbols) else {
                throw segment.fault
            }
            if kind == 0 { dc[place] = table } else { ac[place] = table }
            offset += 17 + symbols.count
        }
    }

    mutating func readRestartInterval(_ segment: JPEGSegment) throws(JPEGError) {
        restartInterval = try segment.number(0)
    }
}

/// The frame header: size, and how fine each component is.
struct JPEGFrame {
    struct Component {
        let identifier: Int
        /// Blocks of an MCU beside each other.
        let across: Int
        /// Blocks of an MCU above each other.
        let down: Int
        let quantisers: Int
    }

    let width: Int
    let height: Int
    let components: [Component]

    /// Blocks of an MCU of the finest component.
    var across: Int { components[0].across }
    var down: Int { components[0].down }
    var mcusAcross: Int { (width + 8 * across - 1) / (8 * across) }
    var mcusDown: Int { (height + 8 * down - 1) / (8 * down) }

    init(_ segment: JPEGSegment) throws(JPEGError) {
        guard try segment.byte(0) == 8 else { throw .precision(try segment.byte(0)) }
        (height, width) = (try segment.number(1), try segment.number(3))
        let sides = 1...JPEGDecoder.longestSide
        guard sides.contains(width), sides.contains(height), width * height <= JPEGDecoder.mostPixels else {
            throw .size(width: width, height: height)
        }
        let count = try segment.byte(5)
        guard count == 1 || count == 3 else { throw .components(count) }
        var components: [Component] = []
        for index in 0..<count {
            let sampling = try segment.byte(7 + 3 * index)
            let quantisers = try segment.byte(8 + 3 * index)
            guard 1...4 ~= sampling >> 4, 1...4 ~= sampling & 15, quantisers <= 3 else { throw segment.fault }
            // A lone component has one block in its MCU, whatever it says.
            let (across, down) = count == 1 ? (1, 1) : (sampling >> 4, sampling & 15)
            components.append(
                Component(
                    identifier: try segment.byte(6 + 3 * index), across: across, down: down, quantisers: quantisers))
        }
        for component in components {
            let fits = [(components[0].across, component.across), (components[0].down, component.down)]
                .allSatisfy { luma, own in luma <= 2 && (own == luma || 2 * own == luma) }
            guard fits else { throw .sampling }
        }
        self.components = components
    }
}
