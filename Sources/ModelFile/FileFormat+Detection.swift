extension ModelFileError.FileFormat {
    /// Number of bytes at the beginning of a file that `detect` reads.
    package static let sampleLength = 4096
    /// Number of bytes at its end that it reads where an archive begins: the directory lists all members.
    package static let directoryLength = 1 << 16
    /// Maximum number of zeros before an archive's first member.
    private static let alignmentLimit = 64

    /// The format of a file with these bytes; nil for an unknown one.
    ///
    /// The first `sampleLength` bytes of a file suffice. For a file that `beginsAsArchive`, append its last
    /// `directoryLength` bytes.
    package static func detect(_ bytes: [UInt8]) -> ModelFileError.FileFormat? {
        if bytes.isEmpty { return .empty }
        let sample = bytes.prefix(sampleLength)
        if beginsAsArchive(sample) { return archiveKind(bytes) }
        if let signature = signatures.first(where: { $0.fits(sample) }) { return signature.format }
        if isPaddleTensor(sample) { return .paddle }
        return mediaKind(sample) ?? textKind(sample) ?? protobufKind(sample)
    }

    /// Whether the bytes begin with a zip archive's first member. Zeros before it align its content, as in MediaPipe's
    /// bundles.
    package static func beginsAsArchive(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.dropFirst(bytes.prefix(alignmentLimit).prefix { $0 == 0 }.count).starts(with: Member.header)
    }

    /// The format of a directory with entries of these names; nil if it is not a package.
    static func detect(directory names: [String]) -> ModelFileError.FileFormat? {
        if names.contains("Manifest.json") && names.contains("Data") || names.contains("coremldata.bin") {
            return .coreML
        }
        return names.contains("saved_model.pb") ? .tensorFlow : nil
    }

    // MARK: Signatures

    /// Bytes that files of a format have at one place.
    private struct Signature {
        let format: ModelFileError.FileFormat
        let offset: Int
        let bytes: [UInt8]

        init(_ format: ModelFileError.FileFormat, _ bytes: [UInt8], at offset: Int = 0) {
            (self.format, self.bytes, self.offset) = (format, bytes, offset)
        }

        init(_ format: ModelFileError.FileFormat, _ text: String, at offset: Int = 0) {
            self.init(format, Array(text.utf8), at: offset)
        }

        func fits(_ sample: ArraySlice<UInt8>) -> Bool { sample.dropFirst(offset).starts(with: bytes) }
    }

    private static let signatures: [Signature] = [
        Signature(.npy, [0x93] + Array("NUMPY".utf8)), Signature(.hdf5, [0x89] + Array("HDF\r\n".utf8)),
        Signature(.tflite, "TFL3", at: 4), Signature(.onnxRuntime, "ORTM", at: 4),
        Signature(.execuTorch, "ET12", at: 4),
        Signature(.gguf, "GGUF"), Signature(.ggml, "lmgg"), Signature(.ggml, "fmgg"), Signature(.ggml, "tjgg"),
        Signature(.tensorRT, "ptrt"), Signature(.tensorRT, "ftrt"),
        // 7767517, little-endian and as text.
        Signature(.ncnn, [0xDD, 0x85, 0x76, 0]), Signature(.ncnn, "7767517\n"), Signature(.ncnn, "7767517\r"),
        Signature(.png, [0x89] + Array("PNG\r\n".utf8)), Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(.gif, "GIF87a"), Signature(.gif, "GIF89a"), Signature(.jpegXL, [0xFF, 0x0A]),
        Signature(.jpegXL, [0, 0, 0, 0x0C] + Array("JXL \r\n".utf8)),
        Signature(.jpeg2000, [0, 0, 0, 0x0C] + Array("jP  \r\n".utf8)), Signature(.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]),
        Signature(.tiff, "II*\0"), Signature(.tiff, "MM\0*"), Signature(.tiff, "II+\0"), Signature(.tiff, "MM\0+"),
        Signature(.matroska, [0x1A, 0x45, 0xDF, 0xA3]), Signature(.y4m, "YUV4MPEG2"),
        Signature(.gzip, [0x1F, 0x8B]), Signature(.tar, "ustar", at: 257), Signature(.bzip2, "1AY&SY", at: 4),
        Signature(.xz, [0xFD] + Array("7zXZ".utf8)), Signature(.zstandard, [0x28, 0xB5, 0x2F, 0xFD]),
        Signature(.sevenZip, Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C]), Signature(.rar, "Rar!\u{1A}\u{7}"),
        Signature(.pdf, "%PDF-"),
        // The format's header length is below 2^32, followed by a brace; the reader refuses longer headers anyway.
        Signature(.safetensors, [0, 0, 0, 0, UInt8(ascii: "{")], at: 4),
        Signature(.torchPickle, [0x80, 2]),
        Signature(.pickle, [0x80, 3]), Signature(.pickle, [0x80, 4]), Signature(.pickle, [0x80, 5]),
    ]

    /// Whether PaddlePaddle's parameters begin here: versions and levels of zero, the length of the first one's
    /// description, and that description's fields, the type and the shape.
    private static func isPaddleTensor(_ sample: ArraySlice<UInt8>) -> Bool {
        let zeros = sample.prefix(16) + sample.dropFirst(17).prefix(3)
        return zeros.count == 19 && zeros.allSatisfy { $0 == 0 } && sample.dropFirst(20).first == 0x08
            && sample.dropFirst(22).first == 0x10
    }

    // MARK: Archives

    /// Where a member's name is, after its header in the archive or in the directory.
    private struct Member {
        static let header = Array("PK\u{3}\u{4}".utf8)
        static let kinds = [
            Member(signature: header, length: 26, name: 30),
            Member(signature: Array("PK\u{1}\u{2}".utf8), length: 28, name: 46),
        ]

        let signature: [UInt8]
        let length, name: Int
        /// Longest part of a name that is read: any number of headers may state any length.
        static let nameLimit = 2048

        /// Names of members in these bytes, as far as they can be found without reading the archive.
        static func names(_ bytes: ArraySlice<UInt8>) -> [String] {
            var names: [String] = []
            var rest = bytes
            while let start = rest.firstIndex(of: 0x50) {
                rest = rest[start...]
                if let kind = kinds.first(where: { rest.starts(with: $0.signature) }), rest.count >= kind.name {
                    let length = Int(rest[start + kind.length]) | Int(rest[start + kind.length + 1]) << 8
                    names.append(
                        String(decoding: rest.dropFirst(kind.name).prefix(min(length, nameLimit)), as: UTF8.self))
                }
                rest = rest.dropFirst()
            }
            return names
        }
    }

    /// Distinguishes archives by their members' names.
    private static func archiveKind(_ bytes: [UInt8]) -> ModelFileError.FileFormat {
        let beginning = Member.names(bytes.prefix(sampleLength))
        let names = beginning + Member.names(bytes.dropFirst(sampleLength).suffix(directoryLength))
        func has(_ endings: String...) -> Bool { names.contains { name in endings.contains { name.hasSuffix($0) } } }
        if beginning.first?.hasSuffix(".npy") == true { return .npz }
        if has("archive_format", "serialized_exported_program.json", "/models/model.json") { return .torchExport }
        if has("/constants.pkl") || names.contains(where: { $0.contains("/code/") }) { return .torchScript }
        let torchMembers = ["/data.pkl", "/byteorder", "/version", "/.format_version", "/.storage_alignment"]
        if has("/data.pkl") || torchMembers.contains(where: { beginning.first?.hasSuffix($0) == true }) {
            return .torchArchive
        }
        if has("model.weights.h5") { return .keras }
        if has(".tflite", ".task") { return .mediaPipeTask }
        if names.contains(where: { $0.contains("com.apple.CoreML") }) { return .coreML }
        return has("saved_model.pb") ? .tensorFlow : .zip
    }

    // MARK: Images and video

    /// Distinguishes what files of a family have in common at their beginning.
    private static func mediaKind(_ sample: ArraySlice<UInt8>) -> ModelFileError.FileFormat? {
        func code(at offset: Int) -> String { String(decoding: sample.dropFirst(offset).prefix(4), as: UTF8.self) }
        switch code(at: 0) {
        case "RIFF" where code(at: 8) == "WEBP": return .webp
        case "RIFF" where code(at: 8) == "AVI ": return .avi
        // Two reserved numbers are zero; the next header's length is small.
        case let code where code.hasPrefix("BM"):
            let fixed = sample.dropFirst(6).prefix(4) + sample.dropFirst(15).prefix(3)
            if fixed.count == 7, fixed.allSatisfy({ $0 == 0 }) { return .bmp }
        default: break
        }
        switch code(at: 4) {
        case "ftyp": return brandKind(sample)
        case "moov", "mdat", "wide", "free", "skip", "pnot": return .mp4
        default: break
        }
        // Packets of 188 bytes.
        let packets = stride(from: 0, through: 2 * 188, by: 188).map { sample.dropFirst($0).first }
        return packets.allSatisfy { $0 == 0x47 } ? .mpegTS : nil
    }

    /// Distinguishes files of ISO's base media format by all brands that they state.
    private static func brandKind(_ sample: ArraySlice<UInt8>) -> ModelFileError.FileFormat {
        let size = sample.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let stated = sample.prefix(size)
        // The number after the main brand is its version.
        let brands = stride(from: 8, to: stated.count, by: 4).filter { $0 != 12 }.map { offset in
            String(decoding: stated.dropFirst(offset).prefix(4), as: UTF8.self)
        }
        if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
        let heif: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1"]
        return brands.contains { heif.contains($0) } ? .heic : .mp4
    }

    // MARK: Texts

    /// Distinguishes texts by their beginning; nil for bytes that are not UTF-8 text.
    private static func textKind(_ sample: ArraySlice<UInt8>) -> ModelFileError.FileFormat? {
        let spaces: Set<UInt8> = [0x09, 0x0A, 0x0C, 0x0D, 0x20]
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = sample.starts(with: byteOrderMark) ? sample.dropFirst(byteOrderMark.count) : sample
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || spaces.contains($0) }) else { return nil }
        // The last character may be cut off.
        guard let text = (0...3).lazy.compactMap({ String(validating: bytes.dropLast($0), as: UTF8.self) }).first else {
            return nil
        }
        if bytes.starts(with: "version https://git-lfs".utf8) { return .gitLFSPointer }
        switch bytes.first(where: { !spaces.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
        case UInt8(ascii: "<"): return text.contains("<net ") && text.contains("<layers") ? .openVINO : .markup
        default: return .text
        }
    }
}
