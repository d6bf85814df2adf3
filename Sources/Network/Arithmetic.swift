import KernelInterface
import Vocabulary

/// One number system's way to run the network's layers. The wiring in `StreamingNetwork` is written once over it.
///
/// Conformers hold packed parameters and kernels and nothing that changes; all state and scratch memory is passed in.
protocol Arithmetic: Sendable {
    associatedtype Element: BitwiseCopyable & Numeric

    var classCount: Int { get }

    /// The front end whose network it is.
    var frontEnd: FrontEnd { get }

    /// Every layer in the order of execution, the classifier last.
    var specs: [LayerSpec] { get }

    /// Index of the first temporal layer among all: 0 where columns are given and nothing encodes.
    var firstTemporal: Int { get }

    /// Elements of scratch memory a layer may use besides its input and output.
    var scratchCount: Int { get }

    /// How a map lies that a convolution of stride 2 reads next.
    static var strideTwoLayout: MapLayout { get }

    /// Frame of 224x224 codes to the stem's map.
    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<Element>)

    /// Encoder layers `layer` (depthwise 3x3) and `layer + 1` (pointwise).
    /// `observe` sees the depthwise rows while they exist.
    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to output: FeatureMap<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// Encoder layers `layer` (depthwise 7x7) and `layer + 1` (pointwise): the 7x7 map to one column.
    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to column: UnsafeMutablePointer<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// Temporal layer `layer`: three columns `tapStride` elements apart, the oldest at `oldest`, to one.
    func temporal(
        _ layer: Int, oldest: UnsafePointer<Element>, tapStride: Int, to column: UnsafeMutablePointer<Element>)

    /// The classifier: a column to `classCount` logits.
    func classify(_ column: UnsafePointer<Element>, logits: UnsafeMutablePointer<Float>)

    /// The real value that `element` stands for in the output of `layer` (index into all layers), or with -1 in a given
    /// column.
    func floatValue(_ element: Element, layer: Int) -> Float

    /// What stands for a code of a given column.
    func element(ofColumn code: UInt8) -> Element
}

/// Sees the rows of every layer's output as they are made. The frame path uses the one that sees nothing.
protocol LayerObserver<Element> {
    associatedtype Element: BitwiseCopyable & Numeric
    /// - layer: index into the network's layers.
    /// - values: `rows` rows of `count` elements each, `rowStride` elements apart, from row `firstRow` of the map.
    /// - isSplit: the rows have their odd pixels first, as `MapLayout.split`.
    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool)

    /// Another part of `layer` is done; a layer that is computed in bands says so after each.
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
