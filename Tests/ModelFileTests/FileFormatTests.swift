import Foundation
import ModelFile
import Testing

/// Files of other formats are recognised by their bytes and named in the error.
@Suite struct FileFormatTests {
    private static func zip(_ member: String) -> [UInt8] {
        Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(member.utf8.count), 0, 0, 0]
            + Array(member.utf8)
    }

    private static let samples: [([UInt8], ModelFileError.FileFormat)] = [
        ([], .empty), ([2, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .safetensors),
        ([0x93] + Array("NUMPY\u{1}\u{0}".utf8), .npy),
        (zip("arr_0.npy"), .npz), (zip("archive/data.pkl"), .torchArchive), (zip("model/byteorder"), .torchArchive),
        (zip("word/document.xml"), .zip), (Array("PK\u{3}\u{4}".utf8), .zip),
        ([0x80, 0x02, 0x8A, 0x0A], .torchPickle), ([0x89] + Array("HDF\r\n\u{1A}\n".utf8), .hdf5),
        ([0x1C, 0, 0, 0] + Array("TFL3".utf8), .tflite), (Array("GGUF".utf8), .gguf),
        ([0x08, 0x08, 0x12, 0x07], .onnx), ([0x08, 0x0A, 0x3A, 0x80], .onnx),
        ([0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR".utf8), .png),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Array("JFIF\0".utf8), .jpeg),
        (Array("GIF89a".utf8) + [1, 0, 1, 0], .gif), (Array("RIFF".utf8) + [1, 0, 0, 0] + Array("WEBP".utf8), .webp),
        ([0, 0, 0, 0x20] + Array("ftypisom".utf8), .mp4), ([0x1A, 0x45, 0xDF, 0xA3, 0x9F], .matroska),
        (Array("YUV4MPEG2 W2 H2".utf8), .y4m), ([0x1F, 0x8B, 8, 0], .gzip), (Array("%PDF-1.7\n".utf8), .pdf),
        (Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\n".utf8), .gitLFSPointer),
        (Array(" {\"labels\": []}\n".utf8), .json), (Array("<!DOCTYPE html>".utf8), .markup),
        (Array("hello, wörld\n".utf8), .text),
    ]

    @Test func formatsAreToldApartByTheirBytes() {
        for (bytes, format) in Self.samples {
            #expect(ModelFileError.FileFormat.detect(bytes) == format)
            // No prefix, however short, may read beyond its end.
            for count in 0..<bytes.count { _ = ModelFileError.FileFormat.detect(Array(bytes[..<count])) }
        }
        #expect(Set(Self.samples.map(\.1)) == Set(ModelFileError.FileFormat.allCases))
        #expect(ModelFileError.FileFormat.detect([0, 0] + Array("PK\u{3}\u{4}".utf8)) == .zip)
        #expect(ModelFileError.FileFormat.detect([1, 2, 3]) == nil)
        #expect(ModelFileError.FileFormat.detect(Array("hello\0".utf8)) == nil)
        #expect(ModelFileError.FileFormat.detect([0xC3, 0x28, 0x41, 0x42, 0x43]) == nil)
        // A character that the sample cuts in two is no fault of the text.
        #expect(ModelFileError.FileFormat.detect([UInt8](repeating: 0x61, count: 4095) + Array("é".utf8)) == .text)
    }

    @Test func whatIsNoModelIsNamed() throws {
        for (bytes, format) in Self.samples where format != .safetensors {
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
    }
}
