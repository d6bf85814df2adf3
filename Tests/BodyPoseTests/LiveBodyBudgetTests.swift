import BodyPose
import Foundation
import Testing

@Suite struct LiveBodyBudgetTests {
    private static func all(_ live: LiveBodyStream) async -> [LiveBodyStream.Result] {
        var results: [LiveBodyStream.Result] = []
        for await result in live.results { results.append(result) }
        return results
    }

    /// In the order of the frames, and what the synchronous stream says of them.
    @Test func resultsAreThoseOfTheSynchronousStream() async throws {
        let engine = try BodyPoseEngine()
        let stream = try engine.makeStream()
        let live = try engine.makeLiveStream(sensors: nil)
        var expected: [[TrackedBody]] = []
        for step in 0..<6 {
            try DrawnPerson(shift: 3 * step).withView {
                stream.track($0, at: .milliseconds(33 * step))
                #expect(live.push($0, at: .milliseconds(33 * step)) == .taken)
            }
            live.drain()
            expected.append(stream.bodies)
        }
        live.finish()
        let results = await Self.all(live)
        #expect(results.map(\.bodies) == expected && expected.allSatisfy { $0.count == 1 })
        #expect(results.map(\.sequence) == Array(0..<6))
        #expect(results.map(\.time) == (0..<6).map { .milliseconds(33 * $0) })
        #expect(results.allSatisfy { $0.latency > .zero && $0.interfaceDetail == 2 && !$0.isBodyLost })
        #expect(live.superseded == 0 && live.lostResults == 0)
    }

    /// Statistics are those of a stream of gestures, as far as bodies have them, and the newest bodies can be read.
    @Test func statisticsAndTheNewestBodies() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        #expect(live.latestBodies.isEmpty && live.statistics.frame == nil)
        for step in 0..<6 {
            if step == 3 { live.update(DeviceReading(thermal: .fair)) }
            try DrawnPerson(shift: 3 * step).withView { _ = live.push($0, at: .milliseconds(33 * step)) }
            live.drain()
            #expect(live.latestBodies.count == 1)
        }
        let statistics = live.statistics
        #expect(statistics.frames.run == 6 && statistics.scheduling == live.scheduling)
        #expect(statistics.scheduling.skips.total > 0)
        #expect(statistics.superseded == 0 && statistics.begins.isEmpty && statistics.intake == nil)
        #expect(statistics.frame?.count == statistics.scheduling.run)
        let (frame, inference) = (try #require(statistics.frame), try #require(statistics.inference))
        #expect(inference.count == frame.count && inference.maximum > .zero && inference.maximum <= frame.maximum)
        #expect(live.lostChanges == 0)
        live.reset()
        #expect(live.latestBodies.isEmpty)
        live.finish()
        let results = await Self.all(live)
        #expect(results.map(\.latency).max() == statistics.frame?.maximum)
    }

