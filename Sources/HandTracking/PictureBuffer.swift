/// Where the picture lies that a network reads: side x side pixels of red, green and blue, 0...1, rows from top to bottom.
///
/// The network owns the memory, which may have a border around the picture and further channels behind the three; neither is
/// touched.
@safe
package struct PictureBuffer {
    /// The largest side.
    package static let maximumSide = 1_024

    /// Pixels in a row, and rows.
    package let side: Int
    /// Floats from one row to the next.
    package let lineStride: Int
    /// Floats from one pixel to the next, at least 3.
    package let pixelStride: Int
    /// The first pixel's red.
    let pixels: UnsafeMutablePointer<Float>

    /// - Parameters:
    ///   - pixels: the first pixel's red; all pixels are writable for as long as the buffer is used.
    ///   - side: 1...`maximumSide`.
    ///   - lineStride: at least `side * pixelStride`; nil is that.
    ///   - pixelStride: at least 3.
    @unsafe
    package init(_ pixels: UnsafeMutablePointer<Float>, side: Int, lineStride: Int? = nil, pixelStride: Int = 3) {
        precondition((1...Self.maximumSide).contains(side) && pixelStride >= 3)
        let lineStride = lineStride ?? side * pixelStride
        precondition(lineStride >= side * pixelStride)
        self.side = side
        self.lineStride = lineStride
        self.pixelStride = pixelStride
        unsafe self.pixels = pixels
    }

    /// Fills the picture with black.
    func clear() {
        for row in 0..<side {
            for column in 0..<side {
                // Within the side, whose pixels are writable.
                let pixel = unsafe pixels + row * lineStride + column * pixelStride
                unsafe (pixel[0], pixel[1], pixel[2]) = (0, 0, 0)
            }
        }
    }
}
