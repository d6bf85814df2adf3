#if arch(wasm32)
    import CWasmSIMD
    package import KernelInterface

    // Eight output pixels are one block. The pairs of neighbours that they are mixed from are loaded one by one: two
    // bytes of luma, or two pixels of four bytes.
    //
    // Packed: a header, then a record for every block: the offsets of eight pairs and their weights. The last block
    // repeats the last pixel. The last pixel of a row is the second of its pair, so that both can be read. A row of one
    // pixel is repeated.

    extension SIMD128Tier {
        @export(interface) @inline(never)
        package static func resizeKernels() -> ResizeKernels {
            ResizeKernels(
                pack: packResizeLine, luma: resizeLumaLine, colour: resizeColourLine,
                area: AreaKernels(luma: blendLumaRows, colour: blendColourRows, line: areaLine))
        }
    }

    /// Byte offsets in the header.
    private enum Header {
        @inline(always) static var count: Int { 0 }
        @inline(always) static var bias: Int { 4 }
        @inline(always) static var pixelBytes: Int { 8 }
        /// Whether a row has one pixel.
        @inline(always) static var isSingle: Int { 12 }
        @inline(always) static var size: Int { 16 }
    }

    /// Byte offsets in a record: of the bytes from the row's start to each pair, and of pairs of Int16.
    private enum Record {
        @inline(always) static var weights: Int { 32 }
        @inline(always) static var size: Int { 64 }
    }

    /// See `ResizeKernels.Pack`.
    @c(gk_packresize_simd128) @export(interface) @inline(never)
    func packResizeLine(
        _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let blocks = (count &+ 7) / 8
        let size = Header.size &+ blocks &* Record.size
        guard let columns, let weights, let packed else { return size }
        packed.storeBytes(of: Int32(truncatingIfNeeded: count), toByteOffset: Header.count, as: Int32.self)
        packed.storeBytes(of: bias, toByteOffset: Header.bias, as: Int32.self)
        packed.storeBytes(of: Int32(truncatingIfNeeded: pixelBytes), toByteOffset: Header.pixelBytes, as: Int32.self)
        packed.storeBytes(of: width == 1 ? 1 : 0, toByteOffset: Header.isSingle, as: Int32.self)
        var i = 0
        while i < 8 &* blocks {
            let source = i < count ? i : count &- 1
            let column = Int(columns[source])
            let isLast = column == width &- 1 && width > 1
            let record = packed + (Header.size &+ i / 8 &* Record.size &+ 4 &* (i & 7))
            record.storeBytes(
                of: Int32(truncatingIfNeeded: (isLast ? column &- 1 : column) &* pixelBytes), as: Int32.self)
            let pair = (isLast ? 0 : weights[2 &* source], isLast ? weights[2 &* source] : weights[2 &* source &+ 1])
            record.storeBytes(of: pair.0, toByteOffset: Record.weights, as: Int16.self)
            record.storeBytes(of: pair.1, toByteOffset: Record.weights &+ 2, as: Int16.self)
            i &+= 1
        }
        return size
    }

    /// What all blocks of a row share.
    private struct Line {
        let count: Int
        let isSingle: Bool
        private let weight, bias: Vector

        @inline(always)
        init(_ packed: UnsafeRawPointer, _ weight: Int32) {
            count = Int(packed.load(fromByteOffset: Header.count, as: Int32.self))
            isSingle = packed.load(fromByteOffset: Header.isSingle, as: Int32.self) != 0
            bias = wasm_i32x4_splat(packed.load(fromByteOffset: Header.bias, as: Int32.self))
            self.weight = wasm_i16x8_splat(Int16(truncatingIfNeeded: weight))
        }

        /// Four output pixels from their pairs in the upper and the lower row, as fixed-point luma.
        @inline(always)
        func four(_ top: Vector, _ bottom: Vector, _ weights: UnsafeRawPointer) -> Vector {
            let mixed = wasm_i16x8_add(top, wasm_i16x8_q15mulr_sat(wasm_i16x8_sub(bottom, top), weight))
            return wasm_i32x4_shr(dot(bias, mixed, load(weights)), 21)
        }

        /// Stores a block.
        @inline(always)
        func store(_ low: Vector, _ high: Vector, _ done: Int, _ line: UnsafeMutablePointer<UInt8>) {
            let fixedLuma = bytes(low, high, low, high)
            if count &- done >= 8 {
                UnsafeMutableRawPointer(line + done).storeBytes(
                    of: unsafeBitCast(fixedLuma, to: SIMD2<UInt64>.self)[0], as: UInt64.self)
            } else {
                KernelsWASM.store(fixedLuma, first: count &- done, line + done)
            }
        }
    }

    @inline(always)
    private func offset(_ record: UnsafeRawPointer, _ i: Int) -> Int {
        Int(record.load(fromByteOffset: 4 &* i, as: Int32.self))
    }

    /// See `ResizeKernels.Luma`.
    @c(gk_resizeluma_simd128) @export(interface) @inline(never)
    func resizeLumaLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        let isPlanar = packed.load(fromByteOffset: Header.pixelBytes, as: Int32.self) == 1
        var record = packed + Header.size
        var done = 0
        while done < shared.count {
            /// Four pairs as fixed-point luma.
            @inline(always)
            func pairs(_ row: UnsafeRawPointer, _ i: Int) -> Vector {
                if shared.isSingle { return wasm_i16x8_splat(Int16(row.load(as: UInt8.self)) &<< 7) }
                if isPlanar {
                    @inline(always) func pair(_ i: Int) -> UInt16 {
                        (row + offset(record, i)).loadUnaligned(as: UInt16.self)
                    }
                    let four = SIMD8<UInt16>(pair(i), pair(i &+ 1), pair(i &+ 2), pair(i &+ 3), 0, 0, 0, 0)
                    let words = wasm_u16x8_extend_low_u8x16(unsafeBitCast(four, to: Vector.self))
                    return wasm_i16x8_shl(words, 7)
                }
                @inline(always) func pair(_ i: Int) -> Int32 {
                    (row + offset(record, i)).loadUnaligned(as: Int32.self)
                }
                let four = Vector(pair(i), pair(i &+ 1), pair(i &+ 2), pair(i &+ 3))
                return wasm_i16x8_shl(wasm_v128_and(four, wasm_i16x8_splat(255)), 7)
            }
            let low = shared.four(pairs(top, 0), pairs(bottom, 0), record + Record.weights)
            let high = shared.four(pairs(top, 4), pairs(bottom, 4), record + (Record.weights &+ 16))
            shared.store(low, high, done, line)
            record += Record.size
            done &+= 8
        }
    }

    /// See `ResizeKernels.Colour`.
    @c(gk_resizecolour_simd128) @export(interface) @inline(never)
    func resizeColourLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
        _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let shares = ColourShares(share0, share1, share2)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        var record = packed + Header.size
        var done = 0
        while done < shared.count {
            @inline(always)
            func pairs(_ row: UnsafeRawPointer, _ i: Int) -> Vector {
                if shared.isSingle { return wasm_i16x8_splat(Int16(truncatingIfNeeded: shares.code(row))) }
                @inline(always) func pair(_ i: Int) -> Vector { loadWords(row + offset(record, i)) }
                return wasm_i16x8_narrow_i32x4(
                    shares.luma(pair(i), pair(i &+ 1)), shares.luma(pair(i &+ 2), pair(i &+ 3)))
            }
            let low = shared.four(pairs(top, 0), pairs(bottom, 0), record + Record.weights)
            let high = shared.four(pairs(top, 4), pairs(bottom, 4), record + (Record.weights &+ 16))
            shared.store(low, high, done, line)
            record += Record.size
            done &+= 8
        }
    }
#endif
