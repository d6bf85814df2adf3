/// Calls `body` with 0..<count, a literal of at most eight. The calls are written out, so that no index is left.
@export(implementation) @inline(always)
public func unrolled(_ count: Int, _ body: (_ index: Int) -> Void) {
    body(0)
    if count > 1 { body(1) }
    if count > 2 { body(2) }
    if count > 3 { body(3) }
    if count > 4 { body(4) }
    if count > 5 { body(5) }
    if count > 6 { body(6) }
    if count > 7 { body(7) }
}

/// Up to eight values in registers, such as the sums of a tile.
///
/// A loop over them is written out where it is used: its body is inlined for each index, so that no index is left and
/// none of the values needs an address. The count is a literal there.
public struct RegisterArray<Value> {
    @usableFromInline
    var v0, v1, v2, v3, v4, v5, v6, v7: Value

    /// Eight times the same value.
    @export(implementation) @inline(always)
    public init(repeating value: Value) {
        (v0, v1, v2, v3, v4, v5, v6, v7) = (value, value, value, value, value, value, value, value)
    }

    /// The values from `count` on are the first one, and are not used.
    /// - count: 1...8.
    @export(implementation) @inline(always)
    public init(_ count: Int, _ make: (_ index: Int) -> Value) {
        v0 = make(0)
        v1 = count > 1 ? make(1) : v0
        v2 = count > 2 ? make(2) : v0
        v3 = count > 3 ? make(3) : v0
        v4 = count > 4 ? make(4) : v0
        v5 = count > 5 ? make(5) : v0
        v6 = count > 6 ? make(6) : v0
        v7 = count > 7 ? make(7) : v0
    }

    /// Calls `body` with the first `count` values, a literal.
    @export(implementation) @inline(always)
    public mutating func update(_ count: Int, _ body: (_ value: inout Value, _ index: Int) -> Void) {
        body(&v0, 0)
        if count > 1 { body(&v1, 1) }
        if count > 2 { body(&v2, 2) }
        if count > 3 { body(&v3, 3) }
        if count > 4 { body(&v4, 4) }
        if count > 5 { body(&v5, 5) }
        if count > 6 { body(&v6, 6) }
        if count > 7 { body(&v7, 7) }
    }

    /// Calls `body` with the first `count` values, a literal.
    @export(implementation) @inline(always)
    public func forEach(_ count: Int, _ body: (_ value: Value, _ index: Int) -> Void) {
        body(v0, 0)
        if count > 1 { body(v1, 1) }
        if count > 2 { body(v2, 2) }
        if count > 3 { body(v3, 3) }
        if count > 4 { body(v4, 4) }
        if count > 5 { body(v5, 5) }
        if count > 6 { body(v6, 6) }
        if count > 7 { body(v7, 7) }
    }

    /// - index: 0...7, a literal.
    @export(implementation) @inline(always)
    public subscript(index: Int) -> Value {
        get {
            switch index {
            case 0: v0
            case 1: v1
            case 2: v2
            case 3: v3
            case 4: v4
            case 5: v5
            case 6: v6
            default: v7
            }
        }
        set { update(8) { if $1 == index { $0 = newValue } } }
    }
}

/// Bytes from the first pixel of a tile to the others. Pixels from `count` on repeat the last one, which is computed and
/// written more than once.
public struct PixelOffsets {
    @usableFromInline
    let offsets: RegisterArray<Int>

    /// - most: pixels of the tile.
    @export(implementation) @inline(always)
    public init(_ most: Int, _ stride: Int, _ count: Int) {
        let last = (count &- 1) &* stride
        offsets = RegisterArray(most) { $0 < count ? $0 &* stride : last }
    }

    /// - index: a literal.
    @export(implementation) @inline(always)
    public subscript(index: Int) -> Int { index == 0 ? 0 : offsets[index] }
}
