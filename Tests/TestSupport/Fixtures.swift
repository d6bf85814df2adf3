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

    /// A file of the golden set: random weights from a seed, 20 frames, and what PyTorch makes of them.
    package static func golden(_ name: String) -> String {
        directory.appendingPathComponent("golden").appendingPathComponent(name).path
    }
}
