import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opens recorded video of any kind.
package struct ClipSource: Sendable {
    /// The programs that decode, found in the search path like any command.
    package var ffmpeg = "ffmpeg"
    package var ffprobe = "ffprobe"
    /// Frames a second of image sequences, which do not say.
    package var imageRate: FrameRate

    /// - Parameter imageRate: frames a second of image sequences; nil is 30.
    package init(imageRate: FrameRate? = nil) {
        self.imageRate = imageRate ?? .thirty
    }

    /// Looks at what is behind a path, and into it.
    /// - Parameter path: `-` is Y4M on standard input, and a named pipe is read as Y4M too. A file is read as what it is,
    ///   whatever its name: Y4M here, everything else by the `ffmpeg` program. A directory, or a pattern such as
    ///   `hand-%04d.png` which is no file itself, is a sequence of images in the order of their names; the images of a
    ///   directory must be of one kind.
    /// - Throws: why there is no clip.
    package func open(_ path: String) async throws(ClipError) -> Clip {
        switch try look(path) {
        case .clip(let clip): return clip
        case .file(let input, let options):
            let program = try await DecodingProgram.probe(path: path, input: input, options: options, source: self)
            return Clip(info: program.info, source: .program(program))
        }
    }

    private enum Finding {
        case clip(Clip)
        /// For the program: the name it is given, and the options before it.
        case file(String, options: [String])
    }

    private func look(_ path: String) throws(ClipError) -> Finding {
        let file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: path)
        } catch {
            guard error.code == ENOENT, path.contains("%") else {
                throw .cannotOpen(path: path, code: error.code)
            }
            return .file(absolute(path), options: ["-framerate", imageRateText])
        }
        if case .directory = file.kind { return try images(path) }

        let (prefix, header) = try firstLine(of: file, path: path)
        switch (file.kind, header) {
        case (.regular, nil):
            return .file(absolute(path), options: [])
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

    /// Reads until the first line is whole.
    /// - Returns: all that was read, and the header if it is Y4M's.
    private func firstLine(of file: borrowing ByteFile, path: String) throws(ClipError) -> ([UInt8], Y4MHeader?) {
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

    /// Frames of a file whose frame lines carry no parameters; nil if they do, or if the file is cut off.
    private static func frameCount(_ header: Y4MHeader, bytes: Int) -> Int? {
        let (frames, rest) = bytes.quotientAndRemainder(
            dividingBy: "FRAME\n".utf8.count + header.lumaBytes + header.chromaBytes)
        return rest == 0 ? frames : nil
    }

    private func info(_ path: String, _ header: Y4MHeader, frameCount: Int?) -> ClipInfo {
        ClipInfo(
            path: path, decoder: .y4m, width: header.width, height: header.height, rate: header.rate,
            frameCount: frameCount, duration: frameCount.map { header.rate.time(ofFrame: $0) })
    }

    private var imageRateText: String { "\(imageRate.numerator)/\(imageRate.denominator)" }

    /// A name that no program takes for an option or for a protocol: it begins with a slash.
    private func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    private func images(_ path: String) throws(ClipError) -> Finding {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .cannotOpen(path: path, code: ENOTDIR)
        }
        let known: Set = ["png", "pgm", "ppm", "jpg", "jpeg", "bmp", "tif", "tiff", "webp"]
        let extensions = Set(names.filter { !$0.hasPrefix(".") }.map { URL(fileURLWithPath: $0).pathExtension })
            .filter { known.contains($0.lowercased()) }
        guard extensions.count == 1, let kind = extensions.first else {
            throw .images(path: path, extensions: extensions.sorted())
        }
        let directory = absolute(path).reduce(into: "") { escaped, character in
            if #"\*?[]{}~"#.contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return .file(
            "\(directory)/*.\(kind)",
            options: ["-f", "image2", "-pattern_type", "glob", "-framerate", imageRateText])
    }
}
