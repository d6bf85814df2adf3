#if arch(wasm32)
    import CWasmSIMD

    // Short names for the operations that several kernels share. All are inlined, so nothing here has its own symbol.

    /// Sixteen bytes of any element type.
    typealias Vector = v128_t

    /// Sixteen bytes at any address.
    @inline(__always)
    func load(_ p: UnsafeRawPointer) -> Vector { p.loadUnaligned(as: Vector.self) }

    @inline(__always)
    func store(_ v: Vector, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: Vector.self) }

    /// Eight bytes at any address, widened to 16 bits.
    @inline(__always)
    func loadWords(_ p: UnsafeRawPointer) -> Vector { wasm_u16x8_load8x8(p) }

    /// The same four bytes in every lane.
    @inline(__always)
    func broadcast4(_ p: UnsafeRawPointer) -> Vector { wasm_v128_load32_splat(p) }

    @inline(__always)
    func zeros() -> Vector { wasm_i32x4_const_splat(0) }

    /// acc + the two products of each lane's 16-bit values.
    @inline(__always)
    func dot(_ acc: Vector, _ values: Vector, _ weights: Vector) -> Vector {
        wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(values, weights))
    }

    /// The first eight bytes of both, in turn.
    @inline(__always)
    func lowPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD16<UInt8>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD16<UInt8>.self).lowHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD16<UInt8>.self).lowHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The last eight bytes of both, in turn.
    @inline(__always)
    func highPairs(_ a: Vector, _ b: Vector) -> Vector {
        var pairs = SIMD16<UInt8>()
        pairs.evenHalf = unsafeBitCast(a, to: SIMD16<UInt8>.self).highHalf
        pairs.oddHalf = unsafeBitCast(b, to: SIMD16<UInt8>.self).highHalf
        return unsafeBitCast(pairs, to: Vector.self)
    }

    /// The four bytes of a lane.
    @inline(__always)
    func word(_ v: Vector, _ lane: Int) -> Int32 { v[lane] }
#endif
