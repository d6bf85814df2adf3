/// The memory of a network's input image: side x side pixels of red, green and blue, rows from top to bottom. Elements
/// are floats in a range, 0...1 for most networks, or bytes that stand for 255ths of it.
///
/// The network owns the memory. It may have a border around the image and, in case of floats, more channels after the
/// three; neither is touched.
@safe
package struct ImageBuffer {
    /// The largest side.
    package static let maximumSide = 1_024

    /// The address of the first pixel's red.
    @safe
    enum Elements {
        case floats(UnsafeMutablePointer<Float>)
        case bytes(UnsafeMutablePointer<UInt8>)
    }

    /// Pixels in a row, and rows.
    package let side: Int
    /// Elements from one row to the next.
    package let rowStride: Int
    /// Elements from one pixel to the next, at least 3.
    package let pixelStride: Int
    let elements: Elements
    /// The values of black and white as floats.
    let range: ClosedRange<Float>

    /// - Parameters:
    ///   - pixels: the first pixel's red; all pixels are writable for as long as the buffer is used.
    ///   - side: 1...`maximumSide`.
    ///   - rowStride: at least `side * pixelStride`; nil for exactly that.
    ///   - pixelStride: at least 3.
    ///   - range: the values of black and white.
    @unsafe
    package init(
        _ pixels: UnsafeMutablePointer<Float>, side: Int, rowStride: Int? = nil, pixelStride: Int = 3,
        range: ClosedRange<Float> = 0...1
    ) {
        unsafe self.init(.floats(pixels), side, rowStride, pixelStride, range)
    }

    /// The same for bytes, three a pixel.
    @unsafe
    package init(bytes: UnsafeMutablePointer<UInt8>, side: Int, rowStride: Int? = nil) {
        unsafe self.init(.bytes(bytes), side, rowStride, 3, 0...1)
    }

    private init(
        _ elements: Elements, _ side: Int, _ rowStride: Int?, _ pixelStride: Int, _ range: ClosedRange<Float>
    ) {
        precondition((1...Self.maximumSide).contains(side) && pixelStride >= 3)
        let rowStride = rowStride ?? side * pixelStride
        precondition(rowStride >= side * pixelStride)
        self.side = side
        self.rowStride = rowStride
        self.pixelStride = pixelStride
        self.elements = elements
        self.range = range
    }

    /// Fills the image with black.
    func clear() {
        for row in 0..<side {
            // Within the side, whose pixels are writable.
            switch elements {
            case .floats(let pixels):
                for x in 0..<side {
                    let pixel = unsafe pixels + row * rowStride + x * pixelStride
                    unsafe (pixel[0], pixel[1], pixel[2]) = (range.lowerBound, range.lowerBound, range.lowerBound)
                }
            case .bytes(let pixels): unsafe (pixels + row * rowStride).update(repeating: 0, count: 3 * side)
            }
        }
    }
}
