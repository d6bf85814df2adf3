import FileOutput
import Foundation
import Platform

/// Links to images in an order other than that of their names' bytes, such as 2.png before 10.png: `ffmpeg` accepts an
/// order in no other way. The folder with the links is removed with the last reference to this object.
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
    ///   - kind: their common extension.
    init(_ images: [String], kind: String) throws(OutputError) {
        folder = try TemporaryFolder.create(prefix: "images-")
        self.images = images
        self.kind = kind
        for (index, image) in images.enumerated() {
            let link = link(index)
            let failed = unsafe PathText.withSystemPath(image) { image in
                unsafe PathText.withSystemPath(link) { unsafe symlink(image, $0) }
            }
            guard failed == 0 else { throw .system(path: link, code: errno) }
        }
    }

    deinit {
        // If removal fails, the system cleans up its temporary folder.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The pattern by which `ffmpeg` finds the images, as a sequence that begins at 0.
    var pattern: String { folder.replacing("%", with: "%%") + "/%08d." + kind }

    /// A message with the images' original names.
    func named(_ message: String) -> String {
        guard message.contains(folder) else { return message }
        return images.indices.reduce(message) { $0.replacing(link($1), with: images[$1]) }
    }

    private func link(_ index: Int) -> String {
        let number = String(index)
        return folder + "/" + String(repeating: "0", count: max(0, 8 - number.count)) + number + "." + kind
    }
}
