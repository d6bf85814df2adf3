import Network
import Testing
import Vocabulary

@Suite struct TopologyTests {
    /// The table of the design: multiply-accumulates a frame, and parameters with two a BatchNorm channel.
    @Test func arithmeticOfTheTable() {
        let layers = GestureTCN.layers()
        #expect(GestureTCN.encoder.reduce(0) { $0 + $1.macs } == 23_998_080)
        #expect(GestureTCN.temporal.reduce(0) { $0 + $1.macs } + layers[layers.count - 1].macs == 217_120)
        let parameters = layers.reduce(0) { sum, spec in
            sum + spec.weightCount + (spec.kind == .classifier ? 1 : 2) * spec.outputChannels
        }
        #expect(parameters == 340_813)
    }

    @Test func everyLayerReadsWhatTheOneBeforeWrites() {
        let layers = GestureTCN.layers()
        for (previous, next) in zip(layers, layers.dropFirst()) {
            #expect(next.inputChannels == previous.outputChannels, "\(next.name)")
            #expect(next.inputSize == previous.outputSize, "\(next.name)")
        }
    }

    /// With taps d apart, the last output depends on 1 + 2 * (1 + 2 + 4) columns: fewer than a window.
    @Test func receptiveFieldFitsTheWindow() {
        let field = GestureTCN.temporal.reduce(1) { $0 + 2 * $1.dilation }
        #expect(field == 15)
        #expect(field <= GestureTCN.windowLength)
        #expect(GestureTCN.temporal.receptiveField == 15 && GestureTCN.layers().receptiveField == 15)
    }

    /// A fourth layer whose taps read outputs that overlap: what they cover has no gap.
    @Test func theFourthLayerLooksBackWithoutAGap() throws {
        let layers = GestureTCN.longTemporal
        #expect(layers.dropLast() == GestureTCN.temporal[...] && layers.receptiveField == 39)
        let fourth = try #require(layers.last)
        #expect(fourth.name == "t4.conv" && fourth.batchNormPrefix == "t4.bn" && fourth.weightShape == [160, 160, 3])
        #expect(fourth.dilation <= GestureTCN.temporal.receptiveField)
        var covered: Set<Int> = [0]
        for layer in layers.reversed() {
            covered = Set(covered.flatMap { column in (0..<3).map { column + $0 * layer.dilation } })
        }
        #expect(covered == Set(0..<39))
        let arms = [GestureTCN.temporal, layers].map(GestureTCN.withArms)
        #expect(FrontEnd.landmarks.temporalChoices == [GestureTCN.temporal, arms[0], layers, arms[1]])
        #expect(arms[1].first?.weightShape == [160, 160, 3] && arms[1].dropFirst() == layers.dropFirst())
        #expect(FrontEnd.pixels.temporalChoices == [GestureTCN.temporal])
    }

    @Test func namesAreThoseOfCheckpoints() {
        let layers = GestureTCN.layers()
        #expect(layers.map(\.name).contains("b4b.pw"))
        #expect(layers[0].batchNormPrefix == "stem.bn")
        #expect(layers[1].batchNormPrefix == "b1.dw_bn")
        #expect(layers.first { $0.name == "t2.conv" }?.batchNormPrefix == "t2.bn")
        #expect(layers[layers.count - 1].batchNormPrefix == nil)
    }
}
