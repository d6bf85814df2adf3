import Foundation
import ModelFile
import Testing
import WeightImport

@Suite struct CheckpointTests {
    private static func zip(_ member: String) -> [UInt8] {
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(member.utf8.count), 0, 0, 0]
            + Array(member.utf8)
    }

    private static let samples: [([UInt8], CheckpointFormat)] = [
        ([2, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .safetensors),
        ([0x93] + Array("NUMPY\u{1}\u{0}".utf8), .npy),
        (zip("arr_0.npy"), .npz), (zip("archive/data.pkl"), .torchZip), (zip("model/byteorder"), .torchZip),
        (zip("word/document.xml"), .zip), (Array("PK\u{3}\u{4}".utf8), .zip),
        ([0x80, 0x02, 0x8A, 0x0A], .torchLegacy), ([0x89] + Array("HDF\r\n\u{1A}\n".utf8), .hdf5),
        ([0x1C, 0, 0, 0] + Array("TFL3".utf8), .tflite), (Array("GGUF".utf8), .gguf),
        ([0x08, 0x08, 0x12, 0x07], .onnx), ([0x08, 0x0A, 0x3A, 0x80], .onnx),
    ]

    @Test func formatsAreToldApartByTheirBytes() {
        for (bytes, format) in Self.samples {
            #expect(CheckpointFormat.detect(bytes) == format)
            // No prefix, however short, may read beyond its end.
            for count in 0..<bytes.count { _ = CheckpointFormat.detect(Array(bytes[..<count])) }
        }
        #expect(CheckpointFormat.detect([]) == nil)
        #expect(CheckpointFormat.detect(Array("hello world".utf8)) == nil)
    }

    @Test func otherFormatsAreRefusedByName() {
        for (bytes, format) in Self.samples where format != .safetensors {
            #expect(throws: ImportError.unsupportedFormat(format)) { try Checkpoint(bytes: bytes) }
            #expect(throws: ImportError.formatConflict(fileExtension: "safetensors", found: format)) {
                try Checkpoint(bytes: bytes, fileExtension: "safetensors")
            }
        }
        #expect(throws: ImportError.formatConflict(fileExtension: "pt", found: .safetensors)) {
            try Checkpoint(bytes: Self.samples[0].0, fileExtension: "pt")
        }
        #expect(throws: ImportError.unknownFormat) { try Checkpoint(bytes: Array("hello world".utf8)) }
        // Called safetensors, so its reader says what is wrong.
        #expect(throws: ImportError.file(.truncated(expected: 8, actual: 3))) {
            try Checkpoint(bytes: [1, 2, 3], fileExtension: "safetensors")
        }
    }

    @Test func readsEveryFloatType() throws {
        let values: [Float] = [1, -0.5, 3]
        func bytes<T: FixedWidthInteger>(_ values: [T]) -> [UInt8] {
            values.flatMap { value in (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * T($0))) } }
        }
        let file = try SafetensorsWriter.bytes(
            tensors: [
                .float32("s", shape: [3], values), .float16("h", shape: [3], bits: [0x3C00, 0xB800, 0x4200]),
                TensorPayload(
                    name: "b", type: .bfloat16, shape: [3], bytes: bytes([0x3F80, 0xBF00, 0x4040] as [UInt16])),
                TensorPayload(
                    name: "d", type: .float64, shape: [3], bytes: bytes(values.map { Double($0).bitPattern })),
                TensorPayload(name: "n", type: .int64, shape: [], bytes: bytes([7] as [Int64])),
            ], metadata: ["k": "v"])
        for fileExtension in ["safetensors", "", "bin"] {
            let checkpoint = try Checkpoint(bytes: file, fileExtension: fileExtension)
            for name in ["s", "h", "b", "d"] { #expect(checkpoint.tensors[name]?.values == values) }
            #expect(checkpoint.tensors["n"]?.values == nil && checkpoint.tensors["n"]?.type == "I64")
            #expect(checkpoint.metadata == ["k": "v"] && checkpoint.byteCount == file.count)
            #expect(checkpoint.sha256 == SHA256.hexadecimal(of: file))
        }
    }

    @Test func scalesOfTrainingAreRead() throws {
        func checkpoint(_ metadata: [String: String]) throws -> Checkpoint {
            try Checkpoint(
                bytes: SafetensorsWriter.bytes(tensors: [.float32("a", shape: [1], [1])], metadata: metadata))
        }
        #expect(try checkpoint([:]).activationScales() == nil)
        var metadata = Fixture.scales.mapValues { "\($0)" }
        metadata = Dictionary(uniqueKeysWithValues: metadata.map { ("activation_scale." + $0.key, $0.value) })
        #expect(try checkpoint(metadata).activationScales() == Fixture.scales)
        metadata["activation_scale.t1.conv"] = "nan"
        #expect(throws: ImportError.file(.malformedMetadata(key: "activation_scale.t1.conv", value: "nan"))) {
            try checkpoint(metadata).activationScales()
        }
        metadata["activation_scale.t1.conv"] = "1.0"
        #expect(try checkpoint(metadata).activationScales()?["t1.conv"] == Float(6) / 255)
        metadata["activation_scale.t1.conv"] = nil
        #expect(throws: ImportError.file(.missingMetadata(key: "activation_scale.t1.conv"))) {
            try checkpoint(metadata).activationScales()
        }
    }

    @Test func filesAreReplacedInOneStep() throws {
        try Fixture.withDirectory { directory in
            let path = directory.appendingPathComponent("model").path
            try AtomicFile.replace(path, with: [1, 2, 3])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
            try AtomicFile.replace(path, with: [4])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([4]))
            try AtomicFile.replace(path, with: [])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["model"])
        }
    }

    @Test func aFailedWriteLeavesEverythingAsItWas() throws {
        try Fixture.withDirectory { directory in
            // The rename onto a directory that is not empty fails after the bytes are written.
            let path = directory.appendingPathComponent("model").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data([7]).write(to: URL(fileURLWithPath: path + "/old"))
            #expect(throws: ImportError.unwritable(path: path, code: EISDIR)) {
                try AtomicFile.replace(path, with: [1])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["model"])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/old")) == Data([7]))
            let nowhere = directory.appendingPathComponent("none/model").path
            #expect(throws: ImportError.unwritable(path: nowhere, code: ENOENT)) {
                try AtomicFile.replace(nowhere, with: [1])
            }
        }
    }
}
