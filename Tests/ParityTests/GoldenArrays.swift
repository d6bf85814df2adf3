import Clips
import TestSupport

/// The arrays of the golden set.
enum GoldenArrays {
    /// Twenty frames of 224x224 codes.
    static func frames() throws -> [[UInt8]] {
        var reader = try NPYReader(Fixtures.golden("golden_frames.npy"), element: .uint8, rowShape: [224, 224])
        var frame = [UInt8](repeating: 0, count: reader.rowLength)
        var frames: [[UInt8]] = []
        while try read(&reader, &frame) { frames.append(frame) }
        return frames
    }

    /// PyTorch's logits of each full window.
    static func logits() throws -> [[Float]] {
        var reader = try NPYReader(Fixtures.golden("golden_logits.npy"), element: .float32, rowShape: [13])
        var row = [Float](repeating: 0, count: reader.rowLength)
        var rows: [[Float]] = []
        while try read(&reader, &row) { rows.append(row) }
        return rows
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [UInt8]) throws -> Bool {
        var span = row.mutableSpan
        return try reader.next(into: &span)
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [Float]) throws -> Bool {
        var span = row.mutableSpan
        return try reader.next(into: &span)
    }
}
