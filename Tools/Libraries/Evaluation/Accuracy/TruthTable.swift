import Foundation

/// The rows of a `truth.csv`: a first row with the names of the columns, in any order and among others, then a row for
/// each thing that a clip shows. Empty rows count for nothing.
struct TruthTable {
    /// A row with its needed cells, in the order in which the columns were asked for.
    struct Row {
        /// In the file; the first line is 1.
        let line: Int
        private let cells: [String?]
        private let columns: [String]

        fileprivate init(line: Int, cells: [String?], columns: [String]) {
            self.line = line
            self.cells = cells
            self.columns = columns
        }

        /// The text of a column.
        func text(_ column: Int) throws(ClipTruthError) -> String {
            guard let text = cells[column], !text.isEmpty else {
                throw ClipTruthError(line: line, fault: .missingCell(column: columns[column]))
            }
            return text
        }

        /// The frame in a column, from 0.
        func frame(_ column: Int) throws(ClipTruthError) -> Int {
            let text = try text(column)
            guard let number = Int(text), number >= 0 else {
                throw ClipTruthError(line: line, fault: .notAFrame(column: columns[column], text))
            }
            return number
        }

        /// The seconds in a column, from 0.
        func seconds(_ column: Int) throws(ClipTruthError) -> Double {
            let text = try text(column)
            guard let number = Double(text), number >= 0, number.isFinite else {
                throw ClipTruthError(line: line, fault: .notATime(column: columns[column], text))
            }
            return number
        }
    }

    let rows: [Row]

    /// Reads the text of a file that must have these columns.
    init(csv: String, columns: [String]) throws(ClipTruthError) {
        var places: [Int]?
        var rows: [Row] = []
        for (index, text) in Self.lines(csv).enumerated() {
            let line = index + 1
            let cells = text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells != [""] else { continue }
            if let places {
                rows.append(
                    Row(line: line, cells: places.map { $0 < cells.count ? cells[$0] : nil }, columns: columns))
            } else {
                places = try Self.places(of: columns, in: cells, line: line)
            }
        }
        guard places != nil else { throw ClipTruthError(line: 1, fault: .missingColumn(columns[0])) }
        self.rows = rows
    }

    /// The text of a file of at most this many bytes.
    static func text(contentsOf url: URL, sizeLimit: Int) throws(ClipTruthError) -> String {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: url)
            data = try file.read(upToCount: sizeLimit + 1) ?? Data()
        } catch {
            throw ClipTruthError(line: nil, fault: .unreadable)
        }
        guard data.count <= sizeLimit else { throw ClipTruthError(line: nil, fault: .tooLarge(limit: sizeLimit)) }
        guard let text = String(data: data, encoding: .utf8) else { throw ClipTruthError(line: nil, fault: .notText) }
        return text
    }

    private static func lines(_ text: String) -> [Substring] {
        // Accepts the line ends of all systems; a byte order mark is not part of the first name.
        let marked = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        return marked.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    private static func places(of columns: [String], in cells: [String], line: Int) throws(ClipTruthError) -> [Int] {
        var places: [Int] = []
        for column in columns {
            guard let place = cells.firstIndex(of: column) else {
                throw ClipTruthError(line: line, fault: .missingColumn(column))
            }
            guard cells.lastIndex(of: column) == place else {
                throw ClipTruthError(line: line, fault: .repeatedColumn(column))
            }
            places.append(place)
        }
        return places
    }
}
