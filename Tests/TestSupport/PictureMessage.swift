/// The message of a page's picture whose bytes are all `value`.
package func pictureMessage(
    format: UInt8 = 2, width: Int = 32, height: Int = 16, time: UInt64 = 1_000, value: UInt8 = 128, extra: Int = 0
) -> [UInt8] {
    let count =
        format == 1 || format == 6 ? 4 * width * height : width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    return Array("GP".utf8) + [
        1, format, UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8),
    ]
        + (0..<8).map { UInt8(time >> (8 * UInt64($0)) & 0xFF) }
        + [UInt8](repeating: value, count: max(0, count + extra))
}
