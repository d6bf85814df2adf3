import Enrolment
import Testing

struct EnrolmentMeasurementTests {
    @Test func separableGesturesMeasureWellAndOtherClassesKeepTheirEvents() throws {
        var model = SyntheticModel(seed: 51)
        let mean = model.mean(feature: 6, distance: 9)
        let bank = try model.bank()
        func takes(_ mean: [Float], _ count: Int) throws -> [GestureRecording] {
            try (0..<count).map { _ in try model.recording(mean, gesture: 30..<60) }
        }
        let measurement = EnrolmentMeasurement(
            pool: try takes(mean, 10), heldOut: try takes(mean, 6),
            others: try takes(model.mean(0), 3).map { (0, $0) } + takes(model.mean(1), 3).map { (1, $0) },
            nothing: try takes(model.mean(2), 4))
        let results = try measurement.measure(existing: UserGestures(base: model.base), bank: bank)
        #expect(results.map(\.exampleCount) == [1, 3, 5, 10])
        #expect(results.map(\.attempts) == [10, 3, 2, 1])
        for result in results {
            #expect(result.refusals.isEmpty)
            #expect(result.detectionRate == 1)
            #expect(result.slotRecall! > 0.9)
            #expect(result.falseFiringsPerMinute == 0)
            #expect(result.firedOnOthers == 0 && result.othersBefore == 1 && result.othersAfter == 1)
            #expect(abs(result.overconfidence!) < 0.1)
            #expect((2...6).contains(result.medianDelay!))
        }
    }

    @Test func refusalsAreCountedAndLeaveNoRates() throws {
        var model = SyntheticModel(seed: 52)
        let bank = try model.bank()
        let known = try (0..<4).map { _ in try model.recording(model.mean(0)) }
        let measurement = EnrolmentMeasurement(pool: Array(known[..<3]), heldOut: [known[3]])
        let results = try measurement.measure(
            existing: UserGestures(base: model.base), bank: bank, counts: [3, 4, 0])
        #expect(results[0].refusals == [.alreadyRecognised(label: "left", recordings: 3, of: 3)])
        #expect(results[0].detectionRate == nil && results[0].medianDelay == nil)
        #expect(results[1].attempts == 0 && results[2].attempts == 0)
    }

    @Test func runsAndBestsAreCountedByHand() {
        #expect(RowProbe.runs("..xx.xxx.xxxx", count: 3) == 2)
        #expect(RowProbe.runs("xxx", count: 3) == 1)
        #expect(RowProbe.runs("", count: 1) == 0)
        #expect(RowProbe.best([1, 5, 4, 6, -1], count: 3) == 4)
        #expect(RowProbe.best([2, 1], count: 3) == 1)
        #expect(RowProbe.best([], count: 3) == -.infinity)
    }
}
