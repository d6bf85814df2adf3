#if arch(wasm32)
    import CWasmSIMD

    /// The operations after the sums of the int8 kernels of network graphs (`QuantisedConvolutionKernels`), four
    /// channels at a time.
    ///
    /// The bounds come before the rounding: both are integers, so the order has no influence. Then no number is large,
    /// and adding 1.5 * 2^23 rounds half to even and leaves the integer in the low bits. The instruction that converts
    /// floats to integers is slower: engines must see to NaN and to numbers that do not fit.
    struct Rounding {
        /// Bounds of the rounded number, less the zero point, as floats.
        private let lower, upper: Vector
        private let origin: Vector
        /// What the bits of a rounded number are more than the code.
        private let excess: Vector
        private let residualZero, residualMultiplier: Vector
        let hasSlopes: Bool

        /// - p: the kernels' `rounding`.
        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            let zero = p.load(as: Int32.self)
            lower = wasm_f32x4_splat(Float(p.load(fromByteOffset: 4, as: Int32.self) &- zero))
            upper = wasm_f32x4_splat(Float(p.load(fromByteOffset: 8, as: Int32.self) &- zero))
            origin = wasm_f32x4_splat(12_582_912)
            excess = wasm_i32x4_splat(0x4B40_0000 &- zero)
            residualZero = wasm_i16x8_splat(
                Int16(truncatingIfNeeded: p.load(fromByteOffset: 12, as: Int32.self)))
            residualMultiplier = wasm_f32x4_splat(p.load(fromByteOffset: 16, as: Float.self))
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// Sums that include the bias as numbers.
        @inline(__always)
        func real(_ sum: Vector, _ multiplier: Vector) -> Vector {
            wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), multiplier)
        }

        /// v < 0 ? v * slope : v. One of the two parts is a zero.
        @inline(__always)
        func sloped(_ v: Vector, _ slope: Vector) -> Vector {
            let zero = zeros()
            return wasm_f32x4_add(wasm_f32x4_pmax(v, zero), wasm_f32x4_mul(wasm_f32x4_pmin(v, zero), slope))
        }

        /// The quantised values as 32-bit integers.
        @inline(__always)
        func codes(_ v: Vector) -> Vector {
            let clamped = wasm_f32x4_pmin(wasm_f32x4_pmax(v, lower), upper)
            return wasm_i32x4_sub(wasm_f32x4_add(clamped, origin), excess)
        }

        /// Residuals of eight channels as numbers.
        @inline(__always)
        func residual(_ words: Vector) -> (Vector, Vector) {
            let difference = wasm_i16x8_sub(words, residualZero)
            return (
                real(wasm_i32x4_extend_low_i16x8(difference), residualMultiplier),
                real(wasm_i32x4_extend_high_i16x8(difference), residualMultiplier)
            )
        }

        /// Writes sixteen channels of a pixel.
        /// - multipliers: sixteen, then sixteen slopes.
        /// - residual: sixteen bytes, or nil.
        @inline(__always)
        func put(
            _ sums: Sixteen, _ multipliers: UnsafeRawPointer, _ residual: UnsafeRawPointer?,
            _ out: UnsafeMutableRawPointer
        ) {
            var (a, b) = (real(sums.s0, load(multipliers)), real(sums.s1, load(multipliers + 16)))
            var (c, d) = (real(sums.s2, load(multipliers + 32)), real(sums.s3, load(multipliers + 48)))
            if let residual {
                let (first, second) = self.residual(loadWords(residual))
                let (third, fourth) = self.residual(loadWords(residual + 8))
                (a, b) = (wasm_f32x4_add(a, first), wasm_f32x4_add(b, second))
                (c, d) = (wasm_f32x4_add(c, third), wasm_f32x4_add(d, fourth))
            }
            if hasSlopes {
                (a, b) = (sloped(a, load(multipliers + 64)), sloped(b, load(multipliers + 80)))
                (c, d) = (sloped(c, load(multipliers + 96)), sloped(d, load(multipliers + 112)))
            }
            store(bytes(codes(a), codes(b), codes(c), codes(d)), out)
        }
    }

    /// Sums of sixteen neighbouring channels, four a vector.
    struct Sixteen {
        var s0, s1, s2, s3: Vector

        /// Starts from sixteen biases.
        @inline(__always)
        init(_ p: UnsafeRawPointer) { (s0, s1, s2, s3) = (load(p), load(p + 16), load(p + 32), load(p + 48)) }
    }
#endif
