/// A drawing of dots in a terminal: each character of the Braille patterns has two columns of four dots.
struct TextCanvas {
    private let columns: Int
    private let rows: Int
    private var cells: [UInt8]

    /// The bits of a pattern, by row and column.
    private static let dots: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = [UInt8](repeating: 0, count: columns * rows)
    }

    /// The drawing, a line of text for each row.
    var text: String {
        (0..<rows).map { row in
            String(
                String.UnicodeScalarView(
                    cells[row * columns..<(row + 1) * columns].map { Unicode.Scalar(0x2800 + UInt32($0)) ?? " " }))
        }.joined(separator: "\n")
    }

    /// Draws a line between two points of the upright picture, normalised to its sides. What lies outside is left out.
    mutating func line(_ start: SIMD3<Float>, _ end: SIMD3<Float>) {
        let steps = 2 * max(columns, rows)
        for step in 0...steps {
            let point = start + (end - start) * (Float(step) / Float(steps))
            guard 0..<1 ~= point.x, 0..<1 ~= point.y else { continue }
            let (x, y) = (Int(point.x * Float(2 * columns)), Int(point.y * Float(4 * rows)))
            cells[y / 4 * columns + x / 2] |= Self.dots[y % 4][x % 2]
        }
    }
}
