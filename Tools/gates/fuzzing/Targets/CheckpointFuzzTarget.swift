import Clips
import Foundation
import ModelFile
import Vocabulary
import WeightImport

/// Checkpoints of other formats.
enum CheckpointFuzzTarget {
    /// - Parameter sealed: whether the bytes are an archive, which is also read with the checksums that it needs.
    static func enter(_ bytes: [UInt8], fileExtension: String = "", sealed: Bool = false) -> Bool {
        var isTaken = false
        for form in sealed ? [bytes, ZipSealing.resealed(bytes)] : [bytes] {
            if fileExtension.isEmpty { _ = try? ReferenceLogits(npz: form, frontEnd: .landmarks, classCount: 2) }
            guard let checkpoint = try? Checkpoint(bytes: form, fileExtension: fileExtension) else { continue }
            check(checkpoint)
            isTaken = true
        }
        return isTaken
    }

    static func check(_ checkpoint: Checkpoint) {
        for tensor in checkpoint.tensors.values {
            guard let values = tensor.values else { continue }
            precondition(values.count == tensor.shape.reduce(1, *), "a tensor of another size")
        }
    }

    /// An array file, as a checkpoint and as a list of rows.
    static func array(_ bytes: [UInt8]) -> Bool {
        let isTaken = enter(bytes)
        // In memory where there is such a folder: a disk would take most of the time.
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let folder = isThere ? memory : FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("target-\(ProcessInfo.processInfo.processIdentifier).npy")
        guard (try? Data(bytes).write(to: file)) != nil else { preconditionFailure("no file can be written") }
        defer { try? FileManager.default.removeItem(at: file) }
        let rows = [NPYElement.uint8, .float32].map { Self.rows(file.path, $0) }
        return isTaken || rows.contains(true)
    }

    private static func rows(_ path: String, _ element: NPYElement) -> Bool {
        guard var reader = try? NPYReader(path, element: element, rowShape: [2, 3]) else { return false }
        precondition(reader.rowLength == 6, "a row of another length")
        var row = [UInt8](repeating: 0, count: reader.rowLength * element.byteCount)
        var count = 0
        while true {
            var span = row.mutableSpan
            guard let hasMore = try? reader.next(into: &span) else { return false }
            guard hasMore else { break }
            count += 1
        }
        precondition(count == reader.rowCount, "another number of rows")
        return true
    }
}
