import Vocabulary

/// The safe interface of the network: spans in and out, whose lengths are checked once here.
extension StreamingNetwork {
    typealias Element = A.Element

    @inline(__always)
    mutating func encode(_ input: Span<UInt8>) {
        var none = NoObserver<Element>()
        encode(input, observer: &none)
    }

    @inline(__always)
    private mutating func encode<Observer: LayerObserver>(_ input: Span<UInt8>, observer: inout Observer)
    where Observer.Element == Element {
        precondition(arithmetic.frontEnd == .pixels ? input.count == GestureTCN.frameBytes : input.count >= head.columnWidth)
        unsafe input.withUnsafeBufferPointer { buffer in
            unsafe encode(buffer.baseAddress!, observer: &observer)
        }
    }

    @inline(__always)
    mutating func advance(_ logits: inout MutableSpan<Float>) {
        precondition(logits.count == arithmetic.classCount)
        var none = NoObserver<Element>()
        unsafe logits.withUnsafeMutableBufferPointer { buffer in
            unsafe advance(logits: buffer.baseAddress!, observer: &none)
        }
    }

    /// Writes the last temporal layer's newest output as floats: of the latest step, or of a later window.
    func copyFeatures(to output: inout MutableSpan<Float>) {
        precondition(output.count == GestureTCN.temporalWidth)
        let layer = arithmetic.specs.count - 2
        for index in output.indices {
            // The column has as many elements as the span, by the precondition.
            output[index] = unsafe arithmetic.floatValue(head.classified[index], layer: layer)
        }
    }

    /// Writes the newest feature column as floats.
    func copyColumn(to output: inout MutableSpan<Float>) {
        precondition(output.count == head.columnWidth)
        for index in output.indices {
            // The column has as many elements as the span, by the precondition.
            output[index] = unsafe arithmetic.floatValue(
                head.newestColumn[index], layer: arithmetic.firstTemporal - 1)
        }
    }

    @inline(__always)
    mutating func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>) {
        precondition(arithmetic.frontEnd == .pixels, "window mode needs the front end of pixels")
        precondition(frames.count == GestureTCN.windowLength * GestureTCN.frameBytes)
        precondition(logits.count == arithmetic.classCount)
        unsafe frames.withUnsafeBufferPointer { input in
            unsafe logits.withUnsafeMutableBufferPointer { output in
                unsafe window(input.baseAddress!, logits: output.baseAddress!)
            }
        }
    }

    mutating func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64]) {
        precondition(times.count == arithmetic.specs.count)
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: arithmetic.classCount) { logits in
            var timer = LayerTimer<Element>(times: times, now: now)
            encode(frame, observer: &timer)
            unsafe advance(logits: logits.baseAddress!, observer: &timer)
            times = timer.times
        }
    }

    mutating func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]? {
        var recorder = LayerRecorder<Element>(layers: arithmetic.specs)
        var logits = [Float](repeating: 0, count: arithmetic.classCount)
        encode(frame, observer: &recorder)
        unsafe logits.withUnsafeMutableBufferPointer { buffer in
            unsafe advance(logits: buffer.baseAddress!, observer: &recorder)
        }
        for (index, spec) in recorder.layers.dropLast().enumerated() {
            body(spec, recorder.outputs[index].map { arithmetic.floatValue($0, layer: index) })
        }
        body(recorder.layers[recorder.layers.count - 1], logits)
        return isWarm ? logits : nil
    }
}

/// Adds up the time of each layer.
private struct LayerTimer<Element: BitwiseCopyable & Numeric>: LayerObserver {
    let now: () -> UInt64
    var times: [UInt64]
    private var last: UInt64

    init(times: [UInt64], now: @escaping () -> UInt64) {
        self.now = now
        self.times = times
        last = now()
    }

    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {}

    mutating func finish(layer: Int) {
        let time = now()
        times[layer] += time - last
        last = time
    }
}

/// Keeps a copy of every layer's output.
private struct LayerRecorder<Element: BitwiseCopyable & Numeric>: LayerObserver {
    let layers: [LayerSpec]
    private(set) var outputs: [[Element]]

    init(layers: [LayerSpec]) {
        self.layers = layers
        outputs = layers.map { [Element](repeating: .zero, count: $0.outputCount) }
    }

    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {
        let channels = layers[layer].outputChannels
        let half = count / channels / 2
        for row in 0..<rows {
            for index in 0..<count {
                let (pixel, channel) = (index / channels, index % channels)
                let x = isSplit ? (pixel < half ? 2 * pixel + 1 : 2 * (pixel - half)) : pixel
                outputs[layer][(firstRow + row) * count + x * channels + channel] = unsafe values[
                    row * rowStride + index]
            }
        }
    }
}
