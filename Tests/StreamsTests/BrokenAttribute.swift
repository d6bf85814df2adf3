import Foundation
import Testing

/// Ways in which a file of sysfs fails to hold a number.
enum BrokenAttribute: CaseIterable, CustomTestStringConvertible {
    case absent, empty, blank, word, fraction, hexadecimal, twoNumbers, beyondInteger, tooLong, huge
    case notUTF8, zeroByte, directory, loop, dangling, pipe, device, failingRead, forbidden

    var testDescription: String { "\(self)" }

    /// Puts it at a path of the tree.
    func place(at path: String, in tree: SysfsTree) throws {
        switch self {
        case .absent: try tree.remove(path)
        case .empty: try tree.write(path, [])
        case .blank: try tree.write(path, Array(" \n\t\n".utf8))
        case .word: try tree.write(path, Array("N/A\n".utf8))
        case .fraction: try tree.write(path, Array("50.5\n".utf8))
        case .hexadecimal: try tree.write(path, Array("0x32\n".utf8))
        case .twoNumbers: try tree.write(path, Array("50 50\n".utf8))
        case .beyondInteger: try tree.write(path, Array("9223372036854775808\n".utf8))
        // A number in range, but in more bytes than any of the kernel's.
        case .tooLong: try tree.write(path, [UInt8](repeating: UInt8(ascii: "0"), count: 63) + Array("50".utf8))
        case .huge: try tree.write(path, [UInt8](repeating: UInt8(ascii: "5"), count: 3 << 20))
        case .notUTF8: try tree.write(path, [UInt8(ascii: "5"), 0xC3, 0x28])
        case .zeroByte: try tree.write(path, [UInt8(ascii: "5"), 0, UInt8(ascii: "0")])
        case .directory: try tree.directory(path)
        case .loop: try tree.link(path, to: tree.root + "/class/" + path)
        case .dangling: try tree.link(path, to: "/nowhere/at/all")
        case .pipe:
            try tree.remove(path)
            #expect(unsafe mkfifo(tree.root + "/class/" + path, 0o600) == 0)
        case .device: try tree.link(path, to: "/dev/zero")
        // Reading a process's memory at address 0 fails with EIO.
        case .failingRead: try tree.link(path, to: "/proc/self/mem")
        // Not even the superuser, who may open anything, can write there, and reading gives EINVAL.
        case .forbidden: try tree.link(path, to: "/proc/self/clear_refs")
        }
    }
}
