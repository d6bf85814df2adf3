/// The measures of labelled clips as a page: confusion, classes, groups, and each clip over time.
package struct AccuracyPage {
    /// Clips that are drawn.
    package static let mostClips = 100

    private let name: String
    private let report: AccuracyReport
    private let timelines: [(clip: String, picture: String)]

    /// - Parameters:
    ///   - name: of the model and the clips.
    ///   - timelines: `pageTimeline` of each clip; those beyond `mostClips` are left out.
    package init(name: String, report: AccuracyReport, timelines: [(clip: String, picture: String)]) {
        (self.name, self.report, self.timelines) = (name, report, timelines)
    }

    package var document: String {
        let measures = report.overall
        var page = HTMLPage(
            "Accuracy: \(name)",
            lead: "\(measures.clips) clips, \(decimalText(measures.minutes, places: 1)) minutes: "
                + "\(percentText(measures.frames.top1)) of the frames are right, and "
                + "\(percentText(measures.lenient.detection_rate)) of the gestures are found.")
        page.heading("Confusion")
        page.picture(report.confusionPicture(decided: false, title: "All frames", .page))
        page.picture(report.confusionPicture(decided: true, title: "Decided frames", .page))
        for table in report.tables() {
            page.heading(table.title)
            page.table(table)
        }
        page.heading("Clips")
        page.paragraph(
            "The true gestures, with undecided frames in grey below; the leading class of each frame, fainter with less "
                + "confidence; and what was reported, with a line at the decision and a red edge where it is false.")
        for timeline in timelines.prefix(Self.mostClips) { page.picture(timeline.picture) }
        if timelines.count > Self.mostClips {
            page.paragraph("\(timelines.count - Self.mostClips) more clips are not drawn.")
        }
        return page.document
    }
}
