extension ModelFileError {
    /// The probable format of a file, by its bytes and never by its name: common formats of weights, and formats that
    /// are given instead by mistake.
    public enum FileFormat: String, Sendable, Equatable, CaseIterable {
        /// A file without bytes.
        case empty
        /// The format of models and graphs.
        case safetensors
        /// Weights and arrays.
        case npy, npz, onnx, torchArchive, torchPickle, hdf5, tflite, gguf
        /// Images and video.
        case png, jpeg, gif, webp, mp4, matroska, y4m
        /// Others.
        case zip, gzip, pdf, gitLFSPointer, json, markup, text

        /// Number of bytes at the beginning of a file that are enough for `detect`.
        package static let sampleLength = 4096
        /// Most zeros before an archive's first member.
        private static let alignmentLimit = 64

        /// The format of a file that begins with these bytes, all or `sampleLength` of them; nil for an unknown one.
        ///
        /// ONNX has no signature: its first field, the version, and the tag of the next one are used instead.
        package static func detect(_ bytes: [UInt8]) -> ModelFileError.FileFormat? {
            func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
                bytes.dropFirst(offset).starts(with: signature)
            }
            func begins(_ signature: String, at offset: Int = 0) -> Bool { begins(Array(signature.utf8), at: offset) }

            if bytes.isEmpty { return .empty }
            if begins([0x93] + Array("NUMPY".utf8)) { return .npy }
            // Zeros before the first member align its content, as in MediaPipe's bundles.
            let zeros = bytes.prefix(alignmentLimit).prefix { $0 == 0 }.count
            if begins("PK\u{3}\u{4}", at: zeros) { return zipKind(bytes.dropFirst(zeros)) }
            if begins([0x89] + Array("HDF\r\n".utf8)) { return .hdf5 }
            if begins("TFL3", at: 4) { return .tflite }
            if begins("GGUF") { return .gguf }
            if begins([0x89] + Array("PNG\r\n".utf8)) { return .png }
            if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
            if begins("GIF87a") || begins("GIF89a") { return .gif }
            if begins("RIFF"), begins("WEBP", at: 8) { return .webp }
            if begins("ftyp", at: 4) { return .mp4 }
            if begins([0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
            if begins("YUV4MPEG2") { return .y4m }
            if begins([0x1F, 0x8B]) { return .gzip }
            if begins("%PDF-") { return .pdf }
            // The format's header length is below 2^32, followed by a brace; the reader refuses longer headers anyway.
            if begins([0, 0, 0, 0, UInt8(ascii: "{")], at: 4) { return .safetensors }
            if begins([0x80, 0x02]) { return .torchPickle }
            let onnxTags: Set<UInt8> = [0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42]
            if bytes.count > 2, bytes[0] == 0x08, (1...32).contains(bytes[1]), onnxTags.contains(bytes[2]) {
                return .onnx
            }
            return textKind(bytes.prefix(sampleLength))
        }

        /// Distinguishes archives by their first member's name.
        private static func zipKind(_ bytes: ArraySlice<UInt8>) -> ModelFileError.FileFormat {
            guard bytes.count >= 30 else { return .zip }
            let start = bytes.startIndex
            let length = Int(bytes[start + 26]) | Int(bytes[start + 27]) << 8
            let name = String(decoding: bytes.dropFirst(30).prefix(length), as: UTF8.self)
            if name.hasSuffix(".npy") { return .npz }
            let torchMembers = ["/data.pkl", "/byteorder", "/version", "/.format_version", "/.storage_alignment"]
            return torchMembers.contains { name.hasSuffix($0) } ? .torchArchive : .zip
        }

        /// Distinguishes texts by their beginning; nil for bytes that are not UTF-8 text.
        private static func textKind(_ bytes: ArraySlice<UInt8>) -> ModelFileError.FileFormat? {
            let spaces: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x20]
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || spaces.contains($0) }) else { return nil }
            // The last character may be cut off.
            guard (0...3).contains(where: { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }) else {
                return nil
            }
            if bytes.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
            switch bytes.first(where: { !spaces.contains($0) }) {
            case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
            case UInt8(ascii: "<"): return .markup
            default: return .text
            }
        }
    }
}

extension ModelFileError.FileFormat: CustomStringConvertible {
    /// The format with its article, such as "a PNG image".
    public var description: String {
        switch self {
        case .empty: "an empty file"
        case .safetensors: "a safetensors file"
        case .npy: "a NumPy array"
        case .npz: "an archive of NumPy arrays"
        case .onnx: "an ONNX model"
        case .torchArchive: "a PyTorch archive"
        case .torchPickle: "a PyTorch pickle"
        case .hdf5: "an HDF5 file"
        case .tflite: "a TensorFlow Lite model"
        case .gguf: "a GGUF model"
        case .png: "a PNG image"
        case .jpeg: "a JPEG image"
        case .gif: "a GIF image"
        case .webp: "a WebP image"
        case .mp4: "an MP4 or QuickTime video"
        case .matroska: "a Matroska or WebM video"
        case .y4m: "a Y4M video"
        case .zip: "a zip archive"
        case .gzip: "a gzip archive"
        case .pdf: "a PDF document"
        case .gitLFSPointer: "a pointer of Git LFS, whose file has not been fetched"
        case .json: "a JSON text"
        case .markup: "an XML or HTML text"
        case .text: "a text"
        }
    }
}
