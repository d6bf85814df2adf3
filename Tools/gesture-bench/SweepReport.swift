import Evaluation
import GestureEngine
import ModelFile
import Scheduling
import ToolSupport

/// Found and false gestures for various recognition settings, and the curve of one against the other.
struct SweepReport: Encodable {
    /// In the units of a model file.
    struct Settings: Encodable {
        let median_ms: Int
        let begin_ms: Int
        let begin_confidence: Float
        let once_ms: Int

        /// The grid that is searched.
        static var all: [Settings] {
            var all: [Settings] = []
            for median in [33, 100, 167, 233, 300] {
                for begin in [33, 67, 100, 133] {
                    for confidence: Float in [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95] {
                        for once in [0, 300, 500, 800] {
                            all.append(
                                Settings(
                                    median_ms: median, begin_ms: begin, begin_confidence: confidence, once_ms: once))
                        }
                    }
                }
            }
            return all
        }

        /// The model's own defaults, overridden by these settings.
        func configuration(_ own: RecognitionConfiguration, at rate: PacingConfiguration.Rate)
            -> RecognitionConfiguration
        {
            var configuration = own
            let (median, begin) = (RecognitionExtent.milliseconds(median_ms), RecognitionExtent.milliseconds(begin_ms))
            configuration.medianLength = median.oddSlots(at: rate.rawValue, columnRate: nil)
            configuration.beginFrames = begin.slots(at: rate.rawValue, columnRate: nil)
            configuration.setBeginConfidence(ofAllClasses: begin_confidence)
            configuration.mergeWindow = .milliseconds(once_ms)
            return configuration
        }
    }

    struct Count: Encodable {
        var gestures = 0
        var found = 0
        var false_positives = 0

        var text: String { "\(found) of \(gestures), \(false_positives) false" }
    }

    struct Trial: Encodable {
        /// Nil for the model's own settings.
        let settings: Settings?
        let count: Count
        /// On the recordings given with `--also`.
        let also: Count?
    }

    let model: Trial
    /// The most gestures found for each number of false ones, if more than with fewer false.
    let curve: [Trial]
    let trials: [Trial]

    init(model: Trial, trials: [Trial]) {
        self.model = model
        self.trials = trials
        var curve: [Trial] = []
        // Of trials with equal counts, the one that does better on the other recordings comes first.
        let ordered = trials.sorted { left, right in
            let one = (
                left.count.false_positives, -left.count.found, -(left.also?.found ?? 0), left.also?.false_positives ?? 0
            )
            let other = (
                right.count.false_positives, -right.count.found, -(right.also?.found ?? 0),
                right.also?.false_positives ?? 0
            )
            return one < other
        }
        for trial in ordered where trial.count.found > curve.last?.count.found ?? -1 { curve.append(trial) }
        self.curve = curve
    }

    /// The curve as a table.
    var lines: [String] {
        var table = TextTable([
            ("median", .right), ("begin", .right), ("above", .right), ("once", .right), ("found, false", .left),
            ("also", .left),
        ])
        for trial in [model] + curve {
            let settings = trial.settings
            table.add([
                settings.map { "\($0.median_ms) ms" } ?? "as it is", settings.map { "\($0.begin_ms) ms" } ?? "",
                settings.map { "\($0.begin_confidence)" } ?? "", settings.map { "\($0.once_ms) ms" } ?? "",
                trial.count.text, trial.also?.text ?? "",
            ])
        }
        return table.lines
    }
}
