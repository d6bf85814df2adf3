import Foundation

extension TruthReport {
    /// A line for each recording, followed by its misses and false begins, and a last line with the sums.
    package var lines: [String] {
        let width = clips.map(\.name.count).max() ?? 0
        return clips.flatMap { $0.lines(nameWidth: width) } + ["", total.line]
    }
}

extension TruthReport.Clip {
    func lines(nameWidth: Int) -> [String] {
        let gestures = found.count + missed.count
        let hands = hand_frames.map { ", a hand in \($0)" } ?? ""
        let rate = rate_hz.map { " at \(decimalText($0, places: 2)) a second" } ?? ""
        let padded = name.padding(toLength: max(nameWidth, name.count), withPad: " ", startingAt: 0)
        return [
            "\(padded)  \(found.count) of \(gestures) found, \(false_positives.count) false; \(frames) frames\(rate)\(hands)"
        ]
            + found.map {
                "    found    \($0.label) \($0.start)-\($0.end) by frame \($0.begin) (\(shareText($0.confidence)))"
            }
            + missed.map { "    missed   " + $0.text }
            + false_positives.map { "    false  \($0.label) at frame \($0.frame) (\(shareText($0.confidence)))" }
            + skipped.map { "    skipped  \($0.label) at frame \($0.frame) (\(shareText($0.confidence)))" }
    }
}

extension TruthReport.Miss {
    /// The missed gesture, and what was recognised instead.
    package var text: String {
        let hands = hand_frames.map { ", a hand in \($0)" } ?? ""
        guard let best else { return "\(label) \(start)-\(end): no scores\(hands)" }
        let leaders = led.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return "\(label) \(start)-\(end): \(shareText(best.confidence)) at most, at frame \(best.frame), where "
            + "\(best.leader) led (\(shareText(best.leader_confidence))); led in \(scored_frames) frames: "
            + leaders.joined(separator: ", ") + hands
    }
}

extension TruthReport.Total {
    package var line: String {
        let rate = false_positives_per_minute.map { ", \(decimalText($0, places: 2)) a minute" } ?? ""
        return
            "\(clips) clips, \(decimalText(seconds / 60, places: 2)) minutes: \(found) of \(gestures) gestures found, "
            + "\(missed) missed, \(false_positives) false\(rate)"
    }
}

/// `0.93`.
private func shareText(_ share: Float) -> String { String(format: "%.2f", Double(share)) }
