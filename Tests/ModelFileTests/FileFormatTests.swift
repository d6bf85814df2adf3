import Foundation
import ModelFile
import TestSupport
import Testing

/// Files of other formats are recognised by their bytes and named in the error.
@Suite struct FileFormatTests {
    @Test func formatsAreToldApartByTheirBytes() {
        for (bytes, format) in FormatSamples.all.map({ ($0.bytes, $0.format) }) {
            #expect(ModelFileError.FileFormat.detect(bytes) == format)
            // No prefix, however short, may read beyond its end.
            for count in 0..<bytes.count { _ = ModelFileError.FileFormat.detect(Array(bytes[..<count])) }
        }
        #expect(Set(FormatSamples.all.map(\.format)) == Set(ModelFileError.FileFormat.allCases))
        #expect(ModelFileError.FileFormat.detect([0, 0] + Array("PK\u{3}\u{4}".utf8)) == .zip)
        #expect(ModelFileError.FileFormat.detect([1, 2, 3]) == nil)
        #expect(ModelFileError.FileFormat.detect(Array("hello\0".utf8)) == nil)
        #expect(ModelFileError.FileFormat.detect([0xC3, 0x28, 0x41, 0x42, 0x43]) == nil)
        // Brands and names of members count where they are, not bytes that look like them.
        #expect(ModelFileError.FileFormat.detect([0, 0, 0, 0x10] + Array("ftypisom\0\0\0\0heic".utf8)) == .mp4)
        // A character that the sample cuts in two is no fault of the text.
        #expect(ModelFileError.FileFormat.detect([UInt8](repeating: 0x61, count: 4095) + Array("é".utf8)) == .text)
    }

    @Test func whatIsNoModelIsNamed() throws {
        for (bytes, format) in FormatSamples.all.map({ ($0.bytes, $0.format) }) where format != .safetensors {
            #expect(throws: ModelFileError.otherFormat(format)) { try ModelFile(bytes: bytes) }
            let longer = bytes + [UInt8](repeating: 0x20, count: bytes.isEmpty ? 0 : 5000)
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("format-\(UUID().uuidString)").path
            try Data(longer).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            #expect(throws: ModelFileError.otherFormat(format)) { try ModelFile.load(path: path) }
        }
        #expect(throws: ModelFileError.otherFormat(nil)) { try ModelFile(bytes: [UInt8](repeating: 0xA5, count: 100)) }
        #expect(
            "\(ModelFileError.otherFormat(.png))" == "The file is not a safetensors file; it seems to be a PNG image."
        )
        #expect("\(ModelFileError.otherFormat(.empty))" == "The file is empty.")
        #expect(
            "\(ModelFileError.otherFormat(.onnx))"
                == "The file is not a safetensors file; it seems to be an ONNX model. 'gesture-import import' makes a model "
                + "of weights.")
    }

    /// An archive's directory, at its end, identifies what its first bytes do not.
    @Test func theEndOfAnArchiveCounts() throws {
        func listed(_ name: String) -> [UInt8] {
            Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 24) + [UInt8(name.utf8.count), 0]
                + [UInt8](repeating: 0, count: 16) + Array(name.utf8)
        }
        let first = try #require(FormatSamples.all.first { $0.format == .torchArchive }).bytes
        let bytes = first + [UInt8](repeating: 7, count: 200_000) + listed("archive/constants.pkl")
        #expect(ModelFileError.FileFormat.detect(bytes) == .torchScript)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("format-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let sample = try FileBytes.sample(path: path)
        #expect(sample.fileSize == bytes.count && sample.bytes.count < 80_000)
        #expect(ModelFileError.FileFormat.detect(sample.bytes) == .torchScript)
    }

    @Test func packagesAreNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("format-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let packages: [([String], ModelFileError.FileFormat)] = [
            (["Manifest.json", "Data"], .coreML), (["coremldata.bin"], .coreML), (["saved_model.pb"], .tensorFlow),
        ]
        for (names, format) in packages {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            for name in names { try Data().write(to: folder.appendingPathComponent(name)) }
            #expect(throws: ModelFileError.otherFormat(format)) { try ModelFile.load(path: folder.path) }
            try FileManager.default.removeItem(at: folder)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(throws: ModelFileError.notARegularFile(path: folder.path)) { try ModelFile.load(path: folder.path) }
    }

    /// A picture's advice is about pictures.
    @Test func adviceFitsTheUse() {
        for format in ModelFileError.FileFormat.allCases where format.isPicture {
            #expect(format.adviceForModels == nil)
        }
        #expect(ModelFileError.FileFormat.heic.advice?.contains("heif-convert") == true)
        #expect(ModelFileError.FileFormat.torchScript.adviceForModels?.contains("state_dict()") == true)
    }
}
