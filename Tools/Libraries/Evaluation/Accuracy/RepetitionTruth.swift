package import Foundation

/// The repetitions of an exercise in a recording, counted by eye.
///
/// The file is `truth.csv`: a first row with the names of the columns, which must include `peak_frame` and `kind` in any
/// order, and a row for each repetition. Frames count from 0; the peak is the movement's extreme.
package struct RepetitionTruth: Sendable, Equatable {
    /// A row of the file.
    package struct Repetition: Sendable, Equatable {
        /// The frame of the movement's extreme.
        package let peak: Int
        /// What was done, such as `squat`.
        package let kind: String
        /// Its line in the file; the first line is 1.
        package let line: Int
    }

    package static let columns = ["peak_frame", "kind"]

    /// In the order of the file.
    package let repetitions: [Repetition]

    /// Reads the text of a file.
    package init(csv: String) throws(ClipTruthError) {
        var repetitions: [Repetition] = []
        for row in try TruthTable(csv: csv, columns: Self.columns).rows {
            repetitions.append(Repetition(peak: try row.frame(0), kind: try row.text(1), line: row.line))
        }
        self.repetitions = repetitions
    }

    /// Reads a file.
    package init(contentsOf url: URL) throws(ClipTruthError) {
        try self.init(csv: TruthTable.text(contentsOf: url, sizeLimit: ClipTruth.sizeLimit))
    }

    /// Throws if a repetition lies beyond a clip with this many frames.
    package func check(frames: Int) throws(ClipTruthError) {
        for repetition in repetitions where repetition.peak >= frames {
            throw ClipTruthError(
                line: repetition.line, fault: .beyondClip(frame: repetition.peak, frames: frames))
        }
    }
}
