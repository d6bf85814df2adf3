import Enrolment
import Frames
import HandTracking
import Network
import Platform
import Recognition
import Scheduling
import Streams
import TrackerInference
import Tracking
import Vocabulary

/// The second half of a stream: computes the logits of every slot, recognises gestures in them, and times both.
struct SlotRecognition: ~Copyable {
    private let classes: ClassMap
    private let network: SlotNetwork
    /// The user's gestures as rows of the classifier; nil without any.
    private let rows: UserGestureRows?
    private let directions: DirectionRemap
    private let rate: PacingConfiguration.Rate
    private let clock: StreamClock
    private var recognizer: Recognizer
    /// Nil where gestures always count.
    private var wake: WakeMachine?
    private let wakePose: TrackedHand.Pose.Name?
    /// The thresholds in force.
    private(set) var recognition: RecognitionConfiguration
    /// The thresholds of the model.
    private let defaults: RecognitionConfiguration
    private var logits: [Float]
    /// The logits of all classes; empty if the model has all classes.
    private var extended: [Float]
    /// The features behind `logits`; empty without `rows`.
    private var features: [Float]
    /// See `ClassMap.write`; empty without hands.
    private var shares: [Float]
    private var hasColumn = false
    /// Slots with a column since the last reset, up to those of a full window.
    private var columns = 0
    private let fullWindow: Int
    private var latestSlot: Int64 = 0
    /// The newest frame that has a column: when it was taken, and when it was pushed by the stream's clock.
    private var latestFrame = (time: Int64(0), arrival: Int64(0))
    /// The times of the latest work.
    private(set) var times = StepTimes()
    /// The events of the latest work.
    private(set) var events: [GestureEvent] = []
    /// When the newest frame behind each of `events` was pushed, by the stream's clock.
    private(set) var arrivals: [Int64] = []
    /// The prediction of the newest slot; nil before enough frames.
    private(set) var prediction: FrameResult.Prediction?
    /// What recognition read; nil unless a tool asks for it.
    private(set) var trace: RecognitionTrace?

    /// The most events of one piece of work: an end and a begin in each of 33 slots, and the end before a reset.
    private static let eventLimit = 67
    /// A logit whose probability is 0.
    private static let impossible: Float = -1e30

    init(
        _ engine: GestureEngine, _ configuration: GestureEngine.Configuration, network: SlotNetwork,
        clock: StreamClock
    ) throws(EngineError) {
        let hasHands = network.landmarks != nil
        if let wake = configuration.advanced.wake, !hasHands {
            throw .configuration(
                ConfigurationError(
                    "GestureEngine.Configuration.advanced.wake", wake.pose.rawValue,
                    mustBe: "nil with the pixel front end"))
        }
        if configuration.pointer != nil, !hasHands {
            throw .configuration(
                ConfigurationError(
                    "GestureEngine.Configuration.pointer", "given", mustBe: "nil with the pixel front end"))
        }
        let classes = try ClassMap(engine, configuration)
        let rows = try engine.rows(of: configuration, for: network)
        let defaults = engine.defaultRecognition(at: configuration.rate, sensitivity: configuration.sensitivity)
        let recognition = configuration.recognition ?? defaults
        let rules = try Self.rules(recognition, classes)
        recognizer = Recognizer(rules: rules, taught: classes.taught)
        self.recognition = recognition
        self.defaults = defaults
        self.classes = classes
        self.network = network
        self.rows = rows
        directions = DirectionRemap(labels: classes.labels, isometry: configuration.advanced.directions)
        rate = configuration.rate
        self.clock = clock
        fullWindow = GestureTCN.windowLength * engine.frontEnd.columnStride(rate: configuration.rate.rawValue)
        wakePose = configuration.advanced.wake?.pose
        wake = configuration.advanced.wake.map {
            WakeMachine(
                hold: $0.hold.saturatedNanoseconds, window: $0.window.saturatedNanoseconds,
                poseClass: classes.index(of: $0.pose))
        }
        let (count, modelCount) = (classes.labels.count, classes.modelCount)
        logits = [Float](repeating: 0, count: modelCount)
        // A held pose without a class in the model has no logit: its probability is its share.
        extended = [Float](repeating: Self.impossible, count: count > modelCount ? count : 0)
        features = [Float](repeating: 0, count: rows?.featureCount ?? 0)
        shares = [Float](repeating: 0, count: hasHands ? count : 0)
        events.reserveCapacity(Self.eventLimit)
        arrivals.reserveCapacity(Self.eventLimit)
    }

