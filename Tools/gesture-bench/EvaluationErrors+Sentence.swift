import Evaluation
import ToolSupport

extension ClipLabelsError {
    /// The fault, as part of a sentence.
    var clause: String {
        switch self {
        case .unreadable: "it cannot be read"
        case .notJSON: "it is not JSON"
        case .missing(let key): "\(visible(key)) is missing"
        case .malformed(let key): "\(key.isEmpty ? "the file as a whole" : visible(key)) has the wrong type"
        case .rateOutOfRange(let rate): "rate_hz is \(rate); it must be from 1 to 1000"
        case .sourceRateOutOfRange(let rate): "source_hz is \(rate); it must be from 1 to 1000"
        case .noFrames(let frames): "frames is \(frames); it must be 1 or more"
        case .noRuns: "no frame has a label"
        case .runOutOfRange(let first, let end, let frames):
            "the run from frame \(first) to before \(end) must be a range within the clip's \(frames) frames"
        case .overlappingRuns(let one, let other): "the runs \(one) and \(other) overlap"
        case .eventNotFinite(let index): "event \(index) has a time that is not finite"
        case .eventBeforeClip(let index, let onset): "event \(index) begins at \(onset) s, before the clip"
        case .eventWithoutLength(let index, let onset, let end):
            "event \(index) begins at \(onset) s and ends at \(end) s; it must end later than it begins"
        case .nullEvent(let index): "event \(index) has the null class; an event must be a gesture"
        case .unknownLabel(let label): "the model has no class \(visible(label))"
        case .unknownClass(let index): "the model has no class \(index)"
        }
    }
}

extension ClipTruthError {
    /// The fault, as part of a sentence.
    var clause: String {
        switch fault {
        case .unreadable: "it cannot be read"
        case .tooLarge(let limit): "it has more than \(grouped(limit)) bytes"
        case .notText: "it is not UTF-8"
        case .missingColumn(let name): "the first row has no column \(name)"
        case .repeatedColumn(let name): "the first row has two columns \(name)"
        case .missingCell(let column): "\(column) is missing"
        case .notAFrame(let column, let text): "\(column) is \(visible(text)); it must be a whole number of 0 or more"
        case .notATime(let column, let text): "\(column) is \(visible(text)); it must be seconds, 0 or more"
        case .endNotAfterStart(let start, let end): "end_s is \(end), not after start_s, which is \(start)"
        case .unknownKind(let kind, let known):
            "kind is \(visible(kind)); it must be one of \(known.joined(separator: ", "))"
        case .endBeforeStart(let start, let end): "end is \(end), before start, which is \(start)"
        case .unknownLabel(let label): "the model has no class \(visible(label))"
        case .beyondClip(let frame, let frames): "frame \(frame) is beyond the clip, which has \(frames) frames"
        }
    }
}

extension AccuracyComparisonError: Explained {
    package var sentence: String {
        switch self {
        case .empty: "There is nothing to compare."
        case .repeatedName(let name): "\(visible(name)) is named twice."
        case .otherLabels(let name): "\(visible(name)) has other classes than the first model."
        case .otherClips(let name): "\(visible(name)) was measured on other clips."
        }
    }
}
