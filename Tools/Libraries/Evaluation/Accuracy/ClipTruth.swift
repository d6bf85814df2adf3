package import Foundation

/// The content of a recording, labelled by eye: runs of frames with a label each.
///
/// The file is `truth.csv`: a first row with the names of the columns, which must include `start`, `end` and `label` in
/// any order, and a row for each run. Frames count from 0, the last frame of a run belongs to it, and runs may overlap.
/// The label is a gesture of the model; or `other` or `null`, where nothing may be reported; or `skip`, where reports
/// do not count.
package struct ClipTruth: Sendable, Equatable {
    /// The content of a run of frames.
    package enum Content: Sendable, Equatable {
        /// A gesture, by its class.
        case gesture(Int)
        /// Nothing that may be reported.
        case nothing
        /// Reports do not count, neither as right nor as wrong.
        case skipped
    }

    /// A row of the file.
    package struct Run: Sendable, Equatable {
        package let frames: ClosedRange<Int>
        package let content: Content
        /// Its line in the file; the first line is 1.
        package let line: Int
    }

    package static let fileName = "truth.csv"
    package static let columns = ["start", "end", "label"]
    /// Largest file read, in bytes.
    package static let sizeLimit = 1 << 20

    /// In the order of the file.
    package let runs: [Run]
    package let classes: ClassNames

    /// Reads the text of a file.
    package init(csv: String, classes: ClassNames) throws(ClipTruthError) {
        self.classes = classes
        var runs: [Run] = []
        for row in try TruthTable(csv: csv, columns: Self.columns).rows {
            let (start, end) = (try row.frame(0), try row.frame(1))
            guard start <= end else {
                throw ClipTruthError(line: row.line, fault: .endBeforeStart(start: start, end: end))
            }
            let label = try row.text(2)
            guard let content = Self.content(of: label, classes) else {
                throw ClipTruthError(line: row.line, fault: .unknownLabel(label))
            }
            runs.append(Run(frames: start...end, content: content, line: row.line))
        }
        self.runs = runs
    }

    /// Reads a file.
    package init(contentsOf url: URL, classes: ClassNames) throws(ClipTruthError) {
        let text = try TruthTable.text(contentsOf: url, sizeLimit: Self.sizeLimit)
        try self.init(csv: text, classes: classes)
    }

    /// The labels of gestures in a file, independent of a model's classes.
    package static func gestures(contentsOf url: URL) throws(ClipTruthError) -> Set<String> {
        let text = try TruthTable.text(contentsOf: url, sizeLimit: sizeLimit)
        var labels: Set<String> = []
        for row in try TruthTable(csv: text, columns: columns).rows { labels.insert(try row.text(2)) }
        return labels.subtracting(["skip", "other", "null"])
    }

    /// Throws if a run goes beyond a clip with this many frames.
    package func check(frames: Int) throws(ClipTruthError) {
        for run in runs where run.frames.upperBound >= frames {
            throw ClipTruthError(line: run.line, fault: .beyondClip(frame: run.frames.upperBound, frames: frames))
        }
    }

    /// The frames at which reports do not count.
    package var skipped: [ClosedRange<Int>] { runs.filter { $0.content == .skipped }.map(\.frames) }

    /// Whether reports at a frame do not count.
    package func isSkipped(frame: Int) -> Bool { skipped.contains { $0.contains(frame) } }

    private static func content(of label: String, _ classes: ClassNames) -> Content? {
        switch label {
        case "skip": return .skipped
        case "other", "null": return .nothing
        default:
            guard let index = classes.index(of: label) else { return nil }
            return index == classes.nullIndex ? .nothing : .gesture(index)
        }
    }
}

/// The fault of a `truth.csv` or of `PointerLabels`, and its line.
package struct ClipTruthError: Error, Sendable, Equatable {
    package enum Fault: Sendable, Equatable {
        case unreadable
        case tooLarge(limit: Int)
        /// The bytes are not UTF-8.
        case notText
        /// The first row lacks a name.
        case missingColumn(String)
        /// The first row has a name twice.
        case repeatedColumn(String)
        /// A row is too short, or has an empty cell.
        case missingCell(column: String)
        /// A frame is not a whole number, or is negative.
        case notAFrame(column: String, String)
        /// Seconds are not a finite number of 0 or more.
        case notATime(column: String, String)
        case endNotAfterStart(start: Double, end: Double)
        /// A row of `PointerLabels` has none of these kinds.
        case unknownKind(String, known: [String])
        case endBeforeStart(start: Int, end: Int)
        /// The model does not have this label.
        case unknownLabel(String)
        /// The clip has only this many frames.
        case beyondClip(frame: Int, frames: Int)
    }

    /// Nil for a fault of the whole file; the first line is 1.
    package let line: Int?
    package let fault: Fault

    package init(line: Int?, fault: Fault) {
        self.line = line
        self.fault = fault
    }
}
