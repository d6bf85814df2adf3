/// Why a clip cannot be opened or read to its end.
package enum ClipError: Error, Sendable, Equatable {
    /// The path cannot be opened or examined; `code` is `errno`.
    case cannotOpen(path: String, code: Int32)
    /// Reading failed in the middle; `code` is `errno`.
    case cannotRead(path: String, code: Int32)
    /// The clip has no frames. The messages are the decoder's, if any.
    case empty(path: String, messages: [String])
    /// The task was cancelled while the file was examined.
    case cancelled
    /// A stream that can be read only once has already been read.
    case alreadyRead(path: String)
    /// The clip is Y4M and breaks its rules.
    case y4m(path: String, Y4MError)
    /// The clip is an animated WebP whose container is broken.
    case webP(path: String, WebPError)
    /// A directory has no image files, or several kinds of them.
    case images(path: String, extensions: [String])
    /// A decoding program is not installed.
    case programMissing(String)
    /// A program could not be run for another reason, given as text.
    case programFailed(String, reason: String)
    /// The program failed. The messages are its last lines; the status is nil if a signal ended it.
    case notDecodable(path: String, status: Int32?, messages: [String])
    /// The file has sound, subtitles or data, but no video.
    case noVideo(path: String, messages: [String])
    /// The format is rejected because its files may refer to other files: a playlist, a manifest, a script.
    case formatRefused(path: String, format: String)
    /// The path no longer names the regular file that was there before.
    case notRegular(path: String)
    /// The program produced no output for this time and was ended.
    case stalled(program: String, limit: Duration)
    /// The clip was read to its end and has fewer frames than it states: it is cut off or damaged.
    case framesMissing(path: String, found: Int, stated: Int)
    /// The clip was read to its end and ends inside its last frame.
    case cutOff(path: String, frames: Int)
    /// The clip was read to its end, and these images of a directory or a pattern are cut off, damaged or empty: the
    /// first names, and how many there are.
    case imagesDamaged(path: String, names: [String], count: Int)
    /// A rate was stated for a clip whose frames have times.
    case hasTimes(path: String)
    /// Images of one clip are stored in different orientations, so that no one turn sets all of them upright.
    case mixedOrientations(path: String, first: String, other: String)
    /// Frames of a stream could not be stored on disk for a second reading; `code` is `errno`.
    case cannotKeep(code: Int32)
    /// Links that define the order of images could not be created in the temporary directory; `code` is `errno`.
    case cannotLink(place: String, code: Int32)

    /// Names that `imagesDamaged` has at most.
    static let namedImages = 5

    /// Whether the clip was read to its end and lacks frames or a part of one.
    package var isFramesMissing: Bool {
        switch self {
        case .framesMissing, .cutOff, .imagesDamaged: true
        default: false
        }
    }
}

/// The fault of a Y4M stream.
package enum Y4MError: Error, Sendable, Equatable {
    /// The first bytes are not `YUV4MPEG2`.
    case signature
    /// No line end within the limit, in the header (frame is nil) or before a frame.
    case lineTooLong(frame: Int?, limit: Int)
    /// A required parameter is missing: `W`, `H` or `F`.
    case missing(Character)
    /// A parameter is repeated.
    case duplicate(Character)
    /// A parameter has an invalid value or an unknown letter.
    case parameter(String)
    /// Width or height is 0 or above the limit.
    case size(width: Int, height: Int, maximum: Int)
    /// The samples are not 8 bits, or have an unknown layout; the text is the tag.
    case colourSpace(String)
    /// The bytes where a frame should begin are not `FRAME`.
    case frameSignature(frame: Int)
    /// The stream ends inside the header.
    case truncatedHeader(found: Int)
    /// The stream ends inside a frame, after this many of its bytes.
    case truncatedFrame(frame: Int, expected: Int, found: Int)
}
