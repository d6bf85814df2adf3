import Clips
import Foundation
import ToolSupport

/// The package's recording of hands, on which landmarks are timed if no clip is given.
enum DemoClip {
    /// Relative to the package's folder.
    static let path = "Weights/demo/hands.mp4"
    /// The package's recording of a person, likewise.
    static let bodyPath = "Weights/demo/body.webp"

    /// The clip at this path, or the demo clip.
    static func frames(_ clip: String?, _ clips: ClipOptions) async throws -> CameraFrames {
        try await CameraFrames(clips.source(for: "gesture-bench").open(try clip ?? find()))
    }

    /// Searches the folders above the program, which a build puts inside the package's folder, and then those above the
    /// working directory.
    static func find(_ path: String = path) throws(BenchFailure) -> String {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
        let working = FileManager.default.currentDirectoryPath
        for start in [program, working] {
            guard var folder = start else { continue }
            while true {
                let candidate = (folder as NSString).appendingPathComponent(path)
                if FileManager.default.isReadableFile(atPath: candidate) { return candidate }
                let parent = (folder as NSString).deletingLastPathComponent
                guard !parent.isEmpty, parent != folder else { break }
                folder = parent
            }
        }
        throw .noDemoClip(program: program ?? working)
    }
}
