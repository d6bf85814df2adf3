import Recognition

extension GestureEngine {
    /// How readily gestures begin. Thresholds that an app sets itself, in `Configuration.recognition`, stay as they are.
    public enum Sensitivity: String, Codable, Sendable, Hashable, CaseIterable {
        /// Fewer gestures are false positives, and more are missed.
        case low
        /// The thresholds of the model's file.
        case medium
        /// Fewer gestures are missed, and more are false positives.
        case high

        /// What is added to the confidence from which a gesture begins.
        var offset: Float {
            switch self {
            case .low: 0.12
            case .medium: 0
            case .high: -0.1
            }
        }

        /// What is added to the lower confidence of `RecognitionConfiguration.Steady`. With 0.12 for `low`, recordings of
        /// people have nine false events by the recipe for few instead of five.
        private var steadyOffset: Float { self == .low ? 0.2 : offset }

        /// A threshold of a model's file, moved by the offset. It stays within the accepted values.
        func threshold(_ confidence: Float) -> Float { moved(confidence, by: offset) }

        /// The same of the lower one.
        func steadyThreshold(_ confidence: Float) -> Float { moved(confidence, by: steadyOffset) }

        private func moved(_ confidence: Float, by offset: Float) -> Float {
            self == .medium ? confidence : max(0, min(confidence + offset, Self.highest))
        }

        private static let highest: Float = 0.99
    }
}
