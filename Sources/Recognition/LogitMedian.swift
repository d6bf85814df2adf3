/// Element-wise causal median over the latest logit vectors.
///
/// The window is the last `length` frames. A frame of the window may be missing: before the stream has delivered `length`
/// frames (warm-up), and where an invalid frame was skipped. The median is taken over the vectors that are present;
/// with an even number of them it is the mean of the two middle values. So the first frame passes unchanged, and a
/// fault of one frame leaves the window after `length` frames.
///
/// With a full window, a change that lasts at most `(length - 1) / 2` frames vanishes. A longer change passes at its
/// full length, `(length - 1) / 2` frames late.
///
/// The time of a push is proportional to `width * length`. The median cannot be copied, so its storage has one owner,
/// and a push neither allocates nor copies it.
package struct LogitMedian: ~Copyable, Sendable {
    /// Accepted lengths.
    package static let lengths = 1...32

    private let width: Int
    private let length: Int
    /// [width][length]: the window of each element is contiguous, its frames in order of `position`, not of time.
    private var window: [Float]
    /// [width][length]: the same values in ascending order, one for each frame that is present.
    private var ascending: [Float]
    private var position = 0
    /// Bit p is set when position p holds a vector.
    private var present: UInt32 = 0

    /// - width: elements in a vector, 1 or more. - length: frames in the window, one of `lengths`.
    package init(width: Int, length: Int) {
        precondition(width >= 1 && Self.lengths.contains(length))
        self.width = width
        self.length = length
        window = [Float](repeating: 0, count: width * length)
        ascending = window
    }

    /// Takes in one vector of `width` numbers; none may be NaN.
    package mutating func push(_ vector: Span<Float>) {
        precondition(vector.count == width)
        forgetOldest()
        let count = present.nonzeroBitCount
        for element in 0..<width {
            window[element * length + position] = vector[element]
            insert(vector[element], at: element * length, among: count)
        }
        present |= 1 << position
        advance()
    }

    /// Lets one frame pass without a vector.
    package mutating func skip() {
        forgetOldest()
        advance()
    }

    /// Empties the window.
    package mutating func clear() {
        present = 0
        position = 0
    }

    /// Writes the median of each element to `output`, `width` long. Requires that the window holds a vector.
    package func write(to output: inout MutableSpan<Float>) {
        precondition(output.count == width && present != 0)
        let count = present.nonzeroBitCount
        for element in 0..<width {
            let middle = element * length + count / 2
            output[element] =
                count % 2 == 1 ? ascending[middle] : 0.5 * ascending[middle - 1] + 0.5 * ascending[middle]
        }
    }

    private mutating func advance() {
        position = position + 1 == length ? 0 : position + 1
    }

    /// Removes the vector at `position`, if there is one, from the window.
    private mutating func forgetOldest() {
        guard present & (1 << position) != 0 else { return }
        let count = present.nonzeroBitCount
        for element in 0..<width {
            let first = element * length
            let value = window[first + position]
            var place = first
            while ascending[place] != value { place += 1 }
            while place + 1 < first + count {
                ascending[place] = ascending[place + 1]
                place += 1
            }
        }
        present &= ~(1 << position)
    }

    /// Inserts a value in order among the first `count` ascending values of an element.
    private mutating func insert(_ value: Float, at first: Int, among count: Int) {
        var place = first + count
        while place > first, ascending[place - 1] > value {
            ascending[place] = ascending[place - 1]
            place -= 1
        }
        ascending[place] = value
    }
}
