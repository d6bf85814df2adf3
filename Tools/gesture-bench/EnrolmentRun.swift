import Clips
import Evaluation
import Foundation
import GestureEngine
import Pacing

/// Enrols every new label again and again, and streams the other clips through the engine with each result.
struct EnrolmentRun {
    let engine: GestureEngine
    let model: ModelOptions
    let stream: StreamOptions
    let clips: EnrolmentClips
    let spans: ExampleSpans
    let configuration: EnrolmentConfiguration

    /// An enrolled gesture on its way through the clips.
    private struct Candidate {
        let gestures: UserGestures
        let label: String
        let examples: [TruthfulClip]
        let draw: Int
        var score = EnrolmentScore()
    }

    func trials(counts: [Int], repeats: Int, seed: UInt64) async throws -> [EnrolmentTrial] {
        var background: [GestureRecording] = []
        for clip in clips.background { background.append(try await take(clip).recorder.finish()) }
        let bank = try await featureBank()
        var trials: [EnrolmentTrial] = []
        var enrolled: [Candidate] = []
        for label in clips.newLabels {
            let candidates = clips.candidates(label)
            var recordings: [GestureRecording] = []
            for (clip, event) in candidates { recordings.append(try await record(clip, event)) }
            for draw in 0..<repeats {
                let order = EnrolmentDraw(of: candidates.count, label: label, index: draw, seed: seed)
                for places in counts.compactMap(order.examples) {
                    var gestures = engine.noUserGestures()
                    let examples = places.map { candidates[$0].clip }
                    do throws(GestureEngineError) {
                        try engine.enrol(
                            label, from: places.map { recordings[$0] }, background: background, bank: bank,
                            into: &gestures, configuration: configuration)
                        enrolled.append(
                            Candidate(gestures: gestures, label: label, examples: examples, draw: draw))
                    } catch {
                        guard case .enrolment(let reason) = error else { throw error }
                        trials.append(
                            EnrolmentTrial(
                                label: label, examples: examples.map(\.clip.name), draw: draw,
                                outcome: .refused(reason: reason.word, detail: "\(reason)")))
                    }
                }
            }
        }
        for clip in clips.tested { try await test(clip, &enrolled) }
        return trials
            + enrolled.map {
                EnrolmentTrial(
                    label: $0.label, examples: $0.examples.map(\.clip.name), draw: $0.draw,
                    outcome: .enrolled(bytes: $0.gestures.bytes().count, $0.score))
            }
    }

    // MARK: Recordings

    private func record(_ clip: TruthfulClip, _ event: ClipLabels.Event) async throws -> GestureRecording {
        let (recorder, rate) = try await take(clip)
        var gesture: Range<Int>?
        if spans == .labelled {
            let slots = 0..<recorder.slotCount
            let first = Self.slot(at: event.onset, rate)
            gesture = (first..<max(first, Self.slot(at: event.end, rate))).clamped(to: slots)
        }
        return try recorder.finish(gesture: gesture)
    }

    private func take(_ clip: TruthfulClip) async throws -> (recorder: GestureRecorder, rate: NominalRate) {
        let video = try await ClipSource().open(clip.clip.video.path)
        let rate = stream.nominalRate(for: video.info)
        let recorder = try engine.makeRecorder(stream.configuration(model, rate: rate))
        try await video.forEachFrame { frame in
            recorder.push(try frame.pixelView(), at: frame.time)
            return true
        }
        return (recorder, rate)
    }

    /// Columns of the model's own classes and of nothing, from the frames that a window can decide.
    private func featureBank() async throws -> FeatureBank? {
        guard !clips.bank.isEmpty else { return nil }
        var builder = try FeatureBankBuilder(base: engine.enrolmentBase)
        for clip in clips.bank {
            let (recorder, rate) = try await take(clip)
            let recording = try recorder.finish()
            for slot in 0..<recording.slotCount {
                let seconds = Double(slot + EnrolmentConfiguration.memory) / Double(rate.rawValue)
                let frame = Int((seconds * clip.truth.rate).rounded())
                guard let classIndex = clip.truth.classIndex(ofFrame: frame), classIndex < clips.modelClasses,
                    clip.truth.isDecided(frame: frame)
                else { continue }
                let (features, logits) = (recording.featureCount, recording.classCount)
                builder.add(
                    Array(recording.features[slot * features..<(slot + 1) * features]),
                    logits: Array(recording.logits[slot * logits..<(slot + 1) * logits]), classIndex: classIndex)
            }
        }
        return builder.build()
    }

    /// The slot of a recording that shows a time of its clip: those that only fill the window are not recorded.
    private static func slot(at seconds: Double, _ rate: NominalRate) -> Int {
        Int((min(max(seconds, 0), 1e6) * Double(rate.rawValue)).rounded()) - EnrolmentConfiguration.memory
    }

    // MARK: Tests

    /// Decodes a clip once, for the model alone and for every gesture that has not seen it.
    private func test(_ clip: TruthfulClip, _ candidates: inout [Candidate]) async throws {
        let testing = candidates.indices.filter { place in
            !candidates[place].examples.contains { $0.path == clip.path }
        }
        guard !testing.isEmpty else { return }
        let video = try await ClipSource().open(clip.clip.video.path)
        let rate = stream.nominalRate(for: video.info)
        let streams = try ([nil] + testing.map { candidates[$0].gestures }).map { gestures in
            try stream.makeStream(engine, model, rate: rate, userGestures: gestures)
        }
        var events = Array(repeating: [GestureEvent](), count: streams.count)
        var last = Duration.zero
        try await video.forEachFrame { frame in
            for (index, stream) in streams.enumerated() {
                events[index] += stream.push(try frame.pixelView(), at: frame.time).events
            }
            last = frame.time
            return true
        }
        for (index, stream) in streams.enumerated() { events[index] += stream.finish() }
        let observations = try events.map { try observation(of: clip, $0, seconds: last.inSeconds) }
        for (place, observation) in zip(testing, observations.dropFirst()) {
            guard let classIndex = clips.classes.index(of: candidates[place].label) else { continue }
            candidates[place].score.add(
                observation, alone: observations[0], classIndex: classIndex, modelClasses: clips.modelClasses)
        }
    }

    private func observation(
        of clip: TruthfulClip, _ events: [GestureEvent], seconds: Double
    ) throws -> ClipObservation {
        let observed = events.compactMap { event in
            // A stream counts the user's gestures from the model's classes on, whatever they are called.
            clips.classes.index(of: event.label).map { index in
                var observed = ObservedEvent(event)
                observed.classIndex = index
                return observed
            }
        }
        return try ClipObservation(
            name: clip.clip.name, truth: clip.truth, seconds: seconds + 1 / clip.truth.rate, frames: [],
            events: observed)
    }
}

extension EnrolmentError {
    /// The name of the case, and the class where it is about one.
    fileprivate var word: String {
        let name = String("\(self)".prefix { $0 != "(" })
        return switch self {
        case .alreadyRecognised(let label, _, _): "\(name) \(label)"
        case .firesOnClass(let label, _, _): "\(name) \(label)"
        default: name
        }
    }
}
