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
        /// The elements of one byte each, row-major; nil if they have more.
        let bytes: ArraySlice<UInt8>?

        init(shape: [Int], type: String, values: [Float]?, bytes: ArraySlice<UInt8>? = nil) {
            (self.shape, self.type, self.values, self.bytes) = (shape, type, values, bytes)
        }
    }

    /// Largest checkpoint read, in bytes.
    package static let sizeLimit = 256 << 20

    package let format: ModelFileError.FileFormat
    package let tensors: [String: Tensor]
    package let metadata: [String: String]
    /// The part that each weight has in the network, by a walk through the file's graph; nil for a file without one.
    let places: Result<NetworkPlaces, ONNXFault>?
    package let byteCount: Int
    /// Of the file's bytes and of those beside it that have its weights, 64 lowercase hexadecimal digits.
    package let sha256: String

    /// Reads the checkpoint at `path`. Its first bytes tell its format; a contradicting extension is an error.
    /// - Parameter entry: which dictionary of a PyTorch file has the tensors, if several do.
    package static func load(path: String, entry: String? = nil) throws(ImportError) -> Checkpoint {
        let beginning = try importing { () throws(ModelFileError) in
            try FileBytes.sample(path: path).bytes
        }
        let url = URL(fileURLWithPath: path)
        if let files = shards(beginning) { throw .shardIndex(files) }
        let format = try format(of: beginning, fileExtension: url.pathExtension)
        let bytes = try importing { () throws(ModelFileError) in
            // Only a safetensors file can be refused by its beginning alone.
            format == .safetensors
                ? try SafetensorsFile.load(path: path, limit: sizeLimit).bytes
                : try FileBytes.read(path: path, limit: sizeLimit)
        }
        return try Checkpoint(
            bytes, format: format, name: url.deletingPathExtension().lastPathComponent, entry: entry,
            files: ONNXDataFiles(folder: url.deletingLastPathComponent()))
    }

    /// The files of a checkpoint in several files if this is the beginning of its index; nil for any other file.
    private static func shards(_ beginning: [UInt8]) -> [String]? {
        guard ModelFileError.FileFormat.detect(beginning) == .json else { return nil }
        let texts = String(decoding: beginning, as: UTF8.self).split(separator: "\"").map(String.init)
        guard texts.contains("weight_map") else { return nil }
        var files: [String] = []
        for text in texts where text.hasSuffix(".safetensors") || text.hasSuffix(".bin") {
            if !files.contains(text) { files.append(text) }
        }
        return files
    }

    /// Reads a checkpoint in memory; an empty `fileExtension` fits any format.
    /// - Parameters:
    ///   - name: of the tensor, if the file is a single array, which has none.
    ///   - entry: which dictionary of a PyTorch file has the tensors, if several do.
    package init(
        bytes: [UInt8], fileExtension: String = "", name: String = "array", entry: String? = nil
    ) throws(ImportError) {
        let format = try Self.format(of: bytes, fileExtension: fileExtension)
        try self.init(bytes, format: format, name: name, entry: entry)
    }

    /// The format of a file with these first bytes, which must be a readable one.
    private static func format(
        of bytes: [UInt8], fileExtension: String
    ) throws(ImportError) -> ModelFileError.FileFormat {
        let named = ModelFileError.FileFormat.formats(fileExtension: fileExtension)
        let detected = ModelFileError.FileFormat.detect(bytes)
        if detected == .empty { throw .file(.otherFormat(.empty)) }
        if let detected, let named, !named.contains(detected) {
            throw .formatConflict(fileExtension: fileExtension, found: detected)
        }
        // The file is named safetensors but too broken to be recognised: its reader gives the best error.
        guard let format = detected ?? (named == [.safetensors] ? .safetensors : nil) else { throw .unknownFormat }
        switch format {
        case .zip where named?.contains(.keras) == true: throw .unsupportedFormat(.keras)
        // The archive's reader tells what it lacks.
        case .zip where named?.contains(.torchArchive) == true: return .torchArchive
        default:
            guard readableFormats.contains(format) else { throw .unsupportedFormat(format) }
            return format
        }
    }

    /// The formats of checkpoints.
    static let readableFormats: Set<ModelFileError.FileFormat> = [.safetensors, .npy, .npz, .torchArchive, .onnx]

    private init(
        _ bytes: [UInt8], format: ModelFileError.FileFormat, name: String, entry: String?,
        files: ONNXDataFiles = ONNXDataFiles()
    ) throws(ImportError) {
        if entry != nil, format != .torchArchive { throw .entryUnused(format) }
        var metadata: [String: String] = [:]
        var places: Result<NetworkPlaces, ONNXFault>?
        switch format {
        case .npy: tensors = [name: try Self.tensor(npy: bytes[...], name: name)]
        case .npz: tensors = try Self.tensors(npz: bytes)
        case .torchArchive: tensors = try Self.tensors(torch: bytes, entry: entry)
        case .onnx:
            let model = try ONNXCheckpoint(bytes, files: files)
            (tensors, metadata, places) = (model.tensors, model.metadata, model.places)
        default:
            let file = try importing { () throws(ModelFileError) in try SafetensorsFile(bytes: bytes) }
            tensors = try Self.tensors(file)
            metadata = file.metadata
        }
        self.format = format
        self.metadata = metadata
        self.places = places
        let parts = [bytes] + files.contents.sorted { $0.key < $1.key }.map(\.value)
        byteCount = parts.reduce(0) { $0 + $1.count }
        sha256 = SHA256.hexadecimal(of: parts.count == 1 ? bytes : parts.flatMap(\.self))
    }

    private static func tensors(_ file: SafetensorsFile) throws(ImportError) -> [String: Tensor] {
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
            tensors[tensor.name] = Tensor(
                shape: tensor.shape, type: tensor.type.rawValue, values: values,
                bytes: tensor.type.byteCount == 1 ? file.bytes[tensor.byteRange] : nil)
        }
        return tensors
    }
}
