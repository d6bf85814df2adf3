import Kernels
import ModelFile
import Network
import PixelFrontEnd
import Testing
import WeightImport

@Suite struct CalibrationTests {
    /// Every output of every layer on the golden frames from the column on at which the layer sees no emptiness,
    /// by channel-innermost order.
    private func outputs(_ network: FoldedNetwork, _ frames: [[UInt8]]) throws -> [String: [Float]] {
        let firstColumn = ["t1.conv": 2, "t2.conv": 6, "t3.conv": 14]
        let unit = NetworkUnit(float: try network.networkWeights(), kernels: KernelRegistry.select())
        var outputs: [String: [Float]] = [:]
        for (column, frame) in frames.enumerated() {
            _ = unit.trace(frame.span) { spec, values in
                if column >= firstColumn[spec.name, default: 0] { outputs[spec.name, default: []] += values }
            }
        }
        return outputs
    }

    private func calibrated(
        _ network: FoldedNetwork, _ frames: [[UInt8]], percentile: Double
    ) throws -> [ActivationCalibrator.Range] {
        var calibrator = try ActivationCalibrator(network, countingValues: percentile < 100)
        for (index, frame) in frames.enumerated() { try calibrator.push(frame.span, startsSequence: index == 0) }
        return try calibrator.ranges(percentile: percentile)
    }

    @Test func theLargestOutputSetsTheScale() throws {
        let network = try Fixture.goldenNetwork()
        let frames = Array(try Fixture.goldenFrames()[..<17])
        let expected = try outputs(network, frames)
        let ranges = try calibrated(network, frames, percentile: 100)
        #expect(ranges.map(\.layer) == GestureTCN.layers().dropLast().map(\.name))
        for range in ranges {
            let values = try #require(expected[range.layer])
            let largest = values.max() ?? 0
            #expect(range.largest == largest)
            #expect(range.scale == min(largest, 6) / 255 && range.scale <= Float(6) / 255)
            #expect(range.clippedShare == 0)
            let channels = try #require(GestureTCN.layers().first { $0.name == range.layer }).outputChannels
            var isSilent = [Bool](repeating: true, count: channels)
            for (index, value) in values.enumerated() where value > 0 { isSilent[index % channels] = false }
            #expect(range.silentChannels == isSilent.indices.filter { isSilent[$0] })
        }
    }

    @Test(arguments: [99.0, 90, 50])
    func aPercentileClipsNoMoreThanItMay(_ percentile: Double) throws {
        let network = try Fixture.goldenNetwork()
        let frames = Array(try Fixture.goldenFrames()[..<16])
        let expected = try outputs(network, frames)
        for range in try calibrated(network, frames, percentile: percentile) {
            let values = try #require(expected[range.layer])
            let limit = min(range.scale * 255, 6)
            let allowed = Double(values.count) * (100 - percentile) / 100
            // A scale times 255 is the limit but for float32's last bit.
            let surely = values.count { $0 > limit * 1.000_001 }
            let perhaps = values.count { $0 > limit * 0.999_999 }
            let clipped = range.clippedShare * Double(values.count)
            #expect(clipped <= allowed)
            #expect((Double(surely)...Double(perhaps)).contains(clipped.rounded()))
            // One bin less would have clipped too much, unless the layer is silent so often that zero was the limit.
            let lower = limit - 1.001 / 4096
            if range.scale < Float(6) / 255, lower > 0 { #expect(Double(values.count { $0 > lower }) > allowed) }
        }
    }

    @Test func sequencesAreIndependent() throws {
        let network = try Fixture.goldenNetwork()
        let frames = Array(try Fixture.goldenFrames()[..<16])
        var calibrator = try ActivationCalibrator(network, countingValues: false)
        for _ in 0..<2 {
            for (index, frame) in frames.enumerated() { try calibrator.push(frame.span, startsSequence: index == 0) }
        }
        #expect(calibrator.frameCount == 32 && calibrator.sequenceCount == 2)
        #expect(try calibrator.ranges() == calibrated(network, frames, percentile: 100))
    }

    @Test func mistakesAreTyped() throws {
        let network = try Fixture.goldenNetwork()
        #expect(throws: ImportError.calibrationRequired) {
            let calibrator = try ActivationCalibrator(network, countingValues: false)
            _ = try calibrator.ranges()
        }
        #expect(throws: ImportError.frameSize(found: 50_175)) {
            var calibrator = try ActivationCalibrator(network, countingValues: false)
            let frame = [UInt8](repeating: 0, count: 50_175)
            try calibrator.push(frame.span, startsSequence: true)
        }
        #expect(throws: ImportError.percentile(101)) {
            let calibrator = try ActivationCalibrator(network, countingValues: false)
            _ = try calibrator.ranges(percentile: 101)
        }
    }

    @Test func aSilentNetworkGetsTheWidestScale() throws {
        // No weights and no bias anywhere: all outputs are zero.
        let silent = Fixture.tensors(folded: Set(GestureTCN.layers().map(\.name))).mapValues {
            Fixture.tensor($0.shape, [Float](repeating: 0, count: $0.values?.count ?? 0))
        }
        let network = try FoldedNetwork(silent, classCount: 13)
        let frames = [[UInt8]](repeating: [UInt8](repeating: 200, count: GestureTCN.frameBytes), count: 16)
        for range in try calibrated(network, frames, percentile: 100) {
            #expect(range.scale == Float(6) / 255 && range.largest == 0)
        }
    }
}
