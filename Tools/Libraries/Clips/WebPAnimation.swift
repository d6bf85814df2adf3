import Platform

/// The container of an animated WebP (RFC 9649, section 2): the positions of its frames in the file, and how they are
/// drawn on the canvas.
///
/// Nothing is decoded here. Every size is checked against the file, and the size of each compressed image against that
/// of its frame. The loop count is ignored: a clip is shown once. The background is ignored as well, as in libwebp's
/// animation decoder.
struct WebPAnimation: Sendable, Equatable {
    struct Frame: Sendable, Equatable {
        /// Position of the left and upper edge on the canvas.
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        /// The time at which it is shown, in milliseconds since the first frame.
        let time: Int
        /// Whether the canvas shows through where the frame is not opaque; otherwise the frame replaces it.
        let isBlended: Bool
        /// Whether its rectangle becomes transparent before the next frame.
        let isDisposed: Bool
        /// The chunk `ALPH` with its header and padding, in the file; nil if the image has none or contains its own
        /// alpha.
        let alpha: Range<Int>?
        /// The chunk `VP8 ` or `VP8L`, likewise.
        let image: Range<Int>
    }

    let width: Int
    let height: Int
    let frames: [Frame]
    /// Milliseconds from the first frame to the end of the last.
    let duration: Int

    /// Most chunks that are read, so that reading a file of mere headers ends.
    static let chunkLimit = 262_144
    /// Duration of a frame that states 0, in milliseconds, as in browsers.
    static let defaultDuration = 100
    /// Bytes before the chunks: `RIFF`, a size, `WEBP`.
    private static let headerBytes = 12

    /// Whether a file begins like a WebP whose extended header has the animation flag (bit 1 of byte 20).
    static func isAnimated(_ prefix: [UInt8]) -> Bool {
        prefix.count > 20 && prefix.starts(with: "RIFF".utf8) && prefix[8..<16].elementsEqual("WEBPVP8X".utf8)
            && prefix[20] & 2 != 0
    }

    /// - Parameters:
    ///   - path: for errors.
    ///   - byteCount: of the file.
    ///   - maximumSide: of the canvas.
    init(_ file: inout ByteFile, path: String, byteCount: Int, maximumSide: Int) throws(ClipError) {
        var reader = Reader(path: path, end: byteCount, chunksLeft: Self.chunkLimit)
        let header = try reader.bytes(&file, 0, Self.headerBytes + 18)
        // The size counts from after its own field.
        let end = 8 + Self.number(header, 4, bytes: 4)
        guard end <= byteCount else { throw reader.fault(.truncated(offset: 0, expected: end, found: byteCount)) }
        reader.end = end
        (width, height) = (1 + Self.number(header, 24, bytes: 3), 1 + Self.number(header, 27, bytes: 3))
        guard width <= maximumSide, height <= maximumSide else {
            throw reader.fault(.size(width: width, height: height, maximum: maximumSide))
        }
        var (frames, time): ([Frame], Int) = ([], 0)
        var offset = Self.headerBytes
        while offset < end {
            let chunk = try reader.chunk(&file, offset, before: end)
            if chunk.name == Array("ANMF".utf8) {
                let (frame, duration) = try Self.frame(&file, &reader, chunk, index: frames.count, time: time)
                guard frame.x + frame.width <= width, frame.y + frame.height <= height else {
                    throw reader.fault(.outside(frame: frames.count))
                }
                frames.append(frame)
                // At most 2^18 frames of less than 2^24 ms each.
                time += duration
            }
            offset = chunk.end
        }
        self.frames = frames
        duration = time
    }

