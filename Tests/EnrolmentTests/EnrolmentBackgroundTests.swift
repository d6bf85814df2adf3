import Enrolment
import ModelFile
import Testing

/// The background that comes with a model, and what it does to enrolled movements.
@Suite struct EnrolmentBackgroundTests {
    private static let layers = String(repeating: "ab", count: 32)
    /// Of `SyntheticModel`: twice the logits of its Gaussians but for a common term are linear in a column.
    private static let width = SyntheticModel.width

    /// A background of a minute, in which columns of a mean come now and then.
    private func background(
        _ model: inout SyntheticModel, showing mean: [Float], every period: Int
    ) -> EnrolmentBackground {
        var features: [UInt8] = []
        for index in 0..<600 {
            let column = model.column(index % period == period - 1 ? mean : model.mean(2))
            features += EnrolmentBackground.quantise(column)
        }
        return EnrolmentBackground(
            labels: ["null", "right", "gone"], secondsPerNullColumn: 0.1,
            features: features + EnrolmentBackground.quantise(model.column(model.mean(1)) + model.column(mean)),
            classes: [UInt8](repeating: 0, count: 600) + [1, 2])
    }

    /// The classifier of the synthetic model.
    private func bank(_ background: EnrolmentBackground, _ model: SyntheticModel) -> FeatureBank {
        let variance = model.deviation * model.deviation
        let means = (0..<3).map { model.mean($0) }
        return background.bank(
            model.base, weights: means.flatMap { $0.map { $0 / variance } },
            bias: means.map { mean in -mean.reduce(0) { $0 + $1 * $1 } / (2 * variance) })
    }

    @Test func aFileIsReadAndRefusedForOtherLayers() throws {
        var model = SyntheticModel(seed: 3)
        let made = background(&model, showing: model.mean(2), every: 9)
        let bytes = try made.bytes(layers: Self.layers)
        #expect(try EnrolmentBackground(bytes: bytes, layers: Self.layers, featureCount: Self.width) == made)
        let other = String(repeating: "cd", count: 32)
        #expect(throws: EnrolmentError.otherModel(expected: other, found: Self.layers)) {
            try EnrolmentBackground(bytes: bytes, layers: other, featureCount: Self.width)
        }
        #expect(throws: EnrolmentError.self) {
            try EnrolmentBackground(bytes: bytes, layers: Self.layers, featureCount: Self.width - 1)
        }
        let wrong = EnrolmentBackground(
            labels: ["null"], secondsPerNullColumn: 0.1, features: [UInt8](repeating: 0, count: Self.width),
            classes: [1])
        #expect(throws: EnrolmentError.file(.invalidValue(tensor: "classes", index: 0))) {
            try EnrolmentBackground(
                bytes: wrong.bytes(layers: Self.layers), layers: Self.layers, featureCount: Self.width)
        }
        // A class that the model does not have is left out.
        #expect(bank(made, model).columnCount == 601)
    }

    /// A movement that hands make by chance is refused with what to do; without a background it would be taught.
    @Test func aMovementOfTheBackgroundIsRefused() throws {
        var model = SyntheticModel(seed: 5)
        let mean = model.mean(feature: 5, distance: 8)
        let examples = try model.recordings(3, mean)
        let common = bank(background(&model, showing: mean, every: 12), model)
        let existing = UserGestures(base: model.base)
        let error = #expect(throws: EnrolmentError.self) {
            try GestureEnrolment(existing: existing, bank: common).fit("wave", examples: examples)
        }
        switch try #require(error) {
        case .madeUp, .firesOnClass("null", _, _), .inseparable, .examplesDisagree: break
        case let other: Issue.record("\(other)")
        }
        let untested = try GestureEnrolment(existing: existing, bank: nil).fit("wave", examples: examples).report
        #expect(untested.falseEventsPerMinute == nil && untested.isMovement)
        #expect(untested.warnings.first?.contains("no background") == true)
    }

    @Test func aMovementOfItsOwnIsMeasured() throws {
        var model = SyntheticModel(seed: 7)
        let mean = model.mean(feature: 5, distance: 8)
        let examples = try model.recordings(3, mean)
        let quiet = bank(background(&model, showing: model.mean(2), every: 12), model)
        let report = try GestureEnrolment(existing: UserGestures(base: model.base), bank: quiet).fit(
            "wave", examples: examples
        ).report
        #expect(try #require(report.falseEventsPerMinute) <= 1)
        #expect(report.warnings.isEmpty)
    }
}
