import FileOutput
import Foundation

/// Links to images in an order that is not that of their names' bytes, such as 2.png before 10.png: `ffmpeg` has no other way to be
/// told an order. The folder with the links goes with the last user of this.
final class NumberedImages: Sendable {
    private let folder: String
    private let images: [String]
    private let kind: String

    /// Names in the order of the numbers in them: 2 before 10, b2 after a10.
    static func ordered(_ names: [String]) -> [String] {
        names.sorted { a, b in
            switch a.compare(b, options: .numeric) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: a < b
            }
        }
    }

    /// - Parameters:
    ///   - images: absolute paths.
    ///   - kind: the extension of all of them.
    init(_ images: [String], kind: String) throws(OutputError) {
        folder = try TemporaryFolder.create(prefix: "images-")
        self.images = images
        self.kind = kind
        for (index, image) in images.enumerated() {
            guard unsafe symlink(image, link(index)) == 0 else { throw .system(path: link(index), code: errno) }
        }
    }

    deinit {
        // A temporary folder that cannot be removed is the system's to remove.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// By what `ffmpeg` finds them all, as a sequence that begins at 0.
    var pattern: String { folder.replacing("%", with: "%%") + "/%08d." + kind }

    /// A message with the images' own names.
    func named(_ message: String) -> String {
        guard message.contains(folder) else { return message }
        return images.indices.reduce(message) { $0.replacing(link($1), with: images[$1]) }
    }

    private func link(_ index: Int) -> String {
        let number = String(index)
        return folder + "/" + String(repeating: "0", count: max(0, 8 - number.count)) + number + "." + kind
    }
}
