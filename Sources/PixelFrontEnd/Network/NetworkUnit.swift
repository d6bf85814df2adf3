package import KernelInterface
package import Network
import Platform
package import Vocabulary

/// The compute unit of this package: the whole network over a stream, in either arithmetic.
///
/// Streaming encodes only the newest frame and remembers columns. The window mode, which only the pixel network has,
/// encodes all sixteen frames. The receptive field of that network's three temporal layers is 15 columns. So from the
/// sixteenth column on both modes read the same values: their int8 logits are equal bit for bit.
///
/// Tools also run the network of landmarks in it, which has no encoder: its input is a column of 128 quantised values.
package final class NetworkUnit: ComputeUnit {
    private var head: TemporalHead
    /// Nil if the network is given columns.
    private let encoder: ImageEncoder?
    /// The window mode's working memory: sixteen feature columns, seven and three temporal outputs and the last one.
    private let windowColumns: Arena?

    /// Makes a unit in float32 with its own parameters, of weights of any precision.
    package convenience init(float weights: NetworkWeights, kernels: KernelTable, columnStride: Int = 1) {
        self.init(.float(FloatLayers(weights, kernels: kernels.float)), columnStride: columnStride)
    }

    /// Makes a unit in int8 with its own parameters. Throws if the weights are not int8.
    package convenience init(
        int8 weights: NetworkWeights, kernels: KernelTable, columnStride: Int = 1
    ) throws(NetworkError) {
        self.init(.int8(try Int8Layers(weights, kernels: kernels.int8)), columnStride: columnStride)
    }

    /// - Parameters:
    ///   - layers: packed parameters, shared with other units.
    ///   - columnStride: columns of the stream from one column of a window to the next; see `FrontEnd.columnStride(rate:)`.
    ///   - minimumColumns: columns of a window before the first prediction, and with it; see `FrontEnd.minimumColumns`.
    ///   - arenas: what the encoder runs in, shared with other units of the same layers.
    package init(
        _ layers: PackedLayers, columnStride: Int = 1, minimumColumns: Int = GestureTCN.windowLength,
        arenas: Arenas = Arenas()
    ) {
        head = TemporalHead(layers, columnStride: columnStride, minimumColumns: minimumColumns)
        guard layers.frontEnd == .pixels else {
            (encoder, windowColumns) = (nil, nil)
            return
        }
        encoder = ImageEncoder(layers, arenas: arenas)
        windowColumns = Arena(byteCount: Self.windowCount * layers.elementBytes)
    }

    private static var windowCount: Int {
        GestureTCN.windowLength * GestureTCN.featureCount + (7 + 3 + 1) * GestureTCN.temporalWidth
    }

    package var backend: Backend { head.layers.backend }
    package var frontEnd: FrontEnd { head.layers.frontEnd }
    package var name: String { backend.rawValue }
    package var classCount: Int { head.layers.classCount }
    package var isWarm: Bool { head.isWarm }
    package var featureCount: Int { GestureTCN.temporalWidth }
    package func repeatColumn() { head.repeatColumn() }
    package func advance(_ logits: inout MutableSpan<Float>) { head.advance(&logits) }
    package func reset() { head.reset() }
    package func copyFeatures(to output: inout MutableSpan<Float>) { head.copyFeatures(to: &output) }
    /// Writes the newest feature column as floats: 128 values, 0...6.
    package func copyColumn(to output: inout MutableSpan<Float>) { head.copyColumn(to: &output) }

    package func encode(_ input: Span<UInt8>) {
        guard let encoder else { return head.append(input) }
        unsafe Self.withImage(input) { unsafe encoder.encode($0, to: head.nextColumn) }
        head.commit()
    }

    private static func withImage(_ input: Span<UInt8>, _ body: (UnsafePointer<UInt8>) -> Void) {
        precondition(input.count == GestureTCN.frameBytes)
        unsafe input.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { unsafe body(base) }
        }
    }

    /// Computes the logits of a whole window of 16 frames, oldest first, independent of the stream and without effect
    /// on its next steps. Only for the pixel network: columns have no window mode.
    ///
    /// The three temporal layers are computed only at the positions that reach the last step: 7, 3 and 1.
    package func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>) {
        precondition(frames.count == GestureTCN.windowLength * GestureTCN.frameBytes)
        precondition(logits.count == classCount)
        guard let encoder, let windowColumns else {
            preconditionFailure("window mode needs the front end of pixels")
        }
        let layers = head.layers
        let (feature, width) = (GestureTCN.featureCount, GestureTCN.temporalWidth)
        let featureBytes = feature * layers.elementBytes
        let widthBytes = width * layers.elementBytes
        // The arena has room for all of these columns.
        let inputs = unsafe UnsafeMutableRawPointer(windowColumns.base)
        let first = unsafe inputs + GestureTCN.windowLength * featureBytes
        let second = unsafe first + 7 * widthBytes
        let last = unsafe second + 3 * widthBytes
        unsafe frames.withUnsafeBufferPointer { frames in
            guard let frames = frames.baseAddress else { return }
            for index in 0..<GestureTCN.windowLength {
                unsafe encoder.encode(frames + index * GestureTCN.frameBytes, to: inputs + index * featureBytes)
            }
        }
        for index in 0..<7 {
            unsafe layers.convolve(
                0, oldest: inputs + (1 + 2 * index) * featureBytes, tapStride: feature,
                to: first + index * widthBytes)
        }
        for index in 0..<3 {
            unsafe layers.convolve(
                1, oldest: first + 2 * index * widthBytes, tapStride: width, to: second + index * widthBytes)
        }
        unsafe layers.convolve(2, oldest: second, tapStride: width, to: last)
        unsafe logits.withUnsafeMutableBufferPointer { logits in
            if let base = logits.baseAddress { unsafe layers.classify(last, logits: base) }
        }
    }

    /// Runs one streaming step and passes every layer's output to `body` as floats, pixels row-major and channels
    /// innermost. For calibration and comparison: it allocates. Returns the logits once warm.
    package func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]? {
        if let encoder {
            unsafe Self.withImage(frame) { image in
                for (spec, values) in unsafe encoder.trace(image, to: head.nextColumn) { body(spec, values) }
            }
            head.commit()
        } else {
            head.append(frame)
        }
        var logits = [Float](repeating: 0, count: classCount)
        var output = logits.mutableElementSpan
        head.advance(&output)
        for (spec, values) in head.outputs { body(spec, values) }
        body(head.layers.specs[head.layers.specs.count - 1], logits)
        return isWarm ? logits : nil
    }

    /// Runs one streaming step and adds the time of each layer, by the clock `now`, to `times`, which has one entry per
    /// layer. The clock is read once for every band of rows, which costs a few per cent of the step.
    package func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64]) {
        precondition(times.count == head.layers.specs.count)
        if let encoder {
            unsafe Self.withImage(frame) { unsafe encoder.profile($0, to: head.nextColumn, now: now, &times) }
            head.commit()
        } else {
            head.append(frame)
        }
        var logits = [Float](repeating: 0, count: classCount)
        var output = logits.mutableElementSpan
        var last = now()
        head.advance(&output) { layer in
            let time = now()
            times[layer] += time - last
            last = time
        }
    }
}
