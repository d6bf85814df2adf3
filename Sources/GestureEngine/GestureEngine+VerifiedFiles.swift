import ModelFile
public import TrackerInference

extension GestureEngine {
    /// Reads a file from elsewhere, such as a download, if it is exactly the file that its publisher named.
    ///
    /// The hash inside a model detects damage alone: an attacker who changes the model can change that hash as well. This
    /// one comes with the app. The bytes that were compared are the bytes that are returned, so the file cannot be
    /// exchanged in between. They go into `Source.bytes` and `HandModels.init(palmDetection:handLandmarks:poses:gestures:)`.
    /// - Parameters:
    ///   - path: a regular file of at most 256 MiB.
    ///   - sha256: the SHA-256 of the file, 64 hexadecimal digits, as `sha256sum` prints it. Put it into the program.
    /// - Throws: `EngineError.file` with `ModelFileError.otherDigest` for any other file.
    public static func verifiedBytes(ofFile path: String, sha256: String) throws(EngineError) -> [UInt8] {
        try EngineError.naming(path) { path throws(ModelFileError) in
            try FileBytes.read(path: path, limit: GraphFile.sizeLimit, sha256: sha256)
        }
    }
}
