import Foundation
import ModelFile
import Testing
import Vocabulary

/// Half precision, bfloat16 and base64.
@Suite struct ValueFormatTests {
    @Test func everyPatternSurvivesTheRoundTrip() {
        for pattern in UInt16.min...UInt16.max {
            let back = HalfPrecision.bits(HalfPrecision.float(pattern))
            #expect(back == pattern)
        }
    }

    /// The value by the definition of IEEE 754 binary16, in Double.
    private func definition(_ pattern: UInt16) -> Double {
        let sign = pattern >> 15 == 0 ? 1.0 : -1.0
        let exponent = Int(pattern >> 10 & 31)
        let fraction = Double(pattern & 1023) / 1024
        if exponent == 31 { return fraction == 0 ? sign * .infinity : .nan }
        let power = Double(sign: .plus, exponent: max(exponent, 1) - 15, significand: 1)
        return sign * (exponent == 0 ? fraction : 1 + fraction) * power
    }

    @Test func valuesFollowTheDefinition() {
        for pattern in UInt16.min...UInt16.max {
            let expected = definition(pattern)
            let found = Double(HalfPrecision.float(pattern))
            #expect(expected.isNaN ? found.isNaN : found == expected && found.sign == expected.sign)
        }
    }

    @Test func roundsToNearestEvenBetweenAllNeighbours() {
        for pattern in UInt16(0)..<0x7C00 {
            let low = definition(pattern)
            let high = pattern == 0x7BFF ? 65536.0 : definition(pattern + 1)
            // The middle of two binary16 values and its binary32 neighbours are exact in binary32.
            let middle = Float((low + high) / 2)
            let even = pattern % 2 == 0 ? pattern : pattern + 1
            #expect(HalfPrecision.bits(middle) == even)
            #expect(HalfPrecision.bits(middle.nextDown) == pattern)
            #expect(HalfPrecision.bits(middle.nextUp) == pattern + 1)
            #expect(HalfPrecision.bits(-middle.nextUp) == (pattern + 1) | 0x8000)
        }
    }

    @Test func extremes() {
        #expect(HalfPrecision.bits(.greatestFiniteMagnitude) == 0x7C00)
        #expect(HalfPrecision.bits(-.infinity) == 0xFC00)
        #expect(HalfPrecision.bits(.leastNonzeroMagnitude) == 0)
        #expect(HalfPrecision.bits(-0.0) == 0x8000)
        // A payload that lies wholly in the lost bits must not turn NaN into infinity.
        #expect(HalfPrecision.bits(Float(bitPattern: 0x7F80_0001)) == 0x7E00)
        #expect(HalfPrecision.float(brain: 0x3FC0) == 1.5)
        #expect(HalfPrecision.float(brain: 0xFF80) == -.infinity)
        #expect(HalfPrecision.float(brain: 0x7FC1).isNaN)
    }

    @Test func everyLengthIsDecoded() throws {
        var generator = SplitMix64(seed: 5)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = [UInt8](Data(bytes).base64EncodedData())
            let decoded = try EmbeddedText.decode(text.span)
            #expect(decoded == bytes)
        }
    }

    @Test(arguments: [
        ("AAA", 3), ("A", 1), ("AA*A", 2), ("====", 0), ("AA=A", 2), ("A===", 1), ("AAAA\n", 5), ("é==", 0),
    ])
    func refused(text: String, offset: Int) {
        let bytes = [UInt8](text.utf8)
        #expect(throws: ModelFileError.embeddedText(offset: offset)) {
            try EmbeddedText.decode(bytes.span)
        }
    }
}
