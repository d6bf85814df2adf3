/// How long something lasts, as a model's file says it.
package enum RecognitionExtent: Sendable, Equatable {
    /// Columns of the model: of the rate that its front end has, or one a slot where it has none.
    case frames(Int)
    /// Milliseconds, the same at every rate.
    case milliseconds(Int)

    /// As many slots of a grid as come nearest, at least one; of two that are as near, the fewer.
    /// - rate: slots a second. - columnRate: columns a second, nil for one a slot.
    package func slots(at rate: Int, columnRate: Int?) -> Int {
        let (part, whole) = ratio(rate, columnRate)
        return max(1, Self.nearest(part, whole))
    }

    /// The same of odd numbers alone.
    package func oddSlots(at rate: Int, columnRate: Int?) -> Int {
        let (part, whole) = ratio(rate, columnRate)
        return part <= whole ? 1 : 2 * Self.nearest(part - whole, 2 * whole) + 1
    }

    /// The same in milliseconds, where columns have a rate.
    package func inMilliseconds(columnRate: Int?) -> RecognitionExtent {
        guard case .frames(let count) = self, let columnRate else { return self }
        return .milliseconds((1000 * count + columnRate / 2) / columnRate)
    }

    /// The count where it is one of frames.
    package var frames: Int? { if case .frames(let count) = self { count } else { nil } }

    /// The count where it is one of milliseconds.
    package var milliseconds: Int? { if case .milliseconds(let count) = self { count } else { nil } }

    /// Slots as a fraction. Counts of a file are small, so nothing overflows.
    private func ratio(_ rate: Int, _ columnRate: Int?) -> (part: Int, whole: Int) {
        switch self {
        case .frames(let count): columnRate.map { (count * rate, $0) } ?? (count, 1)
        case .milliseconds(let count): (count * rate, 1000)
        }
    }

    /// The whole number nearest to a fraction, the smaller of two.
    private static func nearest(_ part: Int, _ whole: Int) -> Int { (2 * part + whole - 1) / (2 * whole) }
}
