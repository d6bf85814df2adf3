/// The newest columns of one layer over time, such that any tap pattern is a plain stride.
///
/// Every column is written twice, `capacity` columns apart. Behind the second copy of the newest column lie all
/// columns still remembered, oldest first and contiguous, so a dilated convolution reads them with one stride and
/// nothing is gathered.
struct ColumnRing<Element: BitwiseCopyable>: ~Copyable {
    /// Columns that are remembered.
    let capacity: Int
    let width: Int
    private let storage: AlignedBuffer<Element>
    private var position = 0

    init(width: Int, capacity: Int) {
        self.width = width
        self.capacity = capacity
        storage = AlignedBuffer(count: 2 * capacity * width)
    }

    /// The newest column; earlier ones lie before it, `width` elements apart, `capacity - 1` of them.
    var newest: UnsafeMutablePointer<Element> {
        unsafe storage.base + (position + capacity) * width
    }

    /// Where the next column goes: write `width` elements here, then `commit()`.
    var next: UnsafeMutablePointer<Element> {
        unsafe storage.base + ((position + 1) % capacity + capacity) * width
    }

    /// Makes the column written at `next` the newest.
    @inline(__always)
    mutating func commit() {
        position = (position + 1) % capacity
        let column = unsafe newest
        unsafe (column - capacity * width).update(from: column, count: width)
    }

    /// Forgets every column: the past becomes zeros.
    mutating func reset() {
        storage.zero()
        position = 0
    }
}
