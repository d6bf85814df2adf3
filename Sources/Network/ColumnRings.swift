/// The newest columns of several layers over time, stored so that the taps of a convolution lie one fixed stride apart.
///
/// Every column is written twice, one ring capacity apart. The columns that are still remembered end at the second copy
/// of the newest one, oldest first and contiguous. So a dilated convolution reads them with one stride and no
/// gathering.
struct ColumnRings<Element: BitwiseCopyable>: ~Copyable {
    private struct Ring {
        /// Elements of a column.
        let width: Int
        /// Number of remembered columns.
        let capacity: Int
        /// Where the ring begins in the storage.
        let start: Int
        var position = 0
    }

    private let storage: AlignedBuffer<Element>
    private var rings: [Ring]

    /// Makes one ring for each of `shapes`: the elements of a column and the number of columns to remember.
    init(_ shapes: [(width: Int, capacity: Int)]) {
        var rings: [Ring] = []
        var count = 0
        for (width, capacity) in shapes {
            rings.append(Ring(width: width, capacity: capacity, start: count))
            // Every ring begins at a multiple of 64 bytes.
            count += (2 * capacity * width + 63) / 64 * 64
        }
        self.rings = rings
        storage = AlignedBuffer(count: count)
    }

    /// The newest column of a ring. The `capacity - 1` earlier ones lie before it, `width` elements apart.
    func newest(_ index: Int) -> UnsafeMutablePointer<Element> {
        let ring = rings[index]
        return unsafe storage.base + ring.start + (ring.position + ring.capacity) * ring.width
    }

    /// Where the next column of a ring goes: write `width` elements here, then `commit(_:)`. It replaces the oldest.
    func next(_ index: Int) -> UnsafeMutablePointer<Element> {
        let ring = rings[index]
        return unsafe storage.base + ring.start + ((ring.position + 1) % ring.capacity + ring.capacity) * ring.width
    }

    /// Makes the column written at `next(_:)` the newest.
    @inline(__always)
    mutating func commit(_ index: Int) {
        rings[index].position = (rings[index].position + 1) % rings[index].capacity
        let ring = rings[index]
        let column = unsafe newest(index)
        unsafe (column - ring.capacity * ring.width).update(from: column, count: ring.width)
    }

    /// Forgets every column: all of them become zeros.
    mutating func reset() {
        storage.zero()
        for index in rings.indices { rings[index].position = 0 }
    }
}
