/// Writes animated WebPs in memory. Images are lossless and of one colour, which takes no more than a few bits.
struct WebPWriter {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var milliseconds = 40
        var isBlended = true
        var isDisposed = false
        /// Red, green, blue and alpha.
        var color: [UInt8]
    }

    var width: Int
    var height: Int
    var frames: [Frame] = []

    static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }

    /// RFC 9649, section 3: no transforms, no colour cache, and for each channel a prefix code of one symbol, which takes no bits.
    static func image(_ width: Int, _ height: Int, _ color: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ number: Int, _ count: Int) { for bit in 0..<count { bits.append(number >> bit & 1 == 1) } }
        add(width - 1, 14)
        add(height - 1, 14)
        add(1, 1)
        add(0, 3)
        add(0, 3)
        for symbol in [color[1], color[0], color[2], color[3]] {
            add(0b101, 3)
            add(Int(symbol), 8)
        }
        // The distances' code: the one symbol 0.
        add(0b0001, 4)
        while bits.count % 8 != 0 { bits.append(false) }
        return [0x2F]
            + stride(from: 0, to: bits.count, by: 8).map { start in
                (0..<8).reduce(UInt8(0)) { (byte: UInt8, bit: Int) -> UInt8 in
                    bits[start + bit] ? byte | 1 << UInt8(bit) : byte
                }
            }
    }

    static func chunk(_ frame: Frame, image: [UInt8]? = nil) -> [UInt8] {
        let image = image ?? chunk("VP8L", Self.image(frame.width, frame.height, frame.color))
        let flags = UInt8((frame.isBlended ? 0 : 2) | (frame.isDisposed ? 1 : 0))
        return chunk(
            "ANMF",
            little(frame.x / 2, 3) + little(frame.y / 2, 3) + little(frame.width - 1, 3) + little(frame.height - 1, 3)
                + little(frame.milliseconds, 3) + [flags] + image)
    }

    static func file(_ width: Int, _ height: Int, _ chunks: [UInt8], flags: UInt8 = 0x12) -> [UInt8] {
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
            + chunk("ANIM", [1, 2, 3, 4, 0, 0]) + chunks
        return Array("RIFF".utf8) + little(body.count, 4) + body
    }

    var bytes: [UInt8] { Self.file(width, height, frames.flatMap { Self.chunk($0) }) }
}
