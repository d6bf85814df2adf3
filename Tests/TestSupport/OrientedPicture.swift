package import Frames

/// A picture that is stored in any orientation.
package struct OrientedPicture {
    package let width: Int
    package let height: Int
    package let codes: [UInt8]

    package init(_ width: Int, _ height: Int, _ code: (_ x: Int, _ y: Int) -> UInt8) {
        (self.width, self.height) = (width, height)
        codes = (0..<width * height).map { code($0 % width, $0 / width) }
    }

    package func stored(_ orientation: ImageOrientation) -> (codes: [UInt8], size: (width: Int, height: Int)) {
        let isTurned = [.leftMirrored, .right, .rightMirrored, .left].contains(orientation)
        let size = isTurned ? (width: height, height: width) : (width: width, height: height)
        var stored = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (right, bottom) = (width - 1 - x, height - 1 - y)
                let place =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right, y)
                    case .down: (right, bottom)
                    case .downMirrored: (x, bottom)
                    case .leftMirrored: (y, x)
                    case .right: (y, right)
                    case .rightMirrored: (bottom, right)
                    case .left: (bottom, x)
                    }
                stored[place.1 * size.width + place.0] = codes[y * width + x]
            }
        }
        return (stored, size)
    }
}
