import BodyPose
import Foundation
import Testing

/// Times of bodies in JSON.
@Suite struct BodyCodingTests {
    /// A person who moves, so that every time has a value.
    private static func statistics() throws -> BodyActivityStatistics {
        var watch = try BodyActivityTracker(.squat)
        let stream = try BodyPoseEngine().makeStream()
        for step in 0..<8 {
            try DrawnPerson(shift: 3 * step).withView { stream.track($0, at: .milliseconds(33 * step)) }
            _ = watch.step(stream.bodies, at: .milliseconds(33 * step))
        }
        return watch.statistics
    }

    private static func object(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test func timesAreWrittenInSeconds() throws {
        let statistics = try Self.object(Self.statistics())
        #expect(statistics["duration"] as? Double == 0.231)
        let movements = try #require(statistics["movements"] as? [[String: Any]])
        #expect(movements.first?["minimum"] as? Double == 0)
        let tracking = try Self.object(BodyTrackingConfiguration(hold: .milliseconds(700)))
        #expect(tracking["hold"] as? Double == 0.7 && tracking["detectionInterval"] is Double)
        let activity = try Self.object(BodyActivityConfiguration())
        #expect(activity["maximumSession"] is Double && activity["interpolationLimit"] is Double)
        let squat = try #require(try Self.object(BodyActivity.squat)["movements"] as? [[String: Any]])
        #expect(squat.first?["minimumDuration"] is Double && squat.first?["maximumDuration"] is Double)
    }

    @Test func whatIsWrittenIsRead() throws {
        let statistics = try Self.statistics()
        let read = try JSONDecoder().decode(BodyActivityStatistics.self, from: JSONEncoder().encode(statistics))
        #expect(read.duration == statistics.duration && read.timeVisible == statistics.timeVisible)
        #expect(read.movements == statistics.movements)
    }
}
