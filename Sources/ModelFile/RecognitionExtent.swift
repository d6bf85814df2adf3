/// A length of time as a model file states it.
package enum RecognitionExtent: Sendable, Equatable {
    /// Columns of the model, at its front end's rate, or one per slot if that has none.
    case frames(Int)
    /// Milliseconds, the same at every rate.
    case milliseconds(Int)

    /// The nearest number of slots of a grid, at least one; the smaller of two equally near ones.
    /// - rate: slots per second.
    /// - columnRate: columns per second, nil for one per slot.
    package func slots(at rate: Int, columnRate: Int?) -> Int {
        let (part, whole) = ratio(rate, columnRate)
        return max(1, Self.nearest(part, whole))
    }

    /// The nearest odd number of slots.
    package func oddSlots(at rate: Int, columnRate: Int?) -> Int {
        let (part, whole) = ratio(rate, columnRate)
        return part <= whole ? 1 : 2 * Self.nearest(part - whole, 2 * whole) + 1
    }

    /// The same in milliseconds, if columns have a rate.
    package func inMilliseconds(columnRate: Int?) -> RecognitionExtent {
        guard case .frames(let count) = self, let columnRate else { return self }
        return .milliseconds((1000 * count + columnRate / 2) / columnRate)
    }

    /// The count if it is in frames.
    package var frames: Int? { if case .frames(let count) = self { count } else { nil } }

    /// The count if it is in milliseconds.
    package var milliseconds: Int? { if case .milliseconds(let count) = self { count } else { nil } }

    /// Slots as a fraction. Counts of a file are small, so nothing overflows.
    private func ratio(_ rate: Int, _ columnRate: Int?) -> (part: Int, whole: Int) {
        switch self {
        case .frames(let count): columnRate.map { (count * rate, $0) } ?? (count, 1)
        case .milliseconds(let count): (count * rate, 1000)
        }
    }

    /// The integer nearest to a fraction; the smaller of two equally near ones.
    private static func nearest(_ part: Int, _ whole: Int) -> Int { (2 * part + whole - 1) / (2 * whole) }
}
