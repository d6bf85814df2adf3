#if arch(x86_64)
    // What the packing of resized rows has in common, one source for AVX2 and AVX-512: the sixteen pairs of each block.
    // How they are loaded, `ResizeRecord` and what `packBlock` writes are each tier's own (ResizeColumns.swift). This is no
    // `WeightLayout`: what is packed depends on where the pixels of a row lie.

    /// Byte offsets in the header, each of an Int.
    enum ResizeHeader {
        static let count = 0
        static let fetch = 8
        /// Bytes of a source row.
        static let rowBytes = 16
        static let bias = 24
        static let size = 64
    }

    /// See `ResizeKernels.Pack`.
    @inline(__always)
    func packResize(
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
            packBlock(records + block &* ResizeRecord.size, fetch, pixelBytes, rowBytes)
            block &+= 1
        }
        return size
    }

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
            let lane = lane(i & 15, pixelBytes)
            let record = records + i / 16 &* ResizeRecord.size
            record.storeBytes(of: first, toByteOffset: ResizeRecord.weights &+ 4 &* lane, as: Int16.self)
            record.storeBytes(of: second, toByteOffset: ResizeRecord.weights &+ 4 &* lane &+ 2, as: Int16.self)
            record.storeBytes(
                of: Int32(truncatingIfNeeded: column &* pixelBytes), toByteOffset: ResizeRecord.pairs &+ 4 &* (i & 15),
                as: Int32.self)
            i &+= 1
        }
    }

    /// Bytes from the row's start to pair `i`.
    @inline(__always)
    func offset(_ record: UnsafeMutableRawPointer, _ i: Int) -> Int {
        Int(record.load(fromByteOffset: ResizeRecord.pairs &+ 4 &* i, as: Int32.self))
    }

    /// The smallest and the largest offset of the pairs i..<i + group.
    @inline(__always)
    func extent(_ record: UnsafeMutableRawPointer, _ i: Int, _ group: Int) -> (low: Int, high: Int) {
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

    /// The most bytes that a group of pairs spans, of which the last pair reads `pairBytes`.
    @inline(__always)
    func longestSpan(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ group: Int, _ pairBytes: Int) -> Int {
        var longest = 0
        var i = 0
        while i < 16 &* blocks {
            let (low, high) = extent(records + i / 16 &* ResizeRecord.size, i & 15, group)
            let length = high &+ pairBytes &- low
            longest = length > longest ? length : longest
            i &+= group
        }
        return longest
    }
#endif
