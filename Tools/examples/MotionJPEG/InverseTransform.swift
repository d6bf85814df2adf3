/// The inverse cosine transform of a block of 8 x 8 coefficients (T.81, A.3.3), in vectors of eight.
struct InverseTransform {
    /// Where the coefficients of a scan belong, in their order: horizontal frequency times 8, and vertical frequency.
    static let order: [Int] = (0..<15).flatMap { diagonal in
        let range = max(0, diagonal - 7)...min(7, diagonal)
        // Odd diagonals go down, even ones go up.
        return diagonal.isMultiple(of: 2)
            ? range.map { 8 * $0 + diagonal - $0 } : range.map { 8 * (diagonal - $0) + $0 }
    }

    /// Half the cosine of k pi / 16, and half of it for k = 0 divided by the root of 2.
    private static let c0: Float = 0.353_553_39
    private static let c1: Float = 0.490_392_64
    private static let c2: Float = 0.461_939_77
    private static let c3: Float = 0.415_734_81
    private static let c5: Float = 0.277_785_12
    private static let c6: Float = 0.191_341_72
    private static let c7: Float = 0.097_545_16

    typealias Lanes = SIMD8<Float>
    private var lanes: (Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes)

    /// - Parameter coefficients: 64, in the places of `order`.
    init(_ coefficients: [Float]) {
        func lane(_ first: Int) -> Lanes {
            Lanes(
                coefficients[first], coefficients[first + 1], coefficients[first + 2], coefficients[first + 3],
                coefficients[first + 4], coefficients[first + 5], coefficients[first + 6], coefficients[first + 7])
        }
        lanes = (lane(0), lane(8), lane(16), lane(24), lane(32), lane(40), lane(48), lane(56))
    }

    /// Gives the rows of samples, from the top: 128 above the transform's values, within 0...255, to be rounded down.
    consuming func forEachRow(_ body: (Int, Lanes) -> Void) {
        transform()
        transpose()
        transform()
        body(0, Self.samples(lanes.0))
        body(1, Self.samples(lanes.1))
        body(2, Self.samples(lanes.2))
        body(3, Self.samples(lanes.3))
        body(4, Self.samples(lanes.4))
        body(5, Self.samples(lanes.5))
        body(6, Self.samples(lanes.6))
        body(7, Self.samples(lanes.7))
    }

    /// Samples of such values.
    @inline(__always)
    static func samples(_ values: Lanes) -> Lanes {
        let (black, white) = (Lanes(repeating: 0), Lanes(repeating: 255))
        let samples = values + 128.5
        return samples.replacing(with: black, where: samples .< black).replacing(with: white, where: samples .> white)
    }

    /// Eight transforms side by side, one for each place in the vectors.
    private mutating func transform() {
        let (x0, x1, x2, x3, x4, x5, x6, x7) = lanes
        let (sum, difference) = (Self.c0 * (x0 + x4), Self.c0 * (x0 - x4))
        let (outer, inner) = (Self.c2 * x2 + Self.c6 * x6, Self.c6 * x2 - Self.c2 * x6)
        let (even0, even1, even2, even3) = (sum + outer, difference + inner, difference - inner, sum - outer)
        let odd0 = Self.c1 * x1 + Self.c3 * x3 + Self.c5 * x5 + Self.c7 * x7
        let odd1 = Self.c3 * x1 - Self.c7 * x3 - Self.c1 * x5 - Self.c5 * x7
        let odd2 = Self.c5 * x1 - Self.c1 * x3 + Self.c7 * x5 + Self.c3 * x7
        let odd3 = Self.c7 * x1 - Self.c5 * x3 + Self.c3 * x5 - Self.c1 * x7
        lanes = (
            even0 + odd0, even1 + odd1, even2 + odd2, even3 + odd3, even3 - odd3, even2 - odd2, even1 - odd1,
            even0 - odd0
        )
    }

    private mutating func transpose() {
        let old = lanes
        func lane(_ at: Int) -> Lanes {
            Lanes(old.0[at], old.1[at], old.2[at], old.3[at], old.4[at], old.5[at], old.6[at], old.7[at])
        }
        lanes = (lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
    }
}
