import Clips
import Evaluation
import FileOutput
import Foundation
import ToolSupport

/// The pictures of a film as JPEG files, which the `ffmpeg` program makes.
enum FilmImages {
    struct Failure: Explained {
        let messages: String

        var sentence: String { "ffmpeg could not write the page's pictures: \(visibleLines(messages))" }
    }

    private static let stallLimit = Duration.seconds(30)

    /// The contents of the files, in the order of the pictures.
    nonisolated(nonsending) static func encode(_ pictures: [FilmPicture]) async throws -> [[UInt8]] {
        let folder = try TemporaryFolder.create(prefix: "film-")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var files: [[UInt8]] = []
        // One program makes the pictures up to the next of another size.
        var rest = pictures[...]
        while let first = rest.first {
            let group = rest.prefix { ($0.width, $0.height) == (first.width, first.height) }
            rest = rest.dropFirst(group.count)
            let program = try FedProgram(
                name: "ffmpeg",
                [
                    "-nostdin", "-hide_banner", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
                    "\(first.width)x\(first.height)", "-i", "pipe:0", "-pix_fmt", "yuvj444p", "-q:v", "4",
                    folder + "/%d.jpg",
                ], stallLimit: stallLimit)
            for picture in group { guard await program.write(picture.pixels) else { break } }
            let outcome = try await program.finish()
            guard outcome.exitCode == 0 else {
                throw Failure(messages: outcome.messageLines.joined(separator: "\n  "))
            }
            for index in 1...group.count {
                files.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(index).jpg"))))
            }
        }
        return files
    }
}
