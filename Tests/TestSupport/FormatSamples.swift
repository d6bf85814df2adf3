package import ModelFile

/// The beginnings of files of every format, as programs write them.
package enum FormatSamples {
    package struct Sample: Sendable {
        package let bytes: [UInt8]
        package let format: ModelFileError.FileFormat

        init(_ format: ModelFileError.FileFormat, _ bytes: [UInt8]) { (self.format, self.bytes) = (format, bytes) }

        /// - Parameter text: each character is one byte, by its number.
        init(_ format: ModelFileError.FileFormat, _ text: String) { self.init(format, FormatSamples.bytes(text)) }
    }

    package static let all: [Sample] = weights + networks + pictures + others

    private static let weights: [Sample] = [
        Sample(.empty, ""), Sample(.safetensors, "\u{2}\0\0\0\0\0\0\0{}"), Sample(.npy, "\u{93}NUMPY\u{1}\0"),
        Sample(.npz, zip("arr_0.npy")), Sample(.torchArchive, zip("archive/data.pkl")),
        Sample(.torchArchive, zip("model/byteorder")),
        Sample(.torchArchive, zip("m/data/0", "m/data.pkl", "m/version")),
        Sample(.torchPickle, "\u{80}\u{2}\u{8A}\u{A}"), Sample(.pickle, "\u{80}\u{4}\u{95}\u{1A}"),
        Sample(.hdf5, "\u{89}HDF\r\n\u{1A}\n"), Sample(.gguf, "GGUF"), Sample(.ggml, "tjgg\u{3}\0\0\0"),
        // The producer's name, the graph, and a producer without a name.
        Sample(.onnx, "\u{8}\u{8}\u{12}\u{7}pytorch\u{1A}\u{1}1"), Sample(.onnx, "\u{8}\u{A}:\u{80}"),
        Sample(.onnx, [0x08, 0x07] + field(2, []) + field(7, [0x0A, 0])), Sample(.onnx, "\u{8}\u{8}\u{12}\u{7}"),
    ]

    private static let networks: [Sample] = [
        Sample(.torchScript, zip("m/data/0", "m/data.pkl", "m/code/__torch__.py", "m/constants.pkl")),
        Sample(.torchExport, zip("m/archive_format", "m/byteorder", "m/models/model.json")),
        Sample(.torchExport, zip("version", "serialized_exported_program.json", "serialized_state_dict.pt")),
        Sample(.keras, zip("metadata.json", "config.json", "model.weights.h5")),
        Sample(.mediaPipeTask, zip("hand_detector.tflite", "hand_landmarks_detector.tflite")),
        Sample(.mediaPipeTask, [0, 0] + zip("hand_detector.tflite")),
        Sample(.tflite, "\u{1C}\0\0\0TFL3"), Sample(.onnxRuntime, "\u{1C}\0\0\0ORTM"),
        Sample(.execuTorch, "\u{1C}\0\0\0ET12"),
        Sample(.coreML, zip("a.mlpackage/Data/com.apple.CoreML/model.mlmodel", "a.mlpackage/Manifest.json")),
        // A description with an input called "image", one with an output alone, and networks without any.
        Sample(.coreML, [0x08, 0x04] + field(2, field(1, field(1, "image") + field(3, field(4, [8, 3]))))),
        Sample(.coreML, [0x08, 0x01] + field(2, field(10, field(1, "y")))),
        Sample(.coreML, [0x08, 0x05, 0x50, 0x01]), Sample(.coreML, [0x08, 0x07, 0xB2, 0x1F, 0x02, 0x0A, 0x00]),
        // A SavedModel with its operators, and a frozen graph with its first node.
        Sample(.tensorFlow, [0x08, 0x01] + field(2, field(1, field(2, field(1, field(1, "Add")))))),
        Sample(.tensorFlow, field(1, field(1, "input") + field(2, "Placeholder")) + field(4, [8, 27])),
        Sample(.tensorFlow, zip("model/saved_model.pb")),
        Sample(.openVINO, "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">\n<layers>"),
        Sample(.ncnn, "7767517\n3 3\nInput data 0 1 data"), Sample(.ncnn, "\u{DD}\u{85}v\0\u{3}\0\0\0"),
        Sample(.tensorRT, "ptrt\u{F0}\0\0\0"), Sample(.tensorRT, "ftrt\0\0\0\0"),
        Sample(.paddle, field(1, [8, 0, 16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1])),
        Sample(.paddle, [UInt8](repeating: 0, count: 16) + [5, 0, 0, 0, 8, 5, 16, 0x80, 1]),
    ]

    private static let pictures: [Sample] = [
        Sample(.png, "\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR"), Sample(.jpeg, "\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF\0"),
        Sample(.gif, "GIF89a\u{1}\0\u{1}\0"), Sample(.webp, "RIFF\u{1}\0\0\0WEBP"),
        Sample(.avi, "RIFF\u{1}\0\0\0AVI LIST"), Sample(.heic, brands("heic", "mif1", "heic")),
        Sample(.heic, brands("mif1", "heix")), Sample(.heic, brands("hevc", "iso8")), Sample(.heic, brands("msf1")),
        Sample(.avif, brands("avif", "mif1", "miaf")), Sample(.avif, brands("mif1", "avif")),
        Sample(.avif, brands("avis")), Sample(.mp4, brands("isom", "iso2", "avc1", "mp41")),
        Sample(.mp4, brands("qt  ")), Sample(.mp4, "\0\0\0 ftypisom"), Sample(.mp4, "\0\0\0\u{8}wide\0\0\0\0mdat"),
        Sample(.jpegXL, "\u{FF}\u{A}\u{FA}\u{1F}"),
        Sample(.jpegXL, [0, 0, 0, 12] + bytes("JXL ") + [13, 10, 0x87, 10]),
        Sample(.jpeg2000, [0, 0, 0, 12] + bytes("jP  ") + [13, 10, 0x87, 10]),
        Sample(.jpeg2000, "\u{FF}O\u{FF}Q\0)"), Sample(.tiff, "II*\0\u{8}\0\0\0"), Sample(.tiff, "MM\0*\0\0\0\u{8}"),
        Sample(.bmp, "BMF\0\0\0\0\0\0\06\0\0\0(\0\0\0"), Sample(.matroska, "\u{1A}E\u{DF}\u{A3}\u{9F}"),
        Sample(.y4m, "YUV4MPEG2 W2 H2"),
        Sample(.mpegTS, (0..<3).flatMap { _ in [0x47] + [UInt8](repeating: 0xFF, count: 187) }),
    ]

    private static let others: [Sample] = [
        Sample(.zip, zip("word/document.xml")), Sample(.zip, "PK\u{3}\u{4}"), Sample(.gzip, "\u{1F}\u{8B}\u{8}\0"),
        Sample(.bzip2, "BZh91AY&SY"), Sample(.xz, "\u{FD}7zXZ\0"), Sample(.zstandard, "(\u{B5}/\u{FD}\u{4}"),
        Sample(.sevenZip, "7z\u{BC}\u{AF}'\u{1C}"), Sample(.rar, "Rar!\u{1A}\u{7}\u{1}\0"),
        Sample(.tar, bytes("weights.bin") + [UInt8](repeating: 0, count: 246) + bytes("ustar\0")),
        Sample(.pdf, "%PDF-1.7\n"),
        Sample(.gitLFSPointer, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
        Sample(.json, " {\"labels\": []}\n"), Sample(.json, "\u{EF}\u{BB}\u{BF}[\"null\"]"),
        // A brace where a safetensors file has one.
        Sample(.json, "{\"rows\":{}}"), Sample(.markup, "<!DOCTYPE html>"),
        Sample(.text, Array("hello, wörld\n".utf8)), Sample(.text, "BM is no bitmap here"),
    ]

    private static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    /// Headers of an archive's members.
    private static func zip(_ members: String...) -> [UInt8] {
        members.flatMap { member in
            let lengths: [UInt8] = [UInt8(member.utf8.count), 0, 0, 0]
            return bytes("PK\u{3}\u{4}") + [UInt8](repeating: 0, count: 22) + lengths + bytes(member)
        }
    }

    /// The first box of ISO's base media format, and a second one.
    private static func brands(_ main: String, _ others: String...) -> [UInt8] {
        let length = UInt8(16 + 4 * others.count)
        return [0, 0, 0, length] + bytes("ftyp" + main + "\0\0\0\0" + others.joined() + "\0\0\0\u{8}free")
    }

    /// A field of a message of protocol buffers.
    private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(content.count)] + content
    }

    private static func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, bytes(text)) }
}
