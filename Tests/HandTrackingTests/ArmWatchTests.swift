import HandTracking
import ModelFile
import TestSupport
import Testing

/// The arms against those that the training of the head makes of the same bodies.
@Suite struct ArmWatchTests {
    /// Bodies in motion from `Tools/training`: an arm that strokes, an arm that is raised, points that are not finite, shoulders that
    /// are not visible, a body that is too small, and the hand of another person.
    private struct Fixture {
        let times: [Int64]
        let looked, found, codes, moves, looks: [UInt8]
        let points, hands: [Float]
        let aspect: Float

        init() throws {
            let path = Fixtures.repository.appendingPathComponent("Tools/training/tests/arms.safetensors").path
            let file = try SafetensorsFile.load(path: path, limit: 1 << 20)
            func bytes(_ name: String) throws -> [UInt8] {
                let raw = file.rawBytes(of: try file.tensor(named: name))
                return raw.indices.map { raw[$0] }
            }
            let raw = try bytes("times")
            times = stride(from: 0, to: raw.count, by: 8).map { first in
                (0..<8).reversed().reduce(0) { $0 << 8 | Int64(raw[first + $1]) }
            }
            (looked, found, codes) = (try bytes("looked"), try bytes("found"), try bytes("codes"))
            (moves, looks) = (try bytes("moves"), try bytes("looks"))
            (points, hands) = (try file.floats("points"), try file.floats("hands"))
            aspect = try file.floats("aspect")[0]
        }

        func hand(_ row: Int) -> ArmWatch.Hand? {
            guard hands[3 * row].isFinite else { return nil }
            return ArmWatch.Hand(wrist: SIMD2(hands[3 * row], hands[3 * row + 1]), size: hands[3 * row + 2])
        }

        func body(_ row: Int) -> ArmWatch.Points? {
            guard found[row] == 1 else { return nil }
            func place(_ index: Int) -> SIMD2<Float> {
                let first = 3 * (33 * row + index)
                return SIMD2(points[first], points[first + 1])
            }
            func seen(_ index: Int) -> Float { points[3 * (33 * row + index) + 2] }
            var body = ArmWatch.Points()
            (body.nose, body.noseVisibility) = (place(0), seen(0))
            for arm in 0...1 {
                (body.shoulders[arm], body.elbows[arm]) = (place(11 + arm), place(13 + arm))
                (body.wrists[arm], body.knuckles[arm]) = (place(15 + arm), (place(17 + arm) + place(19 + arm)) / 2)
                body.shoulderVisibility[arm] = seen(11 + arm)
                body.elbowVisibility[arm] = seen(13 + arm)
                body.wristVisibility[arm] = seen(15 + arm)
            }
            return body
        }
    }

    private static func values(_ numbers: ArmWatch.Numbers) -> [UInt8] {
        var values = [UInt8](repeating: 77, count: LandmarkFeatures.count)
        var output = values.mutableSpan
        LandmarkFeatures.write(numbers, to: &output)
        return Array(values[LandmarkFeatures.armStart..<LandmarkFeatures.layout.count])
    }

    @Test func equalTheTraining() throws {
        let fixture = try Fixture()
        var watch = ArmWatch()
        var bodies = 0
        for row in fixture.times.indices {
            let (hand, time) = (fixture.hand(row), fixture.times[row])
            if fixture.looked[row] == 1 {
                watch.look(fixture.body(row), hand: hand, aspect: fixture.aspect, at: time)
            } else {
                watch.see(hand: hand, aspect: fixture.aspect, at: time)
            }
            bodies += watch.numbers.body == 1 ? 1 : 0
            let found = Self.values(watch.numbers)
            for (index, number) in LandmarkFeatures.layout[LandmarkFeatures.armStart...].enumerated() {
                let expected = Int(fixture.codes[27 * row + index])
                #expect(abs(Int(found[index]) - expected) <= 1, "row \(row): \(number.name)")
            }
        }
        #expect(bodies > 60 && bodies < fixture.times.count - 20)
    }

    @Test func scheduleEqualsTheTraining() throws {
        let fixture = try Fixture()
        var schedule = ArmSchedule()
        for row in fixture.times.indices {
            let palm = fixture.hand(row).map { SIMD3($0.wrist.x * fixture.aspect, $0.wrist.y, $0.size) }
            let looks = schedule.looks(at: fixture.times[row], moves: fixture.moves[row] == 1, palm: palm)
            #expect(looks == (fixture.looks[row] == 1), "row \(row)")
        }
    }

    @Test func withoutALookTheNumbersAreThoseOfNoArms() {
        var watch = ArmWatch()
        watch.see(hand: ArmWatch.Hand(wrist: SIMD2(0.5, 0.5), size: 0.1), aspect: 1, at: 0)
        #expect(watch.numbers == ArmWatch.Numbers())
        watch.look(nil, hand: nil, aspect: 1, at: 1)
        #expect(watch.numbers == ArmWatch.Numbers() && watch.numbers.body == 0 && watch.numbers.age == 1)
    }

    /// The picture of a close hand resembles a body that is too small for it, also while the hand is lost for a moment.
    @Test func aBodyThatIsTooSmallForTheHandIsNotBelieved() throws {
        let fixture = try Fixture()
        let body = try #require(fixture.found.firstIndex(of: 1).flatMap(fixture.body))
        func believed(_ size: Float, _ delay: Int64, hand: Bool) -> Bool {
            var watch = ArmWatch()
            let seen = ArmWatch.Hand(wrist: body.wrists[0], size: size)
            watch.see(hand: seen, aspect: fixture.aspect, at: 0)
            watch.look(body, hand: hand ? seen : nil, aspect: fixture.aspect, at: delay)
            return watch.numbers.body == 1
        }
        #expect(believed(0.05, 33_000_000, hand: true) && believed(0.05, 33_000_000, hand: false))
        #expect(!believed(0.3, 33_000_000, hand: true) && !believed(0.3, 33_000_000, hand: false))
        #expect(!believed(0.3, 2_900_000_000, hand: false) && believed(0.3, 3_100_000_000, hand: false))
    }

    @Test func aResetForgetsTheBody() throws {
        let fixture = try Fixture()
        var watch = ArmWatch()
        for row in 0..<40 where fixture.looked[row] == 1 {
            watch.look(fixture.body(row), hand: nil, aspect: fixture.aspect, at: fixture.times[row])
        }
        #expect(watch.numbers.body == 1)
        watch.reset()
        #expect(watch.numbers == ArmWatch.Numbers())
    }

    @Test func aStillFrameIsLookedAtSeldom() {
        func looks(moves: Bool, palm: SIMD3<Float>?) -> Int {
            var schedule = ArmSchedule()
            return (0..<120).count { schedule.looks(at: Int64($0) * 8_333_333, moves: moves, palm: palm) }
        }
        // Of a second at 120 frames: every 200 ms, or every fourth frame.
        #expect(looks(moves: false, palm: nil) == 5)
        #expect(looks(moves: true, palm: SIMD3(0.5, 0.5, 0.1)) == 5)
        #expect(looks(moves: true, palm: nil) == 30)
    }
}
