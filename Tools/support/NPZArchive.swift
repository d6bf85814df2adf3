import Clips
import ModelFile
import NumPyFormat

/// Named float32 arrays in the format of `numpy.savez`: a zip archive of uncompressed `.npy` members.
package struct NPZArchive {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    package init() {}

    /// Adds an array, row-major. The archive must stay below 4 GB; it is built in memory.
    package mutating func append(_ name: String, shape: [Int], _ values: [Float]) {
        var member = NumPyHeader(element: NPYElement.float32.rawValue, isFortranOrder: false, shape: shape).encoded()
        for value in values {
            for shift in stride(from: 0, to: 32, by: 8) {
                member.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
            }
        }
        let file = Array((name + ".npy").utf8)
        let offset = bytes.count
        // Version 2.0, no flags, stored, 1 January 1980.
        let common =
            Self.little([20, 0, 0, 0, 0x21], 2)
            + Self.little([Int(CRC32.of(member[...])), member.count, member.count], 4)
            + Self.little([file.count, 0], 2)
        bytes += Self.little([0x0403_4b50], 4) + common + file + member
        directory += Self.little([0x0201_4b50], 4) + Self.little([20], 2) + common
        directory += Self.little([0, 0, 0], 2) + Self.little([0, offset], 4) + file
        count += 1
    }

    /// The whole archive.
    package func encoded() -> [UInt8] {
        bytes + directory + Self.little([0x0605_4b50], 4) + Self.little([0, 0, count, count], 2)
            + Self.little([directory.count, bytes.count], 4) + Self.little([0], 2)
    }

    private static func little(_ numbers: [Int], _ width: Int) -> [UInt8] {
        numbers.flatMap { number in (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
}
