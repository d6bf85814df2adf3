import Clips
import FileOutput
import Foundation
import TestSupport
import Testing

/// Paths that may be arrays or clips, as files and through pipes, which are read once.
@Suite struct FootageTests {
    /// An array of rows of four bytes.
    private static func array(rows: Int) throws -> [UInt8] {
        let scratch = try Scratch()
        var writer = try NPYWriter(
            OutputTarget(scratch.path("a.npy")), element: .uint8, rowShape: [4], rowCount: rows)
        for row in 0..<rows { try writer.append([UInt8](repeating: UInt8(row), count: 4).span) }
        try writer.finish()
        return try scratch.bytes("a.npy")
    }

    /// What `openFootage` finds, read to its end.
    private enum Found: Equatable {
        case clip(frames: Int, isStream: Bool)
        case array([[UInt8]], isStream: Bool)
    }

    private static func read(_ path: String) async throws -> Found {
        switch try await ClipSource().openFootage(path) {
        case .clip(let clip):
            return .clip(frames: try await Recording(clip).lumas.count, isStream: clip.isStream)
        case .array(let array):
            let isStream = array.isStream
            #expect(array.path == path)
            return .array(try rows(NPYReader(array, element: .uint8, rowShape: [4])), isStream: isStream)
        }
    }

    private static func rows(_ reader: consuming NPYReader) throws -> [[UInt8]] {
        var row = [UInt8](repeating: 0, count: 4)
        var rows: [[UInt8]] = []
        while try next(&reader, &row) { rows.append(row) }
        return rows
    }

    private static func next(_ reader: inout NPYReader, _ row: inout [UInt8]) throws -> Bool {
        var span = row.mutableSpan
        return try reader.next(into: &span)
    }

    @Test func arrays() async throws {
        let scratch = try Scratch()
        let bytes = try Self.array(rows: 200)
        let rows = (0..<200).map { [UInt8](repeating: $0, count: 4) }
        #expect(try await Self.read(scratch.write("a.mp4", bytes)) == .array(rows, isStream: false))
        let pipe = try PipedFile(bytes, in: scratch)
        #expect(try await Self.read(pipe.path) == .array(rows, isStream: true))
        pipe.finish()
    }

    @Test func clips() async throws {
        let scratch = try Scratch()
        let bytes = PlainY4M(64, 48, frames: 200).bytes
        #expect(try await Self.read(scratch.write("a.npy", bytes)) == .clip(frames: 200, isStream: false))
        let pipe = try PipedFile(bytes, in: scratch)
        #expect(try await Self.read(pipe.path) == .clip(frames: 200, isStream: true))
        pipe.finish()
    }

    /// Bytes that are neither, and fewer than either begins with.
    @Test(arguments: [[], [0x93], Array("Y".utf8), Array("RIFF and so on".utf8)]) func neither(_ bytes: [UInt8])
        async throws
    {
        let scratch = try Scratch()
        let pipe = try PipedFile(bytes, in: scratch)
        guard case .y4m(pipe.path, _)? = await clipError({ _ = try await Self.read(pipe.path) }) else {
            Issue.record("another error")
            return
        }
        pipe.finish()
    }

    /// An array that is cut off says so, whether its size is known beforehand or not.
    @Test func arraysCutOff() async throws {
        let scratch = try Scratch()
        let bytes = Array(try Self.array(rows: 10).dropLast(3))
        let file = try scratch.write("a.npy", bytes)
        let pipe = try PipedFile(bytes, in: scratch)
        for path in [file, pipe.path] {
            await #expect(throws: NPYError.truncated(expected: 40, found: 37)) { _ = try await Self.read(path) }
        }
        pipe.finish()
    }

    /// More than a buffer's worth, twice.
    @Test func spooledFrames() throws {
        let frameBytes = 5_001
        var spool = try FrameSpool(frameBytes: frameBytes)
        for n in 0..<100 { try spool.append([UInt8](repeating: UInt8(n), count: frameBytes).span) }
        var frame = [UInt8](repeating: 0, count: frameBytes)
        for _ in 0..<2 {
            try spool.rewind()
            for n in 0..<100 {
                #expect(try Self.next(&spool, &frame))
                #expect(frame.allSatisfy { $0 == UInt8(n) })
            }
            #expect(try Self.next(&spool, &frame) == false)
        }
    }

    private static func next(_ spool: inout FrameSpool, _ frame: inout [UInt8]) throws -> Bool {
        var span = frame.mutableSpan
        return try spool.next(into: &span)
    }
}
