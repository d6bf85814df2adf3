/// The newest columns of several layers over time, such that any tap pattern is a plain stride.
///
/// Every column is written twice, its ring's capacity of columns apart. Behind the second copy of the newest column lie all
/// columns still remembered, oldest first and contiguous, so a dilated convolution reads them with one stride and
/// nothing is gathered.
struct ColumnRings<Element: BitwiseCopyable>: ~Copyable {
    private struct Ring {
        /// Elements of a column.
        let width: Int
        /// Columns that are remembered.
        let capacity: Int
        /// Where the ring begins in the storage.
        let start: Int
        var position = 0
    }

    private let storage: AlignedBuffer<Element>
    private var rings: [Ring]

    /// One ring for each of `shapes`, which has the elements of its columns and the number of columns that it remembers.
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

    /// The newest column of a ring; earlier ones lie before it, `width` elements apart, `capacity - 1` of them.
    func newest(_ index: Int) -> UnsafeMutablePointer<Element> {
        let ring = rings[index]
        return unsafe storage.base + ring.start + (ring.position + ring.capacity) * ring.width
    }

    /// Where the next column of a ring goes: write `width` elements here, then `commit(_:)`. It takes the place of the oldest.
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

    /// Forgets every column: the past becomes zeros.
    mutating func reset() {
        storage.zero()
        for index in rings.indices { rings[index].position = 0 }
    }
}
