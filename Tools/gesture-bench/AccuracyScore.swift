import Foundation
import GestureEngine

/// What a set of labelled clips says about a model.
struct AccuracyScore {
    /// An event counts as found when its label matches and it was decided between the true onset and this long after
    /// the true end.
    static let tolerance = 0.5

    private var frames: [String: (right: Int, all: Int)] = [:]
    private var truths: [String: (found: Int, all: Int)] = [:]
    private var delays: [Double] = []
    private var falseEvents = 0
    private var repeatedEvents = 0
    private var seconds = 0.0
    private(set) var clips = 0

    mutating func frame(truth: String, predicted: String) {
        frames[truth, default: (0, 0)].all += 1
        if truth == predicted { frames[truth, default: (0, 0)].right += 1 }
    }

    /// Matches the begins of a clip with its true events, each at most once, in the order of time.
    mutating func clip(begins: [GestureEvent], truth: [ClipLabels.Event], seconds: Double) {
        clips += 1
        self.seconds += seconds
        var open = truth
        var found: [ClipLabels.Event] = []
        for begin in begins {
            let time = begin.decision.inSeconds
            func fits(_ event: ClipLabels.Event) -> Bool {
                event.label == begin.label && time >= event.onset_s && time <= event.end_s + Self.tolerance
            }
            if let index = open.firstIndex(where: fits) {
                delays.append(time - open[index].onset_s)
                found.append(open.remove(at: index))
            } else if found.contains(where: fits) {
                repeatedEvents += 1
            } else {
                falseEvents += 1
            }
        }
        for event in truth { truths[event.label, default: (0, 0)].all += 1 }
        for event in found { truths[event.label, default: (0, 0)].found += 1 }
    }

    var report: AccuracyReport {
        func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
        let sorted = delays.sorted()
        return AccuracyReport(
            clips: clips, minutes: seconds / 60,
            frame_top1: share(frames.values.reduce(0) { $0 + $1.right }, frames.values.reduce(0) { $0 + $1.all }),
            frame_recall: frames.compactMapValues { share($0.right, $0.all) },
            detection_rate: share(truths.values.reduce(0) { $0 + $1.found }, truths.values.reduce(0) { $0 + $1.all }),
            detection: truths.mapValues { .init(found: $0.found, of: $0.all) },
            false_events: falseEvents, repeated_events: repeatedEvents,
            false_events_per_minute: seconds > 0 ? Double(falseEvents) / (seconds / 60) : nil,
            median_delay_ms: sorted.isEmpty ? nil : 1000 * sorted[sorted.count / 2])
    }
}

/// The report of `accuracy`; property names are the JSON keys.
struct AccuracyReport: Codable {
    struct Detection: Codable {
        let found: Int
        let of: Int
    }

    let clips: Int
    let minutes: Double
    /// Share of frames whose leading class, behind the median, is the true label.
    let frame_top1: Double?
    let frame_recall: [String: Double]
    let detection_rate: Double?
    let detection: [String: Detection]
    let false_events: Int
    /// Second and later begins of one true event.
    let repeated_events: Int
    let false_events_per_minute: Double?
    /// From the true onset to the decision, over found events.
    let median_delay_ms: Double?

    func table(labels: [String]) -> String {
        func percent(_ share: Double?) -> String { share.map { String(format: "%5.1f %%", 100 * $0) } ?? "      –" }
        var lines = [
            "\(clips) clips, \(String(format: "%.1f", minutes)) minutes",
            "frames right       \(percent(frame_top1))",
            "events found       \(percent(detection_rate))",
            "false events       \(false_events) (\(String(format: "%.2f", false_events_per_minute ?? 0)) a minute), "
                + "repeated \(repeated_events)",
            "median delay       \(median_delay_ms.map { String(format: "%.0f ms", $0) } ?? "–")",
            "",
            "label          frames right   events found",
        ]
        for label in labels where frame_recall[label] != nil || detection[label] != nil {
            let events = detection[label].map { "\($0.found) of \($0.of)" } ?? "–"
            lines.append(
                label.padding(toLength: 15, withPad: " ", startingAt: 0) + percent(frame_recall[label]) + "        "
                    + events)
        }
        return lines.joined(separator: "\n")
    }
}
