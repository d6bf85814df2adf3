import Frames
import TestSupport

/// A scene as a camera stores it: BT.601, pairs of pixels alike in colour.
struct StoredScene {
    private let format: PixelView.Format
    private let width: Int
    private let height: Int
    /// Luma or the only plane; then chroma.
    private var planes: [[UInt8]]

    /// - Parameter scene: of even width and height.
    init(_ scene: PeopleScene, _ format: PixelView.Format, hasChroma: Bool = true) {
        self.format = format
        (width, height) = (scene.width, scene.height)
        let pixels = scene.picture.pixels
        func code(_ pixel: SIMD3<UInt8>) -> SIMD3<UInt8> { Self.code(pixel, format.lumaRange) }
        func subsampled(_ channels: [Int]) -> [UInt8] {
            stride(from: 0, to: scene.height, by: 2).flatMap { y in
                stride(from: 0, to: scene.width, by: 2).flatMap { x in
                    channels.map { code(pixels[y * scene.width + x])[$0] }
                }
            }
        }
        let luma = pixels.map { code($0).x }
        switch format {
        case .rgba: planes = [pixels.flatMap { [$0.x, $0.y, $0.z, 255] }]
        case .bgra: planes = [pixels.flatMap { [$0.z, $0.y, $0.x, 255] }]
        case .gray8: planes = [luma]
        case .yuyv:
            planes = [
                stride(from: 0, to: pixels.count, by: 2).flatMap { first in
                    let (one, other) = (code(pixels[first]), code(pixels[first + 1]))
                    return [one.x, one.y, other.x, one.z]
                }
            ]
        case .nv12: planes = hasChroma ? [luma, subsampled([1, 2])] : [luma]
        case .nv21: planes = hasChroma ? [luma, subsampled([2, 1])] : [luma]
        case .i420: planes = hasChroma ? [luma, subsampled([1]), subsampled([2])] : [luma]
        }
    }

    /// Luma and the two colour differences.
    private static func code(_ pixel: SIMD3<UInt8>, _ range: PixelView.LumaRange) -> SIMD3<UInt8> {
        let (red, green, blue) = (Double(pixel.x) / 255, Double(pixel.y) / 255, Double(pixel.z) / 255)
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        let (lumaScale, lumaZero, chromaScale) = range == .video ? (219.0, 16.0, 224.0) : (255, 0, 255)
        func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
        return SIMD3(
            byte(lumaZero + lumaScale * luma), byte(128 + chromaScale * (blue - luma) / 1.772),
            byte(128 + chromaScale * (red - luma) / 1.402))
    }

    /// Lends the frame.
    func withView<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
        let bytesPerRow = planes[0].count / height
        let (luma, first, second) = (planes[0], planes.count > 1 ? planes[1] : [], planes.last ?? [])
        // Bytes have no padding, so every one of them may be read raw.
        let (plane, blue, red) = unsafe (luma.span.bytes, first.span.bytes, second.span.bytes)
        switch planes.count {
        case 1:
            return try body(
                PixelView(plane, format: format, width: width, height: height, bytesPerRow: bytesPerRow))
        case 2:
            return try body(
                PixelView(
                    plane, chroma: PixelView.ChromaPlanes(interleaved: blue, bytesPerRow: width), format: format,
                    width: width, height: height, bytesPerRow: bytesPerRow))
        default:
            return try body(
                PixelView(
                    plane, chroma: PixelView.ChromaPlanes(blue: blue, red: red, bytesPerRow: width / 2),
                    format: format, width: width, height: height, bytesPerRow: bytesPerRow))
        }
    }
}
