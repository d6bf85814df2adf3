extension TruthReport {
    /// The report as a page: found against false, confusion, and each recording with its misses.
    /// - name: of the recordings.
    package func page(name: String) -> String {
        var page = HTMLPage("Accuracy: \(name)", lead: total.line + ".")
        page.heading("Found against false")
        page.paragraph(
            "A square for each gesture: filled where it was found, empty where it was missed, red where false.")
        page.picture(foundPicture)
        page.heading("Confusion of gestures")
        page.picture(confusion.document(.page))
        page.heading("Recordings")
        page.table(table) { row, column in
            switch column {
            case 2: clips[row].found.isEmpty ? nil : .good
            case 3: clips[row].missed.isEmpty ? .faint : .bad
            case 4: clips[row].false_positives.isEmpty ? .faint : .bad
            default: nil
            }
        }
        for clip in clips {
            page.heading(clip.name)
            page.picture(clip.picture)
            page.log(clip.lines(nameWidth: 0))
        }
        return page.document
    }

    private var table: ReportTable {
        ReportTable(
            "Recordings", first: "recording",
            numbers: ["gestures", "found", "missed", "false", "frames", "a second", "a hand in"],
            rows: clips.map { clip in
                [
                    clip.name, "\(clip.found.count + clip.missed.count)", "\(clip.found.count)",
                    "\(clip.missed.count)", "\(clip.false_positives.count)", "\(clip.frames)",
                    decimalText(clip.rate_hz, places: 2), clip.hand_frames.map { "\($0)" } ?? "–",
                ]
            })
    }

    /// What was said for each true gesture. A miss counts as a class that was false within its time, if there is one,
    /// and otherwise as nothing; what was false elsewhere is in the row of nothing.
    var confusion: MatrixPicture {
        let nothing = "nothing"
        var counts: [String: [String: Int]] = [:]
        for clip in clips {
            for gesture in clip.found { counts[gesture.label, default: [:]][gesture.label, default: 0] += 1 }
            var rest = clip.false_positives
            for miss in clip.missed {
                let window = TruthMatching.window(of: miss.start...miss.end)
                let place = rest.firstIndex { window.contains($0.frame) }
                counts[miss.label, default: [:]][place.map { rest[$0].label } ?? nothing, default: 0] += 1
                if let place { rest.remove(at: place) }
            }
            for begin in rest { counts[nothing, default: [:]][begin.label, default: 0] += 1 }
        }
        func ordered(_ names: Set<String>) -> [String] {
            names.subtracting([nothing]).sorted() + (names.contains(nothing) ? [nothing] : [])
        }
        let rows = ordered(Set(counts.keys))
        let columns = ordered(Set(counts.values.flatMap(\.keys)).union(rows))
        return MatrixPicture(
            title: "Gestures", note: "rows: true gesture; columns: what was reported; per cent of the row", rows: rows,
            columns: columns, counts: rows.map { row in columns.map { counts[row]?[$0] ?? 0 } })
    }

    /// A row of squares for each recording.
    private var foundPicture: String {
        let (side, gap, line) = (11.0, 3.0, 18.0)
        let left = 16 + min(260, clips.map { SVGCanvas.width(of: $0.name) }.max() ?? 0)
        let most = clips.map { $0.found.count + $0.missed.count + $0.false_positives.count }.max() ?? 0
        var canvas = SVGCanvas(
            width: max(400, left + Double(most) * (side + gap) + 20), height: line * Double(clips.count) + 8,
            title: "Found, missed and false", paper: nil)
        for (row, clip) in clips.enumerated() {
            let y = 4 + line * Double(row)
            canvas.text(String(clip.name.prefix(36)), x: left - 8, y: y + 10, anchor: .end, fill: "var(--ink)")
            var x = left
            func square(_ fill: String, _ stroke: String, _ note: String) {
                canvas.rectangle(x: x, y: y, width: side, height: side, fill: fill, stroke: stroke, note: note)
                x += side + gap
            }
            for gesture in clip.found {
                square("var(--green)", "var(--green)", "\(gesture.label) \(gesture.start)-\(gesture.end), found")
            }
            for miss in clip.missed {
                square("transparent", "var(--outside)", "\(miss.label) \(miss.start)-\(miss.end), missed")
            }
            for begin in clip.false_positives {
                square("var(--red)", "var(--red)", "\(begin.label) at frame \(begin.frame), false")
            }
        }
        return canvas.document
    }
}

extension TruthReport.Clip {
    /// The frames of the recording: true gestures above, and what was reported below.
    fileprivate var picture: String {
        let (left, width, lane) = (76.0, 940.0, 16.0)
        var canvas = SVGCanvas(width: 1040, height: 82, title: name, paper: nil)
        func x(_ frame: Int) -> Double { left + width * min(1, max(0, Double(frame) / Double(max(1, frames)))) }
        for (row, title) in ["truth", "reported"].enumerated() {
            let y = 6 + (lane + 6) * Double(row)
            canvas.text(title, x: left - 8, y: y + 12, size: 11, anchor: .end, fill: "var(--ink)")
            canvas.rectangle(x: left, y: y, width: width, height: lane, fill: "var(--band)")
        }
        func mark(_ label: String, _ start: Int, _ end: Int, _ colour: String, _ opacity: Double, _ note: String) {
            canvas.rectangle(
                x: x(start), y: 6, width: max(2, x(end + 1) - x(start)), height: lane, fill: colour, opacity: opacity,
                note: "\(label) \(start)-\(end), \(note)")
        }
        for gesture in found { mark(gesture.label, gesture.start, gesture.end, "var(--green)", 0.8, "found") }
        for miss in missed { mark(miss.label, miss.start, miss.end, "var(--outside)", 0.8, "missed") }
        func reported(_ label: String, _ frame: Int, _ colour: String, _ note: String) {
            canvas.rectangle(
                x: x(frame) - 1.5, y: 28, width: 3, height: lane, fill: colour,
                note: "\(label) at frame \(frame), \(note)")
        }
        for gesture in found { reported(gesture.label, gesture.begin, "var(--green)", "found") }
        for begin in false_positives { reported(begin.label, begin.frame, "var(--red)", "false") }
        for begin in skipped { reported(begin.label, begin.frame, "var(--outside)", "does not count") }
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000].first { frames / $0 <= 14 } ?? 50_000
        for frame in stride(from: 0, through: frames, by: step) {
            canvas.line(from: (x(frame), 50), to: (x(frame), 54), stroke: "var(--faint)")
            canvas.text("\(frame)", x: x(frame), y: 68, size: 11, anchor: .middle, fill: "var(--faint)")
        }
        return canvas.document
    }
}