    private static func rules(
        _ recognition: RecognitionConfiguration, _ classes: ClassMap
    ) throws(EngineError) -> RecognitionRules {
        try EngineError.checked(
            RecognitionRules(
                labels: classes.labels, nullIndex: classes.nullIndex, configuration: recognition,
                modelCount: classes.modelCount, momentary: classes.pinch))
    }

    /// The labels of all classes; see `ClassMap`.
    var labels: [String] { classes.labels }

    /// The network of landmarks; nil with another front end.
    var landmarks: LandmarkNetwork? { network.landmarks }

    /// Keeps what recognition reads from the next slot on, in `trace`.
    mutating func beginTrace() {
        trace = RecognitionTrace(
            labels: labels, nullIndex: classes.nullIndex, modelCount: classes.modelCount, momentary: classes.pinch,
            taught: classes.taught)
    }

    /// Changes the thresholds from the next slot on; nil restores those of the model. Unusable values throw and change
    /// nothing.
    mutating func changeRecognition(to recognition: RecognitionConfiguration?) throws(EngineError) {
        let next = recognition ?? defaults
        recognizer.change(to: try Self.rules(next, classes))
        self.recognition = next
    }

    /// The label of the active gesture as its events name it; nil without one.
    var activeGesture: String? {
        let active = wake == nil ? recognizer.activeClass : wake?.activeClass
        return active.map { labels[directions($0)] }
    }

    /// Whether gestures count now.
    var isArmed: Bool { wake?.isArmed ?? true }

    /// Writes the probabilities of the newest slot after the median, in the order of `labels`.
    /// Returns false and writes nothing before the first prediction, and if `output` has too little room.
    func copyProbabilities(to output: inout MutableSpan<Float>) -> Bool {
        guard prediction != nil, output.count >= labels.count else { return false }
        for index in labels.indices { output[directions(index)] = recognizer.probabilities[index] }
        return true
    }

    var activeUnit: String { network.activeUnit }

    /// How much the latest frame differs from the one before; nil if that is not known.
    var activity: Float? { network.activity }

    /// The times of the latest work's stages; nil with pixels and without a frame.
    var stageTimes: StageTimes? {
        guard let column = landmarks?.times, let inference = times.inference else { return nil }
        return StageTimes(column: column, temporal: inference - column.sum, recognition: times.recognition ?? 0)
    }

    /// Records the times and events of the latest work.
    func record(in recorder: inout SessionRecorder) {
        recorder.record(.intake, nanoseconds: times.intake)
        recorder.record(.inference, nanoseconds: times.inference)
        recorder.record(.recognition, nanoseconds: times.recognition)
        recorder.record(.frame, nanoseconds: times.frame)
        for _ in 0..<times.unitSwitches { recorder.recordUnitSwitch() }
        for event in events {
            switch event.kind {
            case .begin: recorder.recordBegin(classIndex: event.classIndex)
            case .end: recorder.recordEnd(classIndex: event.classIndex)
            }
        }
    }

    /// Does a piece of work.
    /// - frame: the work's frame, unchanged meanwhile; nil if it has none.
    /// - regions: where hands may be in the frame.
    /// - changes: a switch of units is appended, and what the wake pose changes.
    mutating func run(
        _ work: SlotWork, frame: PixelView?, near regions: [TrackedRegion] = [], changes: inout [StreamChange]
    ) {
        begin()
        times.isShared = network.isSwitching
        if work.reset { forget() }
        landmarks?.search(near: regions)
        for slot in 0..<work.slotCount {
            let isOfFrame = work.isOfFrame(slot)
            hasColumn = hasColumn || isOfFrame
            if isOfFrame { latestFrame = (work.frameTime, work.arrival) }
            advance(isOfFrame ? frame : nil, at: work.time(ofSlot: slot, at: rate), &changes)
        }
        if network.isSwitching { times.isShared = true }
        guard frame != nil else { return }
        times.intake = work.intake
        times.frame = clock.now() - work.arrival
    }

    /// Ends the active gesture, if there is one, and forgets every frame. `events` then holds that end alone.
    mutating func finish() {
        begin()
        forget()
        wake?.disarm()
    }

    private mutating func begin() {
        events.removeAll(keepingCapacity: true)
        arrivals.removeAll(keepingCapacity: true)
        times = StepTimes()
    }

