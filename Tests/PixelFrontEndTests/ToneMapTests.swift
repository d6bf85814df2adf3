import Frames
import PixelFrontEnd
import TestSupport
import Testing

@Suite struct ToneMapTests {
    @Test func everyCodeInEveryLane() {
        let codes = (0..<(224 * 224)).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 256) }
        #expect(
            (0..<16).allSatisfy { lane in Set(codes.indices.filter { $0 % 16 == lane }.map { codes[$0] }).count == 256 }
        )
        let gains: [UInt16] = [1, 2, 63, 64, 65, 100, 127, 128, 129, 180, 255, 256]
        for gain in gains {
            for offset: Int16 in [-128, -127, -64, -1, 0, 1, 2, 40, 127, 128] {
                let buffer = GuardedBuffer(codes, misalignment: Int(gain % 17))
                var span = unsafe MutableSpan(_unsafeStart: buffer.base, count: buffer.count)
                ToneMap(gain: gain, offset: offset).apply(to: &span)
                let expected = (0..<256).map { x in
                    let exact = Double(x) * Double(gain) / 128 + Double(offset)
                    return UInt8(min(max((exact + 0.5).rounded(.down), 0), 255))
                }
                let agrees = buffer.values == codes.map { expected[Int($0)] }
                #expect(agrees && buffer.isIntact, "gain \(gain), offset \(offset)")
            }
        }
    }

    @Test func identity() {
        #expect(ToneMap(gain: 128, offset: 0).isIdentity && !ToneMap(gain: 129).isIdentity)
        #expect(!ToneMap(gain: 128, offset: 1).isIdentity)
        let codes = LumaPicture.leaves(seed: 2).bytes
        let agrees = codes.mapped(.identity) == codes
        #expect(agrees)
    }
}
