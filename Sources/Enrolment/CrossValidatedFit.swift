/// A fit, with the results of fits that had not seen a column.
///
/// Each example is held out once, with its rest. Of the bank, the background and earlier gestures each half is held
/// out. In as many dimensions as there are features, a fit separates nearly any few columns that it has seen: only
/// unseen ones show a collision.
struct CrossValidatedFit {
    private let samples: EnrolmentSamples
    /// The fit to all columns.
    private(set) var fit: RowFit
    /// Added to the bias by `shiftBias`.
    private(set) var shift = 0.0
    /// Log-odds by the fit.
    private var seen: [Double]
    /// Log-odds by a fit without the column; nil if there is no such fit.
    private var heldOut: [Double?]
    private let weights: [Double]

    /// Standard deviation that is expected of the bias's shift, in log-odds.
    private static let shiftDeviation = 2.0

    init(
        samples: EnrolmentSamples, metric: FeatureMetric, exampleCount: Int, ridge: Double
    ) throws(EnrolmentError) {
        let problem = samples.problem
        let weights = samples.weights { _ in true }
        let whole = try problem.solve(weights: weights, metric: metric, ridge: ridge)
        var heldOut = [Double?](repeating: nil, count: samples.sources.count)
        func holdOut(_ isHeldOut: (Int) -> Bool) throws(EnrolmentError) {
            guard samples.sources.indices.contains(where: isHeldOut) else { return }
            let without = try problem.solve(
                weights: samples.weights { !isHeldOut($0) }, metric: metric, ridge: ridge, start: whole)
            let logOdds = problem.logOdds(without)
            for index in samples.sources.indices where isHeldOut(index) { heldOut[index] = logOdds[index] }
        }
        for half in [false, true] {
            try holdOut { samples.sources[$0].example == nil && samples.isSecondHalf[$0] == half }
        }
        if exampleCount > 1 {
            for example in 0..<exampleCount { try holdOut { samples.sources[$0].example == example } }
        }
        self.samples = samples
        self.weights = weights
        self.heldOut = heldOut
        fit = whole
        seen = problem.logOdds(whole)
    }

    /// Shifts the bias to suit the held-out columns.
    ///
    /// A fit in many dimensions is more confident about what it has seen than about the next take. With one example
    /// the bias is unchanged.
    mutating func shiftBias() {
        guard samples.sources.indices.contains(where: { samples.sources[$0].isGesture && heldOut[$0] != nil }) else {
            return
        }
        // The loss of the shift alone is convex and smooth, so its slope crosses zero once, within these bounds.
        var low = -10 * Self.shiftDeviation
        var high = 10 * Self.shiftDeviation
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if slope(at: middle) > 0 { high = middle } else { low = middle }
        }
        add((low + high) / 2)
    }

    /// Lowers the bias until held-out columns of null emit at most so many events, if it has to be lowered. Several
    /// columns in a row are one event.
    /// - threshold: log-odds from which a column emits an event.
    mutating func lowerBias(null: EnrolmentSamples.Source, events limit: Int, above threshold: Double) {
        guard falseEvents(null: null, above: threshold) > limit else { return }
        var low = -Self.largestLowering
        var high = 0.0
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if falseEvents(null: null, above: threshold, shiftedBy: middle) > limit {
                high = middle
            } else {
                low = middle
            }
        }
        add(low)
    }

    /// Events in the held-out columns of null, which are in the order of time.
    func falseEvents(null: EnrolmentSamples.Source, above threshold: Double, shiftedBy shift: Double = 0) -> Int {
        let places = samples.sources.indices.filter { samples.sources[$0] == null }
        return ConsecutiveRuns.runs(
            places.map { samples.streamed((heldOut[$0] ?? seen[$0]) + shift, ofColumn: $0) > threshold }, count: 1)
    }

    /// The largest step by which `lowerBias` lowers, in log-odds.
    private static let largestLowering = 30.0

    private mutating func add(_ step: Double) {
        shift += step
        fit.bias += step
        seen = seen.map { $0 + step }
        heldOut = heldOut.map { logOdds in logOdds.map { $0 + step } }
    }

    private func slope(at shift: Double) -> Double {
        var sum = shift / (Self.shiftDeviation * Self.shiftDeviation)
        for (index, logOdds) in heldOut.enumerated() {
            guard let logOdds else { continue }
            let p = Logistic.probability(logOdds + shift)
            sum += weights[index] * (samples.sources[index].isGesture ? p - 1 : p)
        }
        return sum
    }

    /// Log-odds of a source's columns in a stream, in their order, by the fit that includes them.
    func seenLogOdds(of source: EnrolmentSamples.Source) -> [Double] {
        samples.sources.indices.filter { samples.sources[$0] == source }.map {
            samples.streamed(seen[$0], ofColumn: $0)
        }
    }

    /// The same by fits without the columns of the source; nil if the source was in every fit.
    func heldOutLogOdds(of source: EnrolmentSamples.Source) -> [Double]? {
        let values = samples.sources.indices.filter { samples.sources[$0] == source }.compactMap { index in
            heldOut[index].map { samples.streamed($0, ofColumn: index) }
        }
        return values.isEmpty ? nil : values
    }

    /// Share of a source's columns that the new gesture would win against all others; nil if none was held out.
    func firingShare(of source: EnrolmentSamples.Source) -> Double? {
        heldOutLogOdds(of: source).map { values in Double(values.count { $0 > 0 }) / Double(values.count) }
    }
}
