#if arch(arm64)
    import KernelInterface

    // Eight output pixels are one block. For luma a window of 16, 32 or 64 bytes of the row covers their pairs of
    // neighbours, and one table lookup picks all left and all right neighbours from it. Near a row's end the window is
    // moved back to end with the row; in short rows, and for pairs too far apart for a window, bytes are loaded one by
    // one. For colour each pair is a load.
    //
    // Packed: a header, then a record for every block. Outputs after the last one repeat it.

    /// How the pairs of a row are loaded.
    enum ResizeFetch {
        /// Luma: each byte. Colour: each pair.
        @inline(always) static var each: Int { 0 }
        /// Colour: the row is one pixel.
        @inline(always) static var row: Int { 1 }
        /// Luma: a window of this many bytes.
        @inline(always) static var window16: Int { 16 }
        @inline(always) static var window32: Int { 32 }
        @inline(always) static var window64: Int { 64 }
    }

    /// Byte offsets in the header, each of an Int.
    enum ResizeHeader {
        @inline(always) static var count: Int { 0 }
        @inline(always) static var fetch: Int { 8 }
        @inline(always) static var bias: Int { 16 }
        @inline(always) static var size: Int { 64 }
    }

    /// Byte offsets in a record.
    enum ResizeRecord {
        /// Int16 weights of the eight left neighbours, then of the right ones.
        @inline(always) static var weights: Int { 0 }
        /// Luma in windows: the bytes of the left neighbours in the window, then those of the right ones.
        @inline(always) static var bytes: Int { 32 }
        /// Bytes from the row's start to the left neighbours, in Int32, then to the right ones.
        @inline(always) static var offsets: Int { 48 }
        /// Bytes from the row's start to the window, an Int.
        @inline(always) static var window: Int { 112 }
        @inline(always) static var size: Int { 128 }
    }

    /// See `ResizeKernels.Pack`.
    @c(gk_packresize_neon) @export(interface) @inline(never)
    func packResizeLine(
        _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let blocks = (count &+ 7) / 8
        let size = ResizeHeader.size &+ blocks &* ResizeRecord.size
        guard let columns, let weights, let packed else { return size }
        let records = packed + ResizeHeader.size
        packPairs(columns, weights, count, width, pixelBytes, records)
        let rowBytes = width &* pixelBytes
        let fetch = fetch(records, blocks, pixelBytes, rowBytes)
        packed.storeBytes(of: count, toByteOffset: ResizeHeader.count, as: Int.self)
        packed.storeBytes(of: fetch, toByteOffset: ResizeHeader.fetch, as: Int.self)
        packed.storeBytes(of: Int(bias), toByteOffset: ResizeHeader.bias, as: Int.self)
        var block = 0
        while block < blocks {
            packWindow(records + block &* ResizeRecord.size, fetch, rowBytes)
            block &+= 1
        }
        return size
    }

    /// The weights and offsets of every pair. Where a colour row has more than one pixel, its last one is the second of
    /// its pair, so that both can always be read. The right neighbour of the last pixel of luma is the pixel itself.
    @inline(always)
    private func packPairs(
        _ columns: UnsafePointer<Int32>, _ weights: UnsafePointer<Int16>, _ count: Int, _ width: Int,
        _ pixelBytes: Int, _ records: UnsafeMutableRawPointer
    ) {
        var i = 0
        while i < (count &+ 7) / 8 &* 8 {
            let source = i < count ? i : count &- 1
            var column = Int(columns[source])
            var (first, second) = (weights[2 &* source], weights[2 &* source &+ 1])
            if pixelBytes == 4 && column == width &- 1 && width > 1 {
                column = width &- 2
                (first, second) = (0, first)
            }
            let next = column &+ 1 < width ? column &+ 1 : column
            let record = records + i / 8 &* ResizeRecord.size
            let lane = i & 7
            record.storeBytes(of: first, toByteOffset: ResizeRecord.weights &+ 2 &* lane, as: Int16.self)
            record.storeBytes(of: second, toByteOffset: ResizeRecord.weights &+ 16 &+ 2 &* lane, as: Int16.self)
            let offsets = record + (ResizeRecord.offsets &+ 4 &* lane)
            offsets.storeBytes(of: Int32(truncatingIfNeeded: column &* pixelBytes), as: Int32.self)
            offsets.storeBytes(of: Int32(truncatingIfNeeded: next &* pixelBytes), toByteOffset: 32, as: Int32.self)
            i &+= 1
        }
    }

    @inline(always)
    private func offset(_ record: UnsafeMutableRawPointer, _ i: Int) -> Int {
        Int(record.load(fromByteOffset: ResizeRecord.offsets &+ 4 &* i, as: Int32.self))
    }

    /// The smallest and the largest offset of a block.
    @inline(always)
    private func extent(_ record: UnsafeMutableRawPointer) -> (low: Int, high: Int) {
        var low = offset(record, 0)
        var high = low
        var i = 1
        while i < 16 {
            let offset = offset(record, i)
            low = offset < low ? offset : low
            high = offset > high ? offset : high
            i &+= 1
        }
        return (low, high)
    }

    /// The smallest window that works for every block.
    @inline(always)
    private func fetch(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ pixelBytes: Int, _ rowBytes: Int) -> Int {
        if pixelBytes == 4 { return rowBytes == 4 ? ResizeFetch.row : ResizeFetch.each }
        var longest = 0
        var block = 0
        while block < blocks {
            let (low, high) = extent(records + block &* ResizeRecord.size)
            longest = high &+ 1 &- low > longest ? high &+ 1 &- low : longest
            block &+= 1
        }
        if longest <= 16 && rowBytes >= 16 { return ResizeFetch.window16 }
        if longest <= 32 && rowBytes >= 32 { return ResizeFetch.window32 }
        return longest <= 64 && rowBytes >= 64 ? ResizeFetch.window64 : ResizeFetch.each
    }

    @inline(always)
    private func packWindow(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ rowBytes: Int) {
        if fetch < ResizeFetch.window16 { return }
        let low = extent(record).low
        let start = low < rowBytes &- fetch ? low : rowBytes &- fetch
        record.storeBytes(of: start, toByteOffset: ResizeRecord.window, as: Int.self)
        var i = 0
        while i < 16 {
            record.storeBytes(
                of: UInt8(truncatingIfNeeded: offset(record, i) &- start), toByteOffset: ResizeRecord.bytes &+ i,
                as: UInt8.self)
            i &+= 1
        }
    }
#endif
