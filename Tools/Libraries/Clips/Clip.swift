import Platform

/// The properties of a clip that are known before its frames are read.
package struct ClipInfo: Sendable, Equatable {
    /// The decoder of the file.
    package enum Decoder: Sendable, Hashable {
        /// The reader of this module.
        case y4m
        /// The `ffmpeg` program, which reports this container.
        case ffmpeg(container: String)
    }

    /// As given by the caller.
    package var path: String
    package var decoder: Decoder
    /// Size of the decoded frames: with square pixels and the file's rotation applied.
    package var width: Int
    package var height: Int
    /// The rate that the file states, if any. Frames of a variable rate have individual times.
    package var rate: FrameRate?
    /// Nil for a stream, whose length is unknown. Without `ClipSource.listsFramesFirst` it is what the file states.
    package var frameCount: Int?
    /// From the first frame to the end of the last, likewise.
    package var duration: Duration?
    /// Frames that the file states but does not have, because it is cut off or damaged. Without
    /// `ClipSource.listsFramesFirst` only the end of reading tells.
    package var missingFrames = 0
}

/// A notice about reading a clip, besides its frames.
package enum ClipNotice: Sendable, Hashable {
    /// Messages of the decoder, which reported errors and continued.
    case messages(path: String, [String])
    /// The clip has high dynamic range by this transfer function, as FFmpeg names it, and the installed program cannot
    /// undo it.
    case highDynamicRange(path: String, transfer: String)
    /// Frames are missing, and `ClipSource.allowsMissingFrames` is set.
    case framesMissing(path: String, found: Int, stated: Int)
    /// The last frame is cut off, likewise.
    case cutOff(path: String, frames: Int)
    /// Images of a directory or a pattern are cut off, damaged or empty, likewise: the first names, and how many.
    case imagesDamaged(path: String, names: [String], count: Int)
    /// The numbers of a directory's images have gaps: the missing names, or the first and the last of each run.
    case numbersMissing(path: String, [String])
    /// The clip has no times, and `ClipSource.statedRate` is not set.
    case rateAssumed(path: String, FrameRate)
    /// The file has several video tracks, and marks another than the first one as its default.
    case defaultTrack(path: String, index: String)
}

/// A recorded video: its frames with their times, read one by one and never held in memory together.
///
/// The frames of a file can be read repeatedly, those of a stream (standard input, a pipe) once.
package struct Clip: Sendable {
    package let info: ClipInfo
    let source: Source

    /// Whether the frames can be read only once.
    package var isStream: Bool {
        if case .y4mStream = source { true } else { false }
    }

    enum Source: Sendable {
        case y4mFile
        case y4mStream(ByteStream)
        case program(DecodingProgram)
        case webP(WebPProgram)
    }

    /// Reads the frames in order and lends each to `body`, in the caller's isolation, until the clip ends, `body`
    /// returns false, or the process is interrupted (`Interruption`).
    ///
    /// At most one piece of the stream, 256 KiB, is read ahead. Reading a file or standard input blocks the thread.
    /// - Returns: the number of frames that `body` received.
    /// - Throws: `ClipError`; that frames are missing or damaged is thrown after the last one. Errors of `body`, unchanged.
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
        // A stream that a signal has cut off is not broken.
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
            // All bytes of the buffer are initialised, so all may be read raw.
            return try unsafe stream.consume(buffer.span.bytes.extracting(first: count), from: &offset)
        } catch {
            throw .y4m(path: info.path, error)
        }
    }
}

extension Y4MStream {
    /// Stamps the latest completed frame and lends it.
    nonisolated(nonsending) mutating func lend(
        index: Int, time: Duration, to body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Bool {
        guard frame != nil else { return false }
        frame?.index = index
        frame?.time = time
        return try await body(frame!)
    }
}
