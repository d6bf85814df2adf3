package import KernelInterface
public import Vocabulary

/// Which arithmetic runs the network.
public enum Backend: String, Codable, Sendable, Hashable, CaseIterable {
    /// Our int8 kernels; needs an int8 model.
    case int8
    /// float32 with matrix products through BLAS; runs a model of any precision.
    case float
}

/// Computes the logits of one stream: one of our units, or one that an app adds, for example over Core ML.
///
/// A unit serves one front end. With pixels its input is a 224x224 image: 50,176 luma values, 0...255, row-major. With
/// landmarks its input is a column: 128 quantised values, 0...255, of one frame's hand and motion. Logits are one float32
/// a class. A stream calls one function at a time: `encode` or `repeatColumn`, then `advance`, for every slot of its grid,
/// not always on the same thread. A unit that cannot compute a slot writes logits that are not finite. That slot then
/// brings no prediction, and a stream that has another unit moves on to it. Passing spans of other lengths to our units
/// is a programming error and traps; the engine checks lengths first.
public protocol ComputeUnit: AnyObject {
    /// The front end whose input the unit takes: `.pixels` unless the unit says otherwise.
    var frontEnd: FrontEnd { get }

    /// What configuration, statistics and switches call it; unique among the units of a stream.
    var name: String { get }

    /// Logits of a slot.
    var classCount: Int { get }

    /// True when a full window of columns has been seen since the last reset: 16, and with landmarks 32 at 60 Hz and 64 at
    /// 120 Hz. Before, logits mean nothing.
    var isWarm: Bool { get }

    /// Makes the next feature column: encodes an image, or takes a column as it is. The span is valid during the call alone.
    func encode(_ input: Span<UInt8>)

    /// Repeats the newest feature column, for a frame that never came or was left out. The first column of a stream is
    /// always a frame.
    func repeatColumn()

    /// Advances the temporal layers over the newest column and writes the logits of what ends there. Layers that look back
    /// further than the last reset see zeros.
    func advance(_ logits: inout MutableSpan<Float>)

    /// Forgets every frame.
    func reset()

    /// Number of values that `copyFeatures` writes: 160, or 0 for a unit without them. A stream with gestures of the user's
    /// own refuses a unit without them.
    var featureCount: Int { get }

    /// Writes what the classifier read in the latest `advance`: 160 floats, 0...6.
    func copyFeatures(to output: inout MutableSpan<Float>)
}

extension ComputeUnit {
    /// A unit of pixels.
    public var frontEnd: FrontEnd { .pixels }
    /// None.
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
    /// The backend's name; of landmarks the front end's, which has one unit of ours.
    package var name: String { frontEnd == .pixels ? backend.rawValue : frontEnd.rawValue }
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
    package var frontEnd: FrontEnd { network.arithmetic.frontEnd }
    package var classCount: Int { network.arithmetic.classCount }
    package var isWarm: Bool { network.isWarm }
    package func encode(_ input: Span<UInt8>) { network.encode(input) }
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
    package var frontEnd: FrontEnd { network.arithmetic.frontEnd }
    package var classCount: Int { network.arithmetic.classCount }
    package var isWarm: Bool { network.isWarm }
    package func encode(_ input: Span<UInt8>) { network.encode(input) }
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
