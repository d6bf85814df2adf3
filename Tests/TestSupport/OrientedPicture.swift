package import Frames

/// A picture that is stored in any orientation.
package struct OrientedPicture<Pixel> {
    package let width: Int
    package let height: Int
    /// Of the upright picture, row by row.
    package private(set) var pixels: [Pixel]

    package init(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel) {
        (self.width, self.height) = (width, height)
        pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
    }

    /// Fills a square about a place, as far as it lies in the picture.
    package mutating func fillSquare(_ x: Int, _ y: Int, side: Int, _ pixel: Pixel) {
        let (left, top) = (x - side / 2, y - side / 2)
        for row in max(0, top)..<max(0, min(height, top + side)) {
            for column in max(0, left)..<max(0, min(width, left + side)) { pixels[row * width + column] = pixel }
        }
    }

    /// Where a pixel is stored, by the EXIF definition.
    package func storedPlace(_ x: Int, _ y: Int, _ orientation: ImageOrientation) -> (x: Int, y: Int) {
        let (right, bottom) = (width - 1 - x, height - 1 - y)
        return switch orientation {
        case .up: (x, y)
        case .upMirrored: (right, y)
        case .down: (right, bottom)
        case .downMirrored: (x, bottom)
        case .leftMirrored: (y, x)
        case .right: (y, right)
        case .rightMirrored: (bottom, right)
        case .left: (bottom, x)
        }
    }

    package func storedSize(_ orientation: ImageOrientation) -> (width: Int, height: Int) {
        [.leftMirrored, .right, .rightMirrored, .left].contains(orientation) ? (height, width) : (width, height)
    }

    package func stored(_ orientation: ImageOrientation) -> (pixels: [Pixel], size: (width: Int, height: Int)) {
        let size = storedSize(orientation)
        guard orientation != .up else { return (pixels, size) }
        var stored = pixels
        for y in 0..<height {
            for x in 0..<width {
                let place = storedPlace(x, y, orientation)
                stored[place.y * size.width + place.x] = pixels[y * width + x]
            }
        }
        return (stored, size)
    }
}

extension OrientedPicture<SIMD3<UInt8>> {
    /// Red, green, blue and 255 of every stored pixel.
    package func rgba(_ orientation: ImageOrientation) -> (rgba: [UInt8], width: Int, height: Int) {
        let (pixels, size) = stored(orientation)
        var rgba = [UInt8](repeating: 255, count: 4 * pixels.count)
        for (index, pixel) in pixels.enumerated() {
            for channel in 0..<3 { rgba[4 * index + channel] = pixel[channel] }
        }
        return (rgba, size.width, size.height)
    }

    /// Lends the picture as an orientation stores it.
    package func withView<Result>(
        _ orientation: ImageOrientation = .up, _ body: (borrowing PixelView) throws -> Result
    ) throws -> Result {
        let (rgba, width, height) = rgba(orientation)
        return try body(PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width))
    }
}
