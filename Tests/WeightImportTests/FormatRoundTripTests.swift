import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

/// The same weights give the same model, whatever format they come in.
@Suite struct FormatRoundTripTests {
    private typealias Writer = CheckpointWriter

    /// The landmark network's weights, and one counter that is no float.
    private static func tensors() -> [CheckpointWriter.Tensor] {
        let layers = FrontEnd.landmarks.layers(classCount: 13)
        return Fixture.tensors(of: layers, seed: 9).sorted { $0.key < $1.key }.map {
            .init(name: $0.key, shape: $0.value.shape, values: $0.value.values ?? [])
        }
    }

    /// A safetensors file of one tensor, `[1, 2]`, without the writer's limits.
    private static func safetensors(_ name: String) -> [UInt8] {
        let header = Array(#"{"\#(name)":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#.utf8)
        return Writer.little(header.count, 8) + header + Writer.bytes([1, 2])
    }

    private static func model(_ checkpoint: Checkpoint, _ precision: ModelManifest.Precision) throws -> [UInt8] {
        let network = try FoldedNetwork(TensorNames().apply(checkpoint.tensors), classCount: 13)
        let scales = Fixture.scales.filter { $0.key.hasPrefix("t") }
        return try ModelBuilder(precision: precision, activationScales: scales).build(network).bytes
    }

    @Test func everyFormatGivesTheSameModel() throws {
        let tensors = Self.tensors()
        let plain = try Checkpoint(
            bytes: SafetensorsWriter.bytes(
                tensors: tensors.map { .float32($0.name, shape: $0.shape, $0.values) }, metadata: [:]))
        let wrapped = tensors.map { Writer.Tensor(name: "module." + $0.name, shape: $0.shape, values: $0.values) }
        let files: [(ModelFileError.FileFormat, String, [UInt8])] = [
            (.npz, "npz", Writer.npz(tensors)), (.torchArchive, "pt", Writer.torch(tensors)),
            (.torchArchive, "pth", Writer.torch(wrapped, wrappedIn: "state_dict")),
            (.torchArchive, "ckpt", Writer.torch(tensors, wrappedIn: "model")), (.onnx, "onnx", Writer.onnx(tensors)),
        ]
        let expected = try (Self.model(plain, .float32), Self.model(plain, .int8))
        for (format, fileExtension, bytes) in files {
            let checkpoint = try Checkpoint(bytes: bytes, fileExtension: fileExtension)
            #expect(checkpoint.format == format && checkpoint.sha256 == SHA256.hexadecimal(of: bytes))
            #expect(try Self.model(checkpoint, .float32) == expected.0, "\(format) \(fileExtension)")
            #expect(try Self.model(checkpoint, .int8) == expected.1, "\(format) \(fileExtension)")
        }
    }

    /// The first bytes tell the format. A name that says another one is an error.
    @Test func contentAndNameMustAgree() throws {
        let tensor = Writer.Tensor(name: "a", shape: [2], values: [1, 2])
        let files: [(ModelFileError.FileFormat, [UInt8])] = [
            (.npy, Writer.npy(tensor)), (.npz, Writer.npz([tensor])), (.torchArchive, Writer.torch([tensor])),
            (.onnx, Writer.onnx([tensor])),
        ]
        for (format, bytes) in files {
            #expect(
                try Checkpoint(bytes: bytes, fileExtension: "bin").tensors["a"]?.values == [1, 2] || format == .npy)
            for fileExtension in ["safetensors", "npy", "npz", "pt", "onnx", "gguf"] {
                let fits = ModelFileError.FileFormat.formats(fileExtension: fileExtension)?.contains(format) == true
                if fits {
                    #expect(try Checkpoint(bytes: bytes, fileExtension: fileExtension).format == format)
                } else {
                    #expect(throws: ImportError.formatConflict(fileExtension: fileExtension, found: format)) {
                        try Checkpoint(bytes: bytes, fileExtension: fileExtension)
                    }
                }
            }
        }
        #expect(try Checkpoint(bytes: Writer.npy(tensor), name: "fc.bias").tensors["fc.bias"]?.values == [1, 2])
        #expect(throws: ImportError.entryUnused(.npz)) {
            try Checkpoint(bytes: Writer.npz([tensor]), entry: "x")
        }
    }

    /// A name may have 1,024 bytes in every format, and the map makes a shorter one of it.
    @Test func longNamesAreRead() throws {
        let (long, tooLong) = (String(repeating: "a;", count: 512), String(repeating: "a;", count: 512) + "b")
        func files(_ name: String) -> [[UInt8]] {
            let tensor = Writer.Tensor(name: name, shape: [2], values: [1, 2])
            return [
                Writer.npz([tensor]), Writer.torch([tensor]), Writer.onnx([tensor]),
                Self.safetensors(name),
            ]
        }
        let names = try TensorNames(map: [(from: long, to: "fc.bias")])
        for bytes in files(long) {
            let checkpoint = try Checkpoint(bytes: bytes)
            #expect(try names.apply(checkpoint.tensors)["fc.bias"]?.values == [1, 2], "\(checkpoint.format)")
        }
        for bytes in files(tooLong) {
            #expect(throws: ImportError.file(.nameTooLong(tooLong, limit: 1024))) { try Checkpoint(bytes: bytes) }
        }
    }

    @Test func kerasFilesSayHowToConvertThem() {
        let hdf5 = [0x89] + Array("HDF\r\n\u{1A}\n".utf8)
        let archive = GraphSourceTests.archive([.init(name: "metadata.json", data: Array("{}".utf8))])
        #expect(throws: ImportError.unsupportedFormat(.hdf5)) { try Checkpoint(bytes: hdf5, fileExtension: "h5") }
        #expect(throws: ImportError.unsupportedFormat(.keras)) {
            try Checkpoint(bytes: archive, fileExtension: "keras")
        }
        #expect(throws: ImportError.unsupportedFormat(.zip)) { try Checkpoint(bytes: archive) }
        for format in [ModelFileError.FileFormat.hdf5, .keras] {
            #expect(ImportError.unsupportedFormat(format).description.contains("numpy.savez("))
        }
    }
}
