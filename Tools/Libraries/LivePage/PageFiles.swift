import Foundation
import Platform

/// The page: one HTML, one style and one script file, read when the server starts.
struct PageFiles: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
    }

    /// By path.
    private let files: [String: File]

    /// - Throws: `PageServerError.resources`, if the program was copied without its resources.
    init() throws(PageServerError) {
        let folder = ResourceFolder("swift-gesture_LivePage", source: #filePath)
        var files: [String: File] = [:]
        for (path, name, type) in [
            ("/", "index.html", "text/html"), ("/page.css", "page.css", "text/css"),
            ("/page.js", "page.js", "text/javascript"),
        ] {
            let file: String
            do throws(ResourceFolder.Missing) {
                file = try folder.path(of: "Web/" + name)
            } catch {
                throw .resources(searched: error.searched)
            }
            guard let data = FileManager.default.contents(atPath: file) else { throw .resources(searched: [file]) }
            files[path] = File(type: type + "; charset=utf-8", bytes: [UInt8](data))
        }
        self.files = files
    }

    subscript(path: String) -> File? { files[path] }
}
