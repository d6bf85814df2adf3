import Foundation
import ModelFile
import TestSupport
import Testing
import WeightImport

@Suite struct CheckpointTests {
    private static let readable: Set<ModelFileError.FileFormat> = [.safetensors, .npy, .npz, .torchArchive, .onnx]

    @Test func otherFormatsAreRefusedByName() {
        let samples: [([UInt8], ModelFileError.FileFormat)] = [
            (Array("GGUF\u{3}".utf8), .gguf), ([0, 0, 0, 0] + Array("TFL3".utf8), .tflite),
            ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png), (Array("hello world".utf8), .text),
        ]
        // A fault of the file's name is one more thing to say, but not instead of the format.
        for (bytes, format) in FormatSamples.all.map({ ($0.bytes, $0.format) })
        where !Self.readable.contains(format) && format != .empty {
            #expect(throws: ImportError.unsupportedFormat(format)) { try Checkpoint(bytes: bytes) }
            let sentence = "\(ImportError.unsupportedFormat(format))"
            #expect(sentence.contains("\(format)") && sentence.contains(format.adviceForModels ?? "Checkpoints are"))
        }
        for (bytes, format) in samples {
            #expect(throws: ImportError.unsupportedFormat(format)) { try Checkpoint(bytes: bytes) }
            #expect(throws: ImportError.formatConflict(fileExtension: "safetensors", found: format)) {
                try Checkpoint(bytes: bytes, fileExtension: "safetensors")
            }
        }
        #expect(throws: ImportError.formatConflict(fileExtension: "pt", found: .safetensors)) {
            try Checkpoint(bytes: [2, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], fileExtension: "pt")
        }
        #expect(throws: ImportError.unknownFormat) { try Checkpoint(bytes: [1, 2, 3]) }
        #expect(throws: ImportError.file(.otherFormat(.empty))) { try Checkpoint(bytes: []) }
        // Called safetensors, so its reader says what is wrong.
        #expect(throws: ImportError.file(.truncated(expected: 8, actual: 3))) {
            try Checkpoint(bytes: [1, 2, 3], fileExtension: "safetensors")
        }
    }

    /// A model can be imported again, but not one that has changed since it was written.
    @Test func damagedModelsAreNoCheckpoints() throws {
        let product = try ModelBuilder(precision: .float32).build(Fixture.goldenNetwork())
        #expect(try Checkpoint(bytes: product.bytes).tensors["fc.bias"]?.values?.count == 13)
        var bytes = product.bytes
        bytes[bytes.count - 1] ^= 1
        let hashes = try [
            "\(#require(product.model.file.metadata[ContentHash.key]))",
            ContentHash(SafetensorsFile(bytes: bytes)).digits,
        ]
        #expect(throws: ImportError.file(.contentMismatch(recorded: hashes[0], found: hashes[1]))) {
            try Checkpoint(bytes: bytes)
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
}
