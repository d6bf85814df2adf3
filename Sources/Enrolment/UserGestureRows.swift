/// The user's rows prepared for the frame loop: appends logits without allocation.
package struct UserGestureRows: Sendable {
    package let featureCount: Int
    /// Number of logits of the model and the user's gestures together.
    package let totalCount: Int
    private let nullIndex: Int
    private let baseCount: Int
    /// [gesture][feature].
    private let weights: [Float]
    private let biases: [Float]

    package init(_ gestures: UserGestures) {
        featureCount = gestures.base.featureCount
        nullIndex = gestures.base.nullIndex
        baseCount = gestures.base.classCount
        totalCount = baseCount + gestures.gestures.count
        weights = gestures.gestures.flatMap { $0.weights }
        biases = gestures.gestures.map { $0.bias }
    }

    /// Writes the user's logits after the model's and leaves the values behind them unchanged. A logit or feature that is
    /// not finite makes them not finite. Requires `features.count == featureCount` and `logits.count >= totalCount`.
    package func extend(_ logits: inout MutableSpan<Float>, features: Span<Float>) {
        precondition(features.count == featureCount && logits.count >= totalCount)
        for row in biases.indices {
            var sum: Float = 0
            for index in 0..<featureCount { sum += weights[row * featureCount + index] * features[index] }
            logits[baseCount + row] = logits[nullIndex] + biases[row] + sum
        }
    }
}
