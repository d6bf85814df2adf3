/// Splits a text into lines as its bytes arrive.
struct LineSplitter {
    /// Bytes of a line that are kept; the rest of the line is discarded.
    let longestLine: Int
    private var line: [UInt8] = []

    init(longestLine: Int) { self.longestLine = longestLine }

    /// Passes on every line that ends within the bytes, without its line end.
    mutating func take(_ bytes: RawSpan, _ body: (String) -> Void) {
        for offset in bytes.byteOffsets {
            let byte = bytes.byte(at: offset)
            if byte == UInt8(ascii: "\n") {
                body(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            } else if line.count < longestLine {
                line.append(byte)
            }
        }
    }

    /// Passes on the rest after the last line end, if any.
    mutating func finish(_ body: (String) -> Void) {
        guard !line.isEmpty else { return }
        body(String(decoding: line, as: UTF8.self))
        line.removeAll()
    }
}
