#if arch(x86_64)
    import KernelsX86

    // Sixteen output pixels are one block: two vectors of eight pairs of neighbours from each row, one for outputs
    // 0...3 and 8...11, one for 4...7 and 12...15, so that packing both gives output order. A byte shuffle picks
    // neighbouring pairs from sixteen bytes of the row, their window. Near a row's end the window is moved back to end
    // with the row; pairs too far apart for windows are loaded one by one.
    //
    // Packed: a header, then a record for every block. Outputs after the last one repeat it.

    /// How the pairs of a row are loaded.
    enum ResizeFetch {
        /// Luma: the row is shorter than 16 bytes and is its own window. Colour: the row is one pixel.
        @inline(always) static var row: Int { 0 }
        /// Luma: a window for four pairs.
        @inline(always) static var quads: Int { 1 }
        /// Luma: a window for two pairs.
        @inline(always) static var twos: Int { 2 }
        /// A load for every pair.
        @inline(always) static var each: Int { 3 }
    }

    /// Byte offsets in a record.
    enum ResizeRecord: ResizeRecords {
        /// Bytes from the row's start to a load, in Int32: for four windows, eight windows or sixteen pairs, in output
        /// order.
        @inline(always) static var offsets: Int { 0 }
        /// Luma: the byte of its 128-bit lane that goes to each lane of 16 bits, with zero above it. Two vectors; four
        /// for windows of two pairs, where the results of the first and second, and of the third and fourth, are
        /// joined.
        @inline(always) static var bytes: Int { 64 }
        /// Pairs of Int16, two vectors.
        @inline(always) static var weights: Int { 192 }
        /// Bytes from the row's start to each of the sixteen pairs, in Int32; only for packing.
        @inline(always) static var pairs: Int { 256 }
        @inline(always) static var size: Int { 320 }

        /// The position of pair `i` of a block among the sixteen of its two vectors: 4...7 are exchanged with 8...11.
        @inline(always)
        static func lane(_ i: Int, _ pixelBytes: Int) -> Int { i & 3 | (i & 4) &<< 1 | (i & 8) &>> 1 }

        /// The cheapest way of loading that works for every group of pairs.
        @inline(always)
        static func fetch(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ pixelBytes: Int, _ rowBytes: Int) -> Int
        {
            if pixelBytes == 4 { return rowBytes == 4 ? ResizeFetch.row : ResizeFetch.each }
            if rowBytes < 16 { return ResizeFetch.row }
            if longestSpan(records, blocks, 4, pixelBytes &+ 1) <= 16 { return ResizeFetch.quads }
            return longestSpan(records, blocks, 2, pixelBytes &+ 1) <= 16 ? ResizeFetch.twos : ResizeFetch.each
        }

        /// Packs the loads of a block.
        @inline(always)
        static func packBlock(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ pixelBytes: Int, _ rowBytes: Int) {
            // Pairs that share a load, and the bytes of a load.
            let group = fetch == ResizeFetch.quads ? 4 : fetch == ResizeFetch.twos ? 2 : 1
            let loaded = group > 1 ? 16 : pixelBytes == 4 ? 8 : 4
            var i = 0
            while i < 16 {
                var start = extent(record, i / group &* group, group).low
                start = start < rowBytes &- loaded ? start : rowBytes &- loaded
                start = fetch == ResizeFetch.row ? 0 : start
                record.storeBytes(
                    of: Int32(truncatingIfNeeded: start), toByteOffset: offsets &+ 4 &* (i / group),
                    as: Int32.self)
                let lane = lane(i, pixelBytes)
                let first = offset(record, i) &- start &+ (fetch == ResizeFetch.each ? 4 &* (lane & 3) : 0)
                let second = first &+ pixelBytes
                let shuffle =
                    0x8000_8000 | UInt32(truncatingIfNeeded: second & 15) &<< 16
                    | UInt32(truncatingIfNeeded: first & 15)
                if fetch == ResizeFetch.twos {
                    // Two vectors are joined: the one without this pair gives zeros.
                    let vector = 2 &* (lane / 8) &+ (lane & 2) / 2
                    packShuffle(shuffle, vector, lane & 7, record)
                    packShuffle(UInt32.max, vector ^ 1, lane & 7, record)
                } else {
                    packShuffle(shuffle, lane / 8, lane & 7, record)
                }
                i &+= 1
            }
        }

        @inline(always)
        private static func packShuffle(
            _ shuffle: UInt32, _ vector: Int, _ lane: Int, _ record: UnsafeMutableRawPointer
        ) {
            record.storeBytes(
                of: shuffle, toByteOffset: bytes &+ 32 &* vector &+ 4 &* lane, as: UInt32.self)
        }
    }

    /// See `ResizeKernels.Pack`.
    @c(gk_packresize_avx2) @export(interface) @inline(never)
    package func packResizeLine(
        _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
    ) -> Int { ResizeRecord.packResize(columns, weights, count, width, pixelBytes, bias, packed) }
#endif
