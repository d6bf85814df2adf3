/// Takes the lines of a text apart as its bytes come.
struct LineSplitter {
    /// Bytes of a line that are kept; what follows them is passed over.
    let longestLine: Int
    private var line: [UInt8] = []

    init(longestLine: Int) { self.longestLine = longestLine }

    /// Gives every line that ends within the bytes, without its end.
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

    /// Gives what follows the last line end, if there is something.
    mutating func finish(_ body: (String) -> Void) {
        guard !line.isEmpty else { return }
        body(String(decoding: line, as: UTF8.self))
        line.removeAll()
    }
}
