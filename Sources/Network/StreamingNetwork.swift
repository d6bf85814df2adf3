import Vocabulary

/// The network over a stream: images or columns in, logits out, over any arithmetic.
///
/// Streaming encodes only the newest frame and remembers columns. The window mode, which only the pixel network has,
/// encodes all sixteen frames. The receptive field of that network's three temporal layers is 15 columns. So from the
/// sixteenth column on both modes see the same values: their int8 logits are equal bit for bit.
struct StreamingNetwork<A: Arithmetic>: ~Copyable {
    let arithmetic: A
    private let encoder: FrameEncoder<A>
    private(set) var head: TemporalHead<A>
    private let windowColumns: AlignedBuffer<A.Element>

    /// Columns of the window mode's working memory: sixteen feature columns, seven and three temporal outputs.
    private static var windowCount: Int {
        GestureTCN.windowLength * GestureTCN.featureCount + (7 + 3) * GestureTCN.temporalWidth
    }

    /// - Parameters:
    ///   - columnStride: columns of the stream from one column of a window to the next.
    ///   - leastColumns: columns of a window before the first prediction, and with it.
    ///   - arenas: what the encoder runs in, shared with other streams of the same arithmetic.
    init(
        _ arithmetic: A, columnStride: Int = 1, leastColumns: Int = GestureTCN.windowLength, arenas: Arenas = Arenas()
    ) {
        self.arithmetic = arithmetic
        encoder = FrameEncoder(arithmetic, arenas: arenas)
        head = TemporalHead(arithmetic, columnStride: columnStride, leastColumns: leastColumns)
        windowColumns = AlignedBuffer(count: arithmetic.frontEnd == .pixels ? Self.windowCount : 0)
    }

    var isWarm: Bool { head.isWarm }
    mutating func reset() { head.reset() }
    mutating func repeatColumn() { head.repeatColumn() }

    /// Makes the next feature column: encodes an image, or takes a column as it is.
    mutating func encode<Observer: LayerObserver>(_ input: UnsafePointer<UInt8>, observer: inout Observer)
    where Observer.Element == A.Element {
        switch arithmetic.frontEnd {
        case .pixels:
            unsafe encoder.encode(input, to: head.nextColumn, observer: &observer)
            head.commit()
        case .landmarks: unsafe head.append(input)
        }
    }

    mutating func advance<Observer: LayerObserver>(
        logits: UnsafeMutablePointer<Float>, observer: inout Observer
    ) where Observer.Element == A.Element {
        unsafe head.advance(logits: logits, observer: &observer)
    }

    /// Computes the logits of sixteen frames, oldest first and contiguous, independent of the stream.
    ///
    /// The three temporal layers are computed only at the positions that reach the last step: 7, 3 and 1.
    mutating func window(_ frames: UnsafePointer<UInt8>, logits: UnsafeMutablePointer<Float>) {
        var none = NoObserver<A.Element>()
        let feature = GestureTCN.featureCount
        let width = GestureTCN.temporalWidth
        let inputs = unsafe windowColumns.base
        for index in 0..<GestureTCN.windowLength {
            unsafe encoder.encode(
                frames + index * GestureTCN.frameBytes, to: inputs + index * feature, observer: &none)
        }
        let first = unsafe inputs + GestureTCN.windowLength * feature
        for index in 0..<7 {
            unsafe arithmetic.temporal(
                0, oldest: inputs + (1 + 2 * index) * feature, tapStride: feature, to: first + index * width)
        }
        let second = unsafe first + 7 * width
        for index in 0..<3 {
            unsafe arithmetic.temporal(
                1, oldest: first + 2 * index * width, tapStride: width, to: second + index * width)
        }
        // Only the classifier reads this column, so the window does not affect the stream.
        let last = unsafe head.classified
        unsafe arithmetic.temporal(2, oldest: second, tapStride: width, to: last)
        unsafe arithmetic.classify(last, logits: logits)
    }
}
