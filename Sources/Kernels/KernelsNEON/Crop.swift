#if arch(arm64)
    package import KernelInterface
    import _Builtin_intrinsics.arm.neon

    // Eight pixels at a time, in 16-bit lanes. With the two rows mixed to a and b, 13 bits each, the exact sum is 32 * a
    // + f * (b - a), 18 bits. Only its upper bits are wanted, and these are exact without the others:
    //
    //     (32 * a + f * (b - a) + 512) >> 10 = (a + ((f * (b - a)) >> 5) + 16) >> 5
    //
    // `sqdmulh` by f * 1024 is this product with its shift. The same holds for the shift by 3 of `Planar`, with a and b
    // times four.
    //
    // If all eight pixels lie inside the limits, neighbours are read together; otherwise each of the four stored pixels
    // of an output is clamped to the limits separately.

    extension NEONTier {
        /// The kernels of rotated crops of every arm64 CPU.
        @export(interface) @inline(never)
        package static func cropKernels() -> CropKernels {
            CropKernels(packed: cropPackedLine, planar: cropPlanarLine)
        }
    }

    extension CropLimits {
        /// Whether eight positions on a line, the row below them and `more` columns after them, up to `last`, are within the
        /// limits.
        @inline(always)
        func contain(_ eight: CropPositions, _ more: Int, _ last: Int) -> Bool {
            contain(eight.x, eight.y, rows: 1, columns: more, last)
                && contain(
                    eight.x &+ 7 &* eight.stepX, eight.y &+ 7 &* eight.stepY, rows: 1, columns: more, last)
        }
    }

    /// Eight positions along the line.
    struct CropPositions {
        private(set) var x: Int32
        private(set) var y: Int32
        let stepX: Int32
        let stepY: Int32

        @inline(always)
        init(_ x: Int32, _ y: Int32, _ stepX: Int32, _ stepY: Int32) {
            self.x = x &+ 1024
            self.y = y &+ 1024
            self.stepX = stepX
            self.stepY = stepY
        }

        @inline(always)
        mutating func advance() {
            x &+= 8 &* stepX
            y &+= 8 &* stepY
        }

        @inline(always)
        var columns: CropCoordinates { CropCoordinates(x, stepX) }

        @inline(always)
        var rows: CropCoordinates { CropCoordinates(y, stepY) }
    }

    /// The columns or the rows of eight positions.
    struct CropCoordinates {
        /// Times 65536, of the first four positions and of the other four.
        let low, high: int32x4_t

        @inline(always)
        init(_ start: Int32, _ step: Int32) {
            low = vmlaq_n_s32(vdupq_n_s32(start), int32x4_t(0, 1, 2, 3), step)
            high = vaddq_s32(low, vdupq_n_s32(4 &* step))
        }

        /// Rounded down.
        @inline(always)
        var whole: int16x8_t { vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high)) }

        /// The fraction in 1/32, times two to the power of `bits`, at most 10.
        @inline(always)
        func fraction(_ bits: Int16) -> int16x8_t {
            let fractions = vuzp1q_u16(vreinterpretq_u16_s32(low), vreinterpretq_u16_s32(high))
            return vreinterpretq_s16_u16(vandq_u16(right(fractions, 11 &- bits), vdupq_n_u16(31 &<< UInt16(bits))))
        }
    }

    /// `v >> bits`
    @inline(always)
    func right(_ v: uint16x8_t, _ bits: Int16) -> uint16x8_t { vshlq_u16(v, vdupq_n_s16(0 &- bits)) }

    /// `(v << bits) + share * difference`
    @inline(always)
    func mixedRows(_ v: uint16x8_t, _ bits: Int16, _ difference: uint16x8_t, _ share: int16x8_t) -> int16x8_t {
        vmlaq_s16(vreinterpretq_s16_u16(vshlq_u16(v, vdupq_n_s16(bits))), vreinterpretq_s16_u16(difference), share)
    }

    /// `a + ((f * (b - a)) >> 5)`
    /// - across: f * 1024.
    @inline(always)
    func mixedColumns(_ a: int16x8_t, _ b: int16x8_t, _ across: int16x8_t) -> int16x8_t {
        vaddq_s16(a, vqdmulhq_s16(vsubq_s16(b, a), across))
    }

    /// Where the 24 bytes of eight pixels are in the 32 bytes of two vectors.
    struct CropOrder {
        let first: uint8x16_t
        let second: uint8x8_t

        /// Stores the first `count` pixels.
        @inline(always)
        func store(_ low: uint8x16_t, _ high: uint8x16_t, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>) {
            let bytes = uint8x16x2_t(val: (low, high))
            let (start, end) = (vqtbl2q_u8(bytes, first), vqtbl2_u8(bytes, second))
            if count >= 8 {
                UnsafeMutableRawPointer(rgb).storeBytes(of: start, as: uint8x16_t.self)
                UnsafeMutableRawPointer(rgb + 16).storeBytes(of: end, as: uint8x8_t.self)
                return
            }
            let words = vreinterpretq_u64_u8(start)
            var eight = words.x
            var i = 0
            while i < 3 &* count {
                if i == 8 { eight = words.y }
                if i == 16 { eight = vreinterpret_u64_u8(end) }
                rgb[i] = UInt8(truncatingIfNeeded: eight)
                eight = eight &>> 8
                i &+= 1
            }
        }
    }

    // MARK: Packed

    /// For each of eight outputs the pixels to its left and right, in its upper and in its lower row.
    private struct Pairs {
        let t0, t1, t2, t3, t4, t5, t6, t7: uint8x8_t
        let b0, b1, b2, b3, b4, b5, b6, b7: uint8x8_t

        /// - read: the two pixels of both rows at a position.
        @inline(always)
        init(
            _ columns: int16x8_t, _ rows: int16x8_t, _ read: (_ column: Int, _ row: Int) -> (uint8x8_t, uint8x8_t)
        ) {
            @inline(always)
            func pair(_ i: Int) -> (uint8x8_t, uint8x8_t) { read(Int(columns[i]), Int(rows[i])) }
            (t0, b0) = pair(0)
            (t1, b1) = pair(1)
            (t2, b2) = pair(2)
            (t3, b3) = pair(3)
            (t4, b4) = pair(4)
            (t5, b5) = pair(5)
            (t6, b6) = pair(6)
            (t7, b7) = pair(7)
        }
    }

    /// See `CropKernels.Packed`.
    @c(gk_croppacked_neon) @export(interface) @inline(never)
    func cropPackedLine(
        _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
        _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
    ) {
        let limits = CropLimits(limits)
        let pixels = UnsafeRawPointer(pixels)
        let order =
            red == 0
            ? CropOrder(
                first: uint8x16_t(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20),
                second: uint8x8_t(21, 22, 24, 25, 26, 28, 29, 30))
            : CropOrder(
                first: uint8x16_t(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 18, 17, 16, 22),
                second: uint8x8_t(21, 20, 26, 25, 24, 30, 29, 28))

        @inline(always)
        func near(_ column: Int, _ row: Int) -> (uint8x8_t, uint8x8_t) {
            let top = pixels + (row &* bytesPerRow &+ column &* 4)
            return (top.loadUnaligned(as: uint8x8_t.self), (top + bytesPerRow).loadUnaligned(as: uint8x8_t.self))
        }

        @inline(always)
        func anywhere(_ column: Int, _ row: Int) -> (uint8x8_t, uint8x8_t) {
            let (left, right) = (limits.column(column) &* 4, limits.column(column &+ 1) &* 4)

            @inline(always)
            func pair(_ row: Int) -> uint8x8_t {
                let start = pixels + limits.row(row) &* bytesPerRow
                let (low, high) = (
                    (start + left).loadUnaligned(as: UInt32.self), (start + right).loadUnaligned(as: UInt32.self)
                )
                return vreinterpret_u8_u64(UInt64(low) | UInt64(high) &<< 32)
            }
            return (pair(row), pair(row &+ 1))
        }

        var eight = CropPositions(x, y, stepX, stepY)
        var done = 0
        while done < count {
            let isInside = done &+ 8 <= count && limits.contain(eight, 1, limits.right)
            let (columns, rows) = (eight.columns, eight.rows)
            let p =
                isInside ? Pairs(columns.whole, rows.whole, near) : Pairs(columns.whole, rows.whole, anywhere)
            let (down, across) = (rows.fraction(0), columns.fraction(10))

            /// One output: both columns with their rows mixed.
            @inline(always)
            func mixed(_ top: uint8x8_t, _ bottom: uint8x8_t, _ share: Int16) -> int16x8_t {
                mixedRows(vmovl_u8(top), 5, vsubl_u8(bottom, top), vdupq_n_s16(share))
            }

            /// Two outputs of four bytes.
            @inline(always)
            func outputs(_ a: int16x8_t, _ b: int16x8_t, _ across: int32x4_t) -> uint8x8_t {
                let sums = mixedColumns(
                    vcombine_s16(vget_low_s16(a), vget_low_s16(b)), vcombine_s16(vget_high_s16(a), vget_high_s16(b)),
                    vreinterpretq_s16_s32(across))
                return vmovn_u16(vrshlq_u16(vreinterpretq_u16_s16(sums), vdupq_n_s16(-5)))
            }

            // Shares twice, and below four times.
            let (a, b) = (
                vreinterpretq_s32_s16(vzip1q_s16(across, across)),
                vreinterpretq_s32_s16(vzip2q_s16(across, across))
            )
            order.store(
                vcombine_u8(
                    outputs(mixed(p.t0, p.b0, down[0]), mixed(p.t1, p.b1, down[1]), vzip1q_s32(a, a)),
                    outputs(mixed(p.t2, p.b2, down[2]), mixed(p.t3, p.b3, down[3]), vzip2q_s32(a, a))),
                vcombine_u8(
                    outputs(mixed(p.t4, p.b4, down[4]), mixed(p.t5, p.b5, down[5]), vzip1q_s32(b, b)),
                    outputs(mixed(p.t6, p.b6, down[6]), mixed(p.t7, p.b7, down[7]), vzip2q_s32(b, b))),
                count &- done, rgb + 3 &* done)
            eight.advance()
            done &+= 8
        }
    }
#endif
