import Foundation

extension AccuracyReport {
    /// The confusion matrix as an SVG file: a row for each true class with the shares of its predictions, in per cent.
    /// Classes that are neither true nor predicted anywhere are left out.
    /// - decided: whether undecided frames are left out.
    package func confusionPicture(decided: Bool = false, title: String = "Confusion of frames") -> String {
        let matrix = decided ? decided_confusion : confusion
        func count(_ row: Int, _ column: Int) -> Int {
            matrix.indices.contains(row) && matrix[row].indices.contains(column) ? matrix[row][column] : 0
        }
        let shown = labels.indices.filter { index in
            labels.indices.contains { count(index, $0) > 0 || count($0, index) > 0 }
        }
        let (cell, margin, top) = (44.0, 12.0, 56.0)
        let names = shown.map { labels[$0] }
        let room = names.map { SVGCanvas.width(of: $0) }.max() ?? 0
        let side = cell * Double(shown.count)
        let left = margin + room + 8
        let width = max(left + side + 90, margin + SVGCanvas.width(of: title, size: 16) + margin)
        var canvas = SVGCanvas(width: width, height: top + side + room + 40, title: title)
        canvas.text(title, x: margin, y: 24, size: 16)
        canvas.text("rows: true class; columns: said class; per cent of the row", x: margin, y: 42, size: 11)

        for (line, row) in shown.enumerated() {
            let total = labels.indices.reduce(0) { $0 + count(row, $1) }
            let y = top + cell * Double(line)
            canvas.text(names[line], x: left - 8, y: y + cell / 2 + 4, anchor: .end)
            canvas.text("\(total)", x: left + side + 8, y: y + cell / 2 + 4, size: 11, fill: "#777777")
            for (place, column) in shown.enumerated() {
                let part = share(count(row, column), total) ?? 0
                let x = left + cell * Double(place)
                canvas.rectangle(
                    x: x, y: y, width: cell, height: cell, fill: Self.shade(part, isRight: row == column),
                    stroke: "#eeeeee",
                    note: "\(names[line]) said to be \(names[place]): \(count(row, column)) of \(total)")
                guard count(row, column) > 0 else { continue }
                canvas.text(
                    String(format: part < 0.0995 ? "%.1f" : "%.0f", 100 * part), x: x + cell / 2, y: y + cell / 2 + 4,
                    anchor: .middle, fill: part > 0.55 ? "#ffffff" : "#222222")
            }
        }
        for (place, name) in names.enumerated() {
            canvas.text(
                name, x: left + cell * (Double(place) + 0.5) + 4, y: top + side + 10, anchor: .end, isUpright: false)
        }
        return canvas.document
    }

    /// From white to full colour: blue for correct, red for wrong.
    private static func shade(_ part: Double, isRight: Bool) -> String {
        let full = isRight ? (31.0, 92.0, 153.0) : (190.0, 40.0, 40.0)
        func channel(_ value: Double) -> Int { Int((255 + (value - 255) * min(1, max(0, part))).rounded()) }
        return String(format: "#%02x%02x%02x", channel(full.0), channel(full.1), channel(full.2))
    }
}
