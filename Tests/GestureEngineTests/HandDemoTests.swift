import Clips
import Foundation
import GestureEngine
import GestureHands
import Recognition
import Scheduling
import TestSupport
import Testing
import TrackerInference

/// The landmark front end with its shipped networks on the committed recordings of real hands.
@Suite struct HandDemoTests {
    /// A line of `gesture-bench replay --json`.
    private struct Line: Decodable {
        let event: String
        let label: String
        let decision_s: Double
    }

    private static let demo = Fixtures.repository.appendingPathComponent("Weights/demo")

    /// Drawn hands, of which one closes and stays closed for two seconds.
    private static let drawn = Fixtures.repository.appendingPathComponent("Tests/Fixtures/hands/pointing.mp4")

    private static func forEachFrame(
        of clip: URL = demo.appendingPathComponent("hands.mp4"), upTo end: Duration? = nil,
        _ body: (borrowing PixelView, Duration) -> Void
    ) async throws {
        try await ClipSource().open(clip.path).forEachFrame { frame in
            if let end, frame.time > end { return false }
            body(try frame.colorView(), frame.time)
            return true
        }
    }

    /// `Tools/lab/demo-clip` writes the log. All networks are int8, so that every tier gives the same; only what the system's
    /// mathematics round may differ, by a slot.
    @Test func eventsAreThoseOfTheLog() async throws {
        let log = try String(contentsOf: Self.demo.appendingPathComponent("hands.jsonl"), encoding: .utf8)
        let expected = try log.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        let stream = try GestureEngine(hands: .lite()).makeStream(GestureEngine.Configuration(rate: .hz30))
        var events: [GestureEvent] = []
        try await Self.forEachFrame { events += stream.push($0, at: $1).events }
        events += stream.finish()
        #expect(events.map(\.label) == expected.map(\.label))
        #expect(events.map { $0.kind == .begin ? "begin" : "end" } == expected.map(\.event))
        for (event, line) in zip(events, expected) {
            #expect(abs(event.decision / .seconds(1) - line.decision_s) <= 0.04)
        }
        #expect(!events.isEmpty)
    }

    /// What begins steadily lasts as long at every rate, and sensitivity moves it like the other threshold.
    @Test func theShippedModelLetsGesturesBeginSteadily() throws {
        let engine = try GestureEngine(hands: .lite())
        for (rate, frames) in [(PacingConfiguration.Rate.hz30, 5), (.hz60, 10), (.hz120, 20)] {
            let rules = engine.defaultRecognition(at: rate)
            #expect(rules.beginConfidence == 0.92 && rules.steady == .init(frames: frames, confidence: 0.6))
        }
        for (sensitivity, confidence) in [(GestureEngine.Sensitivity.low, Float(0.8)), (.high, 0.5)] {
            let moved = try #require(engine.defaultRecognition(at: .hz30, sensitivity: sensitivity).steady)
            #expect(abs(moved.confidence - confidence) < 1e-6 && moved.frames == 5)
        }
    }

