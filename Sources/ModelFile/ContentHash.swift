import Platform

/// The hash of a model file's content, stored in the file; a file with another hash is refused.
///
/// It guards against damage, not against an attacker (see `XXH64`): one flipped bit of a label, a threshold, a scale or
/// a weight, on a disk or in transfer, would otherwise make a different valid model.
///
/// It is the XXH64 of the following, where numbers have 64 bits, little-endian, and a text is its number of UTF-8 bytes
/// followed by these bytes:
/// - the number of metadata entries without the hash's own, and the key and value of each, by ascending bytes of the
///   keys;
/// - the number of tensors, and for each the name, the type's name, the number of dimensions, the dimensions and the
///   XXH64 of its bytes, by ascending bytes of the names.
///
/// So it does not depend on the header's layout: another writer of the format may keep it.
package struct ContentHash: Sendable {
    /// The metadata's key that holds the digits.
    package static let key = "content_xxh64"

    private var text: [UInt8] = []

    /// 16 lowercase hexadecimal digits.
    package var digits: String {
        let digits = String(XXH64.hash(text.elementSpan), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The hash of a file that was read.
    package init(_ file: SafetensorsFile) {
        self.init(metadata: file.metadata, tensorCount: file.tensors.count)
        for tensor in Self.ordered(file.tensors, by: { $0.name }) {
            append(tensor.name, tensor.type, tensor.shape, XXH64.hash(file.rawBytes(of: tensor)))
        }
    }

    /// Throws if a file's hash is missing or does not match its content.
    package static func check(_ file: SafetensorsFile) throws(ModelFileError) {
        guard let recorded = file.metadata[key] else { throw .missingMetadata(key: key) }
        let found = ContentHash(file).digits
        guard recorded == found else { throw .contentMismatch(recorded: recorded, found: found) }
    }

    /// The hash of a file to be written.
    package init(metadata: [String: String], tensors: [TensorPayload]) {
        self.init(metadata: metadata, tensorCount: tensors.count)
        for tensor in Self.ordered(tensors, by: { $0.name }) {
            append(tensor.name, tensor.type, tensor.shape, XXH64.hash(tensor.bytes.elementSpan))
        }
    }

    private init(metadata: [String: String], tensorCount: Int) {
        text.reserveCapacity(1 << 14)
        let entries = metadata.filter { $0.key != Self.key }
        append(entries.count)
        for (key, value) in Self.ordered(Array(entries), by: { $0.key }) {
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
