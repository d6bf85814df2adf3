/// Matches names in which `*` stands for any number of characters. ASCII letters match in either case, because drivers
/// spell the same zone `CPU-therm` and `cpu-thermal`.
struct NamePattern {
    private let pattern: [UInt8]

    init(_ pattern: String) {
        self.pattern = pattern.utf8.map(Self.lowercased)
    }

    func matches(_ name: String) -> Bool {
        let name = name.utf8.map(Self.lowercased)
        var (position, index) = (0, 0)
        // Where to resume if the text behind the latest star does not match: the star takes one more character.
        var retry: (index: Int, position: Int)?
        while position < name.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                retry = (index + 1, position)
                index += 1
            } else if index < pattern.count, pattern[index] == name[position] {
                index += 1
                position += 1
            } else if let star = retry {
                retry = (star.index, star.position + 1)
                (index, position) = (star.index, star.position + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
