/// Width of a pixel over its height, as containers state it.
package struct PixelAspect: Sendable, Hashable {
    private let numerator: Int
    private let denominator: Int

    package static let square = PixelAspect(numerator: 1, denominator: 1)

    private init(numerator: Int, denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// `4:3`. A ratio with a zero means an unknown aspect and counts as square. Nil if a part is not a number up to
    /// `Int32.max`.
    init?(_ text: some StringProtocol, separator: Character) {
        guard let (numerator, denominator) = ratio(text, separator: separator) else { return nil }
        let legal = 0...Int(Int32.max)
        guard legal.contains(numerator), legal.contains(denominator) else { return nil }
        self = numerator > 0 && denominator > 0 ? PixelAspect(numerator: numerator, denominator: denominator) : .square
    }

    /// The size, with square pixels, of a frame that is stored in this size: no side becomes shorter.
    package func size(of width: Int, _ height: Int) -> (width: Int, height: Int) {
        func scaled(_ side: Int, _ a: Int, _ b: Int) -> Int { (2 * side * a + b) / (2 * b) }
        return numerator > denominator
            ? (scaled(width, numerator, denominator), height) : (width, scaled(height, denominator, numerator))
    }
}
