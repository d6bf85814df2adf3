#if arch(wasm32)
    import CWasmSIMD
    package import KernelInterface

    // Sixteen elements at a time. Elements after these are computed as the first of a vector, by the same instructions.

    extension SIMD128Tier {
        @export(interface) @inline(never)
        package static func mapKernels() -> MapKernels {
            MapKernels(
                add: addQuantised, maxPool: maxPoolQuantised, interpolateColumns: interpolateColumns,
                interpolateRows: interpolateRows)
        }
    }

    /// Sixteen neighbouring elements as floats.
    private struct SixteenFloats {
        var v0, v1, v2, v3: Vector

        @inline(always)
        init(_ v0: Vector, _ v1: Vector, _ v2: Vector, _ v3: Vector) {
            self.v0 = v0
            self.v1 = v1
            self.v2 = v2
            self.v3 = v3
        }

        /// Sixteen bytes.
        @inline(always)
        init(_ p: UnsafePointer<UInt8>) {
            let (low, high) = (loadWords(p), loadWords(p + 8))
            v0 = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(low))
            v1 = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(low))
            v2 = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(high))
            v3 = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(high))
        }

        @inline(always)
        init(_ p: UnsafePointer<Float>) { (v0, v1, v2, v3) = (load(p), load(p + 4), load(p + 8), load(p + 12)) }

        /// `self + share * (other - self)`
        @inline(always)
        func mixed(with other: SixteenFloats, _ share: Vector) -> SixteenFloats {
            SixteenFloats(
                mix(v0, other.v0, share), mix(v1, other.v1, share), mix(v2, other.v2, share),
                mix(v3, other.v3, share))
        }

        @inline(always)
        func store(_ out: UnsafeMutablePointer<Float>) {
            let p = UnsafeMutableRawPointer(out)
            KernelsWASM.store(v0, p)
            KernelsWASM.store(v1, p + 16)
            KernelsWASM.store(v2, p + 32)
            KernelsWASM.store(v3, p + 48)
        }

        @inline(always)
        func storeQuantised(_ out: UnsafeMutablePointer<UInt8>) {
            KernelsWASM.store(
                bytes(quantised(v0), quantised(v1), quantised(v2), quantised(v3)), UnsafeMutableRawPointer(out))
        }
    }

    /// `a + share * (b - a)`
    @inline(always)
    private func mix(_ a: Vector, _ b: Vector, _ share: Vector) -> Vector {
        wasm_f32x4_add(a, wasm_f32x4_mul(share, wasm_f32x4_sub(b, a)))
    }

    /// See `MapKernels.Add`.
    @c(gk_add_q8_simd128) @export(interface) @inline(never)
    func addQuantised(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int, _ p: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let (aZero, aScale) = (wasm_f32x4_splat(p[0]), wasm_f32x4_splat(p[1]))
        let (bZero, bScale) = (wasm_f32x4_splat(p[2]), wasm_f32x4_splat(p[3]))
        let (scale, zero) = (wasm_f32x4_splat(p[4]), wasm_f32x4_splat(p[5]))

        @inline(always)
        func sum(_ a: Vector, _ b: Vector) -> Vector {
            let both = wasm_f32x4_add(
                wasm_f32x4_mul(wasm_f32x4_sub(a, aZero), aScale), wasm_f32x4_mul(wasm_f32x4_sub(b, bZero), bScale))
            return wasm_f32x4_add(wasm_f32x4_div(both, scale), zero)
        }
        var i = 0
        while i &+ 16 <= count {
            let (x, y) = (SixteenFloats(a + i), SixteenFloats(b + i))
            SixteenFloats(sum(x.v0, y.v0), sum(x.v1, y.v1), sum(x.v2, y.v2), sum(x.v3, y.v3)).storeQuantised(out + i)
            i &+= 16
        }
        while i < count {
            out[i] = first(quantised(sum(wasm_f32x4_splat(Float(a[i])), wasm_f32x4_splat(Float(b[i])))))
            i &+= 1
        }
    }

    @inline(always)
    private func first(_ values: Vector) -> UInt8 { UInt8(truncatingIfNeeded: word(values, 0)) }

    /// See `MapKernels.MaxPool`.
    @c(gk_maxpool_q8_simd128) @export(interface) @inline(never)
    func maxPoolQuantised(
        _ input: UnsafePointer<UInt8>, _ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ step: Int,
        _ pixels: Int, _ channels: Int, _ out: UnsafeMutablePointer<UInt8>, _ outPixel: Int
    ) {
        var (from, to) = (UnsafeRawPointer(input), UnsafeMutableRawPointer(out))
        var x = 0
        while x < pixels {
            var c = 0
            while c &+ 16 <= channels {
                var largest = load(from + c)
                var v = 0
                while v < height {
                    var u = 0
                    while u < width {
                        largest = wasm_u8x16_max(largest, load(from + (c &+ v &* row &+ u &* pixel)))
                        u &+= 1
                    }
                    v &+= 1
                }
                store(largest, to + c)
                c &+= 16
            }
            while c < channels {
                var largest: UInt8 = 0
                var v = 0
                while v < height {
                    var u = 0
                    while u < width {
                        let value = (from + (c &+ v &* row &+ u &* pixel)).load(as: UInt8.self)
                        if value > largest { largest = value }
                        u &+= 1
                    }
                    v &+= 1
                }
                to.storeBytes(of: largest, toByteOffset: c, as: UInt8.self)
                c &+= 1
            }
            from += step
            to += outPixel
            x &+= 1
        }
    }

    /// See `MapKernels.InterpolateColumns`.
    @c(gk_interpolatecolumns_q8_simd128) @export(interface) @inline(never)
    func interpolateColumns(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let shares = wasm_f32x4_splat(share)
        var i = 0
        while i &+ 16 <= count {
            SixteenFloats(a + i).mixed(with: SixteenFloats(b + i), shares).store(out + i)
            i &+= 16
        }
        while i < count {
            out[i] = Float(a[i]) + share * (Float(b[i]) - Float(a[i]))
            i &+= 1
        }
    }

    /// See `MapKernels.InterpolateRows`.
    @c(gk_interpolaterows_q8_simd128) @export(interface) @inline(never)
    func interpolateRows(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let shares = wasm_f32x4_splat(share)
        var i = 0
        while i &+ 16 <= count {
            SixteenFloats(a + i).mixed(with: SixteenFloats(b + i), shares).storeQuantised(out + i)
            i &+= 16
        }
        while i < count {
            out[i] = first(quantised(mix(wasm_f32x4_splat(a[i]), wasm_f32x4_splat(b[i]), shares)))
            i &+= 1
        }
    }
#endif
