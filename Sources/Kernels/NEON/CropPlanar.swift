#if arch(arm64)
    import KernelInterface
    import _Builtin_intrinsics.arm.neon

    // For eight outputs the left and right neighbour of every sample are one 16-bit lane. An even column has the same
    // chroma as its right neighbour; the sample after it may then be read instead, with a share of 0.

    /// The neighbours of eight outputs in their upper and lower row: left in the low byte, right in the high byte.
    private struct Neighbours {
        var top: uint16x8_t
        var bottom: uint16x8_t

        @inline(always)
        init(repeating pair: UInt16) {
            top = vdupq_n_u16(pair)
            bottom = top
        }

        @inline(always)
        init(top: uint16x8_t, bottom: uint16x8_t) {
            self.top = top
            self.bottom = bottom
        }

        /// The weighted mean of all four, with seven fraction bits.
        /// - down: g * 4. across: f * 1024.
        @inline(always)
        func mixed(_ down: int16x8_t, _ across: int16x8_t) -> int16x8_t {
            let low = vdupq_n_u16(255)
            let (topLeft, topRight) = (vandq_u16(top, low), right(top, 8))
            let left = mixedRows(topLeft, 7, vsubq_u16(vandq_u16(bottom, low), topLeft), down)
            let right = mixedRows(topRight, 7, vsubq_u16(KernelsNEON.right(bottom, 8), topRight), down)
            return mixedColumns(left, right, across)
        }
    }

    /// The samples of eight outputs.
    private struct Samples {
        var luma, blue, red: Neighbours
    }

    /// How samples that lie inside the limits are read.
    private enum Layout {
        @inline(always) static var interleaved: Int { 0 }
        @inline(always) static var swapped: Int { 1 }
        @inline(always) static var separate: Int { 2 }
        @inline(always) static var packed: Int { 3 }
        @inline(always) static var gray: Int { 4 }
        @inline(always) static var other: Int { 5 }
    }

    /// The planes of a frame.
    private struct Planes {
        let luma, blue, red: UnsafeRawPointer
        let bytesPerRow, lumaStep, chromaBytesPerRow, chromaStep, rowShift: Int
        /// The last column of chroma.
        let last: Int

        @inline(always)
        var layout: Int {
            if lumaStep == 1 {
                if chromaStep == 2 && red == blue + 1 { return Layout.interleaved }
                if chromaStep == 2 && blue == red + 1 { return Layout.swapped }
                if chromaStep == 1 { return Layout.separate }
                if chromaStep == 0 && chromaBytesPerRow == 0 { return Layout.gray }
            } else if chromaStep == 4 && blue == luma + 1 && red == luma + 3 && rowShift == 0
                && chromaBytesPerRow == bytesPerRow
            {
                return Layout.packed
            }
            return Layout.other
        }

        /// Two neighbouring bytes.
        @inline(always)
        private func pair(_ p: UnsafeRawPointer) -> UInt16 { p.loadUnaligned(as: UInt16.self) }

        /// Calls `body` with the column and the row of each output.
        @inline(always)
        private func each(_ eight: CropPositions, _ body: (_ i: Int, _ column: Int, _ row: Int) -> Void) {
            @inline(always)
            func call(_ i: Int) {
                let step = Int32(truncatingIfNeeded: i)
                body(
                    i, Int((eight.x &+ step &* eight.stepX) &>> 16), Int((eight.y &+ step &* eight.stepY) &>> 16))
            }
            call(0)
            call(1)
            call(2)
            call(3)
            call(4)
            call(5)
            call(6)
            call(7)
        }

        /// The start of a row of chroma.
        @inline(always)
        private func chroma(_ plane: UnsafeRawPointer, _ row: Int) -> UnsafeRawPointer {
            plane + (row &>> rowShift) &* chromaBytesPerRow
        }

        /// NV12, NV21: two chroma samples are four bytes.
        @inline(always)
        func interleaved(_ eight: CropPositions, _ plane: UnsafeRawPointer) -> Samples {
            var luma = Neighbours(repeating: 0)
            let zero = vdupq_n_u32(0)
            var (top, bottom) = ((zero, zero), (zero, zero))
            each(eight) { i, column, row in
                let start = self.luma + (row &* bytesPerRow &+ column)
                luma.top[i] = pair(start)
                luma.bottom[i] = pair(start + bytesPerRow)
                let sample = (column &>> 1) &* 2
                let upper = (chroma(plane, row) + sample).loadUnaligned(as: UInt32.self)
                let lower = (chroma(plane, row &+ 1) + sample).loadUnaligned(as: UInt32.self)
                if i < 4 {
                    top.0[i] = upper
                    bottom.0[i] = lower
                } else {
                    top.1[i &- 4] = upper
                    bottom.1[i &- 4] = lower
                }
            }
            return Samples(luma: luma, first: top, bottom)
        }

        /// I420: two chroma samples of a plane are two bytes.
        @inline(always)
        func separate(_ eight: CropPositions) -> Samples {
            let zeros = Neighbours(repeating: 0)
            var samples = Samples(luma: zeros, blue: zeros, red: zeros)
            each(eight) { i, column, row in
                let start = luma + (row &* bytesPerRow &+ column)
                samples.luma.top[i] = pair(start)
                samples.luma.bottom[i] = pair(start + bytesPerRow)
                let sample = column &>> 1
                samples.blue.top[i] = pair(chroma(blue, row) + sample)
                samples.blue.bottom[i] = pair(chroma(blue, row &+ 1) + sample)
                samples.red.top[i] = pair(chroma(red, row) + sample)
                samples.red.bottom[i] = pair(chroma(red, row &+ 1) + sample)
            }
            return samples
        }

        /// Luma alone.
        @inline(always)
        func gray(_ eight: CropPositions) -> Samples {
            let (blue, red) = (UInt16(blue.load(as: UInt8.self)), UInt16(red.load(as: UInt8.self)))
            var samples = Samples(
                luma: Neighbours(repeating: 0), blue: Neighbours(repeating: blue &* 257),
                red: Neighbours(repeating: red &* 257))
            each(eight) { i, column, row in
                let start = luma + (row &* bytesPerRow &+ column)
                samples.luma.top[i] = pair(start)
                samples.luma.bottom[i] = pair(start + bytesPerRow)
            }
            return samples
        }

        /// YUYV: eight bytes are four pixels of luma and two of chroma, from an even column on.
        @inline(always)
        func packed(_ eight: CropPositions) -> Samples {
            let zero = vdupq_n_u64(0)
            var top = (zero, zero, zero, zero)
            var bottom = top
            each(eight) { i, column, row in
                let start = self.luma + (row &* bytesPerRow &+ (column &>> 1) &* 4)
                let upper = start.loadUnaligned(as: UInt64.self)
                let lower = (start + bytesPerRow).loadUnaligned(as: UInt64.self)
                switch i / 2 {
                case 0:
                    top.0[i & 1] = upper
                    bottom.0[i & 1] = lower
                case 1:
                    top.1[i & 1] = upper
                    bottom.1[i & 1] = lower
                case 2:
                    top.2[i & 1] = upper
                    bottom.2[i & 1] = lower
                default:
                    top.3[i & 1] = upper
                    bottom.3[i & 1] = lower
                }
            }
            // Minus eight at odd columns, minus zero at even ones: a shift to the right of four bytes of luma.
            let columns = eight.columns
            let bit = vdupq_n_s32(8)
            let shifts = (
                vnegq_s32(vandq_s32(vshlq_s32(columns.0, vdupq_n_s32(-13)), bit)),
                vnegq_s32(vandq_s32(vshlq_s32(columns.1, vdupq_n_s32(-13)), bit))
            )

            @inline(always)
            func luma(_ row: (uint64x2_t, uint64x2_t, uint64x2_t, uint64x2_t)) -> uint16x8_t {
                let low = vuzp1q_u8(vreinterpretq_u8_u64(row.0), vreinterpretq_u8_u64(row.1))
                let high = vuzp1q_u8(vreinterpretq_u8_u64(row.2), vreinterpretq_u8_u64(row.3))
                return vuzp1q_u16(
                    vreinterpretq_u16_u32(vshlq_u32(vreinterpretq_u32_u8(low), shifts.0)),
                    vreinterpretq_u16_u32(vshlq_u32(vreinterpretq_u32_u8(high), shifts.1)))
            }

            @inline(always)
            func chroma(_ row: (uint64x2_t, uint64x2_t, uint64x2_t, uint64x2_t)) -> (uint32x4_t, uint32x4_t) {
                (
                    vreinterpretq_u32_u8(vuzp2q_u8(vreinterpretq_u8_u64(row.0), vreinterpretq_u8_u64(row.1))),
                    vreinterpretq_u32_u8(vuzp2q_u8(vreinterpretq_u8_u64(row.2), vreinterpretq_u8_u64(row.3)))
                )
            }
            return Samples(luma: Neighbours(top: luma(top), bottom: luma(bottom)), first: chroma(top), chroma(bottom))
        }

        /// Any layout, with every sample clamped to the limits.
        @inline(always)
        func anywhere(_ eight: CropPositions, _ limits: CropLimits) -> Samples {
            let zeros = Neighbours(repeating: 0)
            var samples = Samples(luma: zeros, blue: zeros, red: zeros)
            each(eight) { i, column, row in
                let (left, right) = (limits.column(column), limits.column(column &+ 1))
                let (top, bottom) = (limits.row(row), limits.row(row &+ 1))
                let (first, second) = (
                    (left &>> 1 < last ? left &>> 1 : last) &* chromaStep,
                    (right &>> 1 < last ? right &>> 1 : last) &* chromaStep
                )

                @inline(always)
                func pair(_ row: UnsafeRawPointer, _ left: Int, _ right: Int) -> UInt16 {
                    UInt16((row + left).load(as: UInt8.self)) | UInt16((row + right).load(as: UInt8.self)) &<< 8
                }
                let (l, r) = (left &* lumaStep, right &* lumaStep)
                samples.luma.top[i] = pair(luma + top &* bytesPerRow, l, r)
                samples.luma.bottom[i] = pair(luma + bottom &* bytesPerRow, l, r)
                samples.blue.top[i] = pair(chroma(blue, top), first, second)
                samples.blue.bottom[i] = pair(chroma(blue, bottom), first, second)
                samples.red.top[i] = pair(chroma(red, top), first, second)
                samples.red.bottom[i] = pair(chroma(red, bottom), first, second)
            }
            return samples
        }
    }

    extension Samples {
        /// - first: the upper row's pairs of chroma samples, four bytes for each output; the first byte is taken for
        ///   blue. second: the lower row's.
        @inline(always)
        init(luma: Neighbours, first: (uint32x4_t, uint32x4_t), _ second: (uint32x4_t, uint32x4_t)) {
            self.luma = luma
            let (t0, t1) = (vreinterpretq_u8_u32(first.0), vreinterpretq_u8_u32(first.1))
            let (b0, b1) = (vreinterpretq_u8_u32(second.0), vreinterpretq_u8_u32(second.1))
            blue = Neighbours(
                top: vreinterpretq_u16_u8(vuzp1q_u8(t0, t1)), bottom: vreinterpretq_u16_u8(vuzp1q_u8(b0, b1)))
            red = Neighbours(
                top: vreinterpretq_u16_u8(vuzp2q_u8(t0, t1)), bottom: vreinterpretq_u16_u8(vuzp2q_u8(b0, b1)))
        }

        /// Blue and red exchanged.
        @inline(always)
        var swapped: Samples { Samples(luma: luma, blue: red, red: blue) }
    }

    /// From luma and differences to colours.
    private struct ColourMatrix {
        let level, redOfRed, greenOfBlue, greenOfRed, blueOfBlue: Int16
        let black: int16x8_t

        @inline(always)
        init(_ matrix: UnsafePointer<Int32>) {
            level = Int16(truncatingIfNeeded: matrix[0])
            redOfRed = Int16(truncatingIfNeeded: matrix[1])
            greenOfBlue = Int16(truncatingIfNeeded: matrix[2])
            greenOfRed = Int16(truncatingIfNeeded: matrix[3])
            blueOfBlue = Int16(truncatingIfNeeded: matrix[4])
            black = vdupq_n_s16(Int16(truncatingIfNeeded: matrix[5]))
        }

        /// Eight sums in 32 bits.
        struct Sums {
            var low, high: int32x4_t

            @inline(always)
            func plus(_ v: int16x8_t, _ factor: Int16) -> Sums {
                Sums(
                    low: vmlal_n_s16(low, vget_low_s16(v), factor),
                    high: vmlal_high_n_s16(high, v, factor))
            }

            @inline(always)
            func minus(_ v: int16x8_t, _ factor: Int16) -> Sums {
                Sums(
                    low: vmlsl_n_s16(low, vget_low_s16(v), factor),
                    high: vmlsl_high_n_s16(high, v, factor))
            }

            /// `clamp(sum >> 20, 0...255)`
            @inline(always)
            var bytes: uint8x8_t {
                let upper = vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
                return vqmovun_s16(vshlq_s16(upper, vdupq_n_s16(-4)))
            }
        }

        /// Red, green, blue.
        @inline(always)
        func colours(_ luma: int16x8_t, _ blue: int16x8_t, _ red: int16x8_t) -> (uint8x8_t, uint8x8_t, uint8x8_t) {
            let middle = vdupq_n_s16(16_384)
            let (b, r) = (vsubq_s16(blue, middle), vsubq_s16(red, middle))
            let half = vdupq_n_s32(524_288)
            let l = Sums(low: half, high: half).plus(vsubq_s16(luma, black), level)
            return (
                l.plus(r, redOfRed).bytes, l.minus(b, greenOfBlue).minus(r, greenOfRed).bytes,
                l.plus(b, blueOfBlue).bytes
            )
        }
    }

    /// See `CropKernels.Planar`.
    @c(gk_cropplanar_neon) @export(interface) @inline(never)
    func cropPlanarLine(
        _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
        _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
        _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
        _ stepY: Int32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>
    ) {
        let limits = CropLimits(limits)
        let planes = Planes(
            luma: UnsafeRawPointer(luma), blue: UnsafeRawPointer(blue), red: UnsafeRawPointer(red),
            bytesPerRow: bytesPerRow, lumaStep: lumaStep, chromaBytesPerRow: chromaBytesPerRow, chromaStep: chromaStep,
            rowShift: rowShift, last: Int(matrix[6]))
        let layout = planes.layout
        // The last column that has its own chroma sample.
        let paired = limits.right < 2 &* planes.last &+ 1 ? limits.right : 2 &* planes.last &+ 1
        // Chroma is read two columns on; gray has one sample for all.
        let (more, last) = layout == Layout.gray ? (1, limits.right) : (2, paired)
        let colourMatrix = ColourMatrix(matrix)
        let order = CropOrder(
            first: uint8x16_t(0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5),
            second: uint8x8_t(13, 21, 6, 14, 22, 7, 15, 23))

        var eight = CropPositions(x, y, stepX, stepY)
        var done = 0
        while done < count {
            let isInside = done &+ 8 <= count && limits.hold(eight, more, last)
            let samples: Samples
            switch isInside ? layout : Layout.other {
            case Layout.interleaved: samples = planes.interleaved(eight, planes.blue)
            case Layout.swapped: samples = planes.interleaved(eight, planes.red).swapped
            case Layout.separate: samples = planes.separate(eight)
            case Layout.packed: samples = planes.packed(eight)
            case Layout.gray: samples = planes.gray(eight)
            default: samples = planes.anywhere(eight, limits)
            }
            let (down, across) = (eight.down, eight.across)
            let paired = vreinterpretq_s16_u16(vandq_u16(vreinterpretq_u16_s16(across), eight.odd))
            let (r, g, b) = colourMatrix.colours(
                samples.luma.mixed(down, across), samples.blue.mixed(down, paired), samples.red.mixed(down, paired))
            order.store(vcombine_u8(r, g), vcombine_u8(b, b), count &- done, codes + 3 &* done)
            eight.advance()
            done &+= 8
        }
    }
#endif
