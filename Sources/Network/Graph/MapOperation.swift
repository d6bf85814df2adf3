import KernelInterface
import ModelFile
import Platform

/// The operators of a graph that are not convolutions, on floats or on quantised values. Together they take a few per
/// cent of a network's time.
///
/// Vectors of eight lanes run over channels, whose padding holds zeros. Sums are taken in the order of the loops and no
/// operations are fused, so that results do not depend on the machine.
enum MapOperation {
    case add(MapPlace, MapPlace, MapPlace, slope: [Float], upper: Float)
    case activation(MapPlace, MapPlace, slope: [Float], upper: Float)
    case maxPool(
        MapPlace, MapPlace, height: Int, width: Int, strideY: Int, strideX: Int, padding: NetworkGraph.Padding)
    case mean(MapPlace, MapPlace)
    case resize(MapPlace, MapPlace, rows: [Sample], columns: [Sample])
    case logistic(MapPlace, MapPlace)
    case reshape(MapPlace, MapPlace)
    case concat([(place: MapPlace, y: Int, x: Int, channel: Int)], MapPlace)
    case depthToSpace(MapPlace, MapPlace, block: Int)
    case arithmetic(NetworkGraph.Arithmetic, MapPlace, MapPlace, MapPlace, GraphSteps.Repetition)
    case affine(MapPlace, MapPlace, factors: [Float], offsets: [Float], slope: [Float], upper: Float)
    case reduce(NetworkGraph.Reduction, MapPlace, MapPlace, GraphSteps.Axis)
    case gather(MapPlace, MapPlace, GraphSteps.Axis, indices: [Int])
    case softmax(MapPlace, MapPlace)
    case dequantise(MapPlace, MapPlace)
    case quantise(MapPlace, MapPlace)

    /// Where a row or x position of a resized map is sampled: `(1 - share) * first + share * second`.
    struct Sample: Equatable {
        let first, second: Int
        let share: Float
    }

