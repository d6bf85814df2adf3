import Clips
import Evaluation
import Frames
import GestureEngine
import Recognition
import Scheduling
import ToolSupport

/// What a replay's page shows, collected frame by frame.
struct ReplayWatch {
    private var record: ReplayRecord
    private var film = FilmStrip()
    private let rate: PacingConfiguration.Rate

    init(_ stream: GestureStream, of engine: GestureEngine, rate: PacingConfiguration.Rate) throws {
        self.rate = rate
        let configuration = stream.recognition
        let rules = try RecognitionRules(
            labels: stream.labels, nullIndex: engine.nullIndex, configuration: configuration,
            modelCount: engine.labels.count)
        record = ReplayRecord(
            rules: zip(stream.labels, rules.thresholds).map { label, thresholds in
                ReplayRecord.Rule(
                    label: label, threshold: Double(thresholds.beginConfidence), beginSlots: thresholds.beginFrames,
                    steady: thresholds.steady.map { ($0.frames, Double($0.confidence)) },
                    isAllowed: thresholds.isAllowed, returnStroke: thresholds.returnStroke)
            }, nullIndex: engine.nullIndex, slotRate: Double(rate.rawValue), rest: configuration.refractory.inSeconds,
            returnTime: configuration.returnTime.inSeconds, mergeWindow: configuration.mergeWindow.inSeconds)
    }

    private static let pictureWidth = 240

    /// Takes in a frame after it was pushed.
    mutating func add(
        _ frame: borrowing ClipFrame, _ result: FrameResult, of stream: GestureStream,
        _ pointing: HandPointer.Configuration
    ) throws {
        var scores: [Float] = []
        if result.prediction != nil {
            scores = [Float](repeating: 0, count: stream.labels.count)
            var span = scores.mutableSpan
            if !stream.copyProbabilities(to: &span) { scores = [] }
        }
        let seesHands = stream.stageTimes != nil || !stream.hands.isEmpty
        record.add(
            .init(
                time: frame.time.inSeconds, scores: scores, hasHand: seesHands ? !stream.hands.isEmpty : nil))
        for event in result.events { add(event) }
        let begun = result.events.first { $0.kind == .begin }
        let pointers = result.pointer.map { [$0.first, $0.second] } ?? []
        let caption = begun?.label ?? (pointers.contains { $0.events.contains(.pressed) } ? "pointer pressed" : nil)
        guard film.wants(frame: frame.index, isEvent: caption != nil) else { return }
        var drawn = OverlayPicture(try frame.colorView())
        if let pointers = result.pointer { drawn.draw(pointers, isMirrored: pointing.isMirrored) }
        let picture = drawn.reduced(toWidth: Self.pictureWidth)
        film.add(
            FilmPicture(
                time: frame.time.inSeconds, width: picture.width, height: picture.height, pixels: picture.bytes,
                hands: stream.hands.map { hand in
                    TrackedHand.Joint.allCases.map {
                        SIMD2(Double(hand.landmarks[$0].x), Double(hand.landmarks[$0].y))
                    }
                }, caption: caption), frame: frame.index)
    }

    private mutating func add(_ event: GestureEvent) {
        guard event.kind == .begin else { return record.end(at: event.decision.inSeconds) }
        record.begin(
            .init(
                classIndex: event.classIndex, onset: event.onset.inSeconds, decision: event.decision.inSeconds,
                confidence: Double(event.confidence)))
    }

    /// The page of a clip, whose last events came at its end.
    nonisolated(nonsending) func page(
        of info: ClipInfo, _ final: [GestureEvent], _ stream: GestureStream
    ) async throws -> String {
        var whole = self
        for event in final { whole.add(event) }
        let joints = TrackedHand.Joint.allCases
        let clipRate = info.rate.map { decimals($0.hertz, 2) + " frames a second" } ?? "no stated rate"
        let counts = stream.counts
        let facts = [
            ("clip", "\(info.width)x\(info.height), \(clipRate), on a grid of \(rate.rawValue) Hz"),
            ("recognised by", stream.activeUnit),
            (
                "frames",
                "\(counts.run) encoded, \(counts.repeats) slots repeated, \(counts.surplus) surplus, "
                    + "\(counts.drops) dropped, \(counts.resets) resets"
            ),
        ]
        let pictures = film.pictures
        return ReplayPage(
            name: visible(info.path), facts: facts, record: whole.record,
            film: Array(zip(pictures, try await FilmImages.encode(pictures))),
            bones: TrackedHand.bones.map { bone in
                (joints.firstIndex(of: bone.start) ?? 0, joints.firstIndex(of: bone.end) ?? 0)
            }
        ).document
    }
}
