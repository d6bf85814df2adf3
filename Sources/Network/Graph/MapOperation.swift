import ModelFile

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The operators of a graph that are not convolutions, in float32. Together they are a few per cent of a network's time.
///
/// Vectors of eight lanes run over channels, whose padding to a multiple of 8 holds zeros; sums are taken in the order of the
/// loops, so that results do not depend on the machine.
enum MapOperation {
    case add(MapPlace, MapPlace, MapPlace, slope: [Float], upper: Float)
    case activation(MapPlace, MapPlace, slope: [Float], upper: Float)
    case maxPool(
        MapPlace, MapPlace, height: Int, width: Int, strideY: Int, strideX: Int, padding: NetworkGraph.Padding)
    case mean(MapPlace, MapPlace)
    case resize(MapPlace, MapPlace, rows: [Sample], columns: [Sample])
    case logistic(MapPlace, MapPlace)
    case reshape(MapPlace, MapPlace)
    case assemble([(place: MapPlace, y: Int, x: Int, channel: Int)], MapPlace)
    case depthToSpace(MapPlace, MapPlace, block: Int)

    /// Where a line or column of a resized map comes from: `(1 - share) * first + share * second`.
    struct Sample: Equatable {
        let first, second: Int
        let share: Float
    }

    init(_ step: GraphSteps.Step, _ places: [MapPlace], _ graph: NetworkGraph) throws(GraphError) {
        let output = places[step.output]
        func slopes(_ activation: GraphSteps.Activation) -> [Float] {
            let slope = activation.slope ?? []
            return slope + [Float](repeating: 1, count: output.pixel - slope.count)
        }
        switch step {
        case .add(let a, let b, _, let activation):
            self = .add(places[a], places[b], output, slope: slopes(activation), upper: activation.upper)
        case .activation(let a, _, let activation):
            self = .activation(places[a], output, slope: slopes(activation), upper: activation.upper)
        case .maxPool(let a, _, let height, let width, let strideY, let strideX, let padding):
            self = .maxPool(
                places[a], output, height: height, width: width, strideY: strideY, strideX: strideX, padding: padding)
        case .mean(let a, _): self = .mean(places[a], output)
        case .resize(let a, _, let alignCorners, let halfPixelCenters):
            let input = places[a]
            self = .resize(
                input, output, rows: Self.samples(input.height, output.height, alignCorners, halfPixelCenters),
                columns: Self.samples(input.width, output.width, alignCorners, halfPixelCenters))
        case .logistic(let a, _): self = .logistic(places[a], output)
        case .reshape(let a, _): self = .reshape(places[a], output)
        case .assemble(let parts, _):
            self = .assemble(parts.map { (places[$0.input], $0.y, $0.x, $0.channel) }, output)
        case .depthToSpace(let a, _, let block): self = .depthToSpace(places[a], output, block: block)
        case .convolution, .depthwise, .block:
            throw .unsupported(value: "", reason: "a convolution is no map operation")
        }
    }

    /// TFLite's samples: corners on corners, or pixels' centres at halves, or `index * from / to`.
    private static func samples(_ from: Int, _ to: Int, _ alignCorners: Bool, _ halfPixelCenters: Bool) -> [Sample] {
        let scale =
            alignCorners && to > 1 ? Float(from - 1) / Float(to - 1) : Float(from) / Float(to)
        return (0..<to).map { index in
            let position = halfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
            let first = min(max(Int(position.rounded(.down)), 0), from - 1)
            return Sample(
                first: first, second: min(max(Int(position.rounded(.down)) + 1, 0), from - 1),
                share: position - position.rounded(.down))
        }
    }

