/// Computes the logits of one stream: a unit of this package, or one that an app adds, for example over Core ML.
///
/// Its input is a 224x224 image: 50,176 luma values, 0...255, row-major. Logits are one float32 per class. For every slot of its grid a stream calls `encode` or `repeatColumn`, then `advance`: one
/// function at a time, not always on the same thread. A unit that cannot compute a slot writes logits that are not
/// finite. That slot then brings no prediction, and a stream that has another unit moves on to it. The package's units
/// trap if spans have other lengths, which is a programming error; the engine checks lengths first.
public protocol ComputeUnit: AnyObject {
    /// Name of the unit in configuration, statistics and switches; unique among the units of a stream.
    var name: String { get }

    /// Number of logits per slot.
    var classCount: Int { get }

    /// True when 16 columns have been made since the last reset. Before that, logits mean nothing.
    var isWarm: Bool { get }

    /// Makes the next feature column of an image. The span is valid only during the call.
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
    /// 0: no features.
    public var featureCount: Int { 0 }
    /// Leaves `output` as it is.
    public func copyFeatures(to output: inout MutableSpan<Float>) {}
}
