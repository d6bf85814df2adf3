import Platform

/// One number for everything that a model file says: it is kept in the file, and a file that says otherwise is refused.
///
/// It guards against damage, not against an attacker (see `XXH64`): one bit of a label, a threshold, a scale or a weight that
/// flips on a disk or a line would otherwise be another sound model.
///
/// The XXH64 of the following, where numbers have 64 bits, little-endian, and a text is the number of its bytes in UTF-8 and
/// these:
/// - the number of metadata entries but the hash's own, and of each the key and the value, by ascending bytes of the keys;
/// - the number of tensors, and of each the name, the type's name, the number of dimensions, the dimensions and the XXH64
///   of its bytes, by ascending bytes of the names.
///
/// So it does not depend on how the header is laid out: another writer of the format may keep it.
package struct ContentHash: Sendable {
    /// The metadata's key that holds the digits.
    package static let key = "content_xxh64"

    private var text: [UInt8] = []

    /// 16 lowercase hexadecimal digits.
    package var digits: String {
        let digits = String(XXH64.hash(text.elementSpan), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Of a file as it is read.
    package init(_ file: SafetensorsFile) {
        self.init(metadata: file.metadata, tensorCount: file.tensors.count)
        for tensor in Self.ordered(file.tensors, by: \.name) {
            append(tensor.name, tensor.type, tensor.shape, XXH64.hash(file.rawBytes(of: tensor)))
        }
    }

    /// Refuses a file whose hash is missing or another's.
    package static func check(_ file: SafetensorsFile) throws(ModelFileError) {
        guard let recorded = file.metadata[key] else { throw .missingMetadata(key: key) }
        let found = ContentHash(file).digits
        guard recorded == found else { throw .contentMismatch(recorded: recorded, found: found) }
    }

    /// Of a file to be written.
    package init(metadata: [String: String], tensors: [TensorPayload]) {
        self.init(metadata: metadata, tensorCount: tensors.count)
        for tensor in Self.ordered(tensors, by: \.name) {
            append(tensor.name, tensor.type, tensor.shape, XXH64.hash(tensor.bytes.elementSpan))
        }
    }

    private init(metadata: [String: String], tensorCount: Int) {
        text.reserveCapacity(1 << 14)
        let entries = metadata.filter { $0.key != Self.key }
        append(entries.count)
        for (key, value) in Self.ordered(Array(entries), by: \.key) {
            append(key)
            append(value)
        }
        append(tensorCount)
    }

    private mutating func append(_ name: String, _ type: TensorType, _ shape: [Int], _ hash: UInt64) {
        append(name)
        append(type.rawValue)
        append(shape.count)
        for dimension in shape { append(dimension) }
        append(hash)
    }

    private mutating func append(_ string: String) {
        append(string.utf8.count)
        text.append(contentsOf: string.utf8)
    }

    private mutating func append(_ number: Int) { append(UInt64(number)) }

    private mutating func append(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { text.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    private static func ordered<T>(_ values: [T], by name: (T) -> String) -> [T] {
        values.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
    }
}
