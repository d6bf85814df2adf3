/// The new row, as a step away from null's.
package struct RowFit: Equatable {
    /// One weight per feature.
    package var weights: [Double]
    package var bias: Double
    /// Newton steps that were taken.
    package var steps = 0
}

/// Samples whose log-odds are known except for the new row's part.
package struct RowProblem {
    let featureCount: Int
    /// [sample][feature], then 1 for the bias.
    let design: [Double]
    /// Log-odds of the new class against all others if its row were null's: null's logit less the log-sum-exp of all.
    let offsets: [Double]
    /// Whether the sample shows the gesture.
    let targets: [Bool]

    /// - columns: [sample][feature].
    package init(columns: [Double], featureCount: Int, offsets: [Double], targets: [Bool]) {
        precondition(columns.count == offsets.count * featureCount && offsets.count == targets.count)
        var design: [Double] = []
        design.reserveCapacity(offsets.count * (featureCount + 1))
        for sample in offsets.indices {
            design += columns[sample * featureCount..<(sample + 1) * featureCount]
            design.append(1)
        }
        self.design = design
        self.featureCount = featureCount
        self.offsets = offsets
        self.targets = targets
    }

    /// Log-odds of every sample under a row.
    package func logOdds(_ fit: RowFit) -> [Double] {
        let products = DenseAlgebra.multiply(design, width: featureCount + 1, by: fit.weights + [fit.bias])
        return zip(products, offsets).map(+)
    }

    /// Minimises, over the row d and the bias c,
    ///
    ///     sum over samples of w * softplus(-/+ (offset + d.x + c)) + ridge / 2 * d' M d + biasRidge / 2 * c^2
    ///
    /// by Newton's method with halved steps. The loss is strictly convex, so the minimum is unique, also for separable
    /// data. Cost: a few products of samples x features^2.
    /// - weights: one per sample, 0 leaves it out.
    /// - metric: M.
    /// - start: where to begin; it affects the time, not the result.
    package func solve(
        weights: [Double], metric: FeatureMetric, ridge: Double, start: RowFit? = nil
    ) throws(EnrolmentError) -> RowFit {
        let width = featureCount + 1
        let penalty = Self.penalty(metric, featureCount, ridge)
        var row = start.map { $0.weights + [$0.bias] } ?? [Double](repeating: 0, count: width)
        var state = State(self, row, weights, penalty)
        var decrement = Double.infinity
        for step in 0..<Self.stepLimit {
            let gradient = zip(
                DenseAlgebra.multiply(design, width: width, by: state.residuals, transposed: true),
                state.penaltyGradient
            ).map(+)
            let gram = DenseAlgebra.weightedGram(design, width: width, weights: state.curvatures)
            guard let direction = DenseAlgebra.solve(zip(gram, penalty).map(+), gradient) else {
                throw .notConverged(decrement: decrement)
            }
            decrement = DenseAlgebra.dot(gradient, direction) / 2
            // The remaining gain is below the resolution of the loss.
            if decrement <= Self.tolerance * (1 + state.loss) {
                return RowFit(weights: Array(row.dropLast()), bias: row[featureCount], steps: step)
            }
            var length = 1.0
            while true {
                let next = zip(row, direction).map { $0 - length * $1 }
                let candidate = State(self, next, weights, penalty)
                if candidate.loss <= state.loss - 0.5e-3 * length * decrement {
                    row = next
                    state = candidate
                    break
                }
                length /= 2
                guard length > Self.minimumLength else { throw .notConverged(decrement: decrement) }
            }
        }
        throw .notConverged(decrement: decrement)
    }

    private static let stepLimit = 100
    private static let tolerance = 1e-10
    private static let minimumLength = 0x1p-40
    /// The bias may have any value of the order of logits: a standard deviation of 100.
    private static let biasRidge = 1e-4

    private static func penalty(_ metric: FeatureMetric, _ count: Int, _ ridge: Double) -> [Double] {
        var result = [Double](repeating: 0, count: (count + 1) * (count + 1))
        for row in 0..<count {
            for column in 0..<count {
                result[row * (count + 1) + column] = ridge * metric.matrix[row * count + column]
            }
        }
        result[result.count - 1] = biasRidge
        return result
    }

    /// The loss at one row, and the terms of its derivatives.
    private struct State {
        var loss: Double
        /// w * (p - y).
        var residuals: [Double]
        /// w * p * (1 - p).
        var curvatures: [Double]
        let penaltyGradient: [Double]

        init(_ problem: RowProblem, _ row: [Double], _ weights: [Double], _ penalty: [Double]) {
            let products = DenseAlgebra.multiply(problem.design, width: row.count, by: row)
            penaltyGradient = DenseAlgebra.multiply(penalty, width: row.count, by: row)
            loss = DenseAlgebra.dot(penaltyGradient, row) / 2
            residuals = [Double](repeating: 0, count: weights.count)
            curvatures = residuals
            for sample in weights.indices where weights[sample] > 0 {
                let logOdds = products[sample] + problem.offsets[sample]
                let p = Logistic.probability(logOdds)
                let isGesture = problem.targets[sample]
                loss += weights[sample] * Logistic.softplus(isGesture ? -logOdds : logOdds)
                // Computed on its own: 1 - p would lose precision near p = 1.
                let q = Logistic.probability(-logOdds)
                residuals[sample] = weights[sample] * (isGesture ? -q : p)
                curvatures[sample] = weights[sample] * p * q
            }
        }
    }
}
