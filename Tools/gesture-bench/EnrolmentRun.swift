import Clips
import Evaluation
import Foundation
import GestureEngine
import Network
import Platform
import Scheduling
import ToolSupport
import TrackerInference

/// Enrols every new label repeatedly, alone or together, and streams the other clips through the engine with each
/// result.
struct EnrolmentRun {
    let recorder: ClipRecorder
    let clips: EnrolmentClips
    let spans: ExampleSpans
    let configuration: EnrolmentConfiguration
    /// Whether one set of gestures takes all new labels, each after those before it.
    let together: Bool

    /// The takes of one new label.
    private struct Source {
        let label: String
        var clips: [TruthfulClip] = []
        var recordings: [GestureRecording] = []
    }

    /// The enrolled gestures of one set while the clips are streamed.
    private struct Candidate {
        let draw: Int
        var gestures: UserGestures
        /// The examples of each gesture, and its score.
        var learned: [(label: String, examples: [TruthfulClip], score: EnrolmentScore)] = []

        func hasSeen(_ clip: TruthfulClip) -> Bool {
            learned.contains { $0.examples.contains { $0.path == clip.path } }
        }

        var trials: [EnrolmentTrial] {
            learned.map {
                EnrolmentTrial(
                    label: $0.label, examples: $0.examples.map(\.clip.name), draw: draw,
                    outcome: .enrolled(bytes: gestures.bytes().count, $0.score))
            }
        }
    }

    /// - Returns: every trial, measured on all clips or on those before the first clip that lacks frames, together with
    ///   that clip's error; none if a signal came before a clip was tested.
    /// - Parameter progress: of the clips.
    func trials(
        counts: [Int], repeats: Int, seed: UInt64, _ progress: WorkProgress
    ) async throws -> (trials: [EnrolmentTrial], failure: ClipError?) {
        var background: [GestureRecording] = []
        for clip in clips.background {
            background.append(try await take(clip).recorder.finish())
            guard !Interruption.hasCome else { return ([], nil) }
        }
        let bank = try await featureBank()
        var sources: [Source] = []
        for label in clips.newLabels {
            var source = Source(label: label)
            for (clip, event) in clips.candidates(label) {
                source.clips.append(clip)
                source.recordings.append(try await record(clip, event))
                guard !Interruption.hasCome else { return ([], nil) }
            }
            sources.append(source)
        }
        var trials: [EnrolmentTrial] = []
        var candidates: [Candidate] = []
        var warned: Set<String> = []
        for set in together ? [sources] : sources.map({ [$0] }) {
            for (draw, count) in (0..<repeats).flatMap({ draw in counts.map { (draw, $0) } }) {
                var candidate = Candidate(draw: draw, gestures: engine.noUserGestures())
                for source in set {
                    let order = EnrolmentDraw(of: source.clips.count, label: source.label, index: draw, seed: seed)
                    guard let places = order.examples(count) else { continue }
                    let examples = places.map { source.clips[$0] }
                    do throws(EngineError) {
                        let report = try engine.enrol(
                            source.label, from: places.map { source.recordings[$0] }, background: background,
                            bank: bank, into: &candidate.gestures, configuration: configuration)
                        report.warn(of: examples.map(\.clip.name), &warned)
                        candidate.learned.append((source.label, examples, EnrolmentScore()))
                    } catch {
                        guard case .enrolment(let reason) = error else { throw error }
                        trials.append(
                            EnrolmentTrial(
                                label: source.label, examples: examples.map(\.clip.name), draw: draw,
                                outcome: .refused(reason: reason.word, detail: "\(reason)")))
                    }
                }
                candidates.append(candidate)
            }
        }
        var failure: ClipError?
        do {
            for (index, clip) in clips.tested.enumerated() where !Interruption.hasCome {
                try await test(clip, &candidates)
                progress.update(index + 1)
            }
        } catch let error as ClipError where error.isFramesMissing {
            failure = error
        }
        return (trials + candidates.flatMap(\.trials), failure)
    }

    // MARK: Recordings

    private func record(_ clip: TruthfulClip, _ event: ClipLabels.Event) async throws -> GestureRecording {
        let take = try await take(clip)
        let (recorder, rate) = (take.recorder, take.rate)
        var gesture: Range<Int>?
        if spans == .labelled {
            let slots = 0..<recorder.slotCount
            let first = slot(at: event.onset, rate)
            gesture = (first..<max(first, slot(at: event.end, rate))).clamped(to: slots)
        }
        return try recorder.finish(gesture: gesture)
    }

    private func take(_ clip: TruthfulClip) async throws -> ClipRecorder.Take {
        let take = try await recorder.take(clip.clip.video.path)
        guard recorder.source.allowsMissingFrames || Interruption.hasCome || take.times.count >= clip.truth.frames
        else {
            throw BenchFailure.labelledFrames(
                path: clip.clip.video.path, stated: clip.truth.frames, found: take.times.count)
        }
        return take
    }

