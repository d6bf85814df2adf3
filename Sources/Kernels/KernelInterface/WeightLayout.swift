/// How a kernel reads the parameters of a layer. A kernel describes the order that it needs, and `pack` writes it, once
/// at load (WeightPacking.swift).
///
/// Channels are cut into panels. A panel holds the weights of `width` channels, then vectors of parameters, four bytes a
/// channel, then `trailer`, then the weights of `tapsAfter`. Weights lie `[width / run][depth / group][run][group]`:
/// `group` values of the depth side by side, as the dot product sums them, for `run` channels side by side, as they lie
/// in a vector. Places without a channel or a value of the depth stay zero.
package struct WeightLayout: Sendable {
    /// Channels of a panel.
    let width: Int
    /// The width of the panel that begins before the last `left` channels; nil for `width`.
    let panelWidth: PanelWidth?
    /// Channels whose weights lie together at every depth; nil for all of a panel.
    let run: Int?
    /// Values of the depth that lie side by side.
    var group: Int
    /// Bytes of a packed weight. Int8 weights may be widened to 2.
    var weightBytes: Int
    /// The value of the depth at each place, in the digits 0...9 and a...o; `.` is a zero, and blanks have no meaning.
    /// Empty for the depth as it is, with zeros up to a whole group.
    let taps: StaticString
    /// The same for the weights after the parameters, of which a panel is one run; empty for none.
    let tapsAfter: StaticString
    /// Whether weights are given `[depth][channels]`, not `[channels][depth]`.
    let isDepthOutermost: Bool
    /// Whether the channels of a panel lie as the instructions that interleave the bytes of two vectors leave them:
    /// vector k of four has channels 4k..<4k + 4 of each sixteen.
    let isInterleaved: Bool
    /// Vectors of these kernels span pixels where there are fewer channels than this: channels begin anew after the last
    /// one, until a panel begins with the first. Where there are more, the last panel is filled with the first channels. 0
    /// for zeros after the last channel.
    let repeatsBelow: Int
    /// Channels are filled up to a multiple of this; nil for whole panels alone.
    let channelMultiple: Int?
    /// Vectors of parameters.
    let vectors: Int
    /// Whether the second vector is another one of biases, for a row of outputs that has zeros in place of the first three
    /// values of the depth: their `correction` is not in it.
    let hasEdgeBias: Bool
    /// What follows the vectors.
    let trailer: Trailer
    /// Weights and each vector of parameters are filled up to a multiple of this.
    let alignment: Int
    /// What kernels subtract from each value. The bias of a channel makes up for it: the sum of the channel's weights,
    /// times this, is added.
    let correction: Int32

    package typealias PanelWidth = @convention(c) (_ left: Int) -> Int

    /// Writes the parameters of one channel.
    /// - lane: of the channel in its panel.
    /// - correction: see above. low, high: bounds of the sum of its products with 0...255.
    package typealias PutChannel =
        @convention(c) (
            _ lane: Int, _ bias: Int32, _ correction: Int32, _ low: Int, _ high: Int, _ multiplier: Float,
            _ slope: Float, _ parameters: UnsafeMutableRawPointer
        ) -> Void

    package enum Trailer: Sendable {
        case none
        /// 64 bytes, an Int32: 1 where the second half of the panel's channels has weights other than 0.
        case isWhole
        /// 16 bytes, an Int. It is 1 if all slopes of the panel's channels are 0, or if no slopes are given. It is 2 if all
        /// are 1, and 0 otherwise.
        case slopeKind
        /// So many bytes, which `put` writes for each channel.
        case channels(bytes: Int, put: PutChannel)

        var bytes: Int {
            switch self {
            case .none: 0
            case .isWhole: 64
            case .slopeKind: 16
            case .channels(let bytes, _): bytes
            }
        }
    }

    @export(interface) @inline(never)
    package init(
        width: Int, panelWidth: PanelWidth? = nil, run: Int? = nil, group: Int = 1, weightBytes: Int = 1,
        taps: StaticString = "", tapsAfter: StaticString = "", isDepthOutermost: Bool = false,
        isInterleaved: Bool = false, repeatsBelow: Int = 0, channelMultiple: Int? = nil, vectors: Int,
        hasEdgeBias: Bool = false, trailer: Trailer = .none, alignment: Int = 1, correction: Int32 = 0
    ) {
        self.width = width
        self.panelWidth = panelWidth
        self.run = run
        self.group = group
        self.weightBytes = weightBytes
        self.taps = taps
        self.tapsAfter = tapsAfter
        self.isDepthOutermost = isDepthOutermost
        self.isInterleaved = isInterleaved
        self.repeatsBelow = repeatsBelow
        self.channelMultiple = channelMultiple
        self.vectors = vectors
        self.hasEdgeBias = hasEdgeBias
        self.trailer = trailer
        self.alignment = alignment
        self.correction = correction
    }

    /// Values of a channel in memory, zeros included.
    func places(_ depth: Int) -> Int { taps.isEmpty ? depth.roundedUp(to: group) : taps.count }

    /// Bytes from the start of a panel to its parameters.
    func parameterOffset(_ depth: Int, width: Int) -> Int {
        (width * places(depth) * weightBytes).roundedUp(to: alignment)
    }

    /// Bytes of a vector of parameters.
    func vectorBytes(width: Int) -> Int { (4 * width).roundedUp(to: alignment) }

    /// Bytes from the start of a panel to its trailer.
    func trailerOffset(_ depth: Int, width: Int) -> Int {
        parameterOffset(depth, width: width) + vectors * vectorBytes(width: width)
    }

    func panelBytes(_ depth: Int, width: Int) -> Int {
        trailerOffset(depth, width: width) + trailer.bytes + width * tapsAfter.count * weightBytes
    }
}

extension StaticString {
    /// Calls `body` with each value that taps name and with its place.
    @inline(__always)
    func forEach(_ body: (_ value: Int, _ place: Int) -> Void) {
        withUTF8Buffer { characters in
            var place = 0
            for character in characters where character != UInt8(ascii: " ") {
                switch character {
                case UInt8(ascii: "."): break
                case UInt8(ascii: "a")...: body(10 + Int(character - UInt8(ascii: "a")), place)
                default: body(Int(character - UInt8(ascii: "0")), place)
                }
                place += 1
            }
        }
    }

    /// Places, those of zeros included.
    var count: Int { withUTF8Buffer { $0.count { $0 != UInt8(ascii: " ") } } }

    var isEmpty: Bool { utf8CodeUnitCount == 0 }
}

extension Int {
    func roundedUp(to multiple: Int) -> Int { (self + multiple - 1) / multiple * multiple }
}
