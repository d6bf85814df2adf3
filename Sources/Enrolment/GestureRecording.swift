/// A recording with a gesture or without one: the network's feature column and logits for each slot.
///
/// Good recordings of a movement begin and end with half a second of rest, which shows where the movement begins and ends.
/// Good recordings of a pose hold it still for a second; rest around it is allowed.
public struct GestureRecording: Sendable, Equatable {
    /// Values in a feature column.
    package let featureCount: Int
    /// Number of the model's logits, without user gestures.
    package let classCount: Int
    /// [slot][feature]: outputs of the last temporal layer as floats.
    package let features: [Float]
    /// [slot][class].
    package let logits: [Float]
    /// Number of recorded slots.
    public let slotCount: Int
    /// The slots that show the gesture; nil to find them as the part that differs from start and end.
    public var gesture: Range<Int>?
    /// The hand of each slot; nil with pixels or without pose networks.
    package let hand: HandTrace?
    /// Slots a second.
    let rate: Int
    /// Slots before the first, which only filled the network's window.
    let leadingSlots: Int

    /// Throws if the values are not whole slots, differ in number, or are not all finite.
    package init(
        features: [Float], logits: [Float], featureCount: Int, classCount: Int, gesture: Range<Int>? = nil,
        hand: HandTrace? = nil, rate: Int = 30, leadingSlots: Int = 0
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
        if let hand {
            guard hand.slotCount == logits.count / classCount else {
                throw .recordingShape(features: features.count, logits: logits.count)
            }
            if let index = hand.embeddings.firstIndex(where: { !$0.isFinite }) {
                throw .notFinite(slot: index / PoseTemplate.width, feature: nil)
            }
        }
        self.hand = hand
        self.rate = hand?.rate ?? rate
        self.leadingSlots = leadingSlots
        self.features = features
        self.logits = logits
        self.featureCount = featureCount
        self.classCount = classCount
        self.gesture = gesture
        slotCount = features.count / featureCount
    }

    /// Seconds of a recording with so many slots.
    func seconds(_ slots: Int) -> Double { Double(slots + leadingSlots) / Double(max(rate, 1)) }

    /// The feature column of a slot.
    func column(_ slot: Int) -> ArraySlice<Float> {
        features[slot * featureCount..<(slot + 1) * featureCount]
    }

    /// The logits of a slot.
    func scores(_ slot: Int) -> ArraySlice<Float> {
        logits[slot * classCount..<(slot + 1) * classCount]
    }
}