    @inline(never)
    func run(_ kernels: MapKernels, in arena: UnsafeMutableRawPointer, scratch: UnsafeMutableRawPointer) {
        switch self {
        case .add(let a, let b, let out, let slope, let upper):
            unsafe Self.add(kernels, arena, a, b, out, slope, upper)
        case .activation(let a, let out, let slope, let upper):
            let count = min(a.pixel, out.pixel)
            unsafe Self.eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<Float>) in
                let p = unsafe a.floats(arena, y, x)
                unsafe Self.fill(to, count) { unsafe Self.activated(Lanes(p, $0), slope, $0, upper) }
            }
        case .maxPool(let a, let out, let height, let width, let strideY, let strideX, let padding):
            unsafe Self.maxPool(kernels, arena, a, out, Window(height, width, strideY, strideX, padding))
        case .mean(let a, let out): unsafe Self.mean(arena, a, out)
        case .resize(let a, let out, let rows, let columns):
            unsafe Self.resize(kernels, arena, scratch, a, out, rows, columns)
        case .logistic(let a, let out):
            unsafe Self.eachPixel(arena, out, from: out.channels) { (y, x, to: UnsafeMutablePointer<Float>) in
                let from = unsafe a.floats(arena, y, x)
                for c in 0..<out.channels { unsafe to[c] = 1 / (1 + Math.exponential(-from[c])) }
            }
        case .reshape(let a, let out): unsafe Self.reshape(arena, a, out)
        case .concat(let parts, let out): unsafe Self.concat(arena, parts, out)
        case .depthToSpace(let a, let out, let block): unsafe Self.depthToSpace(arena, a, out, block)
        case .arithmetic(let arithmetic, let a, let b, let out, let repetition):
            unsafe Self.arithmetic(arithmetic, arena, a, b, out, repetition)
        case .affine(let a, let out, let factors, let offsets, let slope, let upper):
            let count = min(a.pixel, out.pixel)
            unsafe Self.eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<Float>) in
                let p = unsafe a.floats(arena, y, x)
                unsafe Self.fill(to, count) { index in
                    let product = unsafe Lanes(p, index) * Self.lanes(factors, index)
                    return Self.activated(product + Self.lanes(offsets, index), slope, index, upper)
                }
            }
        case .reduce(let reduction, let a, let out, let axis): unsafe Self.reduce(reduction, arena, a, out, axis)
        case .gather(let a, let out, let axis, let indices): unsafe Self.gather(arena, a, out, axis, indices)
        case .softmax(let a, let out):
            unsafe Self.eachPixel(arena, out, from: out.channels) { (y, x, to: UnsafeMutablePointer<Float>) in
                unsafe Self.softmax(a.floats(arena, y, x), to, count: out.channels)
            }
        case .dequantise(let a, let out):
            guard let quantisation = a.quantisation else { return }
            let count = min(a.pixel, out.pixel)
            unsafe Self.eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<Float>) in
                let from = unsafe a.bytes(arena, y, x)
                unsafe Self.fill(to, count) { unsafe quantisation.numbers(Lanes(from, $0)) }
            }
        case .quantise(let a, let out):
            guard let quantisation = out.quantisation else { return }
            let count = min(a.pixel, out.pixel)
            unsafe Self.eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<UInt8>) in
                let from = unsafe a.floats(arena, y, x)
                unsafe Self.fill(to, count) { unsafe quantisation.steps(Lanes(from, $0)) }
            }
        }
    }

    /// The quantised value nearest to a float; for NaN the zero point.
    static func quantised(_ value: Float, _ quantisation: GraphFile.Quantisation) -> UInt8 {
        let nearest = (value / quantisation.scale).rounded(.toNearestOrEven) + Float(quantisation.zeroPoint)
        return nearest.isNaN ? UInt8(quantisation.zeroPoint) : UInt8(min(max(nearest, 0), 255))
    }

    private typealias Lanes = SIMD8<Float>

    /// Calls `body` for each pixel of a map, and sets its padded channels, from `first` on, to zero.
    @inline(__always)
    private static func eachPixel<Element: MapElement>(
        _ arena: UnsafeMutableRawPointer, _ out: MapPlace, from first: Int,
        _ body: (Int, Int, UnsafeMutablePointer<Element>) -> Void
    ) {
        let rest = (out.pixel - first) * out.elementSize
        for y in 0..<out.height {
            for x in 0..<out.width {
                let to = unsafe out.pixel(arena, y, x)
                unsafe body(y, x, to.assumingMemoryBound(to: Element.self))
                let end = unsafe to + first * out.elementSize
                if rest == 8 {
                    unsafe end.storeBytes(of: SIMD8(repeating: out.zero), as: SIMD8<UInt8>.self)
                } else if rest > 0 {
                    unsafe end.initializeMemory(as: UInt8.self, repeating: out.zero, count: rest)
                }
            }
        }
    }

    /// Writes `count` elements, eight at a time and the last ones one by one.
    @inline(__always)
    private static func fill<Element: MapElement>(
        _ out: UnsafeMutablePointer<Element>, _ count: Int, _ value: (Index) -> SIMD8<Float>
    ) {
        var c = 0
        while c + 8 <= count {
            unsafe Element.store(value(Index(at: c, isWhole: true)), out + c)
            c += 8
        }
        while c < count {
            unsafe out[c] = Element(one: value(Index(at: c, isWhole: false))[0])
            c += 1
        }
    }

    @inline(__always)
    private static func lanes(_ values: [Float], _ index: Index) -> SIMD8<Float> {
        unsafe values.withUnsafeBufferPointer { unsafe Lanes($0.baseAddress!, index) }
    }

    /// `min(max(v, 0) + slope * min(v, 0), upper)`
    @inline(__always)
    private static func activated(
        _ v: SIMD8<Float>, _ slope: [Float], _ index: Index, _ upper: Float
    ) -> SIMD8<Float> {
        let s = lanes(slope, index)
        let negative = v.replacing(with: 0, where: v .> 0)
        let positive = v.replacing(with: 0, where: v .< 0)
        var sum = positive + s * negative
        sum.replace(with: upper, where: sum .> upper)
        return sum
    }

    private static func add(
        _ kernels: MapKernels, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ b: MapPlace, _ out: MapPlace,
        _ slope: [Float], _ upper: Float
    ) {
        let count = min(a.pixel, lanes(b, out))
        guard let aQuantisation = a.quantisation, let bQuantisation = b.quantisation,
            let quantisation = out.quantisation
        else {
            unsafe eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<Float>) in
                let (p, q) = unsafe (a.floats(arena, y, x), b.floats(arena, y, x))
                unsafe fill(to, count) { index in
                    unsafe activated(Lanes(p, index) + Lanes(q, index), slope, index, upper)
                }
            }
            return
        }
        if upper == .infinity, slope.allSatisfy({ $0 == 1 }) {
            unsafe addQuantised(kernels, arena, (a, aQuantisation), (b, bQuantisation), (out, quantisation), count)
            return
        }
        unsafe eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<UInt8>) in
            let (p, q) = unsafe (a.bytes(arena, y, x), b.bytes(arena, y, x))
            unsafe fill(to, count) { index in
                let sum = unsafe aQuantisation.numbers(Lanes(p, index)) + bQuantisation.numbers(Lanes(q, index))
                return quantisation.steps(activated(sum, slope, index, upper))
            }
        }
    }

    /// A sum without an activation.
    private static func addQuantised(
        _ kernels: MapKernels, _ arena: UnsafeMutableRawPointer, _ a: (MapPlace, GraphFile.Quantisation),
        _ b: (MapPlace, GraphFile.Quantisation), _ out: (MapPlace, GraphFile.Quantisation), _ count: Int
    ) {
        let parameters = FixedArray<SIMD8<Float>, Float>(
            SIMD8(
                Float(a.1.zeroPoint), a.1.scale, Float(b.1.zeroPoint), b.1.scale, out.1.scale, Float(out.1.zeroPoint),
                0, 0))
        let (a, b, out) = (a.0, b.0, out.0)
        unsafe parameters.withUnsafeBufferPointer { parameters in
            guard let parameters = parameters.baseAddress else { return }
            // A row at a time where nothing lies between the pixels.
            let isWhole = a.pixel == count && b.pixel == count && out.pixel == count
            for y in 0..<(isWhole ? out.height : 0) {
                unsafe kernels.add(
                    a.bytes(arena, y, 0), b.bytes(arena, y, 0), out.width * count, parameters, out.bytes(arena, y, 0))
            }
            guard !isWhole else { return }
            unsafe eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<UInt8>) in
                unsafe kernels.add(a.bytes(arena, y, x), b.bytes(arena, y, x), count, parameters, to)
            }
        }
    }

    /// A pooling window, cut to the part that lies in a map.
    private struct Window {
        let height, width, strideY, strideX: Int
        let padding: NetworkGraph.Padding

        init(_ height: Int, _ width: Int, _ strideY: Int, _ strideX: Int, _ padding: NetworkGraph.Padding) {
            self.height = height
            self.width = width
            self.strideY = strideY
            self.strideX = strideX
            self.padding = padding
        }

        func rows(_ y: Int, of map: MapPlace) -> Range<Int> {
            let top = y * strideY - padding.top
            return max(top, 0)..<min(top + height, map.height)
        }

        func columns(_ x: Int, of map: MapPlace) -> Range<Int> {
            let left = x * strideX - padding.left
            return max(left, 0)..<min(left + width, map.width)
        }
    }

    private static func maxPool(
        _ kernels: MapKernels, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ window: Window
    ) {
        let count = min(a.pixel, out.pixel)
        let rest = (out.pixel - count) * out.elementSize
        for y in 0..<out.height {
            let rows = window.rows(y, of: a)
            var x = 0
            while x < out.width {
                let columns = window.columns(x, of: a)
                let (v, u) = (rows.lowerBound, columns.lowerBound)
                var pixels = 1
                if a.quantisation == nil {
                    unsafe largest(
                        a.floats(arena, v, u), a.rowStride, a.pixel, rows.count, columns.count, count,
                        out.floats(arena, y, x))
                } else {
                    // All whole windows of a row at once.
                    if columns.count == window.width {
                        pixels = min(out.width - x, 1 + (a.width - columns.upperBound) / window.strideX)
                    }
                    unsafe kernels.maxPool(
                        a.bytes(arena, v, u), a.rowStride, a.pixel, rows.count, columns.count, window.strideX * a.pixel,
                        pixels, count, out.bytes(arena, y, x), out.pixel)
                }
                for padded in x..<(rest > 0 ? x + pixels : x) {
                    let end = unsafe out.pixel(arena, y, padded) + count * out.elementSize
                    unsafe end.initializeMemory(as: UInt8.self, repeating: out.zero, count: rest)
                }
                x += pixels
            }
        }
    }

    /// The largest element of each of `count` channels of a window whose first pixel lies at `from`.
    @inline(__always)
    private static func largest(
        _ from: UnsafePointer<Float>, _ rowStride: Int, _ pixel: Int, _ height: Int, _ width: Int, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var c = 0
        while c + 8 <= count {
            var v = unsafe UnsafeRawPointer(from + c).loadUnaligned(as: SIMD8<Float>.self)
            for y in 0..<height {
                for x in 0..<width {
                    let w = unsafe UnsafeRawPointer(from + (c + y * rowStride + x * pixel)).loadUnaligned(
                        as: SIMD8<Float>.self)
                    v.replace(with: w, where: w .> v)
                }
            }
            unsafe UnsafeMutableRawPointer(out + c).storeBytes(of: v, as: SIMD8<Float>.self)
            c += 8
        }
        while c < count {
            unsafe out[c] = from[c]
            for y in 0..<height {
                for x in 0..<width { unsafe out[c] = max(out[c], from[c + y * rowStride + x * pixel]) }
            }
            c += 1
        }
    }

    private static func mean(_ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace) {
        let count = Float(a.height * a.width)
        unsafe eachPixel(arena, out, from: out.channels) { (_, _, to: UnsafeMutablePointer<Float>) in
            guard let quantisation = a.quantisation else {
                for c in 0..<out.channels { unsafe to[c] = 0 }
                for y in 0..<a.height {
                    for x in 0..<a.width {
                        let from = unsafe a.floats(arena, y, x)
                        for c in 0..<out.channels { unsafe to[c] += from[c] }
                    }
                }
                for c in 0..<out.channels { unsafe to[c] /= count }
                return
            }
            // Sums of quantised values are exact.
            unsafe fill(to, out.channels) { index in
                var sum = SIMD8<UInt32>()
                for y in 0..<a.height {
                    let row = unsafe UnsafeRawPointer(a.bytes(arena, y, 0) + index.at)
                    for x in 0..<a.width {
                        // The channels of a quantised pixel are a multiple of sixteen.
                        let eight = unsafe (row + x * a.pixel).loadUnaligned(as: SIMD8<UInt8>.self)
                        sum &+= SIMD8<UInt32>(truncatingIfNeeded: eight)
                    }
                }
                return quantisation.numbers(Lanes(sum) / count)
            }
        }
    }

    /// Channels that two maps have in common, and the zeros after them that fill eight lanes.
    @inline(__always)
    private static func lanes(_ a: MapPlace, _ out: MapPlace) -> Int {
        min(a.pixel, out.pixel, (out.channels + 7) / 8 * 8)
    }

    /// Bytes that a resize needs besides its maps: two rows of its output, as floats.
    static func resizeScratchBytes(_ a: MapPlace, _ out: MapPlace) -> Int {
        2 * out.width * lanes(a, out) * MemoryLayout<Float>.stride
    }

    private static func resize(
        _ kernels: MapKernels, _ arena: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer, _ a: MapPlace,
        _ out: MapPlace, _ rows: [Sample], _ columns: [Sample]
    ) {
        guard a.quantisation == nil else {
            unsafe resize(
                arena, scratch, a, out, rows, columns, of: UInt8.self, widening: kernels.interpolateColumns,
                rounding: kernels.interpolateRows)
            return
        }
        unsafe resize(arena, scratch, a, out, rows, columns, of: Float.self) { p, q, share, count, to in
            unsafe mix(p, q, share, count, to)
        } rounding: { above, below, share, count, to in
            unsafe mix(above, below, share, count, to)
        }
    }

    /// Quantised values are interpolated without dequantising them, as both maps have the same quantisation, and
    /// rounded.
    ///
    /// The horizontal pass comes first: a row of the input is widened once, as floats, for all rows of the output that
    /// use it. Two widened rows are kept, one of an even and one of an odd input row.
    @inline(__always)
    private static func resize<Element: MapElement>(
        _ arena: UnsafeMutableRawPointer, _ scratch: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace,
        _ rows: [Sample], _ columns: [Sample], of _: Element.Type,
        widening: (UnsafePointer<Element>, UnsafePointer<Element>, Float, Int, UnsafeMutablePointer<Float>) -> Void,
        rounding: (UnsafePointer<Float>, UnsafePointer<Float>, Float, Int, UnsafeMutablePointer<Element>) -> Void
    ) {
        let count = lanes(a, out)
        let length = out.width * count
        let wide = unsafe scratch.bindMemory(to: Float.self, capacity: 2 * length)
        func widen(_ y: Int) {
            let row = unsafe wide + (y & 1) * length
            for x in 0..<out.width {
                let column = columns[x]
                let (p, q) = unsafe (
                    UnsafePointer(a.pixel(arena, y, column.first).assumingMemoryBound(to: Element.self)),
                    UnsafePointer(a.pixel(arena, y, column.second).assumingMemoryBound(to: Element.self))
                )
                unsafe widening(p, q, column.share, count, row + x * count)
            }
        }
        // Whether the output row before `y` has widened the row. Computed from the samples: state that functions share
        // lies on the heap.
        func isWide(_ row: Int, before y: Int) -> Bool {
            y > 0 && (rows[y - 1].first == row || rows[y - 1].second == row)
        }
        unsafe eachPixel(arena, out, from: count) { (y, x, to: UnsafeMutablePointer<Element>) in
            let row = rows[y]
            if x == 0 {
                if !isWide(row.first, before: y) { widen(row.first) }
                if row.second != row.first, !isWide(row.second, before: y) { widen(row.second) }
            }
            let above = unsafe UnsafePointer(wide + (row.first & 1) * length + x * count)
            let below = unsafe UnsafePointer(wide + (row.second & 1) * length + x * count)
            unsafe rounding(above, below, row.share, count, to)
        }
    }

    /// `a + share * (b - a)`
    @inline(__always)
    private static func mix(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        unsafe fill(out, count) { index in
            let first = unsafe Lanes(a, index)
            return unsafe first + share * (Lanes(b, index) - first)
        }
    }

    /// Keeps the row-major order, whatever lies between the elements.
    private static func reshape(_ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace) {
        let size = out.elementSize
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (source, target) = (a.runs, out.runs)
        var (y, x, c) = (0, 0, 0)
        for v in 0..<source.rows {
            for u in 0..<source.columns {
                // As many elements as are left in both runs.
                var k = 0
                while k < source.count {
                    let count = min(source.count - k, target.count - c)
                    unsafe (out.pixel(arena, y, x) + c * size).copyMemory(
                        from: a.pixel(arena, v, u) + k * size, byteCount: count * size)
                    k += count
                    c += count
                    if c == target.count { (x, c) = (x + 1, 0) }
                    if x == target.columns { (y, x) = (y + 1, 0) }
                }
            }
        }
    }

    private static func concat(
        _ arena: UnsafeMutableRawPointer, _ parts: [(place: MapPlace, y: Int, x: Int, channel: Int)], _ out: MapPlace
    ) {
        let elements = parts.reduce(0) { $0 + $1.place.height * $1.place.width * $1.place.channels }
        if elements < out.height * out.width * out.pixel { unsafe clear(arena, out) }
        for part in parts {
            let a = part.place
            let runs = a.runs(in: out)
            for y in 0..<runs.rows {
                for x in 0..<runs.columns {
                    let to = unsafe out.pixel(arena, part.y + y, part.x + x) + part.channel * out.elementSize
                    unsafe to.copyMemory(from: a.pixel(arena, y, x), byteCount: runs.count * out.elementSize)
                }
            }
        }
    }

    private static func depthToSpace(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ block: Int
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        for y in 0..<out.height {
            for x in 0..<out.width {
                let channel = (y % block * block + x % block) * out.channels
                let from = unsafe a.pixel(arena, y / block, x / block) + channel * out.elementSize
                unsafe out.pixel(arena, y, x).copyMemory(from: from, byteCount: out.channels * out.elementSize)
            }
        }
    }

    /// Sets all pixels of a map to zero.
    static func clear(_ arena: UnsafeMutableRawPointer, _ out: MapPlace) {
        for y in 0..<out.height {
            unsafe out.pixel(arena, y, 0).initializeMemory(
                as: UInt8.self, repeating: out.zero, count: out.width * out.pixel * out.elementSize)
        }
    }

    /// Eight channels from `at` on, or one.
    fileprivate struct Index {
        let at: Int
        let isWhole: Bool
    }
}

