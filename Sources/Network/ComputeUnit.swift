package import KernelInterface

/// Which arithmetic runs the network.
public enum Backend: String, Codable, Sendable, Hashable, CaseIterable {
    /// Our int8 kernels; needs an int8 model.
    case int8
    /// float32 with matrix products through BLAS; runs a model of any precision.
    case float
}

/// What computes the logits of one stream: our own units, or one that an app adds, over Core ML for instance.
///
/// A frame is 50,176 luma codes of a 224x224 image, row-major; logits are one float32 a class. A stream calls one function
/// at a time, `encode` or `repeatColumn` and then `advance` for every slot of its grid, not always on the same thread.
/// A unit that cannot compute a frame writes logits that are not finite: the frame then brings no prediction, and a
/// stream that has another unit moves on to it. Passing spans of other lengths to our units is a programming error and
/// traps; the engine checks at its own door.
public protocol ComputeUnit: AnyObject {
    /// What configuration, statistics and switches call it; unique among the units of a stream.
    var name: String { get }

    /// Logits of a frame.
    var classCount: Int { get }

    /// True when a full window of columns has been seen since the last reset: 16, and with landmarks 32 at 60 Hz and 64 at
    /// 120 Hz. Before, logits mean nothing.
    var isWarm: Bool { get }

    /// Encodes the frame into the next feature column. The frame is not valid after the call.
    func encode(_ frame: Span<UInt8>)

    /// Repeats the newest feature column, for a frame that never came or was left out. The first column of a stream is
    /// always a frame.
    func repeatColumn()

    /// Advances the temporal layers over the newest column and writes the logits of what ends there. Layers that look back
    /// further than the last reset see zeros.
    func advance(_ logits: inout MutableSpan<Float>)

    /// Forgets every frame.
    func reset()

    /// Values in the column that the classifier reads, 160; 0 for a unit that does not hand it out, which a stream with
    /// gestures of the user's own refuses.
    var featureCount: Int { get }

    /// Writes the column that the latest `advance` classified, in real values: 160 numbers of 0...6.
    func copyFeatures(to output: inout MutableSpan<Float>)
}

extension ComputeUnit {
    /// No column is handed out.
    public var featureCount: Int { 0 }
    /// Leaves `output` as it is.
    public func copyFeatures(to output: inout MutableSpan<Float>) {}
}

/// What our own units can do besides: for tools, calibration and tests.
package protocol NetworkUnit: ComputeUnit {
    var backend: Backend { get }

    /// The logits of a whole window, 16 frames oldest first, independent of the stream and leaving it as it was. For the
    /// pixel network: columns have no window mode.
    func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>)

    /// Writes the newest feature column, what `encode` made of its frame, in real values: 128 numbers of 0...6.
    func copyColumn(to output: inout MutableSpan<Float>)

    /// One streaming step that also hands out every layer's output as real values, pixels row-major and channels
    /// innermost. For calibration and comparison: it allocates. Returns the logits once warm.
    func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]?

    /// One streaming step that adds to `times`, one a layer, what each took by the clock `now`.
    /// The clock is read once for every band of rows, which costs a few per cent of the step.
    func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64])
}

extension NetworkUnit {
    package var name: String { backend.rawValue }
}

/// A model made ready for one backend and one tier: its parameters packed once, shared by the units of all streams.
package struct NetworkProgram: Sendable {
    private enum Packed: Sendable {
        case int8(Int8Arithmetic)
        case float(FloatArithmetic)
    }

    private let packed: Packed

    /// Packs the parameters. Throws when the backend is int8 and the weights are not.
    package init(_ weights: NetworkWeights, backend: Backend, kernels: KernelTable) throws(NetworkError) {
        packed =
            switch backend {
            case .int8: .int8(try Int8Arithmetic(weights, kernels: kernels.int8))
            case .float: .float(FloatArithmetic(weights, kernels: kernels.float))
            }
    }

    /// A unit with state of its own.
    /// - columnStride: see `FrontEnd.columnStride(rate:)`.
    package func makeUnit(columnStride: Int = 1) -> any NetworkUnit {
        switch packed {
        case .int8(let arithmetic): Int8Unit(arithmetic, columnStride: columnStride)
        case .float(let arithmetic): FloatUnit(arithmetic, columnStride: columnStride)
        }
    }
}

/// The int8 unit.
package final class Int8Unit: NetworkUnit {
    private var network: StreamingNetwork<Int8Arithmetic>

    package init(_ weights: NetworkWeights, kernels: KernelTable) throws(NetworkError) {
        network = StreamingNetwork(try Int8Arithmetic(weights, kernels: kernels.int8))
    }

    init(_ arithmetic: Int8Arithmetic, columnStride: Int) {
        network = StreamingNetwork(arithmetic, columnStride: columnStride)
    }

    package var backend: Backend { .int8 }
    package var classCount: Int { network.arithmetic.classCount }
    package var isWarm: Bool { network.isWarm }
    package func encode(_ frame: Span<UInt8>) { network.encode(frame) }
    package func repeatColumn() { network.repeatColumn() }
    package func advance(_ logits: inout MutableSpan<Float>) { network.advance(&logits) }
    package func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>) {
        network.window(frames, logits: &logits)
    }
    package func reset() { network.reset() }
    package var featureCount: Int { GestureTCN.temporalWidth }
    package func copyFeatures(to output: inout MutableSpan<Float>) { network.copyFeatures(to: &output) }
    package func copyColumn(to output: inout MutableSpan<Float>) { network.copyColumn(to: &output) }
    package func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]? {
        network.trace(frame, body)
    }
    package func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64]) {
        network.profile(frame, now: now, &times)
    }
}

/// The float unit: the reference for quantisation, what calibration runs, and the second compute unit.
package final class FloatUnit: NetworkUnit {
    private var network: StreamingNetwork<FloatArithmetic>

    package init(_ weights: NetworkWeights, kernels: KernelTable) {
        network = StreamingNetwork(FloatArithmetic(weights, kernels: kernels.float))
    }

    init(_ arithmetic: FloatArithmetic, columnStride: Int) {
        network = StreamingNetwork(arithmetic, columnStride: columnStride)
    }

    package var backend: Backend { .float }
    package var classCount: Int { network.arithmetic.classCount }
    package var isWarm: Bool { network.isWarm }
    package func encode(_ frame: Span<UInt8>) { network.encode(frame) }
    package func repeatColumn() { network.repeatColumn() }
    package func advance(_ logits: inout MutableSpan<Float>) { network.advance(&logits) }
    package func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>) {
        network.window(frames, logits: &logits)
    }
    package func reset() { network.reset() }
    package var featureCount: Int { GestureTCN.temporalWidth }
    package func copyFeatures(to output: inout MutableSpan<Float>) { network.copyFeatures(to: &output) }
    package func copyColumn(to output: inout MutableSpan<Float>) { network.copyColumn(to: &output) }
    package func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]? {
        network.trace(frame, body)
    }
    package func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64]) {
        network.profile(frame, now: now, &times)
    }
}