    /// A drawn hand enters, presses a button and lets go, in the frames and at the places of the log.
    @Test func pointersAreThoseOfTheLog() async throws {
        let expected = try PointerLine.ofTheDrawnHands().prefix(3)
        let stream = try GestureEngine(hands: .lite()).makeStream(
            GestureEngine.Configuration(rate: .hz30, pointer: HandPointer.Configuration()))
        var found: [(time: Double, pointer: HandPointer.Pointer)] = []
        try await Self.forEachFrame(of: Self.drawn, upTo: .seconds(4)) { frame, time in
            guard let pointer = stream.push(frame, at: time).pointer?.first else { return }
            let changes: [HandPointer.Event] = [.entered, .pressed, .clicked, .left]
            if pointer.events.contains(where: changes.contains) { found.append((time / .seconds(1), pointer)) }
        }
        #expect(found.map(\.time).elementsEqual(expected.map(\.time_s)) { abs($0 - $1) < 1e-3 }, "\(found)")
        for (pointer, line) in try zip(found.map(\.pointer), expected.map { try #require($0.pointers?.first) }) {
            #expect(Array(pointer.events).count == line.events.count)
            let place = [pointer.position.x, pointer.position.y]
            #expect(zip(place, line.position).allSatisfy { abs($0 - $1) < 1e-3 })
        }
    }

    /// The networks inside the program are those beside it: the same hands, to the last bit.
    @Test func embeddedNetworksAreTheBundles() async throws {
        let engines = [try makeEngineOfOneFile(), try GestureEngine(hands: .lite())]
        let streams = try engines.map { try $0.makeStream(GestureEngine.Configuration(rate: .hz30)) }
        var seen = 0
        try await Self.forEachFrame { frame, time in
            let results = streams.map { $0.push(frame, at: time) }
            #expect(results[0].prediction == results[1].prediction && results[0].events == results[1].events)
            #expect(streams[0].hands == streams[1].hands)
            seen += streams[0].hands.count
        }
        #expect(seen > 0 && streams[0].labels == streams[1].labels)
    }

    /// A hand that closes and stays closed is reported as a fist after its grab, where an app asks for that. The model's gestures begin when they
    /// did, and the classes come behind the model's, in MediaPipe's order.
    @Test func heldPosesAreGesturesWhereAsked() async throws {
        let engine = try GestureEngine(hands: .lite())
        func begins(_ poses: HeldPoseConfiguration?) async throws -> [GestureEvent] {
            var configuration = GestureEngine.Configuration(rate: .hz30)
            configuration.heldPoses = poses
            let stream = try engine.makeStream(configuration)
            #expect(stream.labels == engine.labels + (poses == nil ? [] : ["fist", "victory", "iLoveYou"]))
            var events: [GestureEvent] = []
            try await Self.forEachFrame(of: Self.drawn) { events += stream.push($0, at: $1).events }
            return events.filter { $0.kind == .begin }
        }
        let (plain, posed) = (try await begins(nil), try await begins(HeldPoseConfiguration()))
        let added = posed.filter { $0.classIndex >= engine.labels.count }
        #expect(added.map(\.label) == ["fist"])
        #expect(posed.filter { $0.label != "fist" }.map(\.decision) == plain.map(\.decision))
        let grab = try #require(plain.first { $0.label == "grab" })
        // Once the grab is over.
        #expect(try (0.3...2).contains((#require(added.first).decision - grab.decision) / .seconds(1)))
    }

    /// A pose of the user's own is taught by one recording of a hand that is held still, and is reported when it is held.
    @Test func aTaughtPoseIsReportedWhenItIsHeld() async throws {
        let engine = try GestureEngine(hands: .lite())
        func begins(_ configuration: GestureEngine.Configuration) async throws -> [GestureEvent] {
            let stream = try engine.makeStream(configuration)
            var events: [GestureEvent] = []
            try await Self.forEachFrame(of: Self.drawn) { events += stream.push($0, at: $1).events }
            return events.filter { $0.kind == .begin }
        }
        var configuration = GestureEngine.Configuration(rate: .hz30)
        let plain = try await begins(configuration)
        // The hand pinches from 2.6 to 3.2 s and again later.
        let pinch = Duration.seconds(3)
        let recorder = try engine.makeRecorder(configuration)
        try await Self.forEachFrame(of: Self.drawn) { frame, time in
            guard recorder.slotCount == 0, time >= pinch else { return }
            for index in 0..<60 { recorder.push(frame, at: .seconds(Double(index) / 30)) }
        }
        var gestures = engine.noUserGestures()
        let report = try engine.enrol("mine", from: [recorder.finish()], into: &gestures)
        #expect(report.isPose && !report.isMovement)
        #expect(try abs(#require(report.poseRadius) - 0.6) < 1e-6)
        #expect(try engine.userGestures(gestures.bytes()) == gestures)
        configuration.userGestures = gestures
        let taught = try await begins(configuration)
        let added = taught.filter { $0.label == "mine" }
        #expect(added.count > 1 && added.allSatisfy { $0.classIndex == engine.labels.count })
        #expect(try abs((#require(added.first).decision - pinch) / .seconds(1)) < 0.4)
        #expect(taught.filter { $0.label != "mine" }.map(\.decision) == plain.map(\.decision))
    }

    /// With a wake pose, gestures are those that come after it, until the time is over. A pose that is never shown withholds all.
    @Test func gesturesCountAfterTheWakePose() async throws {
        let engine = try GestureEngine(hands: .lite())
        func run(_ wake: GestureEngine.Configuration.Wake?) async throws -> ([GestureEvent], [StreamChange]) {
            let stream = try engine.makeStream(GestureEngine.Configuration(rate: .hz30, advanced: .init(wake: wake)))
            var (events, changes): ([GestureEvent], [StreamChange]) = ([], [])
            #expect(stream.isArmed == (wake == nil))
            try await Self.forEachFrame { frame, time in
                let result = stream.push(frame, at: time)
                events += result.events
                for change in result.changes {
                    changes.append(change)
                    if case .armed = change { #expect(stream.isArmed) }
                    if case .disarmed = change { #expect(!stream.isArmed) }
                }
                if let active = stream.activeGesture { #expect(events.last?.label == active) }
            }
            events += stream.finish()
            #expect(stream.isArmed == (wake == nil))
            return (events, changes)
        }
        let (plain, none) = try await run(nil)
        #expect(none.isEmpty)
        let (withheld, never) = try await run(.init(pose: .iLoveYou))
        #expect(withheld.isEmpty && never.isEmpty)

        let (events, changes) = try await run(.init(pose: .openPalm, hold: .milliseconds(100), window: .seconds(1)))
        guard case .armed(let first)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
        let begins = events.filter { $0.kind == .begin }
        #expect(!begins.isEmpty && begins.count < plain.count { $0.kind == .begin })
        #expect(begins.allSatisfy { $0.decision >= first })
        #expect(events.map(\.sequence) == events.indices.map(UInt64.init))
        #expect(
            begins.allSatisfy { begin in plain.contains { $0.label == begin.label && $0.decision == begin.decision } })
        #expect(changes.contains { if case .disarmed = $0 { true } else { false } })
    }

    /// A held palm is reported once, and again only after a second without a hand.
    @Test func aPoseThatIsKeptIsReportedOnce() async throws {
        let engine = try GestureEngine(hands: .lite())
        for isHandKept in [true, false] {
            let stream = try engine.makeStream(GestureEngine.Configuration(rate: .hz30))
            var allowed = stream.recognition
            var muted = allowed
            muted.deniedClasses = ["openPalm"]
            allowed.deniedClasses = []
            var (index, reported) = (0, 0)
            func push(_ frame: borrowing PixelView, times: Int) {
                for _ in 0..<times {
                    let events = stream.push(frame, at: .nanoseconds(Int64(index) * 1_000_000_000 / 30)).events
                    reported += events.count { $0.kind == .begin && $0.label == "openPalm" }
                    index += 1
                }
            }
            let black = [UInt8](repeating: 0, count: 64 * 48 * 4)
            let none = try PixelView(black.span, format: .rgba, width: 64, height: 48, bytesPerRow: 4 * 64)
            var isDone = false
            try await ClipSource().open(Self.demo.appendingPathComponent("hands.mp4").path).forEachFrame { frame in
                let view = try frame.colorView()
                // The clip has ten frames a second. The first of its two palms moves, and the second is at rest.
                push(view, times: 3)
                if index < 14 * 30 { reported = 0 }
                guard reported == 1 else { return true }
                // Held still, then not reported for a second, and reported again.
                push(view, times: 15)
                try stream.setRecognition(muted)
                if isHandKept { push(view, times: 30) } else { push(none, times: 30) }
                try stream.setRecognition(allowed)
                push(view, times: 45)
                isDone = true
                return false
            }
            #expect(isDone && reported == (isHandKept ? 1 : 2))
        }
    }

    /// Without measurements and keyframes no frame is resized for landmarks; what is reported is the same.
    @Test func withoutMeasurementsTheSameIsReported() async throws {
        let engine = try GestureEngine(hands: .lite())
        var reported: [[GestureEvent]] = []
        for quality in [QualityConfiguration(), nil] {
            var configuration = GestureEngine.Configuration(rate: .hz30)
            configuration.advanced.quality = quality
            let stream = try engine.makeStream(configuration)
            var events: [GestureEvent] = []
            try await Self.forEachFrame { events += stream.push($0, at: $1).events }
            reported.append(events + stream.finish())
        }
        #expect(reported[0] == reported[1] && !reported[0].isEmpty)
    }

    @Test func aPoseMayHaveALabelOfTheModel() throws {
        let engine = try GestureEngine(hands: .lite())
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.heldPoses = HeldPoseConfiguration(gestures: [.thumbUp: "thumbsUp", .unknown: "none"])
        #expect(throws: EngineError.self) { try engine.makeStream(configuration) }
        configuration.heldPoses = HeldPoseConfiguration(gestures: [.thumbUp: "thumbsUp"])
        #expect(try engine.makeStream(configuration).labels == engine.labels)
    }

    /// Whatever the hand's shape rules out or adds. No hand of the recordings pinches.
    @Test func probabilitiesStayProbabilities() async throws {
        var configuration = GestureEngine.Configuration(rate: .hz30)
        configuration.heldPoses = HeldPoseConfiguration(pinch: "pinch")
        let stream = try GestureEngine(hands: .lite()).makeStream(configuration)
        var (known, pinches) = (0, 0)
        try await Self.forEachFrame { frame, time in
            pinches += stream.push(frame, at: time).events.count { $0.label == "pinch" }
            var scores = [Float](repeating: 0, count: stream.labels.count)
            var span = scores.mutableSpan
            guard stream.copyProbabilities(to: &span) else { return }
            known += 1
            #expect(scores.allSatisfy { (-1e-6...1.00001).contains($0) })
        }
        #expect(known > 0 && pinches == 0)
    }

    /// Each frame by itself, as a photograph: the first and the last of a hand that closes, and of another that is open.
    @Test func posesOfStills() async throws {
        let engine = try GestureEngine(hands: .lite())
        let expected: [Int: TrackedHand.Pose.Name] = [20: .openPalm, 66: .openPalm, 82: .closedFist, 100: .openPalm]
        var (index, found) = (0, [Int: TrackedHand.Pose.Name]())
        try await ClipSource().open(Self.demo.appendingPathComponent("hands.mp4").path).forEachFrame { frame in
            defer { index += 1 }
            guard expected[index] != nil else { return true }
            let pose = try #require(try engine.recognizedHands(in: frame.colorView()).first?.pose)
            #expect(pose[pose.name] > 0.5 && abs(pose.scores.sum() - 1) < 1e-5)
            found[index] = pose.name
            return true
        }
        #expect(found == expected)
    }

    /// Six recordings, with ten gray frames before each: the hand is found as it comes and gone with it.
    @Test func handIsFoundWhereOneIs() async throws {
        let tracker = try GestureEngine(hands: .lite()).makeHandStream()
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
