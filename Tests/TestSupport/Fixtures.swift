package import Foundation

/// Files committed for tests.
package enum Fixtures {
    /// `Tests/Fixtures`, found from this file's place in the checkout.
    package static var directory: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures", isDirectory: true)
    }

    /// The top of the checkout.
    package static var repository: URL {
        directory.deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The numbers of a float32 array in a file of NumPy's, row-major.
    package static func floats(_ path: String) throws -> [Float] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
        return stride(from: start, to: bytes.count, by: 4).map { at in
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) })
        }
    }

    /// A file of the golden set: random weights from a seed, 20 frames, and what PyTorch makes of them (`GoldenSet`); and
    /// `golden-int8.safetensors`, an int8 model of other random weights.
    package static func golden(_ name: String) -> String {
        let committed = directory.appendingPathComponent("golden").appendingPathComponent(name).path
        return FileManager.default.fileExists(atPath: committed)
            ? committed : GoldenSet.folder.appendingPathComponent(name).path
    }
}
