import ArgumentParser
package import Clips
import ModelFile
import NumPyFormat
import Platform

extension ClipError: Explained {
    package var sentence: String {
        switch self {
        case .cannotOpen(let path, let code): "\(visible(path)) cannot be opened: \(SystemError.reason(code))."
        case .cannotRead(let path, let code): "\(visible(path)) cannot be read: \(SystemError.reason(code))."
        case .empty(let path, let messages): "\(visible(path)) has no frames.\(list(messages))"
        case .cancelled: "Reading the clip was cancelled."
        case .alreadyRead(let path): "\(visible(path)) is a stream, which can be read only once."
        case .y4m(let path, let error): "\(visible(path)) is not valid Y4M: \(error.clause)."
        case .images(let path, let extensions):
            extensions.isEmpty
                ? "The directory \(visible(path)) has no images."
                : "The directory \(visible(path)) has images of several kinds: \(extensions.joined(separator: ", "))."
        case .programMissing(let program): "The program \(program), which decodes this clip, is not installed."
        case .programFailed(let program, let reason): "The program \(program) could not be run: \(visible(reason))."
        case .notDecodable(let path, _, let messages):
            otherFormat(path) ?? "\(visible(path)) could not be decoded.\(list(messages))"
        case .noVideo(let path, let messages):
            otherFormat(path) ?? "\(visible(path)) has no video.\(list(messages))"
        case .webP(let path, let error): "\(visible(path)) is not a valid animated WebP: \(error.clause)."
        case .formatRefused(let path, let format):
            otherFormat(path)
                ?? "\(visible(path)) has the format \(visible(format)), which is not read: only common formats of video "
                + "and images are, and none that may refer to other files, as playlists do."
        case .notRegular(let path): "\(visible(path)) is not a regular file any more."
        case .stalled(let program, let limit):
            "The program \(program) produced no output for \(limit) and was ended."
        case .framesMissing(let path, let found, let stated):
            "\(visible(path)) has \(grouped(found)) of \(grouped(stated)) frames: it is cut off or damaged. "
                + "Give --allow-missing-frames to use it as it is."
        case .cutOff(let path, let frames):
            "\(visible(path)) ends inside frame \(grouped(frames)): it is cut off. Give --allow-missing-frames to use it "
                + "as it is."
        case .imagesDamaged(let path, let names, let count):
            damagedImages(path, names, count) + " Give --allow-missing-frames to use what there is of "
                + (count == 1 ? "it." : "them.")
        case .hasTimes(let path):
            "\(visible(path)) has times of its own; --input-rate is for images and for streams without times."
        case .mixedOrientations(let path, let first, let other):
            "The images of \(visible(path)) are stored in different orientations (\(visible(first)), \(visible(other))). "
                + "Set them upright first, such as with mogrify -auto-orient."
        case .cannotLink(let place, let code): "\(visible(place)) cannot be written: \(SystemError.reason(code))."
        case .cannotKeep(let code): "Frames cannot be kept on disk to be read again: \(SystemError.reason(code))."
        }
    }

    /// 65, `EX_DATAERR` of sysexits.h, for a clip that lacks frames or ends inside one, or with damaged images; the status of unwritable files
    /// for frames that cannot be kept.
    package var status: Int32 {
        switch self {
        case .framesMissing, .cutOff, .imagesDamaged, .y4m(_, .truncatedFrame), .y4m(_, .truncatedHeader),
            .webP(_, .truncated):
            65
        case .cannotKeep, .cannotLink: ExitCode.unwritable.rawValue
        default: 1
        }
    }
}

extension ClipNotice {
    /// The notice, on one line or several.
    package var sentence: String {
        switch self {
        case .messages(let path, let messages): "ffmpeg on \(visible(path)):\(list(messages))"
        case .framesMissing(let path, let found, let stated):
            "\(visible(path)) has \(grouped(found)) of \(grouped(stated)) frames: it is cut off or damaged."
        case .cutOff(let path, let frames): "\(visible(path)) ends inside frame \(grouped(frames)): it is cut off."
        case .imagesDamaged(let path, let names, let count): damagedImages(path, names, count)
        case .numbersMissing(let path, let gaps):
            "The numbers of \(visible(path)) have gaps: \(list(gaps, of: gaps.count)) "
                + (gaps.count == 1 && !gaps[0].contains(" to ") ? "is" : "are")
                + " missing. The images around a gap follow each other at the usual distance in time."
        case .rateAssumed(let path, let rate):
            "\(visible(path)) has no times; \(decimals(rate.hertz, rate.denominator == 1 ? 0 : 2)) frames a second are "
                + "assumed. Give --input-rate if it is another rate."
        case .defaultTrack(let path, let index):
            "\(visible(path)) has several video tracks; track \(visible(index)) is read, which it marks as its default."
        case .highDynamicRange(let path, let transfer):
            "\(visible(path)) has high dynamic range (\(visible(transfer))), which stays as it is: this ffmpeg lacks "
                + "zscale or tonemap. Colours are wrong, and fewer gestures are recognised."
        }
    }
}

