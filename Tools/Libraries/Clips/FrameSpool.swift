import Foundation
import Platform

/// Frames of one size on disk, for a second reading of what came through a pipe, which can be read only once. The file
/// has no name and is deleted with the value.
package struct FrameSpool: ~Copyable {
    private let frameBytes: Int
    private var file: ByteFile

    /// - Parameter frameBytes: the size of every frame.
    /// - Throws: `cannotKeep`.
    package init(frameBytes: Int) throws(ClipError) {
        self.frameBytes = frameBytes
        do throws(ByteFile.Failure) {
            file = try ByteFile(unnamedIn: FileManager.default.temporaryDirectory.path)
        } catch {
            throw .cannotKeep(code: error.code)
        }
    }

    /// Adds a frame.
    /// - Throws: `cannotKeep`, for example if the disk is full.
    package mutating func append(_ frame: Span<UInt8>) throws(ClipError) {
        precondition(frame.count == frameBytes)
        do throws(ByteFile.Failure) {
            try unsafe frame.withUnsafeBytes { bytes throws(ByteFile.Failure) in try unsafe file.writeFully(bytes) }
        } catch {
            throw .cannotKeep(code: error.code)
        }
    }

    /// Returns to the first frame.
    package mutating func rewind() throws(ClipError) {
        do throws(ByteFile.Failure) {
            try file.rewind()
        } catch {
            throw .cannotKeep(code: error.code)
        }
    }

    /// Reads the next frame.
    /// - Returns: false after the last one.
    package mutating func next(into frame: inout MutableSpan<UInt8>) throws(ClipError) -> Bool {
        precondition(frame.count == frameBytes)
        do throws(ByteFile.Failure) {
            return try unsafe frame.withUnsafeMutableBytes { bytes throws(ByteFile.Failure) in
                try unsafe file.readFully(bytes) == frameBytes
            }
        } catch {
            throw .cannotKeep(code: error.code)
        }
    }
}
