#if arch(x86_64)
    public import KernelInterface

    /// A tier's vectors of floats, and how its kernels are cut to them: what AVX2 and AVX-512 differ in. The algorithms
    /// over them are extensions of this protocol, inlined into each tier: neither has a symbol that the linker could take
    /// for the other's.
    public protocol FloatVectors {
        /// `laneCount` floats.
        associatedtype Floats: BitwiseCopyable
        /// Some of the lanes.
        associatedtype Mask

        static var laneCount: Int { get }
        static var zeros: Floats { get }
        static func repeating(_ value: Float) -> Floats
        /// The values of as many bytes as there are lanes.
        static func floats(ofBytes p: UnsafeRawPointer) -> Floats
        static func sum(_ a: Floats, _ b: Floats) -> Floats
        static func product(_ a: Floats, _ b: Floats) -> Floats
        static func minimum(_ a: Floats, _ b: Floats) -> Floats
        static func maximum(_ a: Floats, _ b: Floats) -> Floats
        /// `sum + a * b`, rounded once.
        static func multiplyAdd(_ sum: Floats, _ a: Floats, _ b: Floats) -> Floats

        /// The lanes before `count`, which may be negative or more than `laneCount`.
        static func mask(before count: Int) -> Mask
        /// The floats at `p` in the mask's lanes and zeros elsewhere; nothing else is read.
        static func load(_ p: UnsafeRawPointer, _ mask: Mask) -> Floats
        static func store(_ v: Floats, _ p: UnsafeMutableRawPointer, _ mask: Mask)
        /// Whether a load or store under a mask is as fast as another.
        static var areMasksFree: Bool { get }

        /// The width of the panel of a convolution that begins before the last `left` channels.
        static func panelWidth(_ left: Int) -> Int
        /// Computes a `FloatRow`: a function of the tier for each width, because the compiler allocates registers well only
        /// in small functions.
        static func convolveRow(_ width: Int, _ row: UnsafeRawPointer)
        /// Pixels of a row of a depthwise convolution that are computed at once; fewer than six, or than four, are
        /// computed one by one.
        static func depthwisePixels(_ size: Int, _ stride: Int, _ pixels: Int) -> Int
        /// Computes a `FloatDepthwiseRow`: a function of the tier for each size and stride.
        static func depthwiseRow(_ size: Int, _ stride: Int, _ row: UnsafeRawPointer)
    }

    extension FloatVectors {
        /// Bytes of a vector.
        @export(implementation) @inline(always)
        static var bytes: Int { 4 &* laneCount }

        @export(implementation) @inline(always)
        static func load(_ p: UnsafeRawPointer) -> Floats { p.loadUnaligned(as: Floats.self) }

        @export(implementation) @inline(always)
        static func load(_ p: UnsafePointer<Float>) -> Floats { load(UnsafeRawPointer(p)) }

        @export(implementation) @inline(always)
        static func store(_ v: Floats, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: Floats.self) }

        /// The float at `p` in every lane.
        @export(implementation) @inline(always)
        static func broadcast(_ p: UnsafeRawPointer) -> Floats { repeating(p.loadUnaligned(as: Float.self)) }

        @export(implementation) @inline(always)
        static func relu6(_ v: Floats) -> Floats { minimum(maximum(v, zeros), repeating(6)) }

        /// `min(max(v, 0) + slope * min(v, 0), upper)`
        @export(implementation) @inline(always)
        static func activated(_ v: Floats, _ slope: Floats, _ upper: Float) -> Floats {
            minimum(multiplyAdd(maximum(v, zeros), minimum(v, zeros), slope), repeating(upper))
        }
    }

    /// The sums of one row or pixel, or the weights of one depth: up to four vectors of neighbouring channels.
    @usableFromInline
    struct FloatSums<V: FloatVectors> {
        @usableFromInline
        var vectors: RegisterArray<V.Floats>

        @export(implementation) @inline(always)
        init(repeating value: V.Floats) { vectors = RegisterArray(repeating: value) }

        @export(implementation) @inline(always)
        init(_ count: Int, _ p: UnsafeRawPointer) {
            vectors = RegisterArray(count) { V.load(p + $0 &* V.bytes) }
        }

        /// Adds the products of the value at `p` and of its weights.
        @export(implementation) @inline(always)
        mutating func add(_ count: Int, _ p: UnsafeRawPointer, _ w: FloatSums) {
            let x = V.broadcast(p)
            vectors.update(count) { $0 = V.multiplyAdd($0, x, w.vectors[$1]) }
        }

        @export(implementation) @inline(always)
        func plus(_ other: FloatSums) -> FloatSums {
            var both = self
            both.vectors.update(4) { $0 = V.sum($0, other.vectors[$1]) }
            return both
        }

        /// Writes ReLU6 of the sums.
        @export(implementation) @inline(always)
        func putReLU6(_ count: Int, _ out: UnsafeMutableRawPointer) {
            vectors.forEach(count) { V.store(V.relu6($0), out + $1 &* V.bytes) }
        }
    }
#endif
