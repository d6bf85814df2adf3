#if arch(x86_64)
    import KernelInterface

    // Sixteen output pixels are one block: two vectors of eight pairs of neighbours from each row, one for outputs
    // 0...3 and 8...11, one for 4...7 and 12...15, so that packing both gives output order. A byte shuffle picks
    // neighbouring pairs from sixteen bytes of the row, their window. Near a row's end the window is moved back to end
    // with the row; pairs too far apart for windows are loaded one by one.
    //
    // Packed: a header, then a record for every block. Outputs after the last one repeat it.

    /// How the pairs of a row are loaded.
    enum ResizeFetch {
        /// Luma: the row is shorter than 16 bytes and is its own window. Colour: the row is one pixel.
        static let row = 0
        /// Luma: a window for four pairs.
        static let quads = 1
        /// Luma: a window for two pairs.
        static let twos = 2
        /// A load for every pair.
        static let each = 3
    }

    /// Byte offsets in the header, each of an Int.
    enum ResizeHeader {
        static let count = 0
        static let fetch = 8
        /// Bytes of a source row.
        static let rowBytes = 16
        static let bias = 24
        static let size = 64
    }

    /// Byte offsets in a record.
    enum ResizeRecord {
        /// Bytes from the row's start to a load, in Int32: for four windows, eight windows or sixteen pairs, in output
        /// order.
        static let offsets = 0
        /// Luma: the byte of its 128-bit lane that goes to each lane of 16 bits, with zero above it. Two vectors; four
        /// for windows of two pairs, where the results of the first and second, and of the third and fourth, are
        /// joined.
        static let bytes = 64
        /// Pairs of Int16, two vectors.
        static let weights = 192
        /// Bytes from the row's start to each of the sixteen pairs, in Int32; only for packing.
        static let pairs = 256
        static let size = 320
    }

    /// See `ResizeKernels.Pack`.
    @c(gk_packresize_avx2) @export(interface) @inline(never)
    package func packResizeLine(
        _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let blocks = (count &+ 15) / 16
        let size = ResizeHeader.size &+ blocks &* ResizeRecord.size
        guard let columns, let weights, let packed else { return size }
        let records = packed + ResizeHeader.size
        packPairs(columns, weights, count, width, pixelBytes, records)
        let rowBytes = width &* pixelBytes
        let fetch = fetch(records, blocks, pixelBytes, rowBytes)
        packed.storeBytes(of: count, toByteOffset: ResizeHeader.count, as: Int.self)
        packed.storeBytes(of: fetch, toByteOffset: ResizeHeader.fetch, as: Int.self)
        packed.storeBytes(of: rowBytes, toByteOffset: ResizeHeader.rowBytes, as: Int.self)
        packed.storeBytes(of: Int(bias), toByteOffset: ResizeHeader.bias, as: Int.self)
        var block = 0
        while block < blocks {
            packLoads(records + block &* ResizeRecord.size, fetch, pixelBytes, rowBytes)
            block &+= 1
        }
        return size
    }

    /// The position of pair `i` of a block among the sixteen of its two vectors: 4...7 are exchanged with 8...11.
    @inline(__always)
    private func lane(_ i: Int) -> Int { i & 3 | (i & 4) &<< 1 | (i & 8) &>> 1 }

    /// The weights and the offset of every pair. The last pixel of a row is the second of its pair, so that both can
    /// always be read, unless it is the only pixel.
    @inline(__always)
    private func packPairs(
        _ columns: UnsafePointer<Int32>, _ weights: UnsafePointer<Int16>, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ records: UnsafeMutableRawPointer
    ) {
        var i = 0
        while i < (count &+ 15) & ~15 {
            let source = i < count ? i : count &- 1
            let isLast = Int(columns[source]) == width &- 1 && width > 1
            let column = isLast ? width &- 2 : Int(columns[source])
            let first = isLast ? 0 : weights[2 &* source]
            let second = isLast ? weights[2 &* source] : weights[2 &* source &+ 1]
            let lane = lane(i & 15)
            let record = records + i / 16 &* ResizeRecord.size
            record.storeBytes(of: first, toByteOffset: ResizeRecord.weights &+ 4 &* lane, as: Int16.self)
            record.storeBytes(of: second, toByteOffset: ResizeRecord.weights &+ 4 &* lane &+ 2, as: Int16.self)
            record.storeBytes(
                of: Int32(truncatingIfNeeded: column &* pixelBytes), toByteOffset: ResizeRecord.pairs &+ 4 &* (i & 15),
                as: Int32.self)
            i &+= 1
        }
    }

    @inline(__always)
    private func offset(_ record: UnsafeMutableRawPointer, _ i: Int) -> Int {
        Int(record.load(fromByteOffset: ResizeRecord.pairs &+ 4 &* i, as: Int32.self))
    }

    /// The smallest and the largest offset of the pairs i..<i + group.
    @inline(__always)
    private func extent(_ record: UnsafeMutableRawPointer, _ i: Int, _ group: Int) -> (low: Int, high: Int) {
        var low = offset(record, i)
        var high = low
        var k = i
        while k < i &+ group {
            let offset = offset(record, k)
            low = offset < low ? offset : low
            high = offset > high ? offset : high
            k &+= 1
        }
        return (low, high)
    }

    /// The most bytes that a group of pairs spans, up to the second pixel of the last pair.
    @inline(__always)
    private func longestSpan(
        _ records: UnsafeMutableRawPointer, _ blocks: Int, _ group: Int, _ pixelBytes: Int
    ) -> Int {
        var longest = 0
        var i = 0
        while i < 16 &* blocks {
            let (low, high) = extent(records + i / 16 &* ResizeRecord.size, i & 15, group)
            let length = high &+ pixelBytes &+ 1 &- low
            longest = length > longest ? length : longest
            i &+= group
        }
        return longest
    }

    /// The cheapest way of loading that works for every group of pairs.
    @inline(__always)
    private func fetch(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ pixelBytes: Int, _ rowBytes: Int) -> Int {
        if pixelBytes == 4 { return rowBytes == 4 ? ResizeFetch.row : ResizeFetch.each }
        if rowBytes < 16 { return ResizeFetch.row }
        if longestSpan(records, blocks, 4, pixelBytes) <= 16 { return ResizeFetch.quads }
        return longestSpan(records, blocks, 2, pixelBytes) <= 16 ? ResizeFetch.twos : ResizeFetch.each
    }

    /// Packs the loads of a block.
    @inline(__always)
    private func packLoads(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ pixelBytes: Int, _ rowBytes: Int) {
        // Pairs that share a load, and the bytes of a load.
        let group = fetch == ResizeFetch.quads ? 4 : fetch == ResizeFetch.twos ? 2 : 1
        let loaded = group > 1 ? 16 : pixelBytes == 4 ? 8 : 4
        var i = 0
        while i < 16 {
            var start = extent(record, i / group &* group, group).low
            start = start < rowBytes &- loaded ? start : rowBytes &- loaded
            start = fetch == ResizeFetch.row ? 0 : start
            record.storeBytes(
                of: Int32(truncatingIfNeeded: start), toByteOffset: ResizeRecord.offsets &+ 4 &* (i / group),
                as: Int32.self)
            let lane = lane(i)
            let first = offset(record, i) &- start &+ (fetch == ResizeFetch.each ? 4 &* (lane & 3) : 0)
            let second = first &+ pixelBytes
            let shuffle =
                0x8000_8000 | UInt32(truncatingIfNeeded: second & 15) &<< 16 | UInt32(truncatingIfNeeded: first & 15)
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

    @inline(__always)
    private func packShuffle(_ shuffle: UInt32, _ vector: Int, _ lane: Int, _ record: UnsafeMutableRawPointer) {
        record.storeBytes(
            of: shuffle, toByteOffset: ResizeRecord.bytes &+ 32 &* vector &+ 4 &* lane, as: UInt32.self)
    }
#endif
