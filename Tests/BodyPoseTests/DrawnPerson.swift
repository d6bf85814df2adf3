import BodyPose
import TestSupport

/// The drawn person of `Fixtures/body`, who stands upright in the middle of the picture.
struct DrawnPerson {
    static let width = StandingPerson.width
    static let height = StandingPerson.height
    private let picture: OrientedPicture<SIMD3<UInt8>>

    /// - Parameters:
    ///   - shift: pixels to the right.
    ///   - copies: pictures side by side.
    init(shift: Int = 0, copies: Int = 1) throws {
        let person = try StandingPerson().picture
        let columns = copies * Self.width
        picture = OrientedPicture(columns, Self.height) { x, y in
            let source = x - shift
            guard (0..<columns).contains(source) else { return SIMD3(repeating: 190) }
            return person.pixels[y * Self.width + source % Self.width]
        }
    }

    func withView<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        try picture.withView(.up, body)
    }
}

/// Lends a gray frame of 64 x 64, in which nobody is.
func withEmptyFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
    let gray = [UInt8](repeating: 100, count: 64 * 64)
    return try body(PixelView(gray.span, format: .gray8, width: 64, height: 64, bytesPerRow: 64))
}
