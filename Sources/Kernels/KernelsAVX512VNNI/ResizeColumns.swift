#if arch(x86_64)
    import KernelsX86

    // Sixteen output pixels are one block: a vector of sixteen pairs of neighbours from each row. The pairs of a block
    // lie close together, so a permutation picks them from two or three vectors that cover its part of the row, its
    // window. Near a row's end the window is moved back to end with the row. Rows shorter than two vectors are their
    // own window, loaded once per output row under a mask; pairs too far apart for a window are loaded one by one.
    //
    // Packed: a header, then a record for every block. Outputs after the last one repeat it.

    /// How the pairs of a row are loaded.
    enum ResizeFetch {
        /// The row is shorter than 128 bytes: the whole row, under a mask.
        @inline(always) static var row: Int { 0 }
        /// Two vectors, 128 bytes.
        @inline(always) static var window2: Int { 1 }
        /// Three vectors, 192 bytes.
        @inline(always) static var window3: Int { 2 }
        /// A load for every pair.
        @inline(always) static var each: Int { 3 }
    }

    /// Byte offsets in a record.
    enum ResizeRecord: ResizeRecords {
        /// Luma windows: for 32 lanes, the 16-bit word of the window that holds its byte.
        @inline(always) static var places: Int { 0 }
        /// Luma: the byte of its 128-bit lane that goes to each lane of 16 bits, with zero above it.
        @inline(always) static var bytes: Int { 64 }
        /// Colour windows: for 16 lanes, the pixel of the window; of outputs 0...7, then of 8...15.
        @inline(always) static var pixels: (Int, Int) { (0, 64) }
        /// Pairs of Int16. For colour in the order that packing both halves gives: 0, 1, 8, 9, 2, 3, 10, 11...
        @inline(always) static var weights: Int { 128 }
        /// Bytes from the row's start to the window's, in Int; for colour of both halves.
        @inline(always) static var starts: (Int, Int) { (192, 200) }
        /// Window of three vectors: a bit for every lane whose word or pixel is in the third vector.
        @inline(always) static var high: (Int, Int) { (208, 216) }
        /// Bytes from the row's start to the load of each of the sixteen pairs, in Int32.
        @inline(always) static var offsets: Int { 256 }
        /// While packing, bytes from the row's start to the pairs themselves.
        @inline(always) static var pairs: Int { 256 }
        @inline(always) static var size: Int { 320 }

        /// The position of pair `i` of a block in the vector of weights.
        @inline(always)
        static func lane(_ i: Int, _ pixelBytes: Int) -> Int {
            pixelBytes == 4 ? (i & 6) &<< 1 | (i & 8) &>> 2 | i & 1 : i
        }

        /// The cheapest way of loading that works for every group of pairs.
        @inline(always)
        static func fetch(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ pixelBytes: Int, _ rowBytes: Int) -> Int
        {
            if rowBytes < 128 { return ResizeFetch.row }
            let longest = longestSpan(records, blocks, pixelBytes == 4 ? 8 : 16, 2 &* pixelBytes)
            if longest <= 128 { return ResizeFetch.window2 }
            return longest <= 192 && rowBytes >= 192 ? ResizeFetch.window3 : ResizeFetch.each
        }

        /// Packs the loads of a block.
        @inline(always)
        static func packBlock(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ pixelBytes: Int, _ rowBytes: Int) {
            if pixelBytes == 4 {
                packPixels(record, fetch, rowBytes)
            } else {
                packBytes(record, fetch, pixelBytes, rowBytes)
            }
        }

        /// The start of the window of the pairs i..<i + group.
        @inline(always)
        fileprivate static func windowStart(
            _ record: UnsafeMutableRawPointer, _ i: Int, _ group: Int, _ fetch: Int, _ rowBytes: Int
        ) -> Int {
            if fetch == ResizeFetch.row { return 0 }
            let last = rowBytes &- (fetch == ResizeFetch.window3 ? 192 : 128)
            let low = extent(record, i, group).low
            return low < last ? low : last
        }

        /// Packs the loads of a colour block.
        @inline(always)
        private static func packPixels(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ rowBytes: Int) {
            var half = 0
            while half < 2 {
                let start = windowStart(record, 8 &* half, 8, fetch, rowBytes)
                var high: UInt64 = 0
                var lane = 0
                while lane < 16 {
                    let pixel = (offset(record, 8 &* half &+ lane / 2) &- start) / 4 &+ (lane & 1)
                    record.storeBytes(
                        of: Int32(truncatingIfNeeded: pixel),
                        toByteOffset: Self.pixels.0 &+ 64 &* half &+ 4 &* lane,
                        as: Int32.self)
                    if pixel >= 32 { high |= 1 &<< UInt64(truncatingIfNeeded: lane) }
                    lane &+= 1
                }
                record.storeBytes(of: start, toByteOffset: Self.starts.0 &+ 8 &* half, as: Int.self)
                record.storeBytes(of: high, toByteOffset: Self.high.0 &+ 8 &* half, as: UInt64.self)
                half &+= 1
            }
        }
    }

    /// See `ResizeKernels.Pack`.
    @c(gk_packresize_avx512vnni) @export(interface) @inline(never)
    package func packResizeLine(
        _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
    ) -> Int { ResizeRecord.packResize(columns, weights, count, width, pixelBytes, bias, packed) }

    /// Packs the loads of a luma block. It is an entry point because the inliner leaves it out of line, where a private
    /// function would be a weak symbol.
    @c(gk_packresizebytes_avx512vnni) @export(interface) @inline(never)
    package func packBytes(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ pixelBytes: Int, _ rowBytes: Int) {
        let start = ResizeRecord.windowStart(record, 0, 16, fetch, rowBytes)
        var high: UInt64 = 0
        var lane = 0
        while lane < 32 {
            let pair = ResizeRecord.offset(record, lane / 2)
            let byte = pair &+ (lane & 1) &* pixelBytes
            var index = byte &- start
            if fetch == ResizeFetch.each {
                // Four bytes that begin with the pair, or end with the row.
                let place = pair < rowBytes &- 4 ? pair : rowBytes &- 4
                index = 4 &* (lane / 2) &+ byte &- place
                if lane & 1 == 1 {
                    record.storeBytes(
                        of: Int32(truncatingIfNeeded: place), toByteOffset: ResizeRecord.offsets &+ 2 &* lane &- 2,
                        as: Int32.self)
                }
            } else {
                record.storeBytes(
                    of: Int16(truncatingIfNeeded: index / 2), toByteOffset: ResizeRecord.places &+ 2 &* lane,
                    as: Int16.self)
                if index >= 128 { high |= 1 &<< UInt64(truncatingIfNeeded: lane) }
                index = 2 &* lane &+ (index & 1)
            }
            record.storeBytes(
                of: 0x8000 | UInt16(truncatingIfNeeded: index & 15), toByteOffset: ResizeRecord.bytes &+ 2 &* lane,
                as: UInt16.self)
            lane &+= 1
        }
        record.storeBytes(of: start, toByteOffset: ResizeRecord.starts.0, as: Int.self)
        record.storeBytes(of: high, toByteOffset: ResizeRecord.high.0, as: UInt64.self)
    }
#endif