    /// Columns of the model's own classes and of footage without gestures, from the frames that a window can decide.
    private func featureBank() async throws -> FeatureBank? {
        guard !clips.bank.isEmpty else { return nil }
        var builder = try FeatureBankBuilder(base: engine.enrolmentBase)
        for clip in clips.bank {
            let take = try await take(clip)
            let recording = try take.recorder.finish()
            for slot in 0..<recording.slotCount {
                let seconds = Double(slot + unrecorded(take.rate)) / Double(take.rate.rawValue)
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

    /// The slot of a recording at a time of its clip.
    private func slot(at seconds: Double, _ rate: PacingConfiguration.Rate) -> Int {
        Int((min(max(seconds, 0), 1e6) * Double(rate.rawValue)).rounded()) - unrecorded(rate)
    }

    /// Slots before the first recorded one: they only fill the window.
    private func unrecorded(_ rate: PacingConfiguration.Rate) -> Int {
        frontEnd.columnStride(rate: rate.rawValue) * GestureTCN.windowLength - 1
    }

    private var engine: GestureEngine { recorder.engine }
    private var frontEnd: FrontEnd { engine.frontEnd }

    // MARK: Tests

    /// Streams a clip for the model alone and for every set of gestures that has not seen it. The network runs once,
    /// unless slots are left out or the recording would be cut short.
    private func test(_ clip: TruthfulClip, _ candidates: inout [Candidate]) async throws {
        let testing = candidates.indices.filter { !candidates[$0].learned.isEmpty && !candidates[$0].hasSeen(clip) }
        guard !testing.isEmpty else { return }
        let take = try await take(clip)
        guard !Interruption.hasCome else { return }
        let rate = take.rate
        let recording = take.isWhole && recorder.stream.pace == .full ? try take.recorder.finish() : nil
        let streams = try ([nil] + testing.map { candidates[$0].gestures }).map { gestures in
            var configuration = recorder.stream.configuration(recorder.model, rate: rate)
            configuration.userGestures = gestures
            return try recorder.stream.makeStream(
                engine, configuration,
                network: recording.map { RecordedNetwork($0, unrecorded: unrecorded(rate)) })
        }
        var events = Array(repeating: [GestureEvent](), count: streams.count)
        func push(_ frame: borrowing PixelView, at time: Duration) {
            for (index, stream) in streams.enumerated() { events[index] += stream.push(frame, at: time).events }
        }
        if recording == nil {
            try await recorder.source.open(clip.clip.video.path).forEachFrame { frame in
                push(try frame.colorView(), at: frame.time)
                return true
            }
        } else {
            // Recorded networks read no frame: any small one will do.
            let black = [UInt8](repeating: 0, count: 64 * 64 * 4)
            let frame = try PixelView(black.span, format: .rgba, width: 64, height: 64, bytesPerRow: 64 * 4)
            for time in take.times { push(frame, at: time) }
        }
        let last = take.times.last ?? .zero
        for (index, stream) in streams.enumerated() { events[index] += stream.finish() }
        let observations = try events.map { try observation(of: clip, $0, seconds: last.inSeconds) }
        for (place, observation) in zip(testing, observations.dropFirst()) {
            for index in candidates[place].learned.indices {
                guard let classIndex = clips.classes.index(of: candidates[place].learned[index].label) else { continue }
                candidates[place].learned[index].score.add(
                    observation, alone: observations[0], classIndex: classIndex, modelClasses: clips.modelClasses)
            }
        }
    }

    private func observation(
        of clip: TruthfulClip, _ events: [GestureEvent], seconds: Double
    ) throws -> ClipObservation {
        let skipped = Set(
            events.filter { event in
                event.kind == .begin && clip.skipped.contains { $0.contains(event.decision.inSeconds) }
            }.map(\.sequence))
        let observed = events.filter { !skipped.contains($0.sequence) }.compactMap { event in
            // In a stream, user gestures have the class indices after the model's, whatever their labels.
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

extension UserGestures.EnrolmentReport {
    /// Warns of examples that were learned as a held pose although the palm travelled, of each once.
    func warn(of names: [String], _ warned: inout Set<String>) {
        for (name, example) in zip(names, examples) {
            guard let travel = example.travel, travel > Self.travelLimit, warned.insert(name).inserted else { continue }
            Terminal.warn(
                "gesture-bench",
                "\(visible(name)) is learned as a held pose, and the palm travels \(decimals(travel, 1)) of its sizes in it. "
                    + "For a movement, let the clip begin and end with half a second of rest.")
        }
    }
}

extension EnrolmentError {
    /// The name of the case, and the class if it concerns one.
    var word: String {
        let name = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return switch self {
        case .alreadyRecognised(let label, _, _): "\(name) \(label)"
        case .firesOnClass(let label, _, _): "\(name) \(label)"
        default: name
        }
    }
}
