package import KernelInterface
public import Vocabulary

/// The arithmetic that runs the network.
public enum Backend: String, Codable, Sendable, Hashable, CaseIterable {
    /// int8 kernels of this package; needs an int8 model.
    case int8
    /// float32, with matrix products by the tier's own kernel or, where it has none, by BLAS or plain Swift; runs a
    /// model of any precision.
    case float
}

/// Computes the logits of one stream: a unit of this package, or one that an app adds, for example over Core ML.
///
/// A unit serves one front end. With pixels its input is a 224x224 image: 50,176 luma values, 0...255, row-major. With
/// landmarks its input is a column: 128 quantised values, 0...255, of one frame's hand and motion. Logits are one
/// float32 per class. For every slot of its grid a stream calls `encode` or `repeatColumn`, then `advance`: one
/// function at a time, not always on the same thread. A unit that cannot compute a slot writes logits that are not
/// finite. That slot then brings no prediction, and a stream that has another unit moves on to it. The package's units
/// trap if spans have other lengths, which is a programming error; the engine checks lengths first.
public protocol ComputeUnit: AnyObject {
    /// The front end whose input the unit takes: `.pixels` unless the unit says otherwise.
    var frontEnd: FrontEnd { get }

    /// Name of the unit in configuration, statistics and switches; unique among the units of a stream.
    var name: String { get }

    /// Number of logits per slot.
    var classCount: Int { get }

    /// True when enough columns have been seen since the last reset: 16 with pixels, and with landmarks 4 at 30 Hz, 8 at 60 Hz and
    /// 16 at 120 Hz. Before that, logits mean nothing.
    var isWarm: Bool { get }

    /// Makes the next feature column: encodes an image, or takes a column as it is. The span is valid only during the
    /// call.
    func encode(_ input: Span<UInt8>)

    /// Repeats the newest feature column, for a frame that never came or was left out. The first column of a stream
    /// always comes from a frame.
    func repeatColumn()

    /// Advances the temporal layers over the newest column and writes that slot's logits. Layers that look back beyond
    /// the last reset see zeros.
    func advance(_ logits: inout MutableSpan<Float>)

    /// Forgets every frame.
    func reset()

    /// Number of values that `copyFeatures` writes: 160, or 0 for a unit without features. A stream with the user's own
    /// gestures refuses a unit without features.
    var featureCount: Int { get }

    /// Writes the classifier's input in the latest `advance`: 160 floats, 0...6.
    func copyFeatures(to output: inout MutableSpan<Float>)
}

extension ComputeUnit {
    /// Pixels.
    public var frontEnd: FrontEnd { .pixels }
    /// 0: no features.
    public var featureCount: Int { 0 }
    /// Leaves `output` as it is.
    public func copyFeatures(to output: inout MutableSpan<Float>) {}
}

/// Further functions of the package's own units, for tools, calibration and tests.
package protocol NetworkUnit: ComputeUnit {
    var backend: Backend { get }

    /// Computes the logits of a whole window of 16 frames, oldest first, independent of the stream and without effect
    /// on its next steps. Only for the pixel network: columns have no window mode.
    func window(_ frames: Span<UInt8>, logits: inout MutableSpan<Float>)

    /// Writes the newest feature column as floats: 128 values, 0...6.
    func copyColumn(to output: inout MutableSpan<Float>)

    /// Runs one streaming step and passes every layer's output to `body` as floats, pixels row-major and channels
    /// innermost. For calibration and comparison: it allocates. Returns the logits once warm.
    func trace(_ frame: Span<UInt8>, _ body: (LayerSpec, [Float]) -> Void) -> [Float]?

    /// Runs one streaming step and adds the time of each layer, by the clock `now`, to `times`, which has one entry per
    /// layer.
    /// The clock is read once for every band of rows, which costs a few per cent of the step.
    func profile(_ frame: Span<UInt8>, now: @escaping () -> UInt64, _ times: inout [UInt64])
}

extension NetworkUnit {
    /// The backend's name with pixels; the front end's name with landmarks, which have one unit of this package.
    package var name: String { frontEnd == .pixels ? backend.rawValue : frontEnd.rawValue }
}

/// A model prepared for one backend and one tier: its parameters are packed once, and shared by the units of all streams
/// like the memory in which images are encoded.
package struct NetworkProgram: Sendable {
    private enum Packed: Sendable {
        case int8(Int8Arithmetic)
        case float(FloatArithmetic)
    }

    private let packed: Packed
    private let arenas = Arenas()

    /// Packs the parameters. Throws if the backend is int8 and the weights are not.
    package init(_ weights: NetworkWeights, backend: Backend, kernels: KernelTable) throws(NetworkError) {
        packed =
            switch backend {
            case .int8: .int8(try Int8Arithmetic(weights, kernels: kernels.int8))
            case .float: .float(FloatArithmetic(weights, kernels: kernels.float))
            }
    }

    /// Makes a unit with its own state.
    /// - Parameters:
    ///   - columnStride: see `FrontEnd.columnStride(rate:)`.
    ///   - leastColumns: columns of a window before the first prediction, and with it; see `FrontEnd.leastColumns`.
    package func makeUnit(columnStride: Int = 1, leastColumns: Int = GestureTCN.windowLength) -> any NetworkUnit {
        switch packed {
        case .int8(let arithmetic): Int8Unit(arithmetic, columnStride, leastColumns, arenas)
        case .float(let arithmetic): FloatUnit(arithmetic, columnStride, leastColumns, arenas)
        }
    }
}

/// The int8 unit.
package final class Int8Unit: NetworkUnit {
    private var network: StreamingNetwork<Int8Arithmetic>

    package init(_ weights: NetworkWeights, kernels: KernelTable) throws(NetworkError) {
        network = StreamingNetwork(try Int8Arithmetic(weights, kernels: kernels.int8))
    }

    init(_ arithmetic: Int8Arithmetic, _ columnStride: Int, _ leastColumns: Int, _ arenas: Arenas) {
        network = StreamingNetwork(arithmetic, columnStride: columnStride, leastColumns: leastColumns, arenas: arenas)
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

/// The float unit: the reference for quantisation, the unit for calibration, and the second compute unit.
package final class FloatUnit: NetworkUnit {
    private var network: StreamingNetwork<FloatArithmetic>

    package init(_ weights: NetworkWeights, kernels: KernelTable) {
        network = StreamingNetwork(FloatArithmetic(weights, kernels: kernels.float))
    }

    init(_ arithmetic: FloatArithmetic, _ columnStride: Int, _ leastColumns: Int, _ arenas: Arenas) {
        network = StreamingNetwork(arithmetic, columnStride: columnStride, leastColumns: leastColumns, arenas: arenas)
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
