import Enrolment

/// The solver's parts by the shortest names.
enum RowProbe {
    static func solve(_ a: [Double], _ b: [Double]) -> [Double]? { DenseAlgebra.solve(a, b) }

    static func fit(
        columns: [Double], featureCount: Int, offsets: [Double], targets: [Bool], weights: [Double],
        metric: [Double], ridge: Double
    ) throws -> RowFit {
        try RowProblem(columns: columns, featureCount: featureCount, offsets: offsets, targets: targets).solve(
            weights: weights, metric: FeatureMetric(matrix: metric), ridge: ridge)
    }

    static func metric(
        columns: [Double], featureCount: Int, groups: [Int], counts: [Double]
    ) -> (matrix: [Double], shrinkage: Double) {
        let metric = FeatureMetric(columns: columns, featureCount: featureCount, groups: groups, counts: counts)
        return (metric.matrix, metric.shrinkage)
    }

    static func span(_ recording: GestureRecording) throws -> Range<Int> {
        try GestureSpan(recording, index: 0).slots
    }

    static func runs(_ marbles: String, count: Int) -> Int {
        ConsecutiveRuns.runs(marbles.map { $0 == "x" }, count: count)
    }

    static func best(_ values: [Double], count: Int) -> Double { ConsecutiveRuns.best(values, count: count) }
}
