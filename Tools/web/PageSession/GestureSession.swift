import BodyPose
import Enrolment
package import Frames
import GestureEngine
import Platform
import Scheduling
import Streams
package import TrackerInference

/// One page's stream of gestures, with its settings and its taught gestures: at the server of `gesture-bench serve`, or in the tab.
///
/// Reports leave through `send`, in their order, before the call that brings them returns.
package final class GestureSession {
    private var setup: PageSetup
    package let send: (PageReport) -> Void
    private var settings: PageSettings
    private var gestures: UserGestures
    private var stream: GestureStream
    /// The model's own thresholds for the stream.
    private var thresholds: RecognitionConfiguration
    private var scores: [Float] = []
    private var teaching: Teaching?
    private var bodies: BodyWatch?
    /// Nanoseconds of `clock`.
    private var latestReading: Int64?
    private let clock = StreamClock.system

    /// - Throws: what is wrong with the setup.
    package init(_ setup: PageSetup, send: @escaping (PageReport) -> Void) throws(EngineError) {
        self.setup = setup
        self.send = send
        settings = setup.settings
        gestures = setup.gestures
        stream = try setup.engine.makeStream(
            Self.configuration(setup, setup.settings, gestures: setup.gestures))
        thresholds = stream.recognition
        try stream.setRecognition(Self.recognition(settings, of: thresholds, stream.labels))
    }

    /// Sends the first reports.
    package func sendHello(source: String?) {
        send(
            .hello(
                PageReport.Hello(
                    version: GestureEngine.version, frontEnd: setup.engine.frontEnd.rawValue,
                    source: source)))
        sendSettings()
    }

    // MARK: Pictures

    /// Runs the engine on a picture and reports on it.
    /// - Parameters:
    ///   - waited: how long the picture waited for the engine.
    ///   - counts: of pictures that came, and of those that were superseded.
    package func take(_ picture: CameraPicture, waited: Duration = .zero, counts: PictureCounts = PictureCounts()) {
        do throws(PixelView.FrameError) {
            push(try picture.pixelView(), at: picture.time, waited: waited, counts: counts)
        } catch {
            fail(error.description)
        }
    }

    /// The same for a frame in memory.
    package func push(
        _ frame: borrowing PixelView, at time: Duration, waited: Duration, counts: PictureCounts
    ) {
        let begin = clock.now()
        readSensors(now: begin)
        let people = bodies?.track(frame, at: time)
        let result = stream.push(frame, at: time, near: bodies?.stream.handRegions ?? [])
        let work = Duration.nanoseconds(clock.now() - begin)
        var report = report(result, at: time, work: work, waited: waited, counts: counts)
        report.bodies = people
        report.arms = stream.arms
        report.pointers = result.pointer
        send(.frame(report))
        record(frame, at: time)
    }

    /// Ends what has begun, as before another clip.
    package func finish() {
        let events = stream.finish()
        bodies?.reset()
        guard !events.isEmpty else { return }
        let state = stream.schedulerState
        send(
            .frame(
                PageReport.Frame(
                    time: microseconds(events.last?.decision ?? .zero), outcome: "closed", scores: nil, hands: [],
                    active: nil, events: events.map(PageReport.Event.init), quality: [],
                    pace: state.pace.word, limit: state.limit?.word,
                    work: 0, wait: 0, received: 0, superseded: 0)))
    }

    private func report(
        _ result: FrameResult, at time: Duration, work: Duration, waited: Duration, counts: PictureCounts
    ) -> PageReport.Frame {
        var hasScores = false
        if result.prediction != nil {
            var span = scores.mutableElementSpan
            hasScores = stream.copyProbabilities(to: &span)
        }
        let state = stream.schedulerState
        return PageReport.Frame(
            time: microseconds(time), outcome: result.outcome.word,
            scores: hasScores ? scores : nil, hands: stream.hands,
            active: stream.activeGesture, events: result.events.map(PageReport.Event.init),
            quality: result.quality.advice, pace: state.pace.word,
            limit: state.limit?.word, work: microseconds(work),
            wait: microseconds(waited), received: counts.received, superseded: counts.superseded)
    }

    /// Once a second.
    private func readSensors(now: Int64) {
        guard let read = setup.readSensors, latestReading.map({ now - $0 >= 1_000_000_000 }) ?? true else { return }
        latestReading = now
        stream.update(read())
    }

    // MARK: Commands

    /// Does what a page asks for. What it cannot do it reports, and changes nothing.
    package func perform(_ command: PageCommand) {
        do throws(SessionError) {
            switch command {
            case .settings(let settings): try change(to: settings)
            case .teach(let label, let kind): try beginTeaching(label, kind)
            case .stopTeaching: stopTeaching()
            case .forget(let label):
                var fewer = gestures
                do { try fewer.remove(label) } catch { throw .engine(.enrolment(error)) }
                try SessionError.engine { () throws(EngineError) in try use(fewer) }
            case .load(let bytes):
                try SessionError.engine { () throws(EngineError) in try use(try setup.engine.userGestures(bytes))
                }
            case .play: throw .command(.noClip)
            }
        } catch {
            fail(error.sentence)
        }
    }

    package func fail(_ sentence: String) { send(.failure(PageReport.Failure(sentence: sentence))) }

    private func change(to settings: PageSettings) throws(SessionError) {
        guard PacingConfiguration.Rate(rawValue: settings.rate) != nil else {
            throw .command(.rate(settings.rate))
        }
        let configuration = Self.configuration(setup, settings, gestures: gestures)
        var watch = bodies
        if settings.bodies != self.settings.bodies {
            watch = nil
            if let mode = settings.bodies {
                do { watch = try BodyWatch(mode, try setup.loadBodies()) } catch { throw .bodies(error) }
            }
        }
        let isSameStream =
            (settings.rate, settings.isMirrored, settings.hasHeldPoses, settings.maximumHands, settings.pointer)
            == (
                self.settings.rate, self.settings.isMirrored, self.settings.hasHeldPoses, self.settings.maximumHands,
                self.settings.pointer
            )
        if isSameStream {
            try SessionError.engine { () throws(EngineError) in
                try stream.setRecognition(Self.recognition(settings, of: thresholds, stream.labels))
            }
        } else {
            try SessionError.engine { () throws(EngineError) in try replaceStream(configuration, settings) }
            stopTeaching()
        }
        (self.settings, bodies) = (settings, watch)
        sendSettings()
    }

    /// Goes on with another engine of the same networks of hands, such as one that watches arms.
    func use(_ engine: GestureEngine) throws(EngineError) {
        let before = setup.engine
        setup.engine = engine
        do { try replaceStream(Self.configuration(setup, settings, gestures: gestures), settings) } catch {
            setup.engine = before
            throw error
        }
        sendSettings()
    }

    private func use(_ gestures: UserGestures) throws(EngineError) {
        try replaceStream(Self.configuration(setup, settings, gestures: gestures), settings)
        self.gestures = gestures
        sendSettings()
    }

    private func replaceStream(
        _ configuration: GestureEngine.Configuration, _ settings: PageSettings
    ) throws(EngineError) {
        let other = try setup.engine.makeStream(configuration)
        let thresholds = other.recognition
        try other.setRecognition(Self.recognition(settings, of: thresholds, other.labels))
        finish()
        (stream, self.thresholds) = (other, thresholds)
    }

    private func sendSettings() {
        scores = [Float](repeating: 0, count: stream.labels.count)
        let recognition = stream.recognition
        send(
            .settings(
                PageReport.Settings(
                    settings: settings, labels: stream.labels, nullIndex: setup.engine.nullIndex,
                    userGestures: gestures.labels,
                    file: gestures.labels.isEmpty ? nil : Base64.text(gestures.bytes()),
                    beginConfidence: recognition.beginConfidence, beginFrames: recognition.beginFrames,
                    endFrames: recognition.endFrames, unit: stream.activeUnit,
                    maximumHands: settings.maximumHands ?? setup.configuration.maximumHands,
                    watchesArms: setup.engine.watchesArms)))
    }

    /// The configuration of a stream with these settings.
    private static func configuration(
        _ setup: PageSetup, _ settings: PageSettings, gestures: UserGestures
    ) -> GestureEngine.Configuration {
        var configuration = setup.configuration
        configuration.rate = PacingConfiguration.Rate(rawValue: settings.rate) ?? .hz30
        configuration.advanced.directions = settings.isMirrored ? .upMirrored : .up
        if let count = settings.maximumHands { configuration.maximumHands = count }
        configuration.heldPoses =
            settings.hasHeldPoses && setup.engine.frontEnd == .landmarks ? HeldPoseConfiguration() : nil
        configuration.pointer = setup.engine.frontEnd == .landmarks ? settings.pointer : nil
        configuration.userGestures = gestures.labels.isEmpty ? nil : gestures
        return configuration
    }

    /// A model's thresholds with those of the page.
    private static func recognition(
        _ settings: PageSettings, of thresholds: RecognitionConfiguration, _ labels: [String]
    ) -> RecognitionConfiguration {
        var recognition = thresholds
        if let confidence = settings.beginConfidence { recognition.setBeginConfidence(ofAllClasses: confidence) }
        if let frames = settings.beginFrames { recognition.beginFrames = frames }
        if let frames = settings.endFrames {
            recognition.endFrames = frames
            recognition.unsureEndFrames = max(recognition.unsureEndFrames, frames)
        }
        recognition.deniedClasses.formUnion(settings.deniedClasses.intersection(labels).map { .label($0) })
        return recognition
    }

    // MARK: Teaching

    private func beginTeaching(_ label: String, _ kind: TaughtKind) throws(SessionError) {
        if let teaching { throw .command(.alreadyTeaching(teaching.label)) }
        guard UserGestures.Gesture.isLabel(label) else { throw .engine(.enrolment(.invalidLabel(label))) }
        guard !gestures.allLabels.contains(label) else { throw .engine(.enrolment(.labelTaken(label))) }
        guard gestures.labels.count < UserGestures.limit else {
            throw .engine(.enrolment(.tooManyGestures(limit: UserGestures.limit)))
        }
        let seesHands = setup.engine.frontEnd == .landmarks
        guard seesHands || kind == .movement else { throw .command(.noPoses) }
        let configuration = Self.configuration(setup, settings, gestures: setup.engine.noUserGestures())
        let isWaiting = seesHands && stream.hands.isEmpty
        let recorder = try SessionError.engine { () throws(EngineError) in
            try setup.engine.makeRecorder(configuration)
        }
        teaching = Teaching(label, kind, recorder, rate: settings.rate, isWaiting: isWaiting)
        sendTeaching(isWaiting ? "hand" : "ready")
    }

    private func stopTeaching(_ sentence: String? = nil) {
        guard teaching != nil else { return }
        sendTeaching("stopped", sentence: sentence)
        teaching = nil
    }

    /// Gives a frame to the recorder, and ends the take if that was its last.
    private func record(_ frame: borrowing PixelView, at time: Duration) {
        guard let now = teaching, !waitsForHand(now) else { return }
        now.recorder.push(frame, at: time)
        let count = now.recorder.slotCount
        guard count >= now.wantedSlots else {
            // That the window fills was said when the take began.
            if count > 0 { sendTeaching(now.isNothing ? "nothing" : "gesture", slots: count) }
            return
        }
        var take: GestureRecording?
        do throws(EngineError) {
            take = try now.recorder.finish()
            // The search that enrolment makes: a take that shows nothing is recorded again at once.
            if let take, !now.isNothing { try check(take, now) }
        } catch {
            return fail(now, error.advice(now.kind, in: take))
        }
        if let take { teaching?.takes.append(take) }
        if now.take + 1 == now.total { learn() } else { sendTeaching("ready") }
    }

    /// Whether the next take of a gesture has to wait until a hand is seen. A hand that goes before the take has begun
    /// begins the wait anew.
    private func waitsForHand(_ now: Teaching) -> Bool {
        guard setup.engine.frontEnd == .landmarks, !now.isNothing, now.recorder.slotCount == 0 else { return false }
        let isWaiting = stream.hands.isEmpty
        guard isWaiting != now.isWaiting else { return isWaiting }
        teaching?.isWaiting = isWaiting
        // An empty recording: it only forgets the frames that filled the window.
        if isWaiting { _ = try? now.recorder.finish() }
        sendTeaching(isWaiting ? "hand" : "ready")
        return isWaiting
    }

    private func check(_ take: GestureRecording, _ now: Teaching) throws(EngineError) {
        do throws(EnrolmentError) {
            try take.check(as: now.kind.enrolment, index: now.take)
        } catch {
            throw .enrolment(error)
        }
    }

    private func fail(_ now: Teaching, _ advice: String) {
        teaching?.failures += 1
        guard now.failures + 1 < Teaching.failureLimit else {
            return stopTeaching(
                "\(Teaching.failureLimit) takes could not be used, so nothing was learned and nothing else has changed. \(advice) "
                    + "Press Record to begin again.")
        }
        sendTeaching("again", sentence: advice)
        sendTeaching("ready")
    }

    private func learn() {
        guard let teaching else { return }
        sendTeaching("learning")
        self.teaching = nil
        var more = gestures
        do throws(EngineError) {
            let report = try setup.engine.enrol(
                teaching.label, from: Array(teaching.takes.prefix(teaching.count)),
                background: Array(teaching.takes.dropFirst(teaching.count)), into: &more,
                configuration: EnrolmentConfiguration(kind: teaching.kind.enrolment))
            try use(more)
            let least = report.examples.map { $0.heldOutLogOdds ?? $0.logOdds }.min()
            send(
                .taught(
                    PageReport.Taught(
                        label: teaching.label, refusal: nil, gesture: report.isMovement ? .movement : .pose,
                        warning: report.isMovement || report.warnings.isEmpty
                            ? report.warnings.first
                            : "Your hand moved, and the pose is learned alone. Was it a movement? Then forget it, and teach a movement.",
                        falseEvents: report.falseEventsPerMinute.map { Int(($0 * 1000).rounded()) },
                        collidesWith: nil,
                        agreement: least.map { thousandths(Float(1 / (1 + Math.exponential(-$0)))) })))
        } catch {
            send(
                .taught(
                    PageReport.Taught(
                        label: teaching.label, refusal: error.advice(teaching.kind), collidesWith: error.collision,
                        agreement: nil)))
        }
    }

    private func sendTeaching(_ phase: String, slots: Int = 0, sentence: String? = nil) {
        guard let teaching else { return }
        send(
            .teaching(
                PageReport.Teaching(
                    label: teaching.label, phase: phase, gesture: teaching.kind,
                    take: min(teaching.take + 1, teaching.total), takes: teaching.total,
                    progress: 1000 * slots / max(1, teaching.wantedSlots), sentence: sentence)))
    }
}

extension EngineError {
    /// What a person who teaches a gesture is to do.
    fileprivate func advice(_ kind: TaughtKind, in recording: GestureRecording? = nil) -> String {
        if case .enrolment(let error) = self { error.advice(kind, in: recording) } else { description }
    }

    /// The gesture with which a refused one would be confused.
    fileprivate var collision: String? {
        switch self {
        case .enrolment(.alreadyRecognised(let label, _, _)), .enrolment(.firesOnClass(let label, _, _)),
            .enrolment(.poseTooNear(let label, _, _)):
            label
        default: nil
        }
    }
}
