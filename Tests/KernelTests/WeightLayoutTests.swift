import KernelInterface
import Testing

/// The packer by layouts so small that their bytes can be written out. What a tier's layouts are for, the tests of its
/// kernels prove.
@Suite struct WeightLayoutTests {
    private func byteCount(_ layout: WeightLayout, channels: Int, depth: Int) -> Int {
        unsafe layout.pack(nil as UnsafePointer<Int8>?, nil, nil, nil, channels, depth, nil)
    }

    /// Packs weights 1, 2, 3... with biases 100, 101, 102... and returns the bytes up to the last that is not zero.
    private func bytes(_ layout: WeightLayout, channels: Int, depth: Int) -> [Int8] {
        let weights = (0..<channels * depth).map { Int8($0 + 1) }
        let bias = (0..<channels).map { Int32($0 + 100) }
        let count = byteCount(layout, channels: channels, depth: depth)
        #expect(count % 64 == 0)
        var packed = [Int8](repeating: 0, count: count)
        let written = unsafe packed.withUnsafeMutableBytes {
            unsafe layout.pack(weights, bias, nil, nil, channels, depth, $0.baseAddress)
        }
        #expect(written == count)
        return Array(packed[...(packed.lastIndex { $0 != 0 } ?? 0)])
    }

    @Test func groupsOfTheDepthLieSideBySide() {
        #expect(
            bytes(WeightLayout(width: 3, group: 2, vectors: 0), channels: 3, depth: 4)
                == [1, 2, 5, 6, 9, 10, 3, 4, 7, 8, 11, 12])
        // Four bytes move at once where they can.
        #expect(
            bytes(WeightLayout(width: 2, group: 4, vectors: 0), channels: 2, depth: 8)
                == [1, 2, 3, 4, 9, 10, 11, 12, 5, 6, 7, 8, 13, 14, 15, 16])
    }

    @Test func depthIsFilledToAGroup() {
        #expect(
            bytes(WeightLayout(width: 2, group: 4, vectors: 0), channels: 2, depth: 5)
                == [1, 2, 3, 4, 6, 7, 8, 9, 5, 0, 0, 0, 10])
    }

    @Test func parametersFollowTheWeightsOfEachPanel() {
        #expect(
            bytes(WeightLayout(width: 2, vectors: 1), channels: 3, depth: 1)
                == [1, 2, 100, 0, 0, 0, 101, 0, 0, 0, 3, 0, 102])
        #expect(
            bytes(WeightLayout(width: 2, vectors: 1, alignment: 4), channels: 2, depth: 1)
                == [1, 2, 0, 0, 100, 0, 0, 0, 101])
    }

    @Test func lastPanelsMayBeNarrower() {
        let layout = WeightLayout(width: 2, panelWidth: { $0 > 1 ? 2 : 1 }, vectors: 0)
        #expect(bytes(layout, channels: 3, depth: 2) == [1, 3, 2, 4, 5, 6])
    }

    @Test func runsOfChannelsLieOneAfterTheOther() {
        #expect(bytes(WeightLayout(width: 4, run: 2, vectors: 0), channels: 4, depth: 2) == [1, 3, 2, 4, 5, 7, 6, 8])
    }

    @Test func tapsNameTheDepth() {
        let layout = WeightLayout(width: 2, group: 2, taps: ".1 20", tapsAfter: "1.", vectors: 1)
        #expect(
            bytes(layout, channels: 2, depth: 3)
                == [0, 2, 0, 5, 3, 1, 6, 4, 100, 0, 0, 0, 101, 0, 0, 0, 2, 0, 5])
        let digits = WeightLayout(width: 1, taps: "9ao", vectors: 0)
        #expect(bytes(digits, channels: 1, depth: 25) == [10, 11, 25])
    }

    @Test func depthMayBeOutermost() {
        let layout = WeightLayout(width: 2, isDepthOutermost: true, vectors: 0)
        #expect(bytes(layout, channels: 4, depth: 2) == [1, 2, 5, 6, 3, 4, 7, 8])
    }

    @Test func weightsAreWidened() {
        #expect(bytes(WeightLayout(width: 1, weightBytes: 2, vectors: 0), channels: 1, depth: 2) == [1, 0, 2])
    }

    @Test func interleavedChannelsLieAsInFourVectors() {
        let layout = WeightLayout(width: 32, isInterleaved: true, vectors: 0)
        let firsts: [Int8] = [1, 17, 5, 21, 9, 25, 13, 29]
        let expected = firsts.flatMap { [$0, $0 + 1, $0 + 2, $0 + 3] }
        #expect(bytes(layout, channels: 32, depth: 1) == expected)
    }

    @Test func channelsBeginAnew() {
        let layout = WeightLayout(width: 2, repeatsBelow: 4, vectors: 1)
        #expect(
            bytes(layout, channels: 3, depth: 1)
                == [
                    1, 2, 100, 0, 0, 0, 101, 0, 0, 0, 3, 1, 102, 0, 0, 0, 100, 0, 0, 0, 2, 3, 101, 0, 0, 0, 102,
                ])
    }

    @Test func manyChannelsFillTheLastPanel() {
        let layout = WeightLayout(width: 2, repeatsBelow: 3, vectors: 0)
        #expect(bytes(layout, channels: 3, depth: 1) == [1, 2, 3, 1])
    }

    @Test func channelsAreFilledToAMultiple() {
        let layout = WeightLayout(width: 2, channelMultiple: 4, vectors: 0, trailer: .isWhole)
        #expect(byteCount(layout, channels: 1, depth: 1) == 192)
        let alone = WeightLayout(width: 2, vectors: 0, trailer: .isWhole)
        #expect(byteCount(alone, channels: 1, depth: 1) == 128)
    }

    @Test func biasesMakeUpForWhatIsSubtracted() {
        let layout = WeightLayout(width: 1, vectors: 1, correction: 2)
        #expect(bytes(layout, channels: 1, depth: 3) == [1, 2, 3, 112])
        let edge = WeightLayout(width: 1, vectors: 2, hasEdgeBias: true, correction: 1)
        #expect(bytes(edge, channels: 1, depth: 4) == [1, 2, 3, 4, 110, 0, 0, 0, 104])
    }

    @Test func trailersSayWhetherTheSecondHalfHasWeights() {
        let layout = WeightLayout(width: 4, vectors: 0, trailer: .isWhole)
        #expect(bytes(layout, channels: 2, depth: 1) == [1, 2])
        #expect(bytes(layout, channels: 3, depth: 1) == [1, 2, 3, 0, 1])
    }

    @Test(arguments: [([0, 0], 1), ([1, 1], 2), ([0, 1], 0), ([0.5, 0.5], 0), (nil, 1)] as [([Float]?, Int)])
    func trailersSayWhatSlopesAre(slopes: [Float]?, kind: Int) {
        let layout = WeightLayout(width: 4, weightBytes: 4, vectors: 0, trailer: .slopeKind)
        var packed = [Int](repeating: 0, count: 8)
        _ = unsafe packed.withUnsafeMutableBytes { unsafe layout.pack([1, 2], [0, 0], slopes, 2, 1, $0.baseAddress) }
        #expect(packed[2] == kind)
    }

    @Test func tiersWriteTrailersOfTheirOwn() {
        let layout = unsafe WeightLayout(
            width: 2, vectors: 0,
            trailer: .channels(bytes: 16) { lane, bias, correction, low, high, multiplier, slope, parameters in
                let sum = Int(bias) + Int(correction) + low + high + Int(multiplier) + Int(slope)
                unsafe parameters.storeBytes(of: sum, toByteOffset: 8 * lane, as: Int.self)
            }, correction: 2)
        var packed = [Int](repeating: 0, count: 8)
        _ = unsafe packed.withUnsafeMutableBytes {
            unsafe layout.pack(
                [-1, 2, 3, 4, 5, -6, 7, 8], [10, 20], [1000, 1000], [2000, 2000], 2, 4, $0.baseAddress)
        }
        #expect(packed[1] == 10 + 2 * 8 + 255 * 8 + 3000)
        #expect(packed[2] == 20 + 2 * 14 + 255 * 14 + 3000)
    }
}
