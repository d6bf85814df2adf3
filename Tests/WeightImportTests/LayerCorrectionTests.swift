import ModelFile
import Testing
import WeightImport

/// Fully connected layers that int8 holds too coarsely: near the float graph after the correction, others untouched.
@Suite struct LayerCorrectionTests {
    private static let (side, channels) = (4, 16)

    /// Colours, widened by a 1x1 convolution, their mean, and two fully connected layers of it. In the first layer one
    /// input has weights `ratio` times as large as those of the others.
    private static func network(ratio: Float, sharesBias: Bool = false) throws -> GraphFile {
        var numbers = Fixture.Numbers(seed: 7)
        func floats(_ shape: [Int], gain: Float = 1) -> GraphFile.Parameter {
            .init(shape: shape, values: .float(numbers.next(shape.reduce(1, *)).map { $0 * gain }))
        }
        let map = [1, side, side, channels]
        let graph = NetworkGraph(
            values: [
                .init(name: "in", shape: [1, side, side, 3]), .init(name: "map", shape: map),
                .init(name: "mean", shape: [1, channels]), .init(name: "coarse", shape: [1, 6]),
                .init(name: "fine", shape: [1, 6]),
            ],
            nodes: [
                .init(
                    .convolution(
                        weights: "w", bias: nil, strideY: 1, strideX: 1, padding: .init(), activation: .relu),
                    inputs: [0], output: 1), .init(.mean, inputs: [1], output: 2),
                .init(
                    .fullyConnected(weights: "a", bias: "b", activation: .none), inputs: [2], output: 3),
                .init(
                    .fullyConnected(weights: "c", bias: sharesBias ? "b" : "d", activation: .none), inputs: [2],
                    output: 4),
            ], inputs: [0], outputs: [3, 4])
        var weights = floats([6, channels]).floats()
        for row in 0..<6 { weights[row * channels] = ratio * (row % 2 == 0 ? 1 : -1) }
        var parameters = [
            "w": floats([channels, 1, 1, 3]), "a": .init(shape: [6, channels], values: .float(weights)),
            "b": floats([6]), "c": floats([6, channels]),
        ]
        if !sharesBias { parameters["d"] = floats([6]) }
        try graph.validate(parameterShapes: parameters.mapValues(\.shape))
        return GraphFile(
            graph: graph, parameters: parameters,
            manifest: GraphManifest(source: "a", sourceSHA256: String(repeating: "1", count: 64)))
    }

    private static func pictures(_ count: Int, seed: UInt64) -> [[Float]] {
        var numbers = Fixture.Numbers(seed: seed)
        return (0..<count).map { _ in numbers.next(side * side * 3).map { ($0 + 1) / 2 } }
    }

    private static func quantised(_ file: GraphFile, _ pictures: [[Float]]) throws -> GraphFile {
        var quantiser = GraphQuantiser(file, inputRange: 0...1)
        for picture in pictures { try quantiser.measure([picture]) }
        return try quantiser.quantised()
    }

    private static func corrected(_ file: GraphFile, _ int8: GraphFile, _ pictures: [[Float]]) throws -> GraphFile {
        var correction = try LayerCorrection(file, quantised: int8)
        for picture in pictures { try correction.measure([picture]) }
        return try correction.corrected()
    }

    /// The mean magnitude of an output's difference from the float graph, on pictures that did not calibrate.
    private static func error(_ file: GraphFile, _ int8: GraphFile, output: Int) throws -> Float {
        let (float, coded) = (ReferenceGraph(file), ReferenceGraph(int8))
        var (sum, count): (Float, Float) = (0, 0)
        for picture in pictures(20, seed: 9) {
            for (a, b) in zip(try float.run([picture])[output], try coded.run([picture])[output]) {
                sum += abs(a - b)
                count += 1
            }
        }
        return sum / count
    }

    @Test func coarseLayersComeNearTheFloatGraph() throws {
        let file = try Self.network(ratio: 300)
        let pictures = Self.pictures(20, seed: 8)
        let int8 = try Self.quantised(file, pictures)
        let corrected = try Self.corrected(file, int8, pictures)
        let (before, after) = (
            try Self.error(file, int8, output: 0), try Self.error(file, corrected, output: 0)
        )
        #expect(after < before / 2, "\(after) of \(before)")
        // What was written is read, and says what happened to it.
        let read = try GraphFile(bytes: corrected.bytes())
        #expect(read.parameters == corrected.parameters)
        #expect(read.manifest.calibration == "minimum and maximum over 20 pictures; bias over 20 pictures")
        // The other output keeps its bits.
        let (one, other) = (ReferenceGraph(int8), ReferenceGraph(corrected))
        for picture in Self.pictures(5, seed: 9) {
            #expect(try one.run([picture])[1] == other.run([picture])[1])
        }
    }

    @Test func theMeanErrorOverThePicturesIsGone() throws {
        let file = try Self.network(ratio: 300)
        let pictures = Self.pictures(20, seed: 8)
        let corrected = try Self.corrected(file, try Self.quantised(file, pictures), pictures)
        let (float, coded) = (ReferenceGraph(file), ReferenceGraph(corrected))
        var differences = [Float](repeating: 0, count: 6)
        for picture in pictures {
            let (a, b) = (try float.run([picture])[0], try coded.run([picture])[0])
            for channel in differences.indices { differences[channel] += (a[channel] - b[channel]) / 20 }
        }
        #expect(differences.allSatisfy { abs($0) < 1e-4 }, "\(differences)")
    }

    /// Layers of even weights stay, and so do those that share a constant with another.
    @Test func otherLayersStay() throws {
        for file in [try Self.network(ratio: 1), try Self.network(ratio: 300, sharesBias: true)] {
            let int8 = try Self.quantised(file, Self.pictures(3, seed: 8))
            let correction = try LayerCorrection(file, quantised: int8)
            #expect(!correction.isNeeded)
            #expect(try correction.corrected().bytes() == int8.bytes())
        }
    }

    @Test func refusesOtherGraphsAndNoPictures() throws {
        let file = try Self.network(ratio: 300)
        let pictures = Self.pictures(3, seed: 8)
        let int8 = try Self.quantised(file, pictures)
        let untouched = try LayerCorrection(file, quantised: int8)
        #expect(untouched.isNeeded)
        #expect(throws: ImportError.calibrationRequired) { try untouched.corrected() }
        let corrected = try Self.corrected(file, int8, pictures)
        let foreign = GraphFile(
            graph: int8.graph, parameters: int8.parameters, quantisation: int8.quantisation,
            manifest: GraphManifest(precision: .int8, source: "a", sourceSHA256: String(repeating: "2", count: 64)))
        for other in [file, corrected, foreign] {
            #expect(throws: ImportError.otherGraph) { try LayerCorrection(file, quantised: other) }
        }
    }
}
