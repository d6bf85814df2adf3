/// A replayed clip as a page: pictures with skeletons, the scores over time, the events, and why gestures were not reported.
package struct ReplayPage {
    private static let mostAttempts = 60

    private let name: String
    private let facts: [(name: String, value: String)]
    private let record: ReplayRecord
    private let film: [(picture: FilmPicture, jpeg: [UInt8])]
    private let bones: [(start: Int, end: Int)]

    /// - Parameters:
    ///   - name: of the clip.
    ///   - facts: about the clip and how it was recognised.
    ///   - film: pictures with their files.
    ///   - bones: pairs of a hand's points that a line connects.
    package init(
        name: String, facts: [(name: String, value: String)], record: ReplayRecord,
        film: [(picture: FilmPicture, jpeg: [UInt8])], bones: [(start: Int, end: Int)]
    ) {
        (self.name, self.facts, self.record, self.film, self.bones) = (name, facts, record, film, bones)
    }

    package var document: String {
        let count = record.gestures.count
        var page = HTMLPage(
            "Replay: \(name)",
            lead: "\(count) gesture\(count == 1 ? "" : "s") reported in \(fixed(record.seconds, 2)) s.")
        page.facts(facts)
        page.heading("Film")
        page.pictures(
            film.map { picture, jpeg in
                (
                    picture.drawing(jpeg: jpeg, bones: bones),
                    fixed(picture.time, 2) + " s" + (picture.caption.map { "  " + $0 } ?? "")
                )
            })
        page.heading("Scores")
        page.paragraph(
            "After the median. Dashed: what a score must exceed. Rest the pointer on a bar for its numbers; a black or "
                + "white tick says when the gesture was reported.")
        page.picture(ReplayPicture(record).document)
        page.heading("Reported")
        page.table(events)
        let attempts = record.attempts.filter { $0.outcome != .reported }
        page.heading("Not reported, and why")
        if attempts.isEmpty {
            page.paragraph("No other gesture led with at least half of the score that it needs.")
        } else {
            page.paragraph("Stretches in which a gesture led with at least half of the score that it needs.")
            page.table(table(of: attempts))
        }
        page.heading("Classes")
        page.table(classes) { row, column in
            let review = record.classes[row]
            return column == 5 ? (review.reported > 0 ? .good : .faint) : nil
        }
        return page.document
    }

    private var events: ReportTable {
        ReportTable(
            "Reported", first: "gesture", numbers: ["onset, s", "reported, s", "end reported, s", "score"],
            rows: record.gestures.map {
                [
                    record.rules[$0.classIndex].label, fixed($0.onset, 3), fixed($0.decision, 3),
                    $0.end.map { fixed($0, 3) } ?? "–", fixed($0.confidence, 2),
                ]
            })
    }

    /// Those with the highest scores, in the order of time.
    private func table(of attempts: [Attempt]) -> ReportTable {
        let strongest = attempts.sorted { $0.peak > $1.peak }.prefix(Self.mostAttempts)
        let rows = strongest.sorted { $0.begin < $1.begin }.map { attempt in
            [
                record.rules[attempt.classIndex].label, fixed(attempt.begin, 2) + "–" + fixed(attempt.end, 2),
                fixed(attempt.peak, 2), "\(attempt.slotsAbove) of \(record.rules[attempt.classIndex].beginSlots)",
                attempt.framesWithHand.map { "\($0) of \(attempt.frames)" } ?? "–", record.sentence(attempt),
            ]
        }
        let number = ["seconds", "highest", "slots above", "frames with a hand"].map {
            ReportTable.Column(title: $0, isNumber: true)
        }
        return ReportTable(
            "Not reported",
            columns: [.init(title: "gesture", isNumber: false)] + number + [.init(title: "why", isNumber: false)],
            rows: rows)
    }

    private var classes: ReportTable {
        let rows = record.classes.map { review in
            let rule = record.rules[review.classIndex]
            return [
                rule.label, review.highest.map { fixed($0, 2) } ?? "–", review.highestAt.map { fixed($0, 2) } ?? "–",
                fixed(rule.threshold, 2), "\(review.slotsAbove) of \(rule.beginSlots)", "\(review.reported)",
                review.blocked.map(record.sentence)
                    ?? (rule.isAllowed ? (review.reported > 0 ? "" : "never led") : "the class is not allowed"),
            ]
        }
        let number = ["highest", "at, s", "must exceed", "slots above", "reported"].map {
            ReportTable.Column(title: $0, isNumber: true)
        }
        return ReportTable(
            "Classes",
            columns: [.init(title: "gesture", isNumber: false)] + number
                + [.init(title: "what blocked it most", isNumber: false)],
            rows: rows)
    }
}
