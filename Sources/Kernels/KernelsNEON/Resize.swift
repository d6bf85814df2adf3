#if arch(arm64)
    package import KernelInterface
    import _Builtin_intrinsics.arm.neon

    extension NEONTier {
        /// The kernels of the resize of every arm64 CPU.
        @export(interface) @inline(never)
        package static func resizeKernels() -> ResizeKernels {
            ResizeKernels(
                pack: packResizeLine, luma: resizeLumaLine, colour: resizeColourLine,
                area: AreaKernels(luma: blendLumaRows, colour: blendColourRows, line: areaLine))
        }
    }

    /// `clamp(sum >> 21, 0...255)` of eight sums.
    @inline(always)
    func shiftedBytes(_ low: int32x4_t, _ high: int32x4_t) -> uint8x8_t {
        let upper = vuzp2q_s16(vreinterpretq_s16_s32(low), vreinterpretq_s16_s32(high))
        return vqmovun_s16(vshlq_s16(upper, vdupq_n_s16(-5)))
    }

    /// Stores the first `count` of eight bytes.
    @inline(always)
    func storeBytes(_ bytes: uint8x8_t, _ count: Int, _ out: UnsafeMutablePointer<UInt8>) {
        if count >= 8 {
            UnsafeMutableRawPointer(out).storeBytes(of: bytes, as: uint8x8_t.self)
            return
        }
        var eight = vreinterpret_u64_u8(bytes)
        var i = 0
        while i < count {
            out[i] = UInt8(truncatingIfNeeded: eight)
            eight = eight &>> 8
            i &+= 1
        }
    }

    /// What all blocks of a row share.
    private struct Line {
        let count: Int
        let fetch: Int
        private let weight: int16x8_t
        private let bias: int32x4_t

        @inline(always)
        init(_ packed: UnsafeRawPointer, _ weight: Int32) {
            count = packed.load(fromByteOffset: ResizeHeader.count, as: Int.self)
            fetch = packed.load(fromByteOffset: ResizeHeader.fetch, as: Int.self)
            let bias = packed.load(fromByteOffset: ResizeHeader.bias, as: Int.self)
            self.weight = vdupq_n_s16(Int16(truncatingIfNeeded: weight))
            self.bias = vdupq_n_s32(Int32(truncatingIfNeeded: bias))
        }

        /// Both rows mixed.
        /// - top: fixed-point luma. difference: that of the lower row less it.
        @inline(always)
        func mixed(_ top: int16x8_t, _ difference: int16x8_t) -> int16x8_t {
            vaddq_s16(top, vqrdmulhq_s16(difference, weight))
        }

        /// Computes eight bytes from the left and right neighbours of a block and stores those before `count`.
        @inline(always)
        func store(
            _ left: int16x8_t, _ right: int16x8_t, _ record: UnsafeRawPointer, _ done: Int,
            _ out: UnsafeMutablePointer<UInt8>
        ) {
            let first = (record + ResizeRecord.weights).load(as: int16x8_t.self)
            let second = (record + (ResizeRecord.weights &+ 16)).load(as: int16x8_t.self)
            var low = vmlal_s16(bias, vget_low_s16(left), vget_low_s16(first))
            var high = vmlal_high_s16(bias, left, first)
            low = vmlal_s16(low, vget_low_s16(right), vget_low_s16(second))
            high = vmlal_high_s16(high, right, second)
            storeBytes(shiftedBytes(low, high), count &- done, out + done)
        }

        /// The same from luma: bytes of the left neighbours, then of the right ones, of both rows.
        @inline(always)
        func store(
            _ top: uint8x16_t, _ bottom: uint8x16_t, _ record: UnsafeRawPointer, _ done: Int,
            _ out: UnsafeMutablePointer<UInt8>
        ) {
            @inline(always)
            func fixedLuma(_ v: uint16x8_t) -> int16x8_t { vreinterpretq_s16_u16(vshlq_u16(v, vdupq_n_s16(7))) }
            store(
                mixed(
                    fixedLuma(vmovl_u8(vget_low_u8(top))), fixedLuma(vsubl_u8(vget_low_u8(bottom), vget_low_u8(top)))),
                mixed(fixedLuma(vmovl_high_u8(top)), fixedLuma(vsubl_high_u8(bottom, top))), record, done, out)
        }
    }

    @inline(always)
    private func offset(_ record: UnsafeRawPointer, _ i: Int) -> Int {
        Int(record.load(fromByteOffset: ResizeRecord.offsets &+ 4 &* i, as: Int32.self))
    }

    // MARK: Luma

    /// See `ResizeKernels.Luma`.
    @c(gk_resizeluma_neon) @export(interface) @inline(never)
    func resizeLumaLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let top = UnsafeRawPointer(top)
        let bottom = UnsafeRawPointer(bottom)
        var record = packed + ResizeHeader.size
        var done = 0
        switch shared.fetch {
        case ResizeFetch.window16:
            while done < shared.count {
                shared.store(window16(top, record), window16(bottom, record), record, done, line)
                record += ResizeRecord.size
                done &+= 8
            }
        case ResizeFetch.window32:
            while done < shared.count {
                shared.store(window32(top, record), window32(bottom, record), record, done, line)
                record += ResizeRecord.size
                done &+= 8
            }
        case ResizeFetch.window64:
            while done < shared.count {
                shared.store(window64(top, record), window64(bottom, record), record, done, line)
                record += ResizeRecord.size
                done &+= 8
            }
        default:
            while done < shared.count {
                shared.store(bytes(top, record), bytes(bottom, record), record, done, line)
                record += ResizeRecord.size
                done &+= 8
            }
        }
    }

    /// The bytes of a block's left and right neighbours in a window.
    @inline(always)
    private func indices(_ record: UnsafeRawPointer) -> uint8x16_t {
        record.load(fromByteOffset: ResizeRecord.bytes, as: uint8x16_t.self)
    }

    @inline(always)
    private func window(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer, _ at: Int) -> uint8x16_t {
        let start = record.load(fromByteOffset: ResizeRecord.window, as: Int.self)
        return (row + (start &+ at)).loadUnaligned(as: uint8x16_t.self)
    }

    @inline(always)
    private func window16(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> uint8x16_t {
        vqtbl1q_u8(window(row, record, 0), indices(record))
    }

    @inline(always)
    private func window32(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> uint8x16_t {
        vqtbl2q_u8(uint8x16x2_t(val: (window(row, record, 0), window(row, record, 16))), indices(record))
    }

    @inline(always)
    private func window64(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> uint8x16_t {
        let all = (
            window(row, record, 0), window(row, record, 16), window(row, record, 32), window(row, record, 48)
        )
        return vqtbl4q_u8(uint8x16x4_t(val: all), indices(record))
    }

    /// Sixteen bytes, loaded one by one.
    @inline(always)
    private func bytes(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> uint8x16_t {
        @inline(always)
        func byte(_ i: Int) -> UInt8 { (row + offset(record, i)).load(as: UInt8.self) }
        return uint8x16_t(
            byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
            byte(11), byte(12), byte(13), byte(14), byte(15))
    }

    // MARK: Colour

    /// The shares of a pixel's bytes in its luma, each as 128 * high + low.
    ///
    /// As the shares add up to 16384, the low parts add up to at most 256. So the sums of both parts' products fit
    /// sixteen bits, and
    ///
    ///     (p[0] * share0 + p[1] * share1 + p[2] * share2 + 64) >> 7 = highs + ((lows + 64) >> 7).
    struct ColourShares {
        private let high0, high1, high2, low0, low1, low2: uint8x16_t

        @inline(always)
        init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
            @inline(always)
            func high(_ share: Int32) -> uint8x16_t { vdupq_n_u8(UInt8(truncatingIfNeeded: share &>> 7)) }
            @inline(always)
            func low(_ share: Int32) -> uint8x16_t { vdupq_n_u8(UInt8(truncatingIfNeeded: share & 127)) }
            (high0, high1, high2) = (high(share0), high(share1), high(share2))
            (low0, low1, low2) = (low(share0), low(share1), low(share2))
        }

        /// Fixed-point luma of sixteen pixels, four a vector.
        @inline(always)
        func fixedLuma(_ p: (uint8x16_t, uint8x16_t, uint8x16_t, uint8x16_t)) -> (uint16x8_t, uint16x8_t) {
            let even = (vuzp1q_u8(p.0, p.1), vuzp1q_u8(p.2, p.3))
            let odd = (vuzp2q_u8(p.0, p.1), vuzp2q_u8(p.2, p.3))
            let (b0, b2) = (vuzp1q_u8(even.0, even.1), vuzp2q_u8(even.0, even.1))
            let b1 = vuzp1q_u8(odd.0, odd.1)

            @inline(always)
            func firstEight(_ s0: uint8x16_t, _ s1: uint8x16_t, _ s2: uint8x16_t) -> uint16x8_t {
                let sum = vmlal_u8(
                    vmull_u8(vget_low_u8(b0), vget_low_u8(s0)), vget_low_u8(b1), vget_low_u8(s1))
                return vmlal_u8(sum, vget_low_u8(b2), vget_low_u8(s2))
            }

            @inline(always)
            func lastEight(_ s0: uint8x16_t, _ s1: uint8x16_t, _ s2: uint8x16_t) -> uint16x8_t {
                vmlal_high_u8(vmlal_high_u8(vmull_high_u8(b0, s0), b1, s1), b2, s2)
            }

            @inline(always)
            func joined(_ highs: uint16x8_t, _ lows: uint16x8_t) -> uint16x8_t {
                vaddq_u16(highs, vrshlq_u16(lows, vdupq_n_s16(-7)))
            }
            return (
                joined(firstEight(high0, high1, high2), firstEight(low0, low1, low2)),
                joined(lastEight(high0, high1, high2), lastEight(low0, low1, low2))
            )
        }

        /// The pairs of a block, left and right in turn.
        @inline(always)
        fileprivate func pairs(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> (uint16x8_t, uint16x8_t) {
            @inline(always)
            func two(_ i: Int) -> uint8x16_t {
                vcombine_u8(
                    (row + offset(record, i)).loadUnaligned(as: uint8x8_t.self),
                    (row + offset(record, i &+ 1)).loadUnaligned(as: uint8x8_t.self))
            }
            return fixedLuma((two(0), two(2), two(4), two(6)))
        }

        /// The same for a row of one pixel.
        @inline(always)
        fileprivate func pairs(_ row: UnsafeRawPointer) -> (uint16x8_t, uint16x8_t) {
            let all = vreinterpretq_u8_u32(vdupq_n_u32(word(row)))
            return fixedLuma((all, all, all, all))
        }
    }

    extension Line {
        /// As the other `store`, from the pairs of both rows.
        @inline(always)
        fileprivate func store(
            _ top: (uint16x8_t, uint16x8_t), _ bottom: (uint16x8_t, uint16x8_t), _ record: UnsafeRawPointer,
            _ done: Int, _ out: UnsafeMutablePointer<UInt8>
        ) {
            @inline(always)
            func mixed(_ top: uint16x8_t, _ bottom: uint16x8_t) -> int16x8_t {
                self.mixed(vreinterpretq_s16_u16(top), vreinterpretq_s16_u16(vsubq_u16(bottom, top)))
            }
            let (first, second) = (mixed(top.0, bottom.0), mixed(top.1, bottom.1))
            store(vuzp1q_s16(first, second), vuzp2q_s16(first, second), record, done, out)
        }
    }

    /// See `ResizeKernels.Colour`.
    @c(gk_resizecolour_neon) @export(interface) @inline(never)
    func resizeColourLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
        _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let shares = ColourShares(share0, share1, share2)
        let top = UnsafeRawPointer(top)
        let bottom = UnsafeRawPointer(bottom)
        var record = packed + ResizeHeader.size
        var done = 0
        if shared.fetch == ResizeFetch.row {
            let (t, b) = (shares.pairs(top), shares.pairs(bottom))
            while done < shared.count {
                shared.store(t, b, record, done, line)
                record += ResizeRecord.size
                done &+= 8
            }
            return
        }
        while done < shared.count {
            shared.store(shares.pairs(top, record), shares.pairs(bottom, record), record, done, line)
            record += ResizeRecord.size
            done &+= 8
        }
    }
#endif
