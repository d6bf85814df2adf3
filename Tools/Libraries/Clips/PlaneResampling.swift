import Frames

/// A plane resized bilinearly between the centres of its samples; unchanged if the size is the same.
func resampled(
    _ plane: [UInt8], from size: (width: Int, height: Int), to target: (width: Int, height: Int)
) -> [UInt8] {
    guard size != target else { return plane }
    /// The two source samples beside each target sample, and the share of the second in 256ths.
    func steps(_ from: Int, _ to: Int) -> [(first: Int, second: Int, share: Int)] {
        (0..<to).map { index in
            // 256 times the position of the target's centre, in samples of the source.
            let place = max(0, (2 * index + 1) * from * 128 / to - 128)
            let first = min(place >> 8, from - 1)
            return (first, min(first + 1, from - 1), place & 255)
        }
    }
    let (across, down) = (steps(size.width, target.width), steps(size.height, target.height))
    return unsafe [UInt8](unsafeUninitializedCapacity: target.width * target.height) { output, count in
        var index = 0
        for row in down {
            let (upper, lower) = (row.first * size.width, row.second * size.width)
            for column in across {
                func mixed(_ start: Int) -> Int {
                    Int(plane[start + column.first]) * (256 - column.share) + Int(plane[start + column.second])
                        * column.share
                }
                let sum = mixed(upper) * (256 - row.share) + mixed(lower) * row.share
                // Within the requested capacity.
                unsafe output[index] = UInt8((sum + 32_768) >> 16)
                index += 1
            }
        }
        count = index
    }
}

/// Red, green, blue and an opaque byte for each pixel.
enum RGBA {
    static func interleaved(red: [UInt8], green: [UInt8], blue: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 255, count: 4 * green.count)
        for index in green.indices {
            bytes[4 * index] = red[index]
            bytes[4 * index + 1] = green[index]
            bytes[4 * index + 2] = blue[index]
        }
        return bytes
    }

    /// Luma of each pixel by BT.601 in full range, computed in 1/16384.
    static func luma(_ rgba: [UInt8]) -> [UInt8] {
        (0..<rgba.count / 4).map { index in
            let (red, green, blue) = (Int(rgba[4 * index]), Int(rgba[4 * index + 1]), Int(rgba[4 * index + 2]))
            return UInt8((4_899 * red + 9_617 * green + 1_868 * blue + 8_192) >> 14)
        }
    }

    /// Converts luma and chroma in the frame's size by BT.601, in 1/8192 as in hand tracking.
    static func converted(luma: [UInt8], blue: [UInt8], red: [UInt8], _ range: PixelView.LumaRange) -> [UInt8] {
        let isVideo = range == .video
        let (black, gain) = isVideo ? (16, 9_539) : (0, 8_192)
        let (redGain, blueGain, blueInGreen, redInGreen) =
            isVideo ? (13_075, 16_525, 3_209, 6_660) : (11_485, 14_516, 2_819, 5_850)
        func value(_ sum: Int) -> UInt8 { UInt8(min(255, max(0, (sum + 4_096) >> 13))) }
        var bytes = [UInt8](repeating: 255, count: 4 * luma.count)
        for index in luma.indices {
            let y = (Int(luma[index]) - black) * gain
            let (b, r) = (Int(blue[index]) - 128, Int(red[index]) - 128)
            bytes[4 * index] = value(y + redGain * r)
            bytes[4 * index + 1] = value(y - blueInGreen * b - redInGreen * r)
            bytes[4 * index + 2] = value(y + blueGain * b)
        }
        return bytes
    }
}
