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

        /// Puts the pairs at `top` and `below` bytes after it in lane `i`.
        @inline(always)
        mutating func read(_ i: Int, _ top: UnsafeRawPointer, _ below: Int) {
            self.top[i] = top.loadUnaligned(as: UInt16.self)
            bottom[i] = (top + below).loadUnaligned(as: UInt16.self)
        }

        /// Moves all lanes down by one and fills the last lane.
        @inline(always)
        mutating func append(_ pair: UInt16, _ below: UInt16) {
            @inline(always)
            func moved(_ v: uint16x8_t, _ lane: UInt16) -> uint16x8_t {
                uint16x8_t(v[1], v[2], v[3], v[4], v[5], v[6], v[7], lane)
            }
            top = moved(top, pair)
            bottom = moved(bottom, below)
        }

        /// The weighted mean of all four, with seven fraction bits.
        /// - down: g * 4. across: f * 1024.
        @inline(always)
        func mixed(_ down: int16x8_t, _ across: int16x8_t) -> int16x8_t {
            let low = vdupq_n_u16(255)
            let (topLeft, bottomLeft) = (vandq_u16(top, low), vandq_u16(bottom, low))
            let (topRight, bottomRight) = (right(top, 8), right(bottom, 8))
            return mixedColumns(
                mixedRows(topLeft, 7, vsubq_u16(bottomLeft, topLeft), down),
                mixedRows(topRight, 7, vsubq_u16(bottomRight, topRight), down), across)
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

    /// Where eight outputs lie.
    private struct Places {
        let columns, rows: int16x8_t
        /// Whether the column is odd: all bits or none.
        let odd: uint16x8_t
        /// The row of chroma, and whether the row below has the next one: all bits or none.
        let chromaRows, steps: int16x8_t
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

        /// Reads the neighbours in luma of output `i`.
        @inline(always)
        private func read(_ places: Places, _ i: Int, _ neighbours: inout Neighbours) {
            neighbours.read(i, luma + (Int(places.rows[i]) &* bytesPerRow &+ Int(places.columns[i])), bytesPerRow)
        }

        /// From the start of a plane to the upper row's chroma of output `i`, and from there to the lower row's.
        @inline(always)
        private func rows(_ places: Places, _ i: Int) -> (upper: Int, next: Int) {
            (Int(places.chromaRows[i]) &* chromaBytesPerRow, Int(places.steps[i]) & chromaBytesPerRow)
        }

        /// NV12, NV21: two chroma samples are four bytes.
        @inline(always)
        func interleaved(_ places: Places, _ plane: UnsafeRawPointer) -> Samples {
            var luma = Neighbours(repeating: 0)
            let zero = vdupq_n_u32(0)
            var (low, high) = ((zero, zero), (zero, zero))

            @inline(always)
            func one(_ i: Int, _ lane: Int, _ four: inout (uint32x4_t, uint32x4_t)) {
                read(places, i, &luma)
                let (upper, next) = rows(places, i)
                let start = plane + (upper &+ (Int(places.columns[i]) & ~1))
                four.0[lane] = start.loadUnaligned(as: UInt32.self)
                four.1[lane] = (start + next).loadUnaligned(as: UInt32.self)
            }
            unrolled(4) { one($0, $0, &low) }
            unrolled(4) { one($0 &+ 4, $0, &high) }
            return Samples(luma: luma, first: (low.0, high.0), (low.1, high.1))
        }

        /// I420: two chroma samples of a plane are two bytes.
        @inline(always)
        func separate(_ places: Places) -> Samples {
            let zeros = Neighbours(repeating: 0)
            var samples = Samples(luma: zeros, blue: zeros, red: zeros)

            @inline(always)
            func one(_ i: Int) {
                read(places, i, &samples.luma)
                let (upper, next) = rows(places, i)
                let offset = upper &+ (Int(places.columns[i]) &>> 1)
                samples.blue.read(i, blue + offset, next)
                samples.red.read(i, red + offset, next)
            }
            unrolled(8) { one($0) }
            return samples
        }

        /// Luma alone.
        @inline(always)
        func gray(_ places: Places) -> Samples {
            let (blue, red) = (UInt16(blue.load(as: UInt8.self)), UInt16(red.load(as: UInt8.self)))
            var luma = Neighbours(repeating: 0)
            unrolled(8) { read(places, $0, &luma) }
            return Samples(
                luma: luma, blue: Neighbours(repeating: blue &* 257), red: Neighbours(repeating: red &* 257))
        }

        /// YUYV: eight bytes are four pixels of luma and two of chroma, from an even column on.
        @inline(always)
        func packed(_ places: Places) -> Samples {
            @inline(always)
            func one(_ i: Int) -> (uint8x8_t, uint8x8_t) {
                let start = luma + (Int(places.rows[i]) &* bytesPerRow &+ (Int(places.columns[i]) & ~1) &* 2)
                return (
                    start.loadUnaligned(as: uint8x8_t.self), (start + bytesPerRow).loadUnaligned(as: uint8x8_t.self)
                )
            }
            let (a, b, c, d) = (one(0), one(1), one(2), one(3))
            let (e, f, g, h) = (one(4), one(5), one(6), one(7))
            // At odd columns four bytes of luma are shifted to the right by one: in 32 bits, by minus eight.
            let odd = vreinterpretq_s16_u16(places.odd)
            let eight = vdupq_n_s32(-8)
            let shifts = (
                vandq_s32(vmovl_s16(vget_low_s16(odd)), eight), vandq_s32(vmovl_high_s16(odd), eight)
            )

            /// One row's luma and chroma.
            @inline(always)
            func row(
                _ ab: uint8x16_t, _ cd: uint8x16_t, _ ef: uint8x16_t, _ gh: uint8x16_t
            ) -> (uint16x8_t, (uint32x4_t, uint32x4_t)) {
                let luma = vuzp1q_u16(
                    vreinterpretq_u16_u32(vshlq_u32(vreinterpretq_u32_u8(vuzp1q_u8(ab, cd)), shifts.0)),
                    vreinterpretq_u16_u32(vshlq_u32(vreinterpretq_u32_u8(vuzp1q_u8(ef, gh)), shifts.1)))
                return (luma, (vreinterpretq_u32_u8(vuzp2q_u8(ab, cd)), vreinterpretq_u32_u8(vuzp2q_u8(ef, gh))))
            }
            let top = row(
                vcombine_u8(a.0, b.0), vcombine_u8(c.0, d.0), vcombine_u8(e.0, f.0), vcombine_u8(g.0, h.0))
            let bottom = row(
                vcombine_u8(a.1, b.1), vcombine_u8(c.1, d.1), vcombine_u8(e.1, f.1), vcombine_u8(g.1, h.1))
            return Samples(luma: Neighbours(top: top.0, bottom: bottom.0), first: top.1, bottom.1)
        }

        /// Any layout, with every sample clamped to the limits.
        @inline(always)
        func anywhere(_ eight: CropPositions, _ limits: CropLimits) -> Samples {
            let zeros = Neighbours(repeating: 0)
            var samples = Samples(luma: zeros, blue: zeros, red: zeros)
            var (x, y) = (eight.x, eight.y)
            var i = 0
            while i < 8 {
                let (column, row) = (Int(x &>> 16), Int(y &>> 16))
                let (left, right) = (limits.column(column), limits.column(column &+ 1))
                let (top, bottom) = (limits.row(row), limits.row(row &+ 1))
                let (first, second) = (
                    (left &>> 1 < last ? left &>> 1 : last) &* chromaStep,
                    (right &>> 1 < last ? right &>> 1 : last) &* chromaStep
                )
                let (upper, lower) = (
                    (top &>> rowShift) &* chromaBytesPerRow, (bottom &>> rowShift) &* chromaBytesPerRow
                )

                @inline(always)
                func pair(_ row: UnsafeRawPointer, _ left: Int, _ right: Int) -> UInt16 {
                    UInt16((row + left).load(as: UInt8.self)) | UInt16((row + right).load(as: UInt8.self)) &<< 8
                }
                let (l, r) = (left &* lumaStep, right &* lumaStep)
                samples.append(
                    pair(luma + top &* bytesPerRow, l, r), pair(luma + bottom &* bytesPerRow, l, r),
                    pair(blue + upper, first, second), pair(blue + lower, first, second),
                    pair(red + upper, first, second), pair(red + lower, first, second))
                x &+= eight.stepX
                y &+= eight.stepY
                i &+= 1
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

        /// Moves all lanes down by one and puts another output in the last lane.
        @inline(always)
        mutating func append(
            _ lumaTop: UInt16, _ lumaBottom: UInt16, _ blueTop: UInt16, _ blueBottom: UInt16, _ redTop: UInt16,
            _ redBottom: UInt16
        ) {
            luma.append(lumaTop, lumaBottom)
            blue.append(blueTop, blueBottom)
            red.append(redTop, redBottom)
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
        _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
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
        let toChroma = vdupq_n_s16(Int16(truncatingIfNeeded: 0 &- rowShift))
        let colourMatrix = ColourMatrix(matrix)
        let order = CropOrder(
            first: uint8x16_t(0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5),
            second: uint8x8_t(13, 21, 6, 14, 22, 7, 15, 23))

        var eight = CropPositions(x, y, stepX, stepY)
        var done = 0
        while done < count {
            let isInside = done &+ 8 <= count && limits.contain(eight, more, last)
            let (columns, rows) = (eight.columns, eight.rows)
            let (down, across) = (rows.fraction(2), columns.fraction(10))
            let odd = vtstq_s16(columns.whole, vdupq_n_s16(1))
            let upper = vshlq_s16(rows.whole, toChroma)
            let lower = vshlq_s16(vaddq_s16(rows.whole, vdupq_n_s16(1)), toChroma)
            let places = Places(
                columns: columns.whole, rows: rows.whole, odd: odd, chromaRows: upper, steps: vsubq_s16(upper, lower))
            let samples: Samples
            switch isInside ? layout : Layout.other {
            case Layout.interleaved: samples = planes.interleaved(places, planes.blue)
            case Layout.swapped: samples = planes.interleaved(places, planes.red).swapped
            case Layout.separate: samples = planes.separate(places)
            case Layout.packed: samples = planes.packed(places)
            case Layout.gray: samples = planes.gray(places)
            default: samples = planes.anywhere(eight, limits)
            }
            let paired = vreinterpretq_s16_u16(vandq_u16(vreinterpretq_u16_s16(across), odd))
            let (r, g, b) = colourMatrix.colours(
                samples.luma.mixed(down, across), samples.blue.mixed(down, paired), samples.red.mixed(down, paired))
            order.store(vcombine_u8(r, g), vcombine_u8(b, b), count &- done, rgb + 3 &* done)
            eight.advance()
            done &+= 8
        }
    }
#endif
