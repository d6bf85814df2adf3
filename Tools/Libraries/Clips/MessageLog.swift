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

    /// Distinct lines from the first on, in order, whose repetitions are recognised.
    private var distinct: [String] = []
    private var splitter = LineSplitter(longestLine: longestLine)
    /// The last lines after those.
    private var last: [String] = []
    private var omitted = 0

    init() {}

    /// The lines whose repetitions are recognised.
    var known: Set<String> { Set(distinct) }

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
        guard !line.isEmpty, !distinct.contains(line) else { return }
        guard distinct.count == Self.knownLines else { return distinct.append(line) }
        last.append(line)
        if last.count > Self.keptLines {
            last.removeFirst()
            omitted += 1
        }
    }

    /// In order, with a line that states how many are missing between.
    var lines: [String] { lines(besides: []) }

    /// The same without the lines that are known from elsewhere.
    func lines(besides other: Set<String>) -> [String] {
        let all = (distinct + last).filter { !other.contains($0) }
        let middle = max(0, all.count - 2 * Self.keptLines)
        guard middle + omitted > 0 else { return all }
        return all.prefix(Self.keptLines) + ["(\(middle + omitted) lines left out)"]
            + all.suffix(all.count - middle - Self.keptLines)
    }
}
