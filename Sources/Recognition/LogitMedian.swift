/// Element-wise causal median over the latest logit vectors.
///
/// The window is the last `length` frames. A frame may be missing in it: before the stream has brought `length` frames
/// (warm-up), and where an invalid frame was skipped. The median is that of the vectors that are there; with an even
/// number of them, the mean of the two middle values. So the first frame passes unchanged, and a fault of one frame
/// leaves the window after `length` frames.
///
/// With a full window a change of at most `(length - 1) / 2` frames vanishes; a longer one passes at its full length,
/// `(length - 1) / 2` frames late.
///
/// Not copyable: nobody shares its storage, so a push neither allocates nor copies it.
package struct LogitMedian: ~Copyable, Sendable {
    private let width: Int
    private let length: Int
    /// [width][length]: the window of each element is contiguous, its frames in order of `position`, not of time.
    private var window: [Float]
    private var position = 0
    /// Bit p is set when position p holds a vector.
    private var present: UInt8 = 0

    /// - width: elements in a vector, 1 or more. - length: frames in the window, 1...8.
    package init(width: Int, length: Int) {
        precondition(width >= 1 && (1...8).contains(length))
        self.width = width
        self.length = length
        window = [Float](repeating: 0, count: width * length)
    }

    /// Takes one vector of `width` numbers in, none of them NaN.
    package mutating func push(_ vector: Span<Float>) {
        precondition(vector.count == width)
        for element in 0..<width { window[element * length + position] = vector[element] }
        present |= 1 << position
        advance()
    }

    /// Lets one frame pass without a vector.
    package mutating func skip() {
        present &= ~(1 << position)
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
            let upper = value(ofRank: count / 2, element: element)
            if count % 2 == 1 {
                output[element] = upper
            } else {
                output[element] = 0.5 * value(ofRank: count / 2 - 1, element: element) + 0.5 * upper
            }
        }
    }

    private mutating func advance() {
        position = position + 1 == length ? 0 : position + 1
    }

    /// The value with exactly `rank` values before it, equal ones ordered by position.
    private func value(ofRank rank: Int, element: Int) -> Float {
        let first = element * length
        for candidate in 0..<length where present & (1 << candidate) != 0 {
            let value = window[first + candidate]
            var before = 0
            for other in 0..<length where present & (1 << other) != 0 {
                let rival = window[first + other]
                before += rival < value || (rival == value && other < candidate) ? 1 : 0
            }
            if before == rank { return value }
        }
        preconditionFailure("a rank below the count always has its value")
    }
}