    /// Does one slot: runs the network on its column, and recognition on the logits.
    private mutating func advance(_ frame: PixelView?, at slotTime: Int64, _ changes: inout [StreamChange]) {
        // Slots before the first frame have no column to repeat.
        guard hasColumn else { return }
        latestSlot = slotTime
        let begun = clock.now()
        let change = StageSignpost.interval("inference") {
            Self.advance(network, frame, at: slotTime, logits: &logits)
        }
        if let change {
            times.unitSwitches += 1
            changes.append(.unit(change))
        }
        let computed = clock.now()
        if frame != nil { times.inference = computed - begun }
        columns = min(columns + 1, fullWindow)
        guard network.isWarm else { return }
        weighArm(at: slotTime)
        var result = StageSignpost.interval("recognition") { recognise(isOfFrame: frame != nil, at: slotTime) }
        if wake != nil { result = passing(result, at: slotTime, &changes) }
        if frame != nil { times.recognition = clock.now() - computed }
        if let end = result.end { append(end) }
        if let begin = result.begin { append(begin) }
        if let top = result.top {
            let index = directions(top.classIndex)
            prediction = FrameResult.Prediction(label: labels[index], classIndex: index, confidence: top.confidence)
        } else {
            prediction = nil
        }
    }

    private static func advance(
        _ network: SlotNetwork, _ frame: PixelView?, at slotTime: Int64, logits: inout [Float]
    ) -> SchedulerState.UnitSwitch? {
        var output = logits.mutableElementSpan
        return network.advance(frame, at: slotTime, logits: &output)
    }

    /// Recognises gestures in the newest logits and in what the hand shows beside them.
    private mutating func recognise(isOfFrame: Bool, at slotTime: Int64) -> StepResult {
        if !extended.isEmpty { extend() }
        var kept, ended: Int?
        if let landmarks {
            classes.write(landmarks, mayMove: columns == fullWindow, to: &shares)
            kept = landmarks.debouncedPose.flatMap(classes.index)
            if isOfFrame { ended = classes.ended(landmarks) }
        }
        let all = extended.isEmpty ? logits : extended
        trace?.add(logits: all, shares: shares, kept: kept, ended: ended, at: slotTime)
        return Self.step(&recognizer, all, shares, keeping: kept, ending: ended, at: slotTime)
    }

    private static func step(
        _ recognizer: inout Recognizer, _ logits: [Float], _ shares: [Float], keeping kept: Int?, ending ended: Int?,
        at slotTime: Int64
    ) -> StepResult {
        recognizer.step(
            logits: logits.elementSpan, shares: shares.elementSpan, keeping: kept, ending: ended, at: slotTime)
    }

    /// Copies the model's logits and writes the user's after them.
    private mutating func extend() {
        for index in logits.indices { extended[index] = logits[index] }
        guard let rows else { return }
        Self.copyFeatures(of: network, to: &features)
        Self.extend(&extended, by: rows, features)
    }

    private static func copyFeatures(of network: SlotNetwork, to features: inout [Float]) {
        var output = features.mutableElementSpan
        network.copyFeatures(to: &output)
    }

    private static func extend(_ extended: inout [Float], by rows: UserGestureRows, _ features: [Float]) {
        var output = extended.mutableElementSpan
        rows.extend(&output, features: features.elementSpan)
    }

    /// Adds the evidence of the gesturing arm to the logits of swipes.
    private mutating func weighArm(at slotTime: Int64) {
        guard let evidence = landmarks?.armEvidence(at: slotTime) else { return }
        for place in classes.swipes.indices {
            if let index = classes.swipes[place] { logits[index] += evidence[place] }
        }
    }

    /// What the wake pose lets pass.
    private mutating func passing(
        _ result: StepResult, at slotTime: Int64, _ changes: inout [StreamChange]
    ) -> StepResult {
        let isShown = wakePose != nil && landmarks?.debouncedPose == wakePose
        guard let passed = wake?.step(result, showingPose: isShown, at: slotTime) else { return result }
        if let time = passed.changes.disarmed { changes.append(.disarmed(at: .nanoseconds(time))) }
        if let time = passed.changes.armed { changes.append(.armed(at: .nanoseconds(time))) }
        return passed.result
    }

    private mutating func append(_ event: RecognizedEvent) {
        let classIndex = directions(event.classIndex)
        let kind: GestureEvent.Kind
        switch event.kind {
        case .begin: kind = .begin
        case .end(let cause): kind = .end(cause)
        }
        events.append(
            GestureEvent(
                kind: kind, label: labels[classIndex], classIndex: classIndex, confidence: event.confidence,
                onset: .nanoseconds(event.onset), decision: .nanoseconds(event.decision),
                frameTime: .nanoseconds(latestFrame.time), latency: nil,
                point: event.classIndex == classes.pinch ? landmarks?.pinching.point : nil,
                sequence: event.sequence))
        arrivals.append(latestFrame.arrival)
    }

    private mutating func forget() {
        let end = recognizer.flush(at: latestSlot)
        trace?.addFlush(at: latestSlot)
        if let end = wake == nil ? end : wake?.flush(end) { append(end) }
        network.reset()
        hasColumn = false
        columns = 0
        prediction = nil
    }
}