/// Element type of a map, read and written as eight floats.
private protocol MapElement: BitwiseCopyable {
    static func load(_ p: UnsafePointer<Self>) -> SIMD8<Float>
    static func store(_ v: SIMD8<Float>, _ p: UnsafeMutablePointer<Self>)
    init(one v: Float)
    var one: Float { get }
}

extension Float: MapElement {
    @inline(__always)
    fileprivate static func load(_ p: UnsafePointer<Float>) -> SIMD8<Float> {
        unsafe UnsafeRawPointer(p).loadUnaligned(as: SIMD8<Float>.self)
    }

    @inline(__always)
    fileprivate static func store(_ v: SIMD8<Float>, _ p: UnsafeMutablePointer<Float>) {
        unsafe UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD8<Float>.self)
    }

    fileprivate init(one v: Float) { self = v }
    fileprivate var one: Float { self }
}

extension UInt8: MapElement {
    /// Lane by lane; the compiler vectorises it.
    @inline(__always)
    fileprivate static func load(_ p: UnsafePointer<UInt8>) -> SIMD8<Float> {
        let b = unsafe UnsafeRawPointer(p).loadUnaligned(as: SIMD8<UInt8>.self)
        return SIMD8(
            Float(b[0]), Float(b[1]), Float(b[2]), Float(b[3]), Float(b[4]), Float(b[5]), Float(b[6]), Float(b[7]))
    }

