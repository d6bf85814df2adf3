/// A FlatBuffer (google/flatbuffers, "FlatBuffer Internals") in memory: little-endian, every access checked against the
/// bytes.
///
/// Offsets to tables, vectors and strings are unsigned and point forward, so chains of them cannot be circular.
struct FlatBuffer: Sendable {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The root table, whose offset is the first number in the buffer.
    func root() throws(TFLiteError) -> Table {
        try table(at: target(of: 0, .table), .model)
    }

    /// An integer at any offset.
    func integer<T: FixedWidthInteger>(
        _ type: T.Type, at offset: Int, of structure: TFLiteError.Structure
    ) throws(TFLiteError) -> T {
        let size = T.bitWidth / 8
        guard offset >= 0, bytes.count >= size, offset <= bytes.count - size else {
            throw .malformed(structure, offset: offset)
        }
        var value: T.Magnitude = 0
        for byte in 0..<size { value |= T.Magnitude(truncatingIfNeeded: bytes[offset + byte]) << T.Magnitude(8 * byte) }
        return T(truncatingIfNeeded: value)
    }

    /// The target of the offset that is stored at `offset`.
    fileprivate func target(of offset: Int, _ structure: TFLiteError.Structure) throws(TFLiteError) -> Int {
        let distance = Int(try integer(UInt32.self, at: offset, of: structure))
        // Both have at most 32 bits: no overflow.
        guard distance >= 4, offset + distance <= bytes.count - 4 else { throw .malformed(structure, offset: offset) }
        return offset + distance
    }

    fileprivate func table(at offset: Int, _ structure: TFLiteError.Structure) throws(TFLiteError) -> Table {
        let vtable = offset - Int(try integer(Int32.self, at: offset, of: structure))
        let vtableSize = Int(try integer(UInt16.self, at: vtable, of: structure))
        let tableSize = Int(try integer(UInt16.self, at: vtable + 2, of: structure))
        guard vtableSize >= 4, vtableSize.isMultiple(of: 2), vtable <= bytes.count - vtableSize, tableSize >= 4,
            offset <= bytes.count - tableSize
        else { throw .malformed(structure, offset: offset) }
        return Table(
            buffer: self, structure: structure, offset: offset, size: tableSize, vtable: vtable,
            slotCount: (vtableSize - 4) / 2)
    }

    /// A table: fields in numbered slots, each of which may be absent.
    struct Table {
        let buffer: FlatBuffer
        let structure: TFLiteError.Structure
        let offset: Int
        fileprivate let size: Int
        fileprivate let vtable: Int
        fileprivate let slotCount: Int

        /// The offset of the field, or nil if it is absent.
        private func place(_ slot: Int, size: Int) throws(TFLiteError) -> Int? {
            guard slot < slotCount else { return nil }
            let distance = Int(try buffer.integer(UInt16.self, at: vtable + 4 + 2 * slot, of: structure))
            guard distance != 0 else { return nil }
            guard distance >= 4, distance <= self.size - size else { throw .malformed(structure, offset: offset) }
            return offset + distance
        }

        func integer<T: FixedWidthInteger>(_ slot: Int, _ type: T.Type, default value: Int = 0) throws(TFLiteError)
            -> Int
        {
            guard let place = try place(slot, size: T.bitWidth / 8) else { return value }
            let found = try buffer.integer(T.self, at: place, of: structure)
            guard let integer = Int(exactly: found) else { throw .malformed(structure, offset: place) }
            return integer
        }

        /// A flag; any number but 0 is true, as in the format's own readers.
        func flag(_ slot: Int) throws(TFLiteError) -> Bool { try integer(slot, UInt8.self) != 0 }

        func isPresent(_ slot: Int) throws(TFLiteError) -> Bool { try place(slot, size: 1) != nil }

        /// The table that the slot refers to.
        func table(_ slot: Int, _ structure: TFLiteError.Structure) throws(TFLiteError) -> Table? {
            guard let place = try place(slot, size: 4) else { return nil }
            return try buffer.table(at: buffer.target(of: place, structure), structure)
        }

        /// The bytes of a vector of numbers of `width` bytes each.
        func vector(_ slot: Int, width: Int) throws(TFLiteError) -> Range<Int>? {
            guard let place = try place(slot, size: 4) else { return nil }
            let start = try buffer.target(of: place, .vector)
            let count = Int(try buffer.integer(UInt32.self, at: start, of: .vector))
            // A 32-bit number times a few bytes: no overflow.
            guard count * width <= buffer.bytes.count - start - 4 else { throw .malformed(.vector, offset: start) }
            return start + 4..<start + 4 + count * width
        }

        /// Numbers of one type, at most `limit` of them; an empty array if the slot is empty.
        func integers<T: FixedWidthInteger>(
            _ slot: Int, _ type: T.Type, limit: Int
        ) throws(TFLiteError) -> [Int] {
            let width = T.bitWidth / 8
            guard let range = try vector(slot, width: width) else { return [] }
            guard range.count / width <= limit else {
                throw .tooMany(structure, count: range.count / width, limit: limit)
            }
            var integers: [Int] = []
            for place in stride(from: range.lowerBound, to: range.upperBound, by: width) {
                let found = try buffer.integer(T.self, at: place, of: .vector)
                guard let integer = Int(exactly: found) else { throw .malformed(.vector, offset: place) }
                integers.append(integer)
            }
            return integers
        }

        /// UTF-8 text; empty if the slot is empty.
        func string(_ slot: Int, limit: Int) throws(TFLiteError) -> String {
            guard let range = try vector(slot, width: 1) else { return "" }
            guard range.count <= limit else { throw .tooMany(.string, count: range.count, limit: limit) }
            guard let text = String(validating: buffer.bytes[range], as: UTF8.self) else {
                throw .malformed(.string, offset: range.lowerBound)
            }
            return text
        }

        /// Tables of one kind, at most `limit` of them; an empty array if the slot is empty.
        func tables(
            _ slot: Int, _ structure: TFLiteError.Structure, limit: Int
        ) throws(TFLiteError) -> [Table] {
            guard let range = try vector(slot, width: 4) else { return [] }
            guard range.count / 4 <= limit else {
                throw .tooMany(structure, count: range.count / 4, limit: limit)
            }
            var tables: [Table] = []
            for place in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                tables.append(try buffer.table(at: buffer.target(of: place, structure), structure))
            }
            return tables
        }
    }
}
