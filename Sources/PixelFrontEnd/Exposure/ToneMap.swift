/// One gain and one offset for all luma levels of a frame, in fixed point: a monotonic map of 256 levels.
///
///     out(x) = clamp((x * gain + 128 * offset + 64) >> 7, 0...255)
///
/// A level of 0 becomes `max(offset, 0)`, so padding stays black, except that an offset above 0 lifts it together with
/// the image's black.
package struct ToneMap: Sendable, Equatable {
    /// The factor in 1/128: 1...256.
    package let gain: UInt16
    /// In luma levels: -128...128.
    package let offset: Int16

    /// Leaves every level unchanged.
    package static let identity = ToneMap(gain: 128, offset: 0)

    /// - Requires: gain in 1...256 and offset in -128...128.
    package init(gain: UInt16, offset: Int16 = 0) {
        precondition((1...256).contains(gain) && (-128...128).contains(offset))
        self.gain = gain
        self.offset = offset
    }

    package var isIdentity: Bool { self == .identity }

    /// Maps a frame in place; the identity changes nothing.
    /// - frame: `Preprocessor.frameBytes` bytes.
    package func apply(to frame: inout MutableSpan<UInt8>) {
        guard !isIdentity else { return }
        precondition(frame.count == Preprocessor.frameBytes)
        let bias = 128 * Int(offset) + 64
        let (drop, lift) = (UInt16(max(-bias, 0)), UInt16(max(bias, 0)))
        // The frame is a whole number of vectors long.
        unsafe frame.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe Self.map(
                start, SIMD8(repeating: gain), SIMD8(repeating: drop), SIMD8(repeating: 32_768 + lift))
        }
    }

    /// x * gain is at most 255 * 256. Adding 2^15 with saturation leaves a sum below 2^16 exactly if it is a level,
    /// below 256 in 1/128, and otherwise 2^16 - 1. After the shift the low byte is the clamped level, and bit 8 is
    /// surplus.
    ///
    /// Not inlined: if the compiler sees that lanes are equal, it does not recognise the saturation.
    /// - drop: 1/128 of the subtracted levels, never below 0.
    /// - lift: 2^15 plus 1/128 of the added levels.
    @inline(never)
    private static func map(
        _ start: UnsafeMutablePointer<UInt8>, _ gain: SIMD8<UInt16>, _ drop: SIMD8<UInt16>, _ lift: SIMD8<UInt16>
    ) {
        var index = 0
        while index < Preprocessor.frameBytes {
            let bytes = unsafe SIMD16(at: start + index)
            let even = (bytes.evenBytes &* gain).less(drop).more(lift)
            let odd = (bytes.oddBytes &* gain).less(drop).more(lift)
            unsafe store(even, odd, start + index)
            index &+= 16
        }
    }

    @inline(always)
    private static func store(_ even: SIMD8<UInt16>, _ odd: SIMD8<UInt16>, _ start: UnsafeMutablePointer<UInt8>) {
        let low = (even &>> SIMD8(repeating: 7)) & SIMD8(repeating: 255)
        let high = (odd &<< SIMD8(repeating: 1)) & SIMD8(repeating: 0xFF00)
        unsafe UnsafeMutableRawPointer(start).storeBytes(of: low | high, as: SIMD8<UInt16>.self)
    }
}

/// Each compiles to one or two instructions of SSE2 or NEON; the saturating ones are written in the form that the
/// compiler recognises.
extension SIMD16<UInt8> {
    /// Sixteen bytes from any address.
    @inline(always)
    fileprivate init(at address: UnsafePointer<UInt8>) {
        // The caller proves that they are readable.
        self = unsafe UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }

    /// Every second byte, from the first on, as 16 bits. On a big-endian machine from the second on.
    @inline(always)
    fileprivate var evenBytes: SIMD8<UInt16> { pairs & SIMD8(repeating: 255) }

    /// The bytes that are not in `evenBytes`, as 16 bits.
    @inline(always)
    fileprivate var oddBytes: SIMD8<UInt16> { pairs &>> SIMD8(repeating: 8) }

    @inline(always)
    private var pairs: SIMD8<UInt16> {
        // Both have 16 bytes, and every pattern is a value.
        unsafe unsafeBitCast(self, to: SIMD8<UInt16>.self)
    }
}

extension SIMD8<UInt16> {
    /// `max(self - other, 0)` in each lane.
    @inline(always)
    fileprivate func less(_ other: Self) -> Self { replacing(with: other, where: self .< other) &- other }

    /// `min(self + other, 65535)` in each lane.
    @inline(always)
    fileprivate func more(_ other: Self) -> Self {
        let largest = ~other
        return replacing(with: largest, where: self .> largest) &+ other
    }
}