    /// Clamps and rounds half to even: adding 2^23 leaves the rounded integer in the low bits.
    @inline(__always)
    fileprivate static func store(_ v: SIMD8<Float>, _ p: UnsafeMutablePointer<UInt8>) {
        let words = unsafe unsafeBitCast(bits(v), to: SIMD16<UInt16>.self).evenHalf
        unsafe UnsafeMutableRawPointer(p).storeBytes(
            of: unsafeBitCast(words, to: SIMD16<UInt8>.self).evenHalf, as: SIMD8<UInt8>.self)
    }

    @inline(__always)
    private static func bits(_ value: SIMD8<Float>) -> SIMD8<Float> {
        // NaN becomes 0.
        var v = SIMD8<Float>(repeating: 0).replacing(with: value, where: value .> 0)
        v.replace(with: SIMD8(repeating: 255), where: v .> 255)
        return v + 8_388_608
    }

    @inline(__always)
    fileprivate init(one v: Float) { self.init(truncatingIfNeeded: Self.bits(SIMD8(repeating: v))[0].bitPattern) }

    fileprivate var one: Float { Float(self) }

}

extension SIMD8<Float> {
    /// Eight floats from an index on, or one float and zeros.
    @inline(__always)
    fileprivate init<Element: MapElement>(_ base: UnsafePointer<Element>, _ index: MapOperation.Index) {
        if index.isWhole {
            self = unsafe Element.load(base + index.at)
        } else {
            self = .zero
            self[0] = unsafe base[index.at].one
        }
    }
}

