/// The results of gestures that are new to a model, by their number of examples. Property names are the JSON keys; a
/// mean of no values is absent.
package struct EnrolmentSummary: Codable, Sendable, Equatable {
    /// One label and one number of examples.
    package struct Row: Codable, Sendable, Equatable {
        package let label: String
        package let examples: Int
        package let attempts: Int
        package let enrolled: Int
        /// By reason.
        package let refusals: [String: Int]
        /// Shares of true events that enrolled gestures find, by the lenient rule: mean, minimum and maximum of the
        /// trials.
        package let detection_rate: Double?
        package let least_detection_rate: Double?
        package let most_detection_rate: Double?
        package let onset_to_decision: DelayMeasures
        /// Over all enrolled trials at once: in clips that show the gesture, in those that show another new one, in
        /// those that show only the model's, and in those without gestures.
        package let false_events_per_minute_own: Double?
        package let false_events_per_minute_new: Double?
        package let false_events_per_minute_known: Double?
        package let false_events_per_minute_null: Double?
        /// Of the true events of the model's own classes, the shares found by the model alone and with the gesture
        /// added.
        package let model_detection_rate_alone: Double?
        package let model_detection_rate_beside: Double?
        /// Share of the clips in which begins of the model's own classes changed.
        package let changed_clips: Double?
        /// Of the largest file.
        package let file_bytes: Int?
    }

    package let rows: [Row]
    package let trials: [EnrolmentTrial]

    /// - labels, counts: one row for each pair, in this order, even without trials.
    package init(_ trials: [EnrolmentTrial], labels: [String], counts: [Int]) {
        self.trials = trials
        rows = labels.flatMap { label in
            counts.map { count in
                Row(label, count, trials.filter { $0.label == label && $0.examples.count == count }.map(\.outcome))
            }
        }
    }

    package var table: ReportTable {
        let titles = [
            ("label", false), ("examples", true), ("enrolled", true), ("detection", true), ("least", true),
            ("most", true), ("delay ms", true), ("false/min own", true), ("new", true), ("known", true), ("null", true),
            ("model changed", true), ("bytes", true), ("refused", false),
        ]
        return ReportTable(
            "Gestures that are new to the model", columns: titles.map { .init(title: $0.0, isNumber: $0.1) },
            rows: rows.map(\.cells))
    }
}

extension EnrolmentSummary.Row {
    fileprivate init(_ label: String, _ count: Int, _ outcomes: [EnrolmentTrial.Outcome]) {
        var scores: [EnrolmentScore] = []
        var bytes: [Int] = []
        var reasons: [String: Int] = [:]
        for outcome in outcomes {
            switch outcome {
            case .enrolled(let size, let score):
                scores.append(score)
                bytes.append(size)
            case .refused(let reason, _): reasons[reason, default: 0] += 1
            }
        }
        let rates = scores.compactMap(\.detectionRate)
        func falseEvents(_ kind: KeyPath<EnrolmentScore, EnrolmentScore.Footage>) -> Double? {
            let all = scores.map { $0[keyPath: kind] }.reduce(EnrolmentScore.Footage(), +)
            return perMinute(all.false_events, seconds: all.seconds)
        }
        func sum(_ value: (EnrolmentScore) -> Int) -> Int { scores.reduce(0) { $0 + value($1) } }
        let modelTruths = sum { $0.model.truths }
        self.init(
            label: label, examples: count, attempts: outcomes.count, enrolled: scores.count, refusals: reasons,
            detection_rate: mean(rates), least_detection_rate: rates.min(), most_detection_rate: rates.max(),
            onset_to_decision: DelayMeasures(seconds: scores.flatMap(\.delays_s)),
            false_events_per_minute_own: falseEvents(\.own), false_events_per_minute_new: falseEvents(\.new),
            false_events_per_minute_known: falseEvents(\.known), false_events_per_minute_null: falseEvents(\.null),
            model_detection_rate_alone: share(sum { $0.model.found_alone }, modelTruths),
            model_detection_rate_beside: share(sum { $0.model.found_beside }, modelTruths),
            changed_clips: share(
                sum { $0.model.changed_clips }, sum { $0.own.clips + $0.new.clips + $0.known.clips + $0.null.clips }),
            file_bytes: bytes.max())
    }

    fileprivate var cells: [String] {
        let reasons = refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [
            label, "\(examples)", attempts == 0 ? "–" : "\(enrolled) of \(attempts)", percentText(detection_rate),
            percentText(least_detection_rate), percentText(most_detection_rate),
            decimalText(onset_to_decision.median_ms, places: 0), decimalText(false_events_per_minute_own, places: 2),
            decimalText(false_events_per_minute_new, places: 2), decimalText(false_events_per_minute_known, places: 2),
            decimalText(false_events_per_minute_null, places: 2), percentText(changed_clips),
            file_bytes.map(String.init) ?? "–", reasons.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
        ]
    }
}