    private static func frame(
        _ file: inout ByteFile, _ reader: inout Reader, _ chunk: Chunk, index: Int, time: Int
    ) throws(ClipError) -> (Frame, duration: Int) {
        guard chunk.content.count >= 16 else { throw reader.fault(.frame(index)) }
        let header = try reader.bytes(&file, chunk.content.lowerBound, 16)
        let (width, height) = (1 + number(header, 6, bytes: 3), 1 + number(header, 9, bytes: 3))
        var alpha: Range<Int>?
        var offset = chunk.content.lowerBound + 16
        while offset < chunk.content.upperBound {
            let part = try reader.chunk(&file, offset, before: chunk.content.upperBound)
            let name = String(decoding: part.name, as: UTF8.self)
            if name == "ALPH", alpha == nil { alpha = offset..<part.end }
            if name == "VP8 " || name == "VP8L" {
                let start = try reader.bytes(&file, part.content.lowerBound, min(10, part.content.count))
                guard let size = name == "VP8L" ? losslessSize(start) : lossySize(start) else {
                    throw reader.fault(.frame(index))
                }
                guard size == (width, height) else { throw reader.fault(.frameSize(index)) }
                let duration = number(header, 12, bytes: 3)
                let frame = Frame(
                    x: 2 * number(header, 0, bytes: 3), y: 2 * number(header, 3, bytes: 3), width: width,
                    height: height, time: time, isBlended: header[15] & 2 == 0, isDisposed: header[15] & 1 != 0,
                    alpha: name == "VP8L" ? nil : alpha, image: offset..<part.end)
                return (frame, duration > 0 ? duration : defaultDuration)
            }
            offset = part.end
        }
        throw reader.fault(.frame(index))
    }

    /// The size in the frame header of a key frame (RFC 6386, section 9.1).
    private static func lossySize(_ start: [UInt8]) -> (Int, Int)? {
        guard start.count == 10, start[0] & 1 == 0, start[3...5].elementsEqual([0x9D, 1, 0x2A]) else { return nil }
        return (number(start, 6, bytes: 2) & 0x3FFF, number(start, 8, bytes: 2) & 0x3FFF)
    }

    /// The size in the header of a lossless image (RFC 9649, section 3.4).
    private static func losslessSize(_ start: [UInt8]) -> (Int, Int)? {
        guard start.count >= 5, start[0] == 0x2F else { return nil }
        let bits = number(start, 1, bytes: 4)
        return (1 + bits & 0x3FFF, 1 + bits >> 14 & 0x3FFF)
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, bytes count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private struct Chunk {
        let name: [UInt8]
        let content: Range<Int>
        /// After the padding.
        let end: Int
    }

    private struct Reader {
        let path: String
        /// The end of the container.
        var end: Int
        var chunksLeft: Int

        func fault(_ error: WebPError) -> ClipError { .webP(path: path, error) }

        func bytes(_ file: inout ByteFile, _ offset: Int, _ count: Int) throws(ClipError) -> [UInt8] {
            let bytes: [UInt8]
            do throws(ByteFile.Failure) {
                bytes = try file.bytes(at: offset, count: count)
            } catch {
                throw .cannotRead(path: path, code: error.code)
            }
            guard bytes.count == count else {
                throw fault(.truncated(offset: offset, expected: count, found: bytes.count))
            }
            return bytes
        }

        /// A chunk that ends before `limit`. The padding of the last one may be missing.
        mutating func chunk(_ file: inout ByteFile, _ offset: Int, before limit: Int) throws(ClipError) -> Chunk {
            guard chunksLeft > 0 else { throw fault(.tooManyChunks(limit: WebPAnimation.chunkLimit)) }
            chunksLeft -= 1
            guard offset + 8 <= limit else {
                throw fault(.truncated(offset: offset, expected: 8, found: limit - offset))
            }
            let header = try bytes(&file, offset, 8)
            let size = WebPAnimation.number(header, 4, bytes: 4)
            let start = offset + 8
            guard start + size <= limit else {
                throw fault(.truncated(offset: offset, expected: size, found: limit - start))
            }
            return Chunk(
                name: Array(header.prefix(4)), content: start..<start + size, end: min(start + size + size % 2, limit))
        }
    }
}

/// The fault of an animated WebP's container.
package enum WebPError: Error, Sendable, Equatable {
    /// A chunk, or the file itself, states more bytes than exist.
    case truncated(offset: Int, expected: Int, found: Int)
    /// A side of the canvas is above the limit.
    case size(width: Int, height: Int, maximum: Int)
    /// The file has more chunks than the limit.
    case tooManyChunks(limit: Int)
    /// The frame reaches beyond the canvas.
    case outside(frame: Int)
    /// The frame has no valid image.
    case frame(Int)
    /// The frame's image has another size than the frame.
    case frameSize(Int)
}