extension GraphFile.Quantisation {
    /// Dequantises values.
    @inline(__always)
    fileprivate func numbers(_ values: SIMD8<Float>) -> SIMD8<Float> { (values - Float(zeroPoint)) * scale }

    /// Quantises floats, without rounding and clamping.
    @inline(__always)
    fileprivate func steps(_ numbers: SIMD8<Float>) -> SIMD8<Float> { numbers / scale + Float(zeroPoint) }
}

/// Operators that work on floats element by element or along a dimension: parts of heads over points, with a few
/// hundred elements each. Plain loops in the order of the elements.
extension MapOperation {
    static func arithmetic(
        _ arithmetic: NetworkGraph.Arithmetic, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ b: MapPlace,
        _ out: MapPlace, _ repetition: GraphSteps.Repetition
    ) {
        switch arithmetic {
        case .subtract: unsafe eachPair(arena, a, b, out, repetition) { $0 - $1 }
        case .multiply: unsafe eachPair(arena, a, b, out, repetition) { $0 * $1 }
        case .divide: unsafe eachPair(arena, a, b, out, repetition) { $0 / $1 }
        case .maximum: unsafe eachPair(arena, a, b, out, repetition) { max($0, $1) }
        case .minimum: unsafe eachPair(arena, a, b, out, repetition) { min($0, $1) }
        }
    }

