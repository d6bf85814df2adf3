/// One take of a gesture, or of nothing in particular, as the network saw it: the feature column and the logits of each slot.
///
/// Good takes begin and end at rest for half a second: that is what the gesture is told apart from.
public struct GestureRecording: Sendable, Equatable {
    /// Values in a feature column.
    package let featureCount: Int
    /// Logits of the model, without user gestures.
    package let classCount: Int
    /// [slot][feature]: outputs of the last temporal layer in real values.
    package let features: [Float]
    /// [slot][class].
    package let logits: [Float]
    /// Slots recorded.
    public let slotCount: Int
    /// The slots that show the gesture; nil has them found as the part that differs from start and end.
    public var gesture: Range<Int>?

    /// Throws when the values are not whole slots of the same number or one is not finite.
    package init(
        features: [Float], logits: [Float], featureCount: Int, classCount: Int, gesture: Range<Int>? = nil
    ) throws(EnrolmentError) {
        guard featureCount > 0, classCount > 0, features.count.isMultiple(of: featureCount),
            logits.count.isMultiple(of: classCount), features.count / featureCount == logits.count / classCount
        else { throw .recordingShape(features: features.count, logits: logits.count) }
        if let index = features.firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(slot: index / featureCount, feature: index % featureCount)
        }
        if let index = logits.firstIndex(where: { !$0.isFinite }) {
            throw .notFinite(slot: index / classCount, feature: nil)
        }
        self.features = features
        self.logits = logits
        self.featureCount = featureCount
        self.classCount = classCount
        self.gesture = gesture
        slotCount = features.count / featureCount
    }

    /// The feature column of a slot.
    func column(_ slot: Int) -> ArraySlice<Float> {
        features[slot * featureCount..<(slot + 1) * featureCount]
    }

    /// The logits of a slot.
    func scores(_ slot: Int) -> ArraySlice<Float> {
        logits[slot * classCount..<(slot + 1) * classCount]
    }
}
