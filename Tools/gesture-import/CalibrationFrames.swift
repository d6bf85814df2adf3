import Clips
import Foundation
import Frames
import KernelInterface
import Kernels
import Network
import ToolSupport
import WeightImport

/// Frames to calibrate with, from arrays and recorded video.
struct CalibrationFrames {
    /// There was nothing to calibrate with.
    struct Empty: Explained {
        var sentence: String { "The calibration input has no frames." }
    }

    let paths: [String]

    /// Lends every frame, 224x224 codes, in order. In an array each 16 consecutive frames are a sequence; each clip is one.
    /// - Parameter body: gets the frame and the index of its sequence among all, which grows with the first frame of each.
    func forEach(_ body: (Span<UInt8>, _ sequence: Int) throws -> Void) async throws {
        var nextSequence = 0
        for path in paths {
            if Self.isArray(path) {
                try readArray(path, &nextSequence, body)
            } else {
                try await readClip(path, &nextSequence, body)
            }
        }
        guard nextSequence > 0 else { throw Empty() }
    }

    private static func isArray(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 6) else {
            return false
        }
        return Array(start) == [0x93] + Array("NUMPY".utf8)
    }

    private func readArray(
        _ path: String, _ nextSequence: inout Int, _ body: (Span<UInt8>, Int) throws -> Void
    ) throws {
        var reader: NPYReader
        do throws(NPYError) {
            reader = try NPYReader(
                path, element: .uint8, rowShape: [GestureTCN.inputSide, GestureTCN.inputSide])
        } catch {
            throw ArrayFailure(path: path, error)
        }
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var index = 0
        while true {
            do throws(NPYError) {
                var row = frame.mutableSpan
                guard try reader.next(into: &row) else { return }
            } catch {
                throw ArrayFailure(path: path, error)
            }
            if index % GestureTCN.windowLength == 0 { nextSequence += 1 }
            index += 1
            try body(frame.span, nextSequence - 1)
        }
    }

    private func readClip(
        _ path: String, _ nextSequence: inout Int, _ body: (Span<UInt8>, Int) throws -> Void
    ) async throws {
        let sequence = nextSequence
        var preprocessor = Preprocessor(kernels: KernelRegistry.select().resize)
        var square = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        let clip = try await ClipSource().open(path)
        let count = try await clip.forEachFrame { frame in
            let view = try frame.pixelView()
            var destination = square.mutableSpan
            try preprocessor.resize(view, into: &destination)
            try body(square.span, sequence)
            return true
        }
        if count > 0 { nextSequence += 1 }
    }
}
