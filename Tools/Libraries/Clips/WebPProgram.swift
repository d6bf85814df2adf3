import Foundation
import Frames
import Platform
import Subprocess

/// An animated WebP, which the `ffmpeg` program does not read as such: its frames are passed to it as separate images,
/// one after another, and drawn on the canvas here.
///
/// The images are written to an unnamed file about as long as the clip. The program gets it as standard input, like any
/// other clip, and returns the pixels of each image in its own size, four bytes each.
struct WebPProgram: Sendable {
    let info: ClipInfo
    private let animation: WebPAnimation
    private let source: ClipSource
    private let orientation: ImageOrientation

    private static let pieceBytes = 262_144

    init(path: String, animation: WebPAnimation, source: ClipSource) throws(ClipError) {
        guard !animation.frames.isEmpty else { throw .empty(path: path, messages: []) }
        self.animation = animation
        self.source = source
        orientation = StoredOrientation.read(path: path) ?? .up
        let size = orientation.upright(animation.width, animation.height)
        info = ClipInfo(
            path: path, decoder: .ffmpeg(container: "webp"), width: size.width, height: size.height,
            rate: Self.meanRate(animation), frameCount: animation.frames.count,
            duration: .milliseconds(animation.duration))
    }

    /// Frames per time, in lowest terms; nil if 32 bits are not enough for the fraction.
    private static func meanRate(_ animation: WebPAnimation) -> FrameRate? {
        let (frames, time) = (animation.frames.count * 1000, animation.duration)
        var (divisor, rest) = (frames, time)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return FrameRate(frames / divisor, time / divisor)
    }

    /// The program stops at its first error: if it skipped a frame, later frames would be assigned to wrong times.
    private static let arguments = [
        "-nostdin", "-hide_banner", "-v", "error", "-xerror", "-protocol_whitelist", "file,pipe", "-format_whitelist",
        "webp_pipe", "-f", "webp_pipe", "-i", ChildProgram.standardInput, "-map", "0:V:0", "-autoscale", "0",
        "-fps_mode", "passthrough", "-sws_flags", "bicubic+accurate_rnd+full_chroma_int", "-pix_fmt", "rgba",
        "-flush_packets", "1", "-f", "rawvideo", "pipe:1",
    ]

    /// See `Clip.forEachFrame`.
    nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Int {
        let pictures = try pictures()
        var canvas = WebPCanvas(animation, orientation: orientation)
        var seen = 0
        let tool = ChildProgram(name: source.ffmpeg, stallLimit: source.stallLimit)
        let outcome = try await tool.run(Self.arguments, reading: pictures, path: info.path) { piece in
            var offset = 0
            while canvas.take(piece.bytes, from: &offset) {
                try Task.checkCancellation()
                let goesOn = try await canvas.lend(to: body)
                seen += 1
                guard goesOn, !Interruption.hasCome else { return false }
            }
            return true
        }
        if let interruption = outcome.interruption { throw interruption }
        guard outcome.isFinished else { return seen }
        try Task.checkCancellation()
        let messages = outcome.messageLines.map { $0.replacing(ChildProgram.standardInput, with: info.path) }
        guard outcome.exitCode == 0 else {
            throw ClipError.notDecodable(path: info.path, status: outcome.exitCode, messages: messages)
        }
        guard seen > 0 else { throw ClipError.empty(path: info.path, messages: messages) }
        if !messages.isEmpty { source.notify(.messages(path: info.path, messages)) }
        try source.account(for: seen, of: animation.frames.count, path: info.path)
        return seen
    }

    /// The frames as images, one after another.
    private func pictures() throws(ClipError) -> ByteFile {
        var file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: info.path)
        } catch {
            throw .cannotOpen(path: info.path, code: error.code)
        }
        guard case .regular = file.kind else { throw .notRegular(path: info.path) }
        let pictures: ByteFile
        do throws(ByteFile.Failure) {
            pictures = try ByteFile(unnamedIn: FileManager.default.temporaryDirectory.path)
        } catch {
            throw .cannotKeep(code: error.code)
        }
        for frame in animation.frames {
            try append(Self.header(frame), to: pictures)
            for range in [frame.alpha, frame.image] { if let range { try copy(range, of: &file, to: pictures) } }
        }
        do throws(ByteFile.Failure) { try pictures.rewind() } catch { throw .cannotKeep(code: error.code) }
        return pictures
    }

    /// The bytes before the chunks of an image: the size of the rest and, before an alpha chunk, the extended header
    /// that announces it.
    private static func header(_ frame: WebPAnimation.Frame) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        func padded(_ range: Range<Int>) -> Int { range.count + range.count % 2 }
        var extended: [UInt8] = []
        if frame.alpha != nil {
            extended =
                Array("VP8X".utf8) + little(10, 4) + [0x10, 0, 0, 0] + little(frame.width - 1, 3)
                + little(frame.height - 1, 3)
        }
        let size = 4 + extended.count + (frame.alpha.map(padded) ?? 0) + padded(frame.image)
        return Array("RIFF".utf8) + little(size, 4) + Array("WEBP".utf8) + extended
    }

    /// Copies bytes, plus a zero after an odd number of them: padding, which the container's last chunk may lack.
    private func copy(_ range: Range<Int>, of file: inout ByteFile, to pictures: borrowing ByteFile) throws(ClipError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let piece: [UInt8]
            let count = min(Self.pieceBytes, range.upperBound - offset)
            do throws(ByteFile.Failure) {
                piece = try file.bytes(at: offset, count: count)
            } catch {
                throw .cannotRead(path: info.path, code: error.code)
            }
            // The file was longer when it was first opened.
            guard piece.count == count else {
                throw .webP(path: info.path, .truncated(offset: offset, expected: count, found: piece.count))
            }
            try append(piece, to: pictures)
            offset += count
        }
        if range.count % 2 == 1 { try append([0], to: pictures) }
    }

    private func append(_ bytes: [UInt8], to pictures: borrowing ByteFile) throws(ClipError) {
        do throws(ByteFile.Failure) {
            try unsafe bytes.span.withUnsafeBytes { bytes throws(ByteFile.Failure) in
                try unsafe pictures.writeFully(bytes)
            }
        } catch {
            throw .cannotKeep(code: error.code)
        }
    }
}
