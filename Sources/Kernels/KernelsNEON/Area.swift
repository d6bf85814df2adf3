#if arch(arm64)
    import KernelInterface
    import _Builtin_intrinsics.arm.neon

    // Rows are combined sixteen pixels at a time, with sums in 32 bits. The last block of a row is moved back to end
    // with the row; rows shorter than a block are computed pixel by pixel. Outputs are computed sixteen at a time, from
    // eight taps each.

    /// The sums of sixteen pixels.
    private struct AreaSums {
        private var s0, s1, s2, s3: uint32x4_t

        /// - half: of the unit of the shift that follows.
        @inline(always)
        init(half: UInt32) {
            s0 = vdupq_n_u32(half)
            (s1, s2, s3) = (s0, s0, s0)
        }

        /// Adds two vectors of eight values, times a weight.
        @inline(always)
        mutating func add(_ low: uint16x8_t, _ high: uint16x8_t, _ weight: Int16) {
            let w = UInt16(bitPattern: weight)
            s0 = vmlal_n_u16(s0, vget_low_u16(low), w)
            s1 = vmlal_high_n_u16(s1, low, w)
            s2 = vmlal_n_u16(s2, vget_low_u16(high), w)
            s3 = vmlal_high_n_u16(s3, high, w)
        }

        /// Stores the sums, shifted to the right by `bits`, in sixteen bits.
        @inline(always)
        func store(_ bits: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>) {
            let shift = vdupq_n_s32(0 &- bits)
            let low = vmovn_high_u32(vmovn_u32(vshlq_u32(s0, shift)), vshlq_u32(s1, shift))
            let high = vmovn_high_u32(vmovn_u32(vshlq_u32(s2, shift)), vshlq_u32(s3, shift))
            let p = UnsafeMutableRawPointer(fixedLuma)
            p.storeBytes(of: low, as: uint16x8_t.self)
            p.storeBytes(of: high, toByteOffset: 16, as: uint16x8_t.self)
        }
    }

    /// Where the next block of sixteen begins: at `x`, or so that it ends with the row.
    @inline(always)
    private func start(_ x: Int, _ width: Int) -> Int { x &+ 16 <= width ? x : width &- 16 }

    @inline(always)
    private func load(_ p: UnsafeRawPointer) -> uint8x16_t { p.loadUnaligned(as: uint8x16_t.self) }

    /// See `AreaKernels.Luma`.
    @c(gk_arealuma_neon) @export(interface) @inline(never)
    func blendLumaRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        if width < 16 {
            blendShort(rows, bytesPerRow, weights, count, width, pixelBytes, fixedLuma)
            return
        }
        var x = 0
        while x < width {
            let from = start(x, width)
            var sums = AreaSums(half: 64)
            var row = UnsafeRawPointer(rows + from &* pixelBytes)
            var r = 0
            if pixelBytes == 1 {
                while r < count {
                    let bytes = load(row)
                    sums.add(vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes), weights[r])
                    row += bytesPerRow
                    r &+= 1
                }
            } else {
                let low = vdupq_n_u16(255)
                while r < count {
                    sums.add(
                        vandq_u16(row.loadUnaligned(as: uint16x8_t.self), low),
                        vandq_u16((row + 16).loadUnaligned(as: uint16x8_t.self), low), weights[r])
                    row += bytesPerRow
                    r &+= 1
                }
            }
            sums.store(7, fixedLuma + from)
            x &+= 16
        }
    }

    @inline(always)
    private func blendShort(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        var x = 0
        while x < width {
            var sum: Int32 = 64
            var byte = rows + x &* pixelBytes
            var r = 0
            while r < count {
                sum &+= Int32(byte.pointee) &* Int32(weights[r])
                byte += bytesPerRow
                r &+= 1
            }
            fixedLuma[x] = Int16(truncatingIfNeeded: sum &>> 7)
            x &+= 1
        }
    }

    /// See `AreaKernels.Colour`.
    @c(gk_areacolour_neon) @export(interface) @inline(never)
    func blendColourRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let shares = ColourShares(share0, share1, share2)
        let short = width < 16
        var x = 0
        while x < width {
            // In a short row one pixel at a time fills every lane.
            let from = short ? x : start(x, width)
            var sums = AreaSums(half: 8192)
            var row = UnsafeRawPointer(rows + 4 &* from)
            var r = 0
            while r < count {
                let (low, high): (uint16x8_t, uint16x8_t)
                if short {
                    let all = vreinterpretq_u8_u32(vdupq_n_u32(word(row)))
                    (low, high) = shares.fixedLuma((all, all, all, all))
                } else {
                    (low, high) = shares.fixedLuma((load(row), load(row + 16), load(row + 32), load(row + 48)))
                }
                sums.add(low, high, weights[r])
                row += bytesPerRow
                r &+= 1
            }
            sums.store(14, fixedLuma + from)
            x &+= short ? 1 : 16
        }
    }

    /// The sums of outputs 4 * quarter...4 * quarter + 3 of a block.
    @inline(always)
    private func sums(
        _ fixedLuma: UnsafePointer<Int16>, _ block: UnsafeRawPointer, _ chunks: Int, _ quarter: Int
    ) -> int32x4_t {
        @inline(always)
        func first(_ i: Int) -> UnsafeRawPointer {
            UnsafeRawPointer(fixedLuma + Int(block.load(fromByteOffset: 16 &* quarter &+ 4 &* i, as: Int32.self)))
        }
        let (p0, p1, p2, p3) = (first(0), first(1), first(2), first(3))
        let zero = vdupq_n_s32(0)
        var (a, b, c, d) = (zero, zero, zero, zero)
        // Their groups are one of every four.
        var weights = block + (64 &+ 16 &* quarter)
        var at = 0
        while at < 16 &* chunks {
            a = taps(a, p0 + at, weights)
            b = taps(b, p1 + at, weights + 64)
            c = taps(c, p2 + at, weights + 128)
            d = taps(d, p3 + at, weights + 192)
            weights += 256
            at &+= 16
        }
        return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d))
    }

    /// acc + the products of eight values and weights, in four partial sums.
    @inline(always)
    private func taps(_ acc: int32x4_t, _ p: UnsafeRawPointer, _ weights: UnsafeRawPointer) -> int32x4_t {
        let (v, w) = (p.loadUnaligned(as: int16x8_t.self), weights.load(as: int16x8_t.self))
        return vmlal_high_s16(vmlal_s16(acc, vget_low_s16(v), vget_low_s16(w)), v, w)
    }

    /// See `AreaKernels.Line`.
    @c(gk_arealine_neon) @export(interface) @inline(never)
    func areaLine(
        _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let bias = vdupq_n_s32(bias)
        var block = columns
        var done = 0
        while done < count {
            let lower = shiftedBytes(
                vaddq_s32(sums(fixedLuma, block, chunks, 0), bias), vaddq_s32(sums(fixedLuma, block, chunks, 1), bias))
            storeBytes(lower, count &- done, line + done)
            if count &- done > 8 {
                let upper = shiftedBytes(
                    vaddq_s32(sums(fixedLuma, block, chunks, 2), bias),
                    vaddq_s32(sums(fixedLuma, block, chunks, 3), bias))
                storeBytes(upper, count &- done &- 8, line + (done &+ 8))
            }
            block += AreaColumns.blockBytes(chunks)
            done &+= 16
        }
    }
#endif
