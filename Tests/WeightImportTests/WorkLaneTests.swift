import ModelFile
import Network
import Testing
import WeightImport

/// Measuring on two cores gives what one gives.
@Suite struct WorkLaneTests {
    private static let lengths = [17, 3, 20, 1, 18]

    /// The golden frames as sequences of several lengths.
    private func sequences() throws -> [[[UInt8]]] {
        let frames = try Fixture.goldenFrames()
        return Self.lengths.enumerated().map { index, length in
            (0..<length).map { frames[($0 + 7 * index) % frames.count] }
        }
    }

    @Test(arguments: [100, 99.5]) func rangesAreThoseOfOneCore(_ percentile: Double) throws {
        let network = try Fixture.goldenNetwork()
        var alone = try ActivationCalibrator(network, countingValues: percentile < 100)
        let lanes = try SequenceLanes(frameCount: GestureTCN.frameBytes) { () throws(ImportError) in
            try ActivationCalibrator(network, countingValues: percentile < 100)
        }
        for sequence in try sequences() {
            for (index, frame) in sequence.enumerated() {
                try alone.push(frame.span, startsSequence: index == 0)
                try lanes.push(frame.span, startsSequence: index == 0)
            }
        }
        let expected = try alone.ranges(percentile: percentile)
        try lanes.finish { (both: borrowing ActivationCalibrator) throws(ImportError) in
            #expect(both.frameCount == Self.lengths.reduce(0, +) && both.sequenceCount == Self.lengths.count)
            #expect(try both.ranges(percentile: percentile) == expected)
        }
    }

    @Test func noFramesAndWrongFrames() throws {
        let network = try Fixture.goldenNetwork()
        let lanes = try SequenceLanes(frameCount: GestureTCN.frameBytes) { () throws(ImportError) in
            try ActivationCalibrator(network, countingValues: false)
        }
        #expect(throws: ImportError.frameSize(found: 3)) { try lanes.push([1, 2, 3].span, startsSequence: true) }
        #expect(throws: ImportError.calibrationRequired) {
            try lanes.finish { (both: borrowing ActivationCalibrator) throws(ImportError) in try both.ranges() }
        }
    }

    @Test func graphsAreThoseOfOneCore() throws {
        let file = try TFLiteGraph.read(GraphMutationTests.everyOperator())
        let count = file.graph.values[file.graph.inputs[0]].count
        var alone = GraphQuantiser(file, inputRange: -1...1)
        let lanes = QuantiserLanes(file, inputRange: -1...1)
        for picture in 0..<5 {
            let numbers = (0..<count).map { Float(($0 * 31 + picture * 17) % 101) / 50 - 1 }
            try alone.measure([numbers])
            lanes.measure([numbers])
        }
        #expect(try lanes.quantised().bytes() == alone.quantised().bytes())
        let empty = QuantiserLanes(file, inputRange: 0...1)
        #expect(throws: ImportError.calibrationRequired) { try empty.quantised() }
        let wrong = QuantiserLanes(file, inputRange: 0...1)
        wrong.measure([[1]])
        #expect(throws: ImportError.self) { try wrong.quantised() }
    }
}
