#if arch(wasm32)
    import CWasmSIMD

    // Short names for the operations that several kernels share. All are inlined, so nothing here has its own symbol.

    /// Sixteen bytes of any element type.
    typealias Vector = v128_t

    /// The same address, a multiple of `alignment`. In a loop the compiler turns an address and the constant distances from
    /// it into as many counters, each with an addition of its own; from an address that was masked the distances become
    /// part of the loads.
    @inline(always)
    func masked(_ p: UnsafeRawPointer, _ alignment: UInt) -> UnsafeRawPointer {
        UnsafeRawPointer(bitPattern: UInt(bitPattern: p) & (0 &- alignment)).unsafelyUnwrapped
    }

    /// Sixteen bytes at any address.
    @inline(always)
    func load(_ p: UnsafeRawPointer) -> Vector { p.loadUnaligned(as: Vector.self) }

    @inline(always)
    func store(_ v: Vector, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: Vector.self) }

    /// Eight bytes at any address, widened to 16 bits.
    @inline(always)
    func loadWords(_ p: UnsafeRawPointer) -> Vector { wasm_u16x8_load8x8(p) }

    /// The same four bytes in every lane.
    @inline(always)
    func broadcast4(_ p: UnsafeRawPointer) -> Vector { wasm_v128_load32_splat(p) }

    @inline(always)
    func zeros() -> Vector { wasm_i32x4_const_splat(0) }

    /// acc + the two products of each lane's 16-bit values.
    @inline(always)
    func dot(_ acc: Vector, _ values: Vector, _ weights: Vector) -> Vector {
        wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(values, weights))
    }

    /// The first eight bytes of both, in turn.
    @inline(always)
    func lowPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD16<UInt8>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD16<UInt8>.self).lowHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD16<UInt8>.self).lowHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The last eight bytes of both, in turn.
    @inline(always)
    func highPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD16<UInt8>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD16<UInt8>.self).highHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD16<UInt8>.self).highHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The first four 16-bit values of both, in turn.
    @inline(always)
    func lowWordPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD8<UInt16>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD8<UInt16>.self).lowHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD8<UInt16>.self).lowHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The last four 16-bit values of both, in turn.
    @inline(always)
    func highWordPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD8<UInt16>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD8<UInt16>.self).highHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD8<UInt16>.self).highHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The sums of neighbouring 32-bit lanes, those of the first vector before those of the second.
    @inline(always)
    func pairSums(_ a: Vector, _ b: Vector) -> Vector {
        let even = Vector(lowHalf: a.evenHalf, highHalf: b.evenHalf)
        return even &+ Vector(lowHalf: a.oddHalf, highHalf: b.oddHalf)
    }

    /// The same 32-bit lane in every lane.
    @inline(always)
    func repeated(_ v: Vector, _ lane: Int) -> Vector { Vector(repeating: v[lane]) }

    /// Bytes picked by an index for each; indices above 15 give 0.
    @inline(always)
    func picked(_ v: Vector, _ indices: SIMD16<UInt8>) -> Vector {
        wasm_i8x16_swizzle(v, unsafeBitCast(indices, to: Vector.self))
    }

    /// A 16-bit value and another in every 32-bit lane.
    @inline(always)
    func wordPair(_ first: Int32, _ second: Int32) -> Vector {
        wasm_i32x4_splat(second &<< 16 | first & 0xFFFF)
    }

    /// Stores the first `count` of sixteen bytes, or all.
    @inline(always)
    func store(_ v: Vector, first count: Int, _ out: UnsafeMutablePointer<UInt8>) {
        if count >= 16 {
            store(v, UnsafeMutableRawPointer(out))
            return
        }
        let bytes = unsafeBitCast(v, to: SIMD16<UInt8>.self)
        var index = 0
        while index < count {
            out[index] = bytes[index]
            index &+= 1
        }
    }

    /// The four bytes of a lane.
    @inline(always)
    func word(_ v: Vector, _ lane: Int) -> Int32 { v[lane] }

    /// The low bytes of sixteen integers of 0...255; others are clamped.
    @inline(always)
    func bytes(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
        wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(a, b), wasm_i16x8_narrow_i32x4(c, d))
    }

    /// `clamp(roundHalfEven(v), 0...255)` as 32-bit integers; NaN gives 0. Adding 2^23 rounds.
    @inline(always)
    func quantised(_ v: Vector) -> Vector {
        let clamped = wasm_f32x4_pmin(wasm_f32x4_pmax(zeros(), v), wasm_f32x4_splat(255))
        return wasm_i32x4_sub(wasm_f32x4_add(clamped, wasm_f32x4_splat(8_388_608)), wasm_i32x4_splat(0x4B00_0000))
    }
#endif
