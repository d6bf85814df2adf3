/// Base64 of RFC 4648, with padding and without line breaks.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each character; nil for other bytes.
    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
        return values
    }()

    /// The text of these bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil for one with other characters, or without its padding.
    package static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padded = characters.suffix(2).filter { $0 == padding }.count
        var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        bytes.reserveCapacity(characters.count / 4 * 3)
        for character in characters.dropLast(padded) {
            guard let digit = values[Int(character)] else { return nil }
            bits = (bits << 6 | digit) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}
