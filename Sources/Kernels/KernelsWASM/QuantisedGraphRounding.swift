#if arch(wasm32)
    import CWasmSIMD

    /// The operations after the sums of the int8 kernels of network graphs (`QuantisedConvolutionKernels`), four
    /// channels at a time.
    ///
    /// Adding 1.5 * 2^23 rounds half to even and leaves the integer in the low bits. The instruction that converts floats
    /// to integers is slower: engines must see to NaN and to numbers that do not fit. The lower bound comes before the
    /// rounding, which has no influence on the result, as it is an integer. Numbers above 2^22 are not exact, but remain
    /// above 255 until narrowing clamps them.
    struct Rounding {
        /// Lower bound of the rounded number, less the zero point, as floats.
        private let lower: Vector
        /// Upper bound of the code, as bytes.
        private let upper: Vector
        private let origin: Vector
        /// What the bits of a rounded number are more than the code.
        private let excess: Vector
        private let residualZero, residualMultiplier: Vector
        let hasSlopes: Bool

        /// - p: the kernels' `rounding`.
        @inline(always)
        init(_ p: UnsafeRawPointer) {
            let zero = p.load(as: Int32.self)
            lower = wasm_f32x4_splat(Float(p.load(fromByteOffset: 4, as: Int32.self) &- zero))
            upper = wasm_u8x16_splat(UInt8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            origin = wasm_f32x4_splat(12_582_912)
            excess = wasm_i32x4_splat(0x4B40_0000 &- zero)
            residualZero = wasm_i16x8_splat(
                Int16(truncatingIfNeeded: p.load(fromByteOffset: 12, as: Int32.self)))
            residualMultiplier = wasm_f32x4_splat(p.load(fromByteOffset: 16, as: Float.self))
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// Sums that include the bias as numbers.
        @inline(always)
        func real(_ sum: Vector, _ multiplier: Vector) -> Vector {
            wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), multiplier)
        }

        /// v < 0 ? v * slope : v. One of the two parts is a zero.
        @inline(always)
        func sloped(_ v: Vector, _ slope: Vector) -> Vector {
            let zero = zeros()
            return wasm_f32x4_add(wasm_f32x4_pmax(v, zero), wasm_f32x4_mul(wasm_f32x4_pmin(v, zero), slope))
        }

        /// The quantised values of numbers as bytes.
        @inline(always)
        func quantised(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
            @inline(always) func rounded(_ v: Vector) -> Vector {
                wasm_i32x4_sub(wasm_f32x4_add(wasm_f32x4_pmax(v, lower), origin), excess)
            }
            return wasm_u8x16_min(bytes(rounded(a), rounded(b), rounded(c), rounded(d)), upper)
        }

        /// Residuals of eight channels as numbers.
        @inline(always)
        func residual(_ words: Vector) -> (Vector, Vector) {
            let difference = wasm_i16x8_sub(words, residualZero)
            return (
                real(wasm_i32x4_extend_low_i16x8(difference), residualMultiplier),
                real(wasm_i32x4_extend_high_i16x8(difference), residualMultiplier)
            )
        }

        /// Writes sixteen channels of a pixel.
        /// - residual: sixteen bytes, or nil.
        @inline(always)
        func put(
            _ sums: Sixteen, _ multipliers: Sixteen, _ slopes: Sixteen, _ residual: UnsafeRawPointer?,
            _ out: UnsafeMutableRawPointer
        ) {
            var (a, b) = (real(sums.s0, multipliers.s0), real(sums.s1, multipliers.s1))
            var (c, d) = (real(sums.s2, multipliers.s2), real(sums.s3, multipliers.s3))
            if let residual {
                let (first, second) = self.residual(loadWords(residual))
                let (third, fourth) = self.residual(loadWords(residual + 8))
                (a, b) = (wasm_f32x4_add(a, first), wasm_f32x4_add(b, second))
                (c, d) = (wasm_f32x4_add(c, third), wasm_f32x4_add(d, fourth))
            }
            if hasSlopes {
                (a, b) = (sloped(a, slopes.s0), sloped(b, slopes.s1))
                (c, d) = (sloped(c, slopes.s2), sloped(d, slopes.s3))
            }
            store(quantised(a, b, c, d), out)
        }
    }

    /// Values of sixteen neighbouring channels, four a vector.
    struct Sixteen {
        var s0, s1, s2, s3: Vector

        /// Sixteen values in memory.
        @inline(always)
        init(_ p: UnsafeRawPointer) { (s0, s1, s2, s3) = (load(p), load(p + 16), load(p + 32), load(p + 48)) }

        /// - index: a literal.
        @inline(always)
        subscript(index: Int) -> Vector {
            get { index < 2 ? (index == 0 ? s0 : s1) : (index == 2 ? s2 : s3) }
            set {
                switch index {
                case 0: s0 = newValue
                case 1: s1 = newValue
                case 2: s2 = newValue
                default: s3 = newValue
                }
            }
        }
    }
#endif