    /// In a frame without a person the detector is all that takes time.
    @Test func theDetectorCountsAsInference() throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let gray = [UInt8](repeating: 90, count: 4 * 120 * 160)
        _ = live.push(
            try PixelView(gray.span, format: .rgba, width: 120, height: 160, bytesPerRow: 480), at: .zero)
        live.drain()
        #expect(live.latestBodies.isEmpty && live.statistics.inference?.count == 1)
        #expect(try #require(live.statistics.inference).maximum > .zero)
        live.finish()
    }

    /// Every row of the budget: how many frames are taken, why the others are not, and how much is to be drawn.
    @Test(arguments: [
        (DeviceReading(), 1, SchedulerState.SkipReason?.none, 2),
        (DeviceReading(thermal: .fair), 2, .heat, 1), (DeviceReading(thermal: .serious), 3, .heat, 0),
        (DeviceReading(thermal: .critical), 6, .heat, 0), (DeviceReading(battery: 0.19), 3, .battery, 2),
        (DeviceReading(battery: 0.04), 6, .battery, 2),
        (DeviceReading(battery: 0.49), 2, .battery, 2), (DeviceReading(battery: 0.5), 1, nil, 2),
        (DeviceReading(thermal: .fair, battery: 0.1), 2, .heat, 1), (DeviceReading(battery: .nan), 1, nil, 2),
        (DeviceReading(battery: -3), 1, nil, 2), (DeviceReading(battery: .infinity), 1, nil, 2),
    ]) func heatAndBatteryLeaveFramesOut(
        _ reading: DeviceReading, _ interval: Int, _ reason: SchedulerState.SkipReason?, _ detail: Int
    ) async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        live.update(reading)
        for step in 0..<12 {
            let outcome = try withEmptyFrame { live.push($0, at: .milliseconds(33 * step)) }
            #expect(outcome == (step % interval == 0 ? .taken : .skipped(try #require(reason))), "frame \(step)")
            live.drain()
        }
        live.finish()
        let results = await Self.all(live)
        #expect(results.count == 12 / interval && results.allSatisfy { $0.interfaceDetail == detail })
        #expect(results.map(\.time) == stride(from: 0, to: 12, by: interval).map { .milliseconds(33 * $0) })
    }

    /// The budget may change between any two frames; a slower one counts from the frame taken last.
    @Test func theBudgetFollowsTheDevice() throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        var taken: [Bool] = []
        for step in 0..<18 {
            if step == 4 { live.update(DeviceReading(thermal: .serious)) }
            if step == 13 { live.update(DeviceReading()) }
            taken.append(try withEmptyFrame { live.push($0, at: .milliseconds(33 * step)) } == .taken)
            live.drain()
        }
        #expect(taken == (0..<18).map { $0 < 4 || $0 >= 13 || ($0 - 3) % 3 == 0 })
        live.finish()
    }

    /// Sensors of the stream's own are read without being asked for.
    @Test func sensorsAreRead() throws {
        let sensors = DeviceSensors(thermal: SeriousHeat())
        let live = try BodyPoseEngine().makeLiveStream(sensors: sensors)
        let deadline = ContinuousClock.now + .seconds(10)
        var outcome = LiveBodyStream.Outcome.taken
        // They are read on the stream's own thread, after the first frame.
        while outcome == .taken, ContinuousClock.now < deadline {
            outcome = try withEmptyFrame { live.push($0, at: .zero) }
            live.drain()
        }
        #expect(outcome == .skipped(.heat))
        live.finish()
    }

    /// What was pushed before the end is looked at; what comes after is refused, and the results have an end.
    @Test func finishing() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        _ = try withEmptyFrame { live.push($0, at: .seconds(1)) }
        live.finish()
        #expect(try withEmptyFrame { live.push($0, at: .seconds(2)) } == .closed)
        live.finish()
        live.drain()
        let results = await Self.all(live)
        #expect(results.map(\.time) == [.seconds(1)])
        // A listener that comes later sees the end at once.
        #expect(await Self.all(live).isEmpty)
    }

    /// Frames from several threads: each has one outcome, and the counts add up.
    @Test func framesFromAnyThread() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let listener = Task { await Self.all(live) }
        let outcomes = await withTaskGroup(of: [LiveBodyStream.Outcome].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    (0..<200).compactMap { index in
                        try? withEmptyFrame { live.push($0, at: .milliseconds(4 * index + worker)) }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        live.finish()
        let results = await listener.value
        #expect(outcomes.count == 800 && outcomes.allSatisfy { $0 == .taken })
        #expect(results.count + live.lostResults + live.superseded == 800)
        #expect(zip(results, results.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    }

    /// A listener that does not read loses the oldest results and can see that.
    @Test func aSlowListenerLosesTheOldest() async throws {
        let live = try BodyPoseEngine().makeLiveStream(sensors: nil)
        let results = live.results
        for step in 0..<24 {
            _ = try withEmptyFrame { live.push($0, at: .milliseconds(33 * step)) }
            live.drain()
        }
        live.finish()
        var sequences: [Int] = []
        for await result in results { sequences.append(result.sequence) }
        #expect(sequences == Array(8..<24) && live.lostResults == 24 - LiveBodyStream.bufferedResults)
    }
}

private struct SeriousHeat: ThermalSensor {
    func readThermal() -> DeviceSensors.ThermalReading? { DeviceSensors.ThermalReading(state: .serious) }
}
