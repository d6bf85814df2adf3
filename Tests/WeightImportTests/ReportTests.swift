import Foundation
import ModelFile
import Network
import Testing
import WeightImport

@Suite struct ReportTests {
    private func product(_ precision: ModelManifest.Precision, _ network: FoldedNetwork) throws -> ModelBuilder.Product
    {
        try ModelBuilder(precision: precision, activationScales: Fixture.scales).build(network)
    }

    @Test func countsAndErrorsArePlainSums() throws {
        let checkpoint = try Fixture.golden()
        let network = try Fixture.goldenNetwork()
        let product = try product(.int8, network)
        let report = ImportReport(checkpoint: checkpoint, network: network, product: product)
        #expect(report.parameters == 340_813 && report.multiplyAddsPerFrame == 24_215_200)
        // 340,813 weights, the statistics of BatchNorm, and the header.
        #expect(report.modelBytes == product.bytes.count && (1_380_000..<1_400_000).contains(report.sourceBytes))
        for (layer, entry) in zip(network.layers, report.layers) {
            let stored = try product.model.floatLayer(layer.spec.name, shape: layer.spec.weightShape)
            var (signal, noise, largest) = (0.0, 0.0, 0.0)
            for index in layer.weights.indices {
                let error = Double(stored.weights[index]) - Double(layer.weights[index])
                signal += pow(Double(layer.weights[index]), 2)
                noise += error * error
                largest = max(largest, abs(error))
            }
            #expect(abs(try #require(entry.weightDecibels) - 10 * log10(signal / noise)) < 1e-6)
            #expect(abs(Double(entry.weightLargestError) - largest) <= 1e-7)
            #expect(entry.activationScale == Fixture.scales[layer.spec.name])
            #expect(try #require(entry.weightDecibels) > 35)
        }
    }

    @Test func aModelEqualToItsSourceDiffersNowhere() throws {
        let network = try Fixture.goldenNetwork()
        let product = try product(.float32, network)
        var comparison = try NetworkComparison(reference: network, model: product.weights)
        for (index, frame) in try Fixture.goldenFrames().enumerated() {
            try comparison.push(frame.span, startsSequence: index == 0)
        }
        let result = comparison.result()
        #expect(result.frameCount == 20 && result.windowCount == 5 && result.agreeingWindows == 5)
        #expect(result.largestLogitError == 0 && result.layers.count == 23)
        #expect(result.layers.allSatisfy { $0.decibels == nil && $0.largestError == 0 })
        var report = ImportReport(checkpoint: try Fixture.golden(), network: network, product: product)
        report.add(result)
        #expect(report.comparison?.top1Agreement == 1)
        #expect(report.layers.allSatisfy { $0.weightDecibels == nil && $0.weightLargestError == 0 })
    }

    @Test func aQuantisedModelStaysNearItsSource() throws {
        let network = try Fixture.goldenNetwork()
        let product = try ModelBuilder(
            precision: .int8, activationScales: Fixture.scales.mapValues { _ in NetworkWeights.largestActivationScale }
        ).build(network)
        var comparison = try NetworkComparison(reference: network, model: product.weights)
        let frames = try Fixture.goldenFrames()
        for (index, frame) in frames[..<18].enumerated() {
            try comparison.push(frame.span, startsSequence: index == 0 || index == 17)
        }
        let result = comparison.result()
        #expect(result.frameCount == 18 && result.windowCount == 2)
        #expect(result.largestLogitError > 0)
        // The stem's input is at most 1: its error is at most that of nine weights, the bias and half a code.
        let stem = ImportReport(checkpoint: try Fixture.golden(), network: network, product: product).layers[0]
        #expect(
            result.layers[0].largestError <= 9 * stem.weightLargestError + stem.biasLargestError
                + NetworkWeights.largestActivationScale * 0.501)
        #expect(try #require(result.layers[0].decibels) > 30)
    }

    @Test func theReportIsJSON() throws {
        let network = try Fixture.goldenNetwork()
        let report = ImportReport(
            checkpoint: try Fixture.golden(), network: network, product: try product(.int8, network))
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(ImportReport.self, from: data) == report)
    }
}
