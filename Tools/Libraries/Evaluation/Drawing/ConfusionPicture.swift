extension AccuracyReport {
    /// The confusion matrix as an SVG file: a row for each true class with the shares of its predictions, in per cent.
    /// Classes that are neither true nor predicted anywhere are left out.
    /// - decided: whether undecided frames are left out.
    package func confusionPicture(decided: Bool = false, title: String = "Confusion of frames") -> String {
        confusionPicture(decided: decided, title: title, .file)
    }

    func confusionPicture(decided: Bool, title: String, _ colours: PictureColours) -> String {
        let matrix = decided ? decided_confusion : confusion
        func count(_ row: Int, _ column: Int) -> Int {
            matrix.indices.contains(row) && matrix[row].indices.contains(column) ? matrix[row][column] : 0
        }
        let shown = labels.indices.filter { index in
            labels.indices.contains { count(index, $0) > 0 || count($0, index) > 0 }
        }
        let names = shown.map { labels[$0] }
        return MatrixPicture(
            title: title, note: "rows: true class; columns: said class; per cent of the row", rows: names,
            columns: names, counts: shown.map { row in shown.map { count(row, $0) } }
        ).document(colours)
    }
}
