import FileOutput
import Foundation
import Frames
import NumPyFormat
import Platform

/// Opens recorded video of any format.
package struct ClipSource: Sendable {
    /// The decoding programs, found in the search path.
    package var ffmpeg = "ffmpeg"
    package var ffprobe = "ffprobe"
    /// Frames a second of what has no times: image sequences, streams of a codec alone, images in a row. Nil is the
    /// rate that a codec's stream states or that FFmpeg assumes, with a notice, and 30 for image sequences.
    package var statedRate: FrameRate?
    /// Whether a clip with fewer frames than it states is read like a complete one. Otherwise reading it ends with
    /// `ClipError.framesMissing`.
    package var allowsMissingFrames: Bool
    /// Whether a file's frames are counted and their times known before the first is read. Else its length is what the
    /// file states, and the first frame of a long file comes as soon as that of a short one.
    package var listsFramesFirst = true
    /// Receives notices about faults of a clip that can be read nevertheless.
    package var notify: @Sendable (ClipNotice) -> Void
    /// The longest time without output before a program is ended with `ClipError.stalled`. Two minutes: `ffprobe`
    /// collects some sixty frames before it prints them.
    package var stallLimit = Duration.seconds(120)

    /// - Parameter statedRate: frames a second of what has no times.
    package init(
        statedRate: FrameRate? = nil, allowsMissingFrames: Bool = false,
        notify: @escaping @Sendable (ClipNotice) -> Void = { _ in }
    ) {
        self.statedRate = statedRate
        self.allowsMissingFrames = allowsMissingFrames
        self.notify = notify
    }

    /// Examines a path and its contents.
    /// - Parameter path: `-` is Y4M on standard input, and a named pipe is read as Y4M too. A file is read by its
    ///   contents, independent of its name: Y4M here, everything else by the `ffmpeg` program, if the format keeps all
    ///   frames in one file. The container of an animated WebP is read and its frames are composed here. A directory,
    ///   or a pattern such as `hand-%04d.png` that is not a file itself, is a sequence of images in the order of their
    ///   names, 2 before 10; the images of a directory must be of one kind. A gap in their numbers is reported.
    /// - Throws: why the clip cannot be opened.
    package func open(_ path: String) async throws(ClipError) -> Clip {
        try await clip(probe(path))
    }

    /// The contents of a path.
    package enum Footage: ~Copyable {
        case clip(Clip)
        case array(ArrayFile)
    }

    /// The same for a path that may also be a NumPy array. It is opened once, so that it may be a pipe.
    package func openFootage(_ path: String) async throws(ClipError) -> Footage {
        let finding = try probe(path, forArrays: true)
        switch consume finding {
        case .array(let array): return .array(array)
        case let other: return .clip(try await clip(other))
        }
    }

    private func clip(_ finding: consuming Finding) async throws(ClipError) -> Clip {
        switch finding {
        case .clip(let clip): return clip
        case .input(let path, let input):
            let program = try await DecodingProgram.probe(path: path, input: input, source: self)
            return Clip(info: program.info, source: .program(program))
        case .array(let array): throw .y4m(path: array.path, .signature)
        }
    }

    private enum Finding: ~Copyable {
        case clip(Clip)
        /// Decoded by the program.
        case input(path: String, DecodingProgram.Input)
        case array(ArrayFile)
    }

    private func probe(_ path: String, forArrays: Bool = false) throws(ClipError) -> Finding {
        var file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: path)
        } catch {
            guard error.code == ENOENT, path.contains("%") else {
                throw .cannotOpen(path: path, code: error.code)
            }
            return try .input(path: path, images(pattern: path))
        }
        if case .directory = file.kind { return try .input(path: path, images(directory: path)) }
        if forArrays {
            do throws(ByteFile.Failure) {
                let start = try file.peek(NumPyHeader.signature.count)
                if start == NumPyHeader.signature { return .array(ArrayFile(path: path, file: file)) }
            } catch {
                throw .cannotRead(path: path, code: error.code)
            }
        }

        let (prefix, header) = try firstLine(of: &file, path: path)
        switch (file.kind, header) {
        case (.regular(let byteCount), nil) where WebPAnimation.isAnimated(prefix):
            let animation = try WebPAnimation(
                &file, path: path, byteCount: byteCount, maximumSide: PixelView.maximumSide)
            let program = try WebPProgram(path: path, animation: animation, source: self)
            return .clip(Clip(info: program.info, source: .webP(program)))
        case (.regular, nil):
            return .input(path: path, .file)
        case (.regular(let byteCount), let header?):
            let lineBytes = (prefix.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            let frames = Self.frameCount(header, bytes: byteCount - lineBytes)
            return .clip(Clip(info: info(path, header, frameCount: frames), source: .y4mFile))
        case (_, nil):
            throw .y4m(path: path, .signature)
        case (_, let header?):
            let stream = ByteStream(file, prefix: prefix)
            return .clip(Clip(info: info(path, header, frameCount: nil), source: .y4mStream(stream)))
        }
    }

    /// Reads until the first line is complete.
    /// - Returns: all bytes read, and the header if the stream is Y4M.
    private func firstLine(of file: inout ByteFile, path: String) throws(ClipError) -> ([UInt8], Y4MHeader?) {
        var prefix: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Y4MHeader.longestLine)
        while true {
            let count: Int
            do throws(ByteFile.Failure) {
                count = try file.readSome(&chunk)
            } catch {
                throw .cannotRead(path: path, code: error.code)
            }
            prefix += chunk.prefix(count)
            let known = min(prefix.count, Y4MHeader.signature.count)
            guard Y4MHeader.signature.prefix(known).elementsEqual(prefix.prefix(known)), !prefix.isEmpty else {
                return (prefix, nil)
            }
            do throws(Y4MError) {
                if let end = prefix.firstIndex(of: UInt8(ascii: "\n")) {
                    return (prefix, try Y4MHeader(line: prefix[..<end]))
                }
                guard count > 0 else { throw Y4MError.truncatedHeader(found: prefix.count) }
                guard prefix.count <= Y4MHeader.longestLine else {
                    throw Y4MError.lineTooLong(frame: nil, limit: Y4MHeader.longestLine)
                }
            } catch {
                throw .y4m(path: path, error)
            }
        }
    }

    /// The number of frames of a file whose frame lines have no parameters; nil if they have, or if the file is cut
    /// off.
    private static func frameCount(_ header: Y4MHeader, bytes: Int) -> Int? {
        let (frames, rest) = bytes.quotientAndRemainder(
            dividingBy: "FRAME\n".utf8.count + header.lumaBytes + header.chromaBytes)
        return rest == 0 ? frames : nil
    }

    private func info(_ path: String, _ header: Y4MHeader, frameCount: Int?) -> ClipInfo {
        let size = header.pixelAspect.size(of: header.width, header.height)
        return ClipInfo(
            path: path, decoder: .y4m, width: size.width, height: size.height, rate: header.rate,
            frameCount: frameCount, duration: frameCount.map { header.rate.time(ofFrame: $0) })
    }

    /// Reports images of a clip that are damaged.
    /// - Throws: `imagesDamaged`, unless missing frames are allowed; then a notice is sent.
    func account(forDamaged names: [String], path: String) throws(ClipError) {
        let named = Array(names.prefix(ClipError.namedImages))
        guard allowsMissingFrames else { throw .imagesDamaged(path: path, names: named, count: names.count) }
        notify(.imagesDamaged(path: path, names: named, count: names.count))
    }

    /// Compares the number of frames from a program with the number that a clip states.
    /// - Parameter isCutOff: whether the last of them is cut off.
    /// - Throws: `framesMissing` or `cutOff`, unless missing frames are allowed; then a notice is sent.
    func account(for found: Int, of stated: Int, isCutOff: Bool = false, path: String) throws(ClipError) {
        guard stated > found else {
            guard isCutOff else { return }
            guard allowsMissingFrames else { throw .cutOff(path: path, frames: found) }
            return notify(.cutOff(path: path, frames: found))
        }
        guard allowsMissingFrames else { throw .framesMissing(path: path, found: found, stated: stated) }
        notify(.framesMissing(path: path, found: found, stated: stated))
    }

    private func images(pattern: String) throws(ClipError) -> DecodingProgram.Input {
        let last = NumberedName.last(of: pattern)
        let folder = String(decoding: pattern.utf8.dropLast(last.utf8.count), as: UTF8.self)
        guard let numbered = NumberedName(pattern: last) else { throw .cannotOpen(path: pattern, code: ENOENT) }
        let names = try entries(of: folder.isEmpty ? "." : folder, path: pattern).filter(numbered.matches)
        guard !names.isEmpty else { throw .cannotOpen(path: pattern, code: ENOENT) }
        return try ImageList(names: names, folder: prefix(of: pattern) + folder, path: pattern, source: self).input(
            kind: numbered.kind, isWholeKind: false)
    }

    private func images(directory path: String) throws(ClipError) -> DecodingProgram.Input {
        let names = try entries(of: path, path: path).filter { !$0.hasPrefix(".") }
        func kind(_ name: String) -> String { name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? "" }
        /// Extensions that name one format count as one kind.
        func format(_ kind: String) -> String {
            switch kind.lowercased() {
            case "jpeg": "jpg"
            case "tiff": "tif"
            case let other: other
            }
        }
        let kinds = Set(names.map(kind)).filter { InputFiles.imageExtensions.contains($0.lowercased()) }
        guard Set(kinds.map(format)).count == 1, let only = kinds.sorted().first else {
            throw .images(path: path, extensions: kinds.sorted())
        }
        return try ImageList(
            names: names.filter { kinds.contains(kind($0)) }, folder: prefix(of: path) + path + "/", path: path,
            source: self
        ).input(kind: only, isWholeKind: kinds.count == 1)
    }

    private func entries(of folder: String, path: String) throws(ClipError) -> [String] {
        do throws(SystemError) {
            return try OpenFile.entries(ofDirectory: folder)
        } catch {
            throw .cannotOpen(path: path, code: error.code)
        }
    }

    /// The directory to which a relative name refers, with a slash; empty before an absolute name. With it no program
    /// takes the name for an option or a protocol, and only the system resolves links and `..` in it.
    private func prefix(of path: String) -> String {
        path.hasPrefix("/") ? "" : PathText.currentDirectory + "/"
    }
}
