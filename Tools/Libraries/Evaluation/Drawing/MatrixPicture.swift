import Foundation

/// A matrix of counts as a drawing: a row for each true class with the shares of what was said, in per cent.
struct MatrixPicture {
    let title: String
    let note: String
    /// The names of rows and columns; a cell is right where they are the same.
    let rows: [String]
    let columns: [String]
    /// [row][column].
    let counts: [[Int]]

    private static let cell = 44.0
    private static let margin = 12.0
    private static let top = 56.0

    func document(_ colours: PictureColours) -> String {
        let (cell, margin, top) = (Self.cell, Self.margin, Self.top)
        let room = rows.map { SVGCanvas.width(of: $0) }.max() ?? 0
        let foot = columns.map { SVGCanvas.width(of: $0) }.max() ?? 0
        let (wide, high) = (cell * Double(columns.count), cell * Double(rows.count))
        let left = margin + room + 8
        let width = max(left + wide + 90, margin + SVGCanvas.width(of: title, size: 16) + margin)
        var canvas = SVGCanvas(
            width: width, height: top + high + foot + 40, title: title, paper: colours.background)
        canvas.text(title, x: margin, y: 24, size: 16, fill: colours.ink)
        canvas.text(note, x: margin, y: 42, size: 11, fill: colours.ink)
        for (line, row) in counts.enumerated() {
            let total = row.reduce(0, +)
            let y = top + cell * Double(line)
            canvas.text(rows[line], x: left - 8, y: y + cell / 2 + 4, anchor: .end, fill: colours.ink)
            canvas.text("\(total)", x: left + wide + 8, y: y + cell / 2 + 4, size: 11, fill: colours.faint)
            for (place, count) in row.enumerated() {
                let part = share(count, total) ?? 0
                let x = left + cell * Double(place)
                let isRight = rows[line] == columns[place]
                if colours.background == nil {
                    canvas.rectangle(x: x, y: y, width: cell, height: cell, fill: colours.band, stroke: colours.line)
                }
                canvas.rectangle(
                    x: x, y: y, width: cell, height: cell,
                    fill: Self.shade(part, isRight ? colours.right : colours.wrong),
                    opacity: colours.background == nil ? part : 1, stroke: colours.line,
                    note: "\(rows[line]) said to be \(columns[place]): \(count) of \(total)")
                guard count > 0 else { continue }
                canvas.text(
                    String(format: part < 0.0995 ? "%.1f" : "%.0f", 100 * part), x: x + cell / 2, y: y + cell / 2 + 4,
                    anchor: .middle, fill: part > 0.55 ? colours.onFull : colours.ink)
            }
        }
        for (place, name) in columns.enumerated() {
            canvas.text(
                name, x: left + cell * (Double(place) + 0.5) + 4, y: top + high + 10, anchor: .end, fill: colours.ink,
                isUpright: false)
        }
        return canvas.document
    }

    /// From white to a full colour of six hexadecimal digits; another colour as it is.
    private static func shade(_ part: Double, _ colour: String) -> String {
        guard colour.hasPrefix("#"), let value = Int(colour.dropFirst(), radix: 16) else { return colour }
        func channel(_ shift: Int) -> Int {
            let full = Double(value >> shift & 255)
            return Int((255 + (full - 255) * min(1, max(0, part))).rounded())
        }
        return String(format: "#%02x%02x%02x", channel(16), channel(8), channel(0))
    }
}
