import Clips
import Foundation
import GestureEngine
import GestureHands
import TestSupport
import Testing

/// The landmark front end with its shipped networks on the committed recordings of real hands.
@Suite struct HandDemoTests {
    /// A line of `gesture-bench replay --json`.
    private struct Line: Decodable {
        let event: String
        let label: String
        let decision_s: Double
    }

    private static let demo = Fixtures.repository.appendingPathComponent("Weights/demo")

    private static func forEachFrame(_ body: (borrowing PixelView, Duration) -> Void) async throws {
        try await ClipSource().open(demo.appendingPathComponent("hands.mp4").path).forEachFrame { frame in
            body(try frame.colorView(), frame.time)
            return true
        }
    }

    /// `Tools/demo-clip` writes the log. The tracker looks where the frame before left it, so a last bit of a float sum that one
    /// tier rounds otherwise grows to a few thousandths of a landmark's place, and a score at a threshold may fall on its other
    /// side: what the log tells must come, in its order and within three slots, and beside it at most one event more.
    @Test func eventsAreThoseOfTheLog() async throws {
        let log = try String(contentsOf: Self.demo.appendingPathComponent("hands.jsonl"), encoding: .utf8)
        let expected = try log.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let stream = try GestureEngine(hands: .lite()).makeStream(Configuration(rate: .hz30))
        var events: [GestureEvent] = []
        try await Self.forEachFrame { events += stream.push($0, at: $1).events }
        events += stream.finish()
        var rest = events[...]
        for line in expected {
            let place = rest.firstIndex {
                $0.label == line.label && ($0.kind == .begin) == (line.event == "begin")
                    && abs($0.decision / .seconds(1) - line.decision_s) <= 0.11
            }
            #expect(place != nil, "\(line) is missing in \(events)")
            if let place { rest = rest[(place + 1)...] }
        }
        #expect(!expected.isEmpty && events.count <= expected.count + 2)
    }

    /// Six recordings, with ten gray frames before each: the hand is found as it comes and gone with it.
    @Test func handIsFoundWhereOneIs() async throws {
        let tracker = try GestureEngine(hands: .lite()).makeHandTracker()
        var found: [Bool] = []
        try await Self.forEachFrame {
            tracker.track($0, at: $1)
            found.append(!tracker.hands.isEmpty)
        }
        var runs: [(found: Bool, frames: Int)] = []
        for one in found {
            if runs.last?.found == one { runs[runs.count - 1].frames += 1 } else { runs.append((one, 1)) }
        }
        #expect(runs.map(\.found) == (0..<12).map { !$0.isMultiple(of: 2) })
        #expect(runs.allSatisfy { $0.found ? $0.frames >= 18 : $0.frames == 10 })
    }
}
