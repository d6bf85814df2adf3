import ModelFile
import WeightImport

/// Corrects the checksums of an archive's members, so that damage of their bytes comes to what reads them.
enum ZipSealing {
    /// The archive with the checksum of every member that its directory lists, stored or deflated; unchanged where a record does not
    /// lead to one.
    static func resealed(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        func number(_ offset: Int, _ width: Int) -> Int? {
            guard offset >= 0, offset + width <= bytes.count else { return nil }
            return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.count >= 46 else { return bytes }
        for central in 0...(bytes.count - 46) where number(central, 4) == 0x0201_4B50 {
            guard let method = number(central + 10, 2), let stored = number(central + 20, 4),
                let size = number(central + 24, 4), let local = number(central + 42, 4),
                number(local, 4) == 0x0403_4B50, let name = number(local + 26, 2), let extra = number(local + 28, 2)
            else { continue }
            let start = local + 30 + name + extra
            guard start <= bytes.count, stored <= bytes.count - start else { continue }
            let data = bytes[start..<start + stored]
            var content = data
            if method == 8 {
                guard size <= 1 << 20, let inflated = try? Inflate.bytes(data, count: size) else { continue }
                content = inflated[...]
            }
            let checksum = CRC32.of(content)
            for byte in 0..<4 {
                let value = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * byte))
                result[central + 16 + byte] = value
                result[local + 14 + byte] = value
            }
        }
        return result
    }
}
