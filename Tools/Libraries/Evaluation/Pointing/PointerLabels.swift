package import Foundation

/// Where recordings show pinches and hands held still, labelled by eye.
///
/// The file is a CSV file with the columns `recording`, `kind`, `start_s` and `end_s`. The kinds are `pinch`, from the first frame in
/// which thumb and index finger touch to the first in which they are apart; `still`, a hand that is held still; and `none`, a recording
/// without either. Rows of a recording follow each other. Times are those of the clip.
package struct PointerLabels: Sendable, Equatable {
    package struct Recording: Sendable, Equatable {
        package let name: String
        /// In seconds.
        package var pinches: [ClosedRange<Double>] = []
        package var still: [ClosedRange<Double>] = []

        package init(name: String, pinches: [ClosedRange<Double>] = [], still: [ClosedRange<Double>] = []) {
            (self.name, self.pinches, self.still) = (name, pinches, still)
        }
    }

    package static let columns = ["recording", "kind", "start_s", "end_s"]
    package static let kinds = ["pinch", "still", "none"]

    /// In the order of the file.
    package let recordings: [Recording]

    /// Reads the text of a file.
    package init(csv: String) throws(ClipTruthError) {
        var recordings: [Recording] = []
        for row in try TruthTable(csv: csv, columns: Self.columns).rows {
            let (name, kind) = (try row.text(0), try row.text(1))
            if recordings.last?.name != name { recordings.append(Recording(name: name)) }
            guard Self.kinds.contains(kind) else {
                throw ClipTruthError(line: row.line, fault: .unknownKind(kind, known: Self.kinds))
            }
            guard kind != "none" else { continue }
            let (start, end) = (try row.seconds(2), try row.seconds(3))
            guard start < end else {
                throw ClipTruthError(line: row.line, fault: .endNotAfterStart(start: start, end: end))
            }
            if kind == "pinch" {
                recordings[recordings.count - 1].pinches.append(start...end)
            } else {
                recordings[recordings.count - 1].still.append(start...end)
            }
        }
        self.recordings = recordings
    }

    /// Reads a file.
    package init(contentsOf url: URL) throws(ClipTruthError) {
        try self.init(csv: TruthTable.text(contentsOf: url, sizeLimit: ClipTruth.sizeLimit))
    }
}
