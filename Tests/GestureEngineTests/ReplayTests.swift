import Clips
import Foundation
import GestureEngine
import GesturePixels
import KernelInterface
import Kernels
import PixelFrontEnd
import TestSupport
import Testing

/// The shipped model on the committed demo clip: the whole path, from a compressed video to events.
@Suite struct ReplayTests {
    private struct Truth: Decodable {
        struct Event: Decodable {
            let label: String
            let onset_s: Double
            let end_s: Double
        }
        let rate_hz: Int
        let events: [Event]
    }

    /// A line of `gesture-bench replay --json`.
    private struct Line: Decodable, Equatable {
        let event: String
        let label: String
        let onset_s: Double
        let decision_s: Double
        let sequence: UInt64
    }

    private static let demo = Fixtures.repository.appendingPathComponent("Weights/demo")

    private static func truth() throws -> Truth {
        try JSONDecoder().decode(Truth.self, from: Data(contentsOf: demo.appendingPathComponent("demo.json")))
    }

    private static func events(excluding tiers: Set<String> = []) async throws -> [GestureEvent] {
        let rate = try #require(PacingConfiguration.Rate(rawValue: truth().rate_hz))
        var configuration = GestureEngine.Configuration(rate: rate)
        configuration.advanced.excludedTiers = tiers
        let stream = try GestureEngine(pixels: .bundled).makeStream(configuration)
        let clip = try await ClipSource().open(demo.appendingPathComponent("demo.mp4").path)
        var events: [GestureEvent] = []
        try await clip.forEachFrame { frame in
            events += stream.push(try frame.pixelView(), at: frame.time).events
            return true
        }
        #expect(stream.counts.drops == 0)
        return events + stream.finish()
    }

    private static func seconds(_ time: Duration) -> Double {
        let (seconds, attoseconds) = time.components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) * 1e-12
        return microseconds.rounded() / 1e6
    }

    /// The events are those of the committed log, to the microsecond.
    @Test func replayGivesTheGoldenLog() async throws {
        let log = try String(contentsOf: Self.demo.appendingPathComponent("events.jsonl"), encoding: .utf8)
        let expected = try log.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let found = try await Self.events().map {
            Line(
                event: $0.kind == .begin ? "begin" : "end", label: $0.label, onset_s: Self.seconds($0.onset),
                decision_s: Self.seconds($0.decision), sequence: $0.sequence)
        }
        #expect(found == expected)
        #expect(!found.isEmpty)
    }

    /// Every tier gives the same events, confidences to the last bit.
    @Test(.enabled(if: KernelRegistry.available.count > 1, "this CPU runs the portable tier alone"))
    func tiersAgree() async throws {
        let best = KernelRegistry.select().tier
        #expect(try await Self.events(excluding: [best]) == (try await Self.events()))
    }

    /// Against the truth: what the page about recognition says of the demo holds.
    @Test func recognisesMostOfTheDemo() async throws {
        let truth = try Self.truth()
        let begins = try await Self.events().filter { $0.kind == .begin }
        let right = begins.filter { begin in
            truth.events.contains {
                let time = Self.seconds(begin.decision)
                return $0.label == begin.label && time > $0.onset_s && time < $0.end_s + 0.25
            }
        }
        #expect(2 * right.count > truth.events.count)
        #expect(begins.count - right.count <= 4)
    }
}