    @inline(never)
    func run(in arena: UnsafeMutablePointer<Float>) {
        switch self {
        case .add(let a, let b, let out, let slope, let upper):
            unsafe Self.eachLine(arena, a, b, out) { x, y, o, count in
                unsafe Self.activate(o, count, slope, upper) { unsafe Lanes(x, $0) + Lanes(y, $0) }
            }
        case .activation(let a, let out, let slope, let upper):
            unsafe Self.eachLine(arena, a, a, out) { x, _, o, count in
                unsafe Self.activate(o, count, slope, upper) { unsafe Lanes(x, $0) }
            }
        case .maxPool(let a, let out, let height, let width, let strideY, let strideX, let padding):
            unsafe Self.maxPool(arena, a, out, height, width, strideY, strideX, padding)
        case .mean(let a, let out): unsafe Self.mean(arena, a, out)
        case .resize(let a, let out, let rows, let columns): unsafe Self.resize(arena, a, out, rows, columns)
        case .logistic(let a, let out):
            for y in 0..<out.height {
                for x in 0..<out.width {
                    let from = unsafe arena + a.origin + y * a.line + x * a.pixel
                    let to = unsafe arena + out.origin + y * out.line + x * out.pixel
                    for c in 0..<out.channels { unsafe to[c] = 1 / (1 + expf(-from[c])) }
                    unsafe Self.clear(to, out, from: out.channels)
                }
            }
        case .reshape(let a, let out): unsafe Self.reshape(arena, a, out)
        case .assemble(let parts, let out): unsafe Self.assemble(arena, parts, out)
        case .depthToSpace(let a, let out, let block):
            for y in 0..<out.height {
                for x in 0..<out.width {
                    let channel = (y % block * block + x % block) * out.channels
                    let from = unsafe arena + a.origin + y / block * a.line + x / block * a.pixel + channel
                    let to = unsafe arena + out.origin + y * out.line + x * out.pixel
                    unsafe to.update(from: from, count: out.channels)
                    unsafe Self.clear(to, out, from: out.channels)
                }
            }
        }
    }

    private typealias Lanes = SIMD8<Float>

    /// Calls `body` for each line of maps whose pixels lie alike, and for each pixel of a line where they do not.
    @inline(__always)
    private static func eachLine(
        _ arena: UnsafeMutablePointer<Float>, _ a: MapPlace, _ b: MapPlace, _ out: MapPlace,
        _ body: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
    ) {
        let count = min(a.pixel, b.pixel, out.pixel)
        for y in 0..<out.height {
            for x in 0..<out.width {
                let to = unsafe arena + out.origin + y * out.line + x * out.pixel
                unsafe body(
                    arena + a.origin + y * a.line + x * a.pixel, arena + b.origin + y * b.line + x * b.pixel, to,
                    count)
                unsafe clear(to, out, from: count)
            }
        }
    }

    /// Sets the channels of a pixel from `first` on to zero, which are padding.
    @inline(__always)
    private static func clear(_ pixel: UnsafeMutablePointer<Float>, _ place: MapPlace, from first: Int) {
        if first < place.pixel { unsafe (pixel + first).update(repeating: 0, count: place.pixel - first) }
    }

    /// `min(max(v, 0) + slope * min(v, 0), upper)` over the channels of a pixel; `value` gives eight of them from an index, or
    /// those that are left in its first lane.
    @inline(__always)
    private static func activate(
        _ out: UnsafeMutablePointer<Float>, _ count: Int, _ slope: [Float], _ upper: Float,
        _ value: (Index) -> SIMD8<Float>
    ) {
        var c = 0
        while c + 8 <= count {
            let v = value(Index(at: c, isWhole: true))
            let s = unsafe slope.withUnsafeBufferPointer { unsafe Lanes($0.baseAddress!, Index(at: c, isWhole: true)) }
            let negative = v.replacing(with: 0, where: v .> 0)
            let positive = v.replacing(with: 0, where: v .< 0)
            var sum = positive + s * negative
            sum.replace(with: upper, where: sum .> upper)
            unsafe UnsafeMutableRawPointer(out + c).storeBytes(of: sum, as: Lanes.self)
            c += 8
        }
        while c < count {
            let v = value(Index(at: c, isWhole: false))[0]
            unsafe out[c] = min(max(v, 0) + slope[c] * min(v, 0), upper)
            c += 1
        }
    }

    private static func maxPool(
        _ arena: UnsafeMutablePointer<Float>, _ a: MapPlace, _ out: MapPlace, _ height: Int, _ width: Int,
        _ strideY: Int, _ strideX: Int, _ padding: NetworkGraph.Padding
    ) {
        let count = min(a.pixel, out.pixel)
        for y in 0..<out.height {
            let top = max(y * strideY - padding.top, 0)
            let bottom = min(y * strideY - padding.top + height, a.height)
            for x in 0..<out.width {
                let left = max(x * strideX - padding.left, 0)
                let right = min(x * strideX - padding.left + width, a.width)
                let to = unsafe arena + out.origin + y * out.line + x * out.pixel
                var c = 0
                while c < count {
                    let index = Index(at: c, isWhole: c + 8 <= count)
                    var largest = Lanes(repeating: -.infinity)
                    for v in top..<bottom {
                        for u in left..<right {
                            let value = unsafe Lanes(arena + a.origin + v * a.line + u * a.pixel, index)
                            largest.replace(with: value, where: value .> largest)
                        }
                    }
                    if index.isWhole {
                        unsafe UnsafeMutableRawPointer(to + c).storeBytes(of: largest, as: Lanes.self)
                        c += 8
                    } else {
                        unsafe to[c] = largest[0]
                        c += 1
                    }
                }
                unsafe clear(to, out, from: count)
            }
        }
    }

