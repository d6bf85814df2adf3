import Platform
import Synchronization

/// Bytes that may be readable only once, together with those that were peeked at before.
final class ByteStream: Sendable {
    /// Bytes per read.
    static let chunkBytes = 262_144

    /// Bytes that were read before and come first.
    let prefix: [UInt8]
    private let file: Mutex<ByteFile>
    private let isBegun = Atomic(false)

    init(_ file: consuming sending ByteFile, prefix: [UInt8] = []) {
        self.prefix = prefix
        self.file = Mutex(file)
    }

    /// - Returns: false if it was called before.
    func begin() -> Bool {
        !isBegun.exchange(true, ordering: .relaxed)
    }

    /// Fills the beginning of the buffer. 0 means the end.
    func read(into buffer: inout [UInt8]) throws(ByteFile.Failure) -> Int {
        try file.withLock { file throws(ByteFile.Failure) in
            try file.readSome(&buffer)
        }
    }
}
