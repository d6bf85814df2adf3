import Platform

/// What is known of a clip before its frames are read.
package struct ClipInfo: Sendable, Equatable {
    /// Who takes the file apart.
    package enum Decoder: Sendable, Hashable {
        /// The reader of this module.
        case y4m
        /// The `ffmpeg` program, which recognised this container.
        case ffmpeg(container: String)
    }

    /// As it was given.
    package var path: String
    package var decoder: Decoder
    /// Size of the frames as they come out: with square pixels and the file's rotation applied.
    package var width: Int
    package var height: Int
    /// The rate the file states; nil if it states none. Frames of a variable rate have times of their own.
    package var rate: FrameRate?
    /// Nil for a stream, whose end is not known.
    package var frameCount: Int?
    /// From the first frame to the end of the last; nil where `frameCount` is.
    package var duration: Duration?
    /// Frames that the file states and that are not there, because it is cut off or damaged.
    package var missingFrames = 0
}

/// What reading a clip has to say besides its frames.
package enum ClipNotice: Sendable, Hashable {
    /// Lines of the decoder, which reported errors and went on.
    case messages(path: String, [String])
    /// The clip has high dynamic range by this transfer function, as FFmpeg names it, and the program here cannot undo it.
    case highDynamicRange(path: String, transfer: String)
    /// Frames are missing, and `ClipSource.allowsMissingFrames` is set.
    case framesMissing(path: String, found: Int, stated: Int)
}

/// A recorded video: its frames with their times, one after the other, never all of them in memory.
///
/// The frames of a file can be read any number of times, those of a stream (standard input, a pipe) once.
package struct Clip: Sendable {
    package let info: ClipInfo
    let source: Source

    /// Whether the frames come once.
    package var isStream: Bool {
        if case .y4mStream = source { true } else { false }
    }

    enum Source: Sendable {
        case y4mFile
        case y4mStream(ByteStream)
        case program(DecodingProgram)
        case webP(WebPProgram)
    }

    /// Reads the frames in order and lends each to `body`, in the caller's isolation, until the clip ends, `body` returns
    /// false, or the process is interrupted (`Interruption`).
    ///
    /// No more than one piece of the stream, 256 KiB, is read ahead. Reading a file or standard input blocks the thread.
    /// - Returns: how many frames `body` has seen.
    /// - Throws: `ClipError`, of which `framesMissing` comes after the last frame; whatever `body` throws, unchanged;
    ///   `CancellationError` between two frames.
    @discardableResult
    package nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Int {
        switch source {
        case .y4mFile:
            return try await forEachFrame(in: reopened(), body)
        case .y4mStream(let stream):
            guard stream.begin() else { throw ClipError.alreadyRead(path: info.path) }
            return try await forEachFrame(in: stream, body)
        case .program(let program):
            return try await program.forEachFrame(body)
        case .webP(let program):
            return try await program.forEachFrame(body)
        }
    }

    private nonisolated(nonsending) func forEachFrame(
        in bytes: ByteStream, _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Int {
        var stream = Y4MStream()
        var buffer = bytes.prefix
        var count = buffer.count
        if count == 0 { buffer = Array(repeating: 0, count: ByteStream.chunkBytes) }
        var seen = 0
        while true {
            var offset = 0
            while try consume(buffer, count, from: &offset, &stream) {
                try Task.checkCancellation()
                let index = stream.frameCount - 1
                guard let time = stream.header?.rate.time(ofFrame: index) else { break }
                let goesOn = try await stream.lend(index: index, time: time, to: body)
                seen += 1
                guard goesOn, !Interruption.hasCome else { return seen }
            }
            if buffer.count < ByteStream.chunkBytes { buffer = Array(repeating: 0, count: ByteStream.chunkBytes) }
            do throws(ByteFile.Failure) {
                count = try bytes.read(into: &buffer)
            } catch {
                throw ClipError.cannotRead(path: info.path, code: error.code)
            }
            guard count > 0 else { break }
        }
        // What a signal has cut off is no fault of the stream.
        guard !Interruption.hasCome else { return seen }
        do throws(Y4MError) {
            try stream.finish()
        } catch {
            throw ClipError.y4m(path: info.path, error)
        }
        guard seen > 0 else { throw ClipError.empty(path: info.path, messages: []) }
        return seen
    }

    private func reopened() throws(ClipError) -> ByteStream {
        do throws(ByteFile.Failure) {
            return ByteStream(try ByteFile(reading: info.path))
        } catch {
            throw .cannotOpen(path: info.path, code: error.code)
        }
    }

    private func consume(
        _ buffer: [UInt8], _ count: Int, from offset: inout Int, _ stream: inout Y4MStream
    ) throws(ClipError) -> Bool {
        do throws(Y4MError) {
            // Bytes have no padding, so every one of them may be read raw.
            return try unsafe stream.consume(buffer.span.bytes.extracting(first: count), from: &offset)
        } catch {
            throw .y4m(path: info.path, error)
        }
    }
}

extension Y4MStream {
    /// Stamps the frame completed last and lends it.
    nonisolated(nonsending) mutating func lend(
        index: Int, time: Duration, to body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Bool {
        guard frame != nil else { return false }
        frame?.index = index
        frame?.time = time
        return try await body(frame!)
    }
}
