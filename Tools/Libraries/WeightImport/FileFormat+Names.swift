package import ModelFile

extension ModelFileError.FileFormat {
    /// The formats that fit this extension; nil if the extension tells nothing.
    package static func formats(fileExtension: String) -> Set<ModelFileError.FileFormat>? {
        switch fileExtension.lowercased() {
        case "safetensors": [.safetensors]
        case "npy": [.npy]
        case "npz": [.npz]
        case "onnx": [.onnx]
        case "pt", "pth", "ckpt": [.torchArchive, .torchPickle, .torchScript, .torchExport, .pickle, .zip]
        case "h5", "hdf5", "keras": [.hdf5, .keras, .zip]
        case "tflite": [.tflite]
        case "gguf": [.gguf]
        default: nil
        }
    }
}
