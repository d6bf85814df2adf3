import Foundation
import Platform

/// The page: one HTML, one style and two script files and the demo clip, read when the server starts.
struct PageFiles: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: Data
    }

    /// By path.
    private let files: [String: File]

    /// - Throws: `PageServerError.resources`, if the program was copied without its resources.
    init() throws(PageServerError) {
        let folder = ResourceFolder("swift-gesture_LivePage")
        var files: [String: File] = [:]
        for (path, name, type) in [
            ("/", "page/index.html", "text/html; charset=utf-8"),
            ("/page.css", "page/page.css", "text/css; charset=utf-8"),
            ("/page.js", "page/page.js", "text/javascript; charset=utf-8"),
            ("/point.js", "page/point.js", "text/javascript; charset=utf-8"), ("/demo.mp4", "hands.mp4", "video/mp4"),
        ] {
            let file: String
            do throws(ResourceFolder.Missing) {
                file = try folder.path(of: name)
            } catch {
                throw .resources(searched: error.searched)
            }
            guard let data = FileManager.default.contents(atPath: file) else { throw .resources(searched: [file]) }
            files[path] = File(type: type, bytes: data)
        }
        self.files = files
    }

    subscript(path: String) -> File? { files[path] }
}
