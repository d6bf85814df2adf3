import BodyPose

/// The drawn person of `Fixtures/body`, who stands upright in the middle of the picture.
struct DrawnPerson {
    static let width = StandingPerson.width
    static let height = StandingPerson.height
    /// Of what is painted where the picture has nothing.
    private static let background: UInt8 = 190

    /// RGBA.
    private let pixels: [UInt8]
    private let columns: Int
    private let rows: Int

    /// - Parameters:
    ///   - shift: pixels to the right.
    ///   - copies: pictures side by side.
    init(shift: Int = 0, copies: Int = 1) throws {
        let colors = try StandingPerson().colors
        (columns, rows) = (copies * Self.width, Self.height)
        var pixels = [UInt8](repeating: Self.background, count: 4 * columns * rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let source = x - shift
                guard (0..<columns).contains(source) else { continue }
                for channel in 0..<3 {
                    pixels[4 * (y * columns + x) + channel] =
                        colors[3 * (y * Self.width + source % Self.width) + channel]
                }
            }
        }
        self.pixels = pixels
    }

    func withView<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        try body(PixelView(pixels.span, format: .rgba, width: columns, height: rows, bytesPerRow: 4 * columns))
    }
}

/// Lends a gray frame of 64 x 64, in which nobody is.
func withEmptyFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
    let gray = [UInt8](repeating: 100, count: 64 * 64)
    return try body(PixelView(gray.span, format: .gray8, width: 64, height: 64, bytesPerRow: 64))
}