    private static func mean(_ arena: UnsafeMutablePointer<Float>, _ a: MapPlace, _ out: MapPlace) {
        let count = Float(a.height * a.width)
        let to = unsafe arena + out.origin
        for c in 0..<out.channels { unsafe to[c] = 0 }
        for y in 0..<a.height {
            for x in 0..<a.width {
                let from = unsafe arena + a.origin + y * a.line + x * a.pixel
                for c in 0..<out.channels { unsafe to[c] += from[c] }
            }
        }
        for c in 0..<out.channels { unsafe to[c] /= count }
        unsafe clear(to, out, from: out.channels)
    }

    private static func resize(
        _ arena: UnsafeMutablePointer<Float>, _ a: MapPlace, _ out: MapPlace, _ rows: [Sample], _ columns: [Sample]
    ) {
        let count = min(a.pixel, out.pixel)
        for (y, row) in rows.enumerated() {
            let upper = unsafe arena + a.origin + row.first * a.line
            let lower = unsafe arena + a.origin + row.second * a.line
            for (x, column) in columns.enumerated() {
                let to = unsafe arena + out.origin + y * out.line + x * out.pixel
                let (left, right) = (column.first * a.pixel, column.second * a.pixel)
                var c = 0
                while c < count {
                    let index = Index(at: c, isWhole: c + 8 <= count)
                    let a = unsafe Lanes(upper + left, index)
                    let b = unsafe Lanes(upper + right, index)
                    let d = unsafe Lanes(lower + left, index)
                    let e = unsafe Lanes(lower + right, index)
                    let above = a + column.share * (b - a)
                    let below = d + column.share * (e - d)
                    let value = above + row.share * (below - above)
                    if index.isWhole {
                        unsafe UnsafeMutableRawPointer(to + c).storeBytes(of: value, as: Lanes.self)
                        c += 8
                    } else {
                        unsafe to[c] = value[0]
                        c += 1
                    }
                }
                unsafe clear(to, out, from: count)
            }
        }
    }

    /// Row-major order kept, whatever lies between the elements.
    private static func reshape(_ arena: UnsafeMutablePointer<Float>, _ a: MapPlace, _ out: MapPlace) {
        if a.isDense, out.isDense {
            unsafe (arena + out.origin).update(from: arena + a.origin, count: out.channels * out.width * out.height)
            return
        }
        if out.pixel > out.channels {
            for y in 0..<out.height {
                for x in 0..<out.width {
                    let end = unsafe arena + out.origin + y * out.line + x * out.pixel + out.channels
                    unsafe end.update(repeating: 0, count: out.pixel - out.channels)
                }
            }
        }
        var (y, x, c) = (0, 0, 0)
        for v in 0..<a.height {
            for u in 0..<a.width {
                let from = unsafe arena + a.origin + v * a.line + u * a.pixel
                for k in 0..<a.channels {
                    unsafe arena[out.origin + y * out.line + x * out.pixel + c] = from[k]
                    c += 1
                    if c == out.channels { (x, c) = (x + 1, 0) }
                    if x == out.width { (y, x) = (y + 1, 0) }
                }
            }
        }
    }

    private static func assemble(
        _ arena: UnsafeMutablePointer<Float>, _ parts: [(place: MapPlace, y: Int, x: Int, channel: Int)],
        _ out: MapPlace
    ) {
        for y in 0..<out.height {
            unsafe (arena + out.origin + y * out.line).update(repeating: 0, count: out.width * out.pixel)
        }
        for part in parts {
            let a = part.place
            for y in 0..<a.height {
                for x in 0..<a.width {
                    let from = unsafe arena + a.origin + y * a.line + x * a.pixel
                    let to = unsafe arena + out.origin + (part.y + y) * out.line + (part.x + x) * out.pixel
                    unsafe (to + part.channel).update(from: from, count: a.channels)
                }
            }
        }
    }

    /// Eight channels from `at`, or one.
    fileprivate struct Index {
        let at: Int
        let isWhole: Bool
    }
}

extension SIMD8<Float> {
    /// Eight numbers from an index, or one and zeros.
    @inline(__always)
    fileprivate init(_ base: UnsafePointer<Float>, _ index: MapOperation.Index) {
        if index.isWhole {
            self = unsafe UnsafeRawPointer(base + index.at).loadUnaligned(as: SIMD8<Float>.self)
        } else {
            self = .zero
            self[0] = unsafe base[index.at]
        }
    }
}
