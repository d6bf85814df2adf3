import Foundation
package import ModelFile

/// The named tensors of a trained network, converted to float32 from any readable format.
package struct Checkpoint: Sendable {
    package struct Tensor: Sendable, Equatable {
        package let shape: [Int]
        /// Name of the element type in the file.
        package let type: String
        /// Row-major, including NaN and infinities; nil if the elements are not floats.
        package let values: [Float]?
    }

    /// Largest checkpoint read, in bytes.
    package static let sizeLimit = 256 << 20

    package let format: ModelFileError.FileFormat
    package let tensors: [String: Tensor]
    package let metadata: [String: String]
    package let byteCount: Int
    /// Of the file's bytes, 64 lowercase hexadecimal digits.
    package let sha256: String

    /// Reads the checkpoint at `path`. Its first bytes tell its format; a contradicting extension is an error.
    package static func load(path: String) throws(ImportError) -> Checkpoint {
        let beginning = try importing { () throws(ModelFileError) in
            try FileBytes.beginning(path: path, count: ModelFileError.FileFormat.sampleLength).bytes
        }
        let fileExtension = URL(fileURLWithPath: path).pathExtension
        let format = try format(of: beginning, fileExtension: fileExtension)
        let file = try importing { () throws(ModelFileError) in
            try SafetensorsFile.load(path: path, limit: sizeLimit)
        }
        return try Checkpoint(file, format: format)
    }

    /// Reads a checkpoint in memory; an empty `fileExtension` fits any format.
    package init(bytes: [UInt8], fileExtension: String = "") throws(ImportError) {
        let format = try Self.format(of: bytes, fileExtension: fileExtension)
        let file = try importing { () throws(ModelFileError) in try SafetensorsFile(bytes: bytes) }
        try self.init(file, format: format)
    }

    /// The format of a file with these first bytes, which must be a readable one.
    private static func format(of bytes: [UInt8], fileExtension: String) throws(ImportError)
        -> ModelFileError.FileFormat
    {
        let named = ModelFileError.FileFormat.formats(fileExtension: fileExtension)
        let detected = ModelFileError.FileFormat.detect(bytes)
        if detected == .empty { throw .file(.otherFormat(.empty)) }
        if let detected, let named, !named.contains(detected) {
            throw .formatConflict(fileExtension: fileExtension, found: detected)
        }
        // The file is named safetensors but too broken to be recognised: its reader gives the best error.
        guard let format = detected ?? (named == [.safetensors] ? .safetensors : nil) else { throw .unknownFormat }
        guard format == .safetensors else { throw .unsupportedFormat(format) }
        return format
    }

    private init(_ file: SafetensorsFile, format: ModelFileError.FileFormat) throws(ImportError) {
        // A float model may be imported again, but not if it is damaged.
        if file.metadata[ContentHash.key] != nil {
            try importing { () throws(ModelFileError) in try ContentHash.check(file) }
        }
        var tensors: [String: Tensor] = [:]
        for tensor in file.tensors {
            var values: [Float]?
            switch tensor.type {
            case .float16, .bfloat16, .float32, .float64:
                values = try importing { () throws(ModelFileError) in try file.floats(tensor.name) }
            default: break
            }
            tensors[tensor.name] = Tensor(shape: tensor.shape, type: tensor.type.rawValue, values: values)
        }
        self.format = format
        self.tensors = tensors
        metadata = file.metadata
        byteCount = file.bytes.count
        sha256 = SHA256.hexadecimal(of: file.bytes)
    }
}
