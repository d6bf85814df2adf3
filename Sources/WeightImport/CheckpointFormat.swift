/// The formats that weights come in, told apart by their bytes.
package enum CheckpointFormat: String, Sendable, Equatable, CaseIterable {
    case safetensors
    case npy = "NumPy array"
    case npz = "NumPy archive"
    case onnx = "ONNX"
    case torchZip = "PyTorch archive"
    case torchLegacy = "PyTorch pickle"
    case zip
    case hdf5 = "HDF5"
    case tflite = "TensorFlow Lite"
    case gguf = "GGUF"

    /// The format of a file that begins with these bytes, or nil.
    ///
    /// Only ONNX has no signature: its first field, the version, and the tag of a following one stand for it.
    package static func detect(_ bytes: [UInt8]) -> CheckpointFormat? {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: signature)
        }
        func begins(_ signature: String, at offset: Int = 0) -> Bool { begins(Array(signature.utf8), at: offset) }

        if begins([0x93] + Array("NUMPY".utf8)) { return .npy }
        if begins("PK\u{3}\u{4}") { return zipKind(bytes) }
        if begins([0x89] + Array("HDF\r\n".utf8)) { return .hdf5 }
        if begins("TFL3", at: 4) { return .tflite }
        if begins("GGUF") { return .gguf }
        // A header of up to 2^32 bytes, then its brace: a longer one is refused by the reader anyway.
        if begins([0, 0, 0, 0, UInt8(ascii: "{")], at: 4) { return .safetensors }
        if begins([0x80, 0x02]) { return .torchLegacy }
        let onnxTags: Set<UInt8> = [0x12, 0x1A, 0x22, 0x28, 0x32, 0x3A, 0x42]
        if bytes.count > 2, bytes[0] == 0x08, (1...32).contains(bytes[1]), onnxTags.contains(bytes[2]) { return .onnx }
        return nil
    }

    /// Tells archives apart by their first member's name.
    private static func zipKind(_ bytes: [UInt8]) -> CheckpointFormat {
        guard bytes.count >= 30 else { return .zip }
        let length = Int(bytes[26]) | Int(bytes[27]) << 8
        let name = String(decoding: bytes.dropFirst(30).prefix(length), as: UTF8.self)
        if name.hasSuffix(".npy") { return .npz }
        let torchMembers = ["/data.pkl", "/byteorder", "/version", "/.format_version", "/.storage_alignment"]
        return torchMembers.contains { name.hasSuffix($0) } ? .torchZip : .zip
    }

    /// The formats that a file with this extension may have; nil for an extension that says nothing.
    package static func formats(fileExtension: String) -> Set<CheckpointFormat>? {
        switch fileExtension.lowercased() {
        case "safetensors": [.safetensors]
        case "npy": [.npy]
        case "npz": [.npz]
        case "onnx": [.onnx]
        case "pt", "pth", "ckpt": [.torchZip, .torchLegacy]
        case "h5", "hdf5", "keras": [.hdf5, .zip]
        case "tflite": [.tflite]
        case "gguf": [.gguf]
        default: nil
        }
    }
}
