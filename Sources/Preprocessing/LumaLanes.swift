/// Vector operations that the passes over a resized frame share. Each compiles to one or two instructions of SSE2 or
/// NEON; the saturating ones are written in the form that the compiler recognises.
extension SIMD16<UInt8> {
    /// Sixteen bytes from any address.
    @inline(always)
    init(at address: UnsafePointer<UInt8>) {
        // The caller proves that they are readable.
        self = unsafe UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }

    /// `max(self - other, 0)` in each lane.
    @inline(always)
    func less(_ other: Self) -> Self { replacing(with: other, where: self .< other) &- other }

    /// `|self - other|` in each lane.
    @inline(always)
    func distance(to other: Self) -> Self {
        let (above, below) = (less(other), other.less(self))
        return above | below
    }

    /// Every second byte, from the first on, as 16 bits. On a big-endian machine from the second on.
    @inline(always)
    var evenBytes: SIMD8<UInt16> { pairs & SIMD8(repeating: 255) }

    /// The bytes that are not in `evenBytes`, as 16 bits.
    @inline(always)
    var oddBytes: SIMD8<UInt16> { pairs &>> SIMD8(repeating: 8) }

    /// The sums of neighbouring bytes, each at most 510.
    @inline(always)
    var pairSums: SIMD8<UInt16> { evenBytes &+ oddBytes }

    /// In each lane the sum of the squares of four bytes.
    @inline(always)
    var squareSums: SIMD4<UInt32> {
        let (even, odd) = (evenBytes, oddBytes)
        return (even &* even).pairSums &+ (odd &* odd).pairSums
    }

    @inline(always)
    private var pairs: SIMD8<UInt16> {
        // Both have 16 bytes, and every pattern is a value.
        unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self)
    }
}

extension SIMD8<UInt16> {
    /// `max(self - other, 0)` in each lane.
    @inline(always)
    func less(_ other: Self) -> Self { replacing(with: other, where: self .< other) &- other }

    /// `min(self + other, 65535)` in each lane.
    @inline(always)
    func more(_ other: Self) -> Self {
        let room = ~other
        return replacing(with: room, where: self .> room) &+ other
    }

    /// The sums of neighbouring lanes.
    @inline(always)
    var pairSums: SIMD4<UInt32> {
        // Both have 16 bytes, and every pattern is a value.
        let quads = unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self)
        return (quads & SIMD4(repeating: 0xFFFF)) &+ (quads &>> SIMD4(repeating: 16))
    }
}

extension SIMD4<UInt32> {
    /// The sum of the lanes, modulo 2^32.
    @inline(always)
    var total: UInt32 { self[0] &+ self[1] &+ self[2] &+ self[3] }
}
