import FileOutput
import Foundation
import Platform

/// The images of a directory or a pattern, as the input of the decoding programs.
struct ImageList {
    /// Names in their order.
    let names: [String]
    /// Absolute, with a slash at its end.
    let folder: String
    /// Of the directory or the pattern, as the caller gave it.
    let path: String
    let source: ClipSource

    init(names: [String], folder: String, path: String, source: ClipSource) {
        self.names = NumberedImages.ordered(names)
        self.folder = folder
        self.path = path
        self.source = source
    }

    /// - Parameters:
    ///   - kind: the extension.
    ///   - isWholeKind: whether the images are all those in the folder with this extension.
    func input(kind: String, isWholeKind: Bool) throws(ClipError) -> DecodingProgram.Input {
        let gaps = NumberedName.gaps(in: names)
        if !gaps.isEmpty { source.notify(.numbersMissing(path: path, gaps)) }
        // The programs end a sequence at a file without content.
        let readable = names.filter { !Self.isEmpty(folder + $0) }
        guard !readable.isEmpty else { throw .empty(path: path, messages: []) }
        let paths = readable.map { folder + $0 }
        let rate = source.statedRate ?? .thirty
        let options = ["-f", "image2", "-framerate", "\(rate.numerator)/\(rate.denominator)", "-pattern_type"]
        guard isWholeKind, readable.count == names.count, names == names.sorted() else {
            let links: NumberedImages
            do throws(OutputError) {
                links = try NumberedImages(paths, kind: kind)
            } catch {
                guard case .system(let place, let code) = error else { throw .cannotKeep(code: EACCES) }
                throw .cannotLink(place: place, code: code)
            }
            return .images(
                name: links.pattern, options: options + ["sequence", "-start_number", "0"], paths: paths,
                unread: names.filter { !readable.contains($0) }, links: links)
        }
        let directory = folder.reduce(into: "") { escaped, character in
            if #"\*?[]{}~"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return .images(name: "\(directory)*.\(kind)", options: options + ["glob"], paths: paths, unread: [])
    }

    /// Whether a file has no bytes, or cannot be opened. A pipe is left to the programs, which wait for its writer.
    private static func isEmpty(_ path: String) -> Bool {
        do throws(ByteFile.Failure) {
            let file = try ByteFile(reading: path, writerWithin: 0)
            if case .regular(let byteCount) = file.kind { return byteCount == 0 }
            return false
        } catch {
            return error.code != ETIMEDOUT
        }
    }
}
