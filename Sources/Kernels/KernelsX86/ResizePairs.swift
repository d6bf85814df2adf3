#if arch(x86_64)
    // What the packing of resized rows has in common: the sixteen pairs of each block. How they are loaded is the tier's own
    // (`packBlock`). This is no `WeightLayout`: what is packed depends on where the pixels of a row lie.

    /// Byte offsets in the header, each of an Int.
    public enum ResizeHeader {
        /// Output pixels.
        @export(implementation) @inline(always) public static var count: Int { 0 }
        /// How pairs are loaded: the tier's own numbers.
        @export(implementation) @inline(always) public static var fetch: Int { 8 }
        /// Bytes of a source row.
        @export(implementation) @inline(always) public static var rowBytes: Int { 16 }
        /// What is added to each sum.
        @export(implementation) @inline(always) public static var bias: Int { 24 }
        /// Bytes of the header.
        @export(implementation) @inline(always) public static var size: Int { 64 }
    }

    /// A tier's record of a block of sixteen pairs.
    public protocol ResizeRecords {
        /// Byte offsets of the pairs of Int16 weights and, while packing, of the bytes from the row's start to each pair.
        static var weights: Int { get }
        static var pairs: Int { get }
        /// Bytes of a record.
        static var size: Int { get }
        /// The position of pair `i` of a block among its weights.
        static func lane(_ i: Int, _ pixelBytes: Int) -> Int
        /// The cheapest way of loading that works for every group of pairs.
        static func fetch(_ records: UnsafeMutableRawPointer, _ blocks: Int, _ pixelBytes: Int, _ rowBytes: Int) -> Int
        /// Packs the loads of a block.
        static func packBlock(_ record: UnsafeMutableRawPointer, _ fetch: Int, _ pixelBytes: Int, _ rowBytes: Int)
    }

    extension ResizeRecords {
        /// See `ResizeKernels.Pack`.
        @export(implementation) @inline(always)
        public static func packResize(
            _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
            _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
        ) -> Int {
            let blocks = (count &+ 15) / 16
            let byteCount = ResizeHeader.size &+ blocks &* Self.size
            guard let columns, let weights, let packed else { return byteCount }
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
                packBlock(records + block &* Self.size, fetch, pixelBytes, rowBytes)
                block &+= 1
            }
            return byteCount
        }

        /// The weights and the offset of every pair. The last pixel of a row is the second of its pair, so that both can
        /// always be read, unless it is the only pixel.
        @export(implementation) @inline(always)
        static func packPairs(
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
                let record = records + i / 16 &* Self.size
                record.storeBytes(of: first, toByteOffset: Self.weights &+ 4 &* lane, as: Int16.self)
                record.storeBytes(of: second, toByteOffset: Self.weights &+ 4 &* lane &+ 2, as: Int16.self)
                record.storeBytes(
                    of: Int32(truncatingIfNeeded: column &* pixelBytes), toByteOffset: pairs &+ 4 &* (i & 15),
                    as: Int32.self)
                i &+= 1
            }
        }

        /// Bytes from the row's start to pair `i`.
        @export(implementation) @inline(always)
        public static func offset(_ record: UnsafeMutableRawPointer, _ i: Int) -> Int {
            Int(record.load(fromByteOffset: pairs &+ 4 &* i, as: Int32.self))
        }

        /// The smallest and the largest offset of the pairs i..<i + group.
        @export(implementation) @inline(always)
        public static func extent(_ record: UnsafeMutableRawPointer, _ i: Int, _ group: Int) -> (low: Int, high: Int) {
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
        @export(implementation) @inline(always)
        public static func longestSpan(
            _ records: UnsafeMutableRawPointer, _ blocks: Int, _ group: Int, _ pairBytes: Int
        ) -> Int {
            var longest = 0
            var i = 0
            while i < 16 &* blocks {
                let (low, high) = extent(records + i / 16 &* Self.size, i & 15, group)
                let length = high &+ pairBytes &- low
                longest = length > longest ? length : longest
                i &+= group
            }
            return longest
        }
    }
#endif
