extension ModelFileError {
    /// The probable format of a file, by its bytes and never by its name: common formats of weights, and formats that
    /// are given instead by mistake. A directory that is a package of a format has that format.
    public enum FileFormat: String, Sendable, Equatable, CaseIterable {
        /// A file without bytes.
        case empty
        /// The format of models and graphs.
        case safetensors
        /// Weights and arrays.
        case npy, npz, onnx, torchArchive, torchPickle, hdf5, tflite, gguf
        /// Networks of other programs.
        case torchScript, torchExport, keras, mediaPipeTask, coreML, tensorFlow, openVINO, ncnn, tensorRT, paddle
        /// Networks of runtimes of their own, and what Python has saved.
        case onnxRuntime, execuTorch, ggml, pickle
        /// Images and video.
        case png, jpeg, gif, webp, heic, avif, jpegXL, jpeg2000, tiff, bmp, mp4, matroska, y4m, avi, mpegTS
        /// Others.
        case zip, gzip, tar, bzip2, xz, zstandard, sevenZip, rar, pdf, gitLFSPointer, json, markup, text
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
        case .torchPickle: "a PyTorch pickle, as before 1.6"
        case .hdf5: "an HDF5 file, as of Keras"
        case .tflite: "a TensorFlow Lite model"
        case .gguf: "a GGUF model"
        case .torchScript: "a TorchScript program"
        case .torchExport: "a program of torch.export"
        case .keras: "a Keras model"
        case .mediaPipeTask: "a bundle of TensorFlow Lite models, as of MediaPipe"
        case .coreML: "a Core ML model"
        case .tensorFlow: "a TensorFlow model"
        case .openVINO: "an OpenVINO model"
        case .ncnn: "an ncnn model"
        case .tensorRT: "a TensorRT engine"
        case .paddle: "a PaddlePaddle model"
        case .onnxRuntime: "a model in ONNX Runtime's own format"
        case .execuTorch: "an ExecuTorch program"
        case .ggml: "a GGML model"
        case .pickle: "a Python pickle"
        case .png: "a PNG image"
        case .jpeg: "a JPEG image"
        case .gif: "a GIF image"
        case .webp: "a WebP image"
        case .heic: "a HEIC image"
        case .avif: "an AVIF image"
        case .jpegXL: "a JPEG XL image"
        case .jpeg2000: "a JPEG 2000 image"
        case .tiff: "a TIFF image or a camera's raw image"
        case .bmp: "a BMP image"
        case .mp4: "an MP4 or QuickTime video"
        case .matroska: "a Matroska or WebM video"
        case .y4m: "a Y4M video"
        case .avi: "an AVI video"
        case .mpegTS: "an MPEG transport stream"
        case .zip: "a zip archive"
        case .gzip: "a gzip archive"
        case .tar: "a tar archive"
        case .bzip2: "a bzip2 archive"
        case .xz: "an xz archive"
        case .zstandard: "a Zstandard archive"
        case .sevenZip: "a 7z archive"
        case .rar: "a RAR archive"
        case .pdf: "a PDF document"
        case .gitLFSPointer: "a pointer of Git LFS, whose file has not been fetched"
        case .json: "a JSON text"
        case .markup: "an XML or HTML text"
        case .text: "a text"
        }
    }
}

extension ModelFileError.FileFormat {
    /// Whether it is an image or a video.
    package var isPicture: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .heic, .avif, .jpegXL, .jpeg2000, .tiff, .bmp, .mp4, .matroska, .y4m, .avi,
            .mpegTS:
            true
        default: false
        }
    }

    /// How to make a file of this format usable here, in sentences: a picture as a picture, any other file as a model or
    /// its weights. Nil if the format is usable as it is, or cannot be made usable.
    package var advice: String? {
        switch self {
        case .npy, .npz, .onnx, .torchArchive: "'gesture-import import' makes a model of weights."
        case .tflite, .mediaPipeTask: "'gesture-import graph' makes a graph of it."
        case .torchScript:
            "Save its state dict, torch.save(torch.jit.load(\"FILE.pt\").state_dict(), \"STATE.pt\"), or that of the model "
                + "from which it was made, torch.save(model.state_dict(), \"STATE.pt\"), and import that."
        case .torchPickle:
            "Load it with a current PyTorch, save only its state dict, "
                + "torch.save(model.state_dict(), \"FILE.pt\"), and import that."
        case .torchExport:
            "Save its state dict, torch.save(torch.export.load(\"FILE.pt2\").state_dict, \"FILE.pt\"), and import that."
        case .pickle: "Load it in Python and save its arrays as safetensors or with numpy.savez."
        case .hdf5, .keras:
            """
            Only Keras reads its files. These lines of Python convert one:
              import keras, numpy
              numpy.savez("weights.npz", **{w.path.replace("/", "."): numpy.moveaxis(w.numpy(), (-1, -2), (0, 1))
                  if len(w.shape) > 1 else w.numpy() for w in keras.saving.load_model("FILE").weights})
            Then rename the tensors with --map (the documentation's page Importing).
            """
        case .tensorFlow:
            "Export it to ONNX: python -m tf2onnx.convert --saved-model DIRECTORY --output FILE.onnx."
        case .paddle: "Export it to ONNX with paddle2onnx."
        case .coreML, .openVINO, .ncnn, .tensorRT, .onnxRuntime, .execuTorch:
            "It is made for that runtime alone: export the network from the program that trained it, as ONNX or "
                + "safetensors."
        case .gguf, .ggml: "Save the weights as safetensors."
        case .heic: "Convert it to JPEG or PNG: heif-convert FILE.heic FILE.jpg."
        case .avif: "Convert it to JPEG or PNG: avifdec FILE.avif FILE.png."
        case .jpegXL: "Convert it to JPEG or PNG: djxl FILE.jxl FILE.png."
        case .jpeg2000, .tiff, .bmp: "Convert it to JPEG or PNG: ffmpeg -i FILE FILE.png."
        case .zip, .gzip, .tar, .bzip2, .xz, .zstandard, .sevenZip, .rar: "Unpack it, and give the file inside."
        case .gitLFSPointer: "Fetch the file: git lfs pull."
        case .markup: "A download may have given a web page instead of the file."
        case .empty, .safetensors, .png, .jpeg, .gif, .webp, .mp4, .matroska, .y4m, .avi, .mpegTS, .pdf, .json, .text:
            nil
        }
    }

    /// The advice where a model or its weights are needed, which no picture becomes.
    package var adviceForModels: String? { isPicture ? nil : advice }
}
