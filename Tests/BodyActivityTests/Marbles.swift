import BodyPose
import BodyTracking

/// A movement as characters, a tenth of a second each: digits are tenths of the way from rest to the extreme, `X` is all of it,
/// `-` shows nobody, `*` shows only what does not count.
///
/// The phases: `?` unknown, `.` at rest, `<` outward, `^` at the extreme, `>` inward; `!` at rest, counted, and `s` at rest, too
/// shallow.
struct Marbles {
    var activity: BodyActivity
    var results: [BodyActivityResult] = []
    var statistics: BodyActivityStatistics

    init(_ input: String, activity: BodyActivity = .raise()) throws {
        self.activity = activity
        var watch = try Watch(
            activity, BodyActivityConfiguration(interpolationLimit: .zero, smoothingAlpha: 1), rate: 10)
        for marble in input {
            switch marble {
            case "-": results.append(watch.step([]))
            case "*":
                var body = Mannequin.body(raising: 0)
                body.hide([.leftWrist])
                results.append(watch.step([body]))
            default:
                results.append(watch.step([Mannequin.body(raising: marble == "X" ? 1 : Double(String(marble))! / 10)]))
            }
        }
        statistics = watch.tracker.statistics
    }

    var output: String {
        String(
            results.map { result -> Character in
                if let completed = result.completed { return completed.isCounted ? "!" : "s" }
                return switch result.phase {
                case .unknown: "?"
                case .rest: "."
                case .outward: "<"
                case .extreme: "^"
                case .inward: ">"
                }
            })
    }

    var completed: [BodyRepetition] { results.compactMap(\.completed) }
}