    @inline(__always)
    private static func eachPair(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ b: MapPlace, _ out: MapPlace,
        _ repetition: GraphSteps.Repetition, _ value: (Float, Float) -> Float
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, q, to) = unsafe (a.floats(arena, 0, 0), b.floats(arena, 0, 0), out.floats(arena, 0, 0))
        for row in 0..<out.height * out.width {
            let first = unsafe p + a.distance(to: row * a.channels)
            let second = unsafe q + b.distance(to: repetition.row(row) * b.channels)
            let result = unsafe to + out.distance(to: row * out.channels)
            for c in 0..<out.channels { unsafe result[c] = value(first[c], second[c * repetition.step]) }
        }
    }

    static func reduce(
        _ reduction: NetworkGraph.Reduction, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace,
        _ axis: GraphSteps.Axis
    ) {
        switch reduction {
        case .mean:
            let count = Float(axis.extent)
            unsafe eachRun(arena, a, out, axis, { $0 + $1 }, { $0 / count })
        case .maximum: unsafe eachRun(arena, a, out, axis, { max($0, $1) }, { $0 })
        case .minimum: unsafe eachRun(arena, a, out, axis, { min($0, $1) }, { $0 })
        }
    }

    /// Combines the elements along a dimension, in order.
    @inline(__always)
    private static func eachRun(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ axis: GraphSteps.Axis,
        _ join: (Float, Float) -> Float, _ finish: (Float) -> Float
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, to) = unsafe (a.floats(arena, 0, 0), out.floats(arena, 0, 0))
        for run in 0..<axis.outer {
            for index in 0..<axis.inner {
                let first = run * axis.extent * axis.inner + index
                var result = unsafe p[a.distance(to: first)]
                for place in 1..<max(1, axis.extent) {
                    result = unsafe join(result, p[a.distance(to: first + place * axis.inner)])
                }
                unsafe to[out.distance(to: run * axis.inner + index)] = finish(result)
            }
        }
    }

    static func gather(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ axis: GraphSteps.Axis, _ indices: [Int]
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, to) = unsafe (a.floats(arena, 0, 0), out.floats(arena, 0, 0))
        var element = 0
        for run in 0..<axis.outer {
            for index in indices {
                let first = (run * axis.extent + index) * axis.inner
                for place in 0..<axis.inner {
                    unsafe to[out.distance(to: element)] = p[a.distance(to: first + place)]
                    element += 1
                }
            }
        }
    }

    /// Exponentials of `count` floats over their sum. The largest float is subtracted from all, so that none overflows.
    static func softmax(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, count: Int) {
        var largest = -Float.infinity
        for c in 0..<count { largest = unsafe max(largest, from[c]) }
        var sum: Float = 0
        for c in 0..<count {
            unsafe to[c] = Math.exponential(from[c] - largest)
            unsafe sum += to[c]
        }
        for c in 0..<count { unsafe to[c] /= sum }
    }
}

extension MapPlace {
    /// Elements from the first element to the one with this row-major index.
    @inline(__always)
    fileprivate func distance(to element: Int) -> Int {
        guard !isDense else { return element }
        let index = element / channels
        return index / width * rowStride + index % width * pixel + element % channels
    }
}
