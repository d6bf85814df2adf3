import Evaluation
import Network

/// The times of the layers of many runs, and of runs that were timed as a whole.
struct LayerSamples {
    /// Runs without measuring layers.
    private(set) var steps = LatencySamples(capacity: 0)
    /// [run][layer], in nanoseconds.
    private var runs: [[UInt64]] = []
    private let layers: Int

    init(layers: Int) { self.layers = layers }

    /// Runs a graph on the current contents of its input: a tenth of `frames` to warm up, and then as a whole and layer
    /// by layer in turn. Nil if a signal came before the first timed run.
    init?(of unit: GraphUnit, frames: Int, _ loop: inout TimingLoop) {
        self.init(layers: unit.plan.instructionMACs.count)
        for _ in 0..<frames / 10 + 1 { unit.run() }
        while loop.goesOn() {
            let begin = Stopwatch.now()
            unit.run()
            let whole = Stopwatch.now() - begin
            var times = [UInt64](repeating: 0, count: layers)
            unit.profile(now: Stopwatch.now, &times)
            add(times, step: whole)
        }
        guard loop.count > 0 else { return nil }
    }

    /// - times: of each layer, in nanoseconds.
    mutating func add(_ times: [UInt64], step: UInt64) {
        runs.append(times)
        steps.add(nanoseconds: Int64(step))
    }

    func summary(ofLayer index: Int) -> LatencySummary {
        LatencySummary(nanoseconds: runs.map { Int64($0[index]) })
    }

    /// Each layer's mean over the middle half of the runs, by their time, in microseconds. The layers of a run stay
    /// together; otherwise their sum would not be the time of any run.
    var middleMeans: [Double] {
        let sorted = runs.sorted { $0.reduce(0, +) < $1.reduce(0, +) }
        let middle = sorted[sorted.count / 4..<max(sorted.count / 4 + 1, sorted.count - sorted.count / 4)]
        return (0..<layers).map { layer in
            middle.reduce(0) { $0 + Double($1[layer]) } / Double(middle.count) / 1000
        }
    }
}
