import KernelInterface
import Vocabulary

/// Runs the network's layers in one number system. The order of the layers in `StreamingNetwork` is written once over
/// it.
///
/// Conformers hold packed parameters and kernels, and nothing that changes. The caller passes in all state and scratch
/// memory.
protocol Arithmetic: Sendable {
    associatedtype Element: BitwiseCopyable & Numeric

    var classCount: Int { get }

    /// The front end of the network.
    var frontEnd: FrontEnd { get }

    /// Every layer in the order of execution; the classifier is the last.
    var specs: [LayerSpec] { get }

    /// Index of the first temporal layer among all layers: 0 if the network is given columns and has no encoder.
    var firstTemporal: Int { get }

    /// Elements of scratch memory that a layer may use besides its input and output.
    var scratchCount: Int { get }

    /// Layout of a map that a convolution of stride 2 reads next.
    static var strideTwoLayout: MapLayout { get }

    /// From a 224x224 image of quantised values to the stem's map.
    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<Element>)

    /// Encoder layers `layer` (depthwise 3x3) and `layer + 1` (pointwise).
    /// `observe` sees the depthwise rows while they exist.
    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to output: FeatureMap<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// Encoder layers `layer` (depthwise 7x7) and `layer + 1` (pointwise): from the 7x7 map to one column.
    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to column: UnsafeMutablePointer<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// Temporal layer `layer`: from three columns `tapStride` elements apart, the oldest at `oldest`, to one column.
    func temporal(
        _ layer: Int, oldest: UnsafePointer<Element>, tapStride: Int, to column: UnsafeMutablePointer<Element>)

    /// The classifier: from a column to `classCount` logits.
    func classify(_ column: UnsafePointer<Element>, logits: UnsafeMutablePointer<Float>)

    /// The float that `element` stands for in the output of `layer` (index into all layers); with -1, in a given
    /// column.
    func floatValue(_ element: Element, layer: Int) -> Float

    /// The element that stands for a quantised value of a given column.
    func element(ofColumn code: UInt8) -> Element
}

/// Sees the rows of every layer's output as they are made. The frame path uses `NoObserver`, which does nothing.
protocol LayerObserver<Element> {
    associatedtype Element: BitwiseCopyable & Numeric
    /// - layer: index into the network's layers.
    /// - values: `rows` rows of `count` elements each, `rowStride` elements apart, from row `firstRow` of the map.
    /// - isSplit: the rows have their odd pixels first, as with `MapLayout.split`.
    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool)

    /// Reports that another part of `layer` is done; a layer that is computed in bands reports each band.
    mutating func finish(layer: Int)
}

extension LayerObserver {
    @inline(__always)
    mutating func finish(layer: Int) {}
}

struct NoObserver<Element: BitwiseCopyable & Numeric>: LayerObserver {
    @inline(__always)
    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {}
}