extension Y4MError {
    /// The fault, as part of a sentence.
    fileprivate var clause: String {
        switch self {
        case .signature: "it does not begin with YUV4MPEG2"
        case .lineTooLong(let frame, let limit):
            "\(frame.map { "the line before frame \($0)" } ?? "the header") is longer than \(limit) bytes"
        case .missing(let parameter): "the header lacks \(parameter)"
        case .duplicate(let parameter): "the header has \(parameter) twice"
        case .parameter(let text): "the parameter \(visible(text)) is not known"
        case .size(let width, let height, let maximum):
            "frames have \(width)x\(height) pixels; each side must have from 1 to \(maximum)"
        case .colourSpace(let tag):
            "the colour space \(visible(tag)) is not supported; use 8 bits a sample, as of ffmpeg -pix_fmt yuv420p"
        case .frameSignature(let frame): "frame \(frame) does not begin with FRAME"
        case .truncatedHeader(let found): "it ends in the header, after \(found) bytes"
        case .truncatedFrame(let frame, let expected, let found):
            "it ends in frame \(frame), after \(found) of \(expected) bytes"
        }
    }
}

extension WebPError {
    /// The fault, as part of a sentence.
    fileprivate var clause: String {
        switch self {
        case .truncated(let offset, let expected, let found):
            "the part at byte \(offset) should have \(expected) bytes and has \(found)"
        case .size(let width, let height, let maximum):
            "a canvas of \(width)x\(height) is larger than \(maximum) a side"
        case .tooManyChunks(let limit): "it has more than \(grouped(limit)) chunks"
        case .outside(let frame): "frame \(frame) reaches beyond the canvas"
        case .frame(let frame): "frame \(frame) has no image"
        case .frameSize(let frame): "the image of frame \(frame) has another size than the frame"
        }
    }
}

/// The fault of the array at a path.
package struct ArrayFailure: Error {
    package let path: String
    package let error: NPYError

    package init(path: String, _ error: NPYError) {
        self.path = path
        self.error = error
    }
}

extension ArrayFailure: Explained {
    package var sentence: String {
        let path = visible(path)
        return switch error {
        case .file(let path, let code): "\(visible(path)) cannot be read: \(SystemError.reason(code))."
        case .header(let fault): "\(path) \(fault.clause)."
        case .elementType(let expected, let found):
            "\(path) has elements of type \(visible(found)); frames are \(expected)."
        case .fortranOrder: "\(path) is in Fortran order; frames must be row by row."
        case .shapeOverflow(let shape): "\(path) has the impossible shape \(shape)."
        case .shape(let row, let found): "\(path) has the shape \(found); frames need [N, \(list(row))]."
        case .truncated(let expected, let found): "\(path) has \(found) bytes of frames and should have \(expected)."
        case .trailingBytes(let count): "\(path) goes on for \(count) bytes after its last frame."
        case .rowCount(let expected, let found): "\(path) should get \(expected) rows and got \(found)."
        case .output(let error): error.sentence
        case .rowLength(let expected, let found): "A row of \(path) has \(found) elements instead of \(expected)."
        }
    }
}

/// What a file is, if it is nothing that frames are read from, and what to do; nil if it looks like a clip or like nothing
/// that is known.
private func otherFormat(_ path: String) -> String? {
    guard let bytes = try? FileBytes.sample(path: path).bytes, let format = ModelFileError.FileFormat.detect(bytes)
    else { return nil }
    switch format {
    case .png, .jpeg, .gif, .webp, .avif, .tiff, .bmp, .mp4, .matroska, .y4m, .avi, .mpegTS: return nil
    default:
        return "\(visible(path)) is \(format), from which no frames are read." + (format.advice.map { " " + $0 } ?? "")
    }
}

private func damagedImages(_ path: String, _ names: [String], _ count: Int) -> String {
    "\(list(names, of: count)) in \(visible(path)) \(count == 1 ? "is" : "are") cut off or damaged."
}

/// The first names of a list of so many.
private func list(_ names: [String], of count: Int) -> String {
    let shown = names.prefix(5).map(visible)
    return shown.joined(separator: ", ") + (count > shown.count ? " and \(grouped(count - shown.count)) more" : "")
}

private func list(_ messages: [String]) -> String {
    messages.map { "\n  " + visible($0) }.joined()
}

private func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
}
