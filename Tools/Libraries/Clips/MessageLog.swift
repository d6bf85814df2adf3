/// A program's messages on standard error, within bounds: its first and its last lines, each cut to a maximum length,
/// without repetitions. Memory addresses in FFmpeg's part names are removed, so that the same file gives the same
/// lines.
struct MessageLog {
    /// Lines kept at the beginning and at the end.
    static let keptLines = 4
    /// Bytes kept of a line.
    static let longestLine = 400
    /// The number of lines whose repetitions are recognised.
    static let knownLines = 256

    /// Lines to discard from now on.
    private(set) var known: Set<String>
    private var splitter = LineSplitter(longestLine: longestLine)
    private var first: [String] = []
    private var last: [String] = []
    private var omitted = 0

    /// - Parameter known: lines to discard.
    init(known: Set<String> = []) { self.known = known }

    mutating func take(_ bytes: RawSpan) {
        var lines: [String] = []
        splitter.take(bytes) { lines.append($0) }
        for line in lines { add(line) }
    }

    mutating func finish() {
        var lines: [String] = []
        splitter.finish { lines.append($0) }
        for line in lines { add(line) }
    }

    mutating func add(_ line: String) {
        let line = line.replacing(/\ @ 0x[0-9a-f]+/, with: "")
        guard !line.isEmpty, !known.contains(line) else { return }
        if known.count < Self.knownLines { known.insert(line) }
        guard first.count == Self.keptLines else { return first.append(line) }
        last.append(line)
        if last.count > Self.keptLines {
            last.removeFirst()
            omitted += 1
        }
    }

    /// In order, with a line that states how many are missing between.
    var lines: [String] { first + (omitted > 0 ? ["(\(omitted) lines left out)"] : []) + last }
}
