import Scheduling
import Testing

@Suite struct FrameThinningTests {
    /// Outcomes of the next frames: taken or not.
    private static func next(_ count: Int, _ thinning: inout FrameThinning) -> [Bool] {
        (0..<count).map { _ in thinning.decideNext() == .run }
    }

    @Test func everyFrameAtFirst() {
        var thinning = FrameThinning()
        #expect(Self.next(10, &thinning).allSatisfy { $0 })
        #expect(thinning.counts.run == 10 && thinning.counts.skips.total == 0)
        #expect(thinning.state.pace == .full && thinning.state.limit == nil)
        #expect(thinning.budget.interfaceDetail == 2)
    }

    @Test(arguments: [
        (DeviceReading(thermal: .fair), 2, SchedulerState.SkipReason.heat),
        (DeviceReading(thermal: .serious), 3, .heat),
        (DeviceReading(thermal: .critical), 6, .heat), (DeviceReading(battery: 0.3), 2, .battery),
        (DeviceReading(battery: 0.1), 3, .battery), (DeviceReading(battery: 0.04), 6, .battery),
    ]) func heatAndBattery(_ reading: DeviceReading, _ interval: Int, _ reason: SchedulerState.SkipReason) {
        var thinning = FrameThinning()
        let change = thinning.observe(reading, at: 5_000_000_000)
        #expect(change?.from.pace == .full && change?.to.pace.interval == interval && change?.time == .seconds(5))
        #expect(Self.next(12, &thinning) == (0..<12).map { $0 % interval == 0 })
        #expect(thinning.counts.run == 12 / interval && thinning.counts.skips.total == 12 - 12 / interval)
        let skips = thinning.counts.skips
        #expect((reason == .heat ? skips.heat : skips.battery) == skips.total)
        #expect(thinning.state.limit == reason && thinning.state.pace.interval == interval)
        // The same again changes nothing.
        #expect(thinning.observe(reading) == nil && thinning.counts.budgetChanges == 1)
    }

    /// A slower pace counts from the frame that was taken last.
    @Test func slowingDownCountsFromTheLatestTakenFrame() {
        var thinning = FrameThinning()
        #expect(Self.next(4, &thinning) == [true, true, true, true])
        thinning.observe(DeviceReading(thermal: .serious))
        #expect(Self.next(6, &thinning) == [false, false, true, false, false, true])
        thinning.observe(DeviceReading(thermal: .critical))
        #expect(Self.next(7, &thinning) == [false, false, false, false, false, true, false])
        thinning.observe(DeviceReading(thermal: .fair))
        #expect(Self.next(3, &thinning) == [true, false, true])
    }

    /// Whatever the budget does between frames, no two frames that are taken are more than six apart.
    @Test func nothingStarves() {
        var thinning = FrameThinning()
        let readings = [
            DeviceReading(), DeviceReading(thermal: .fair), DeviceReading(thermal: .serious),
            DeviceReading(thermal: .critical), DeviceReading(battery: 0.1), DeviceReading(battery: 0.01),
            DeviceReading(battery: .nan), DeviceReading(battery: -.infinity),
        ]
        var away = 0
        for index in 0..<1_000 {
            thinning.observe(readings[index * 7 % 13 % readings.count])
            away = thinning.decideNext() == .run ? 0 : away + 1
            #expect(away <= 5, "frame \(index)")
        }
        #expect(thinning.counts.run + thinning.counts.skips.total == 1_000)
    }
}
