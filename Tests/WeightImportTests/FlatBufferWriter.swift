/// A part of a flatbuffer to write.
indirect enum FlatPart {
    case int8(Int)
    case int32(Int)
    case uint64(UInt64)
    case string(String)
    case bytes([UInt8])
    case int32s([Int])
    case uint16s([Int])
    /// Fields by slot; a slot that is not there stays empty.
    case table([Int: FlatPart])
    case tables([FlatPart])
    /// A part that is written once, behind all others, however many refer to it by this number.
    case shared(Int, FlatPart)
}

/// Writes flatbuffers front to back: each part comes after what refers to it, as the format's offsets demand.
struct FlatBufferWriter {
    private(set) var bytes: [UInt8] = []
    /// Parts to be written in the end, and the places that refer to them.
    private var shared: [Int: (part: FlatPart, places: [Int])] = [:]

    /// A buffer with this root and identifier.
    static func bytes(_ root: FlatPart, identifier: String) -> [UInt8] {
        var writer = FlatBufferWriter()
        writer.bytes = [0, 0, 0, 0] + Array(identifier.utf8)
        writer.write(root, referredFrom: 0)
        for (part, places) in writer.shared.sorted(by: { $0.key < $1.key }).map(\.value) {
            writer.write(part, referredFrom: places[0])
            // The first offset leads to the part; the others lead to the same place.
            let target = places[0] + (0..<4).reduce(0) { $0 | Int(writer.bytes[places[0] + $1]) << (8 * $1) }
            for place in places.dropFirst() {
                writer.bytes.replaceSubrange(place..<place + 4, with: writer.little(target - place, 4))
            }
        }
        return writer.bytes
    }

    private mutating func write(_ part: FlatPart, referredFrom place: Int) {
        switch part {
        case .int8, .int32, .uint64: preconditionFailure("a number lies in its table")
        case .string(let text):
            vector(Array(text.utf8) + [0], count: text.utf8.count, referredFrom: place)
        case .bytes(let data): vector(data, count: data.count, referredFrom: place)
        case .int32s(let numbers):
            vector(numbers.flatMap { little($0, 4) }, count: numbers.count, referredFrom: place)
        case .uint16s(let numbers):
            vector(numbers.flatMap { little($0, 2) }, count: numbers.count, referredFrom: place)
        case .tables(let parts):
            vector([UInt8](repeating: 0, count: 4 * parts.count), count: parts.count, referredFrom: place)
            let first = bytes.count - 4 * parts.count
            for (index, part) in parts.enumerated() { write(part, referredFrom: first + 4 * index) }
        case .table(let fields): table(fields, referredFrom: place)
        case .shared(let number, let part): shared[number, default: (part, [])].places.append(place)
        }
    }

    private mutating func vector(_ data: [UInt8], count: Int, referredFrom place: Int) {
        align()
        refer(from: place)
        bytes += little(count, 4) + data
    }

    private mutating func table(_ fields: [Int: FlatPart], referredFrom place: Int) {
        align()
        let slots = (fields.keys.max() ?? -1) + 1
        var offsets = [Int](repeating: 0, count: slots)
        var data: [UInt8] = []
        var parts: [(offset: Int, part: FlatPart)] = []
        for (slot, field) in fields.sorted(by: { $0.key < $1.key }) {
            offsets[slot] = 4 + data.count
            switch field {
            case .int8(let number): data += little(number, 4)
            case .int32(let number): data += little(number, 4)
            case .uint64(let number): data += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            default:
                parts.append((4 + data.count, field))
                data += [0, 0, 0, 0]
            }
        }
        let vtable = bytes.count
        bytes += little(4 + 2 * slots, 2) + little(4 + data.count, 2) + offsets.flatMap { little($0, 2) }
        align()
        refer(from: place)
        let start = bytes.count
        bytes += little(start - vtable, 4) + data
        for (offset, part) in parts { write(part, referredFrom: start + offset) }
    }

    private mutating func align() {
        while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
    }

    /// Makes the offset at `place` lead to the end of what is written.
    private mutating func refer(from place: Int) {
        bytes.replaceSubrange(place..<place + 4, with: little(bytes.count - place, 4))
    }

    private func little(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
