import Enrolment
import Frames
import HandTracking
import Network
import Platform
import Recognition
import Scheduling
import Streams
import Tracking
import Vocabulary

/// The second half of a stream: runs the network on the columns of its slots, recognises gestures in the logits, and
/// times both.
struct StreamInference: ~Copyable {
    /// The labels of all classes: the model's, then the user's, then those of held poses and of a pinch that the model
    /// lacks.
    let labels: [String]
    /// Whether hands are looked for.
    var tracksHands: Bool { source.landmarks != nil }
    private let nullIndex: Int
    private let rows: UserGestureRows?
    private let directions: DirectionRemap
    private let rate: PacingConfiguration.Rate
    private let clock: StreamClock
    private let source: ColumnSource
    private var units: UnitGroup
    private var recognizer: Recognizer
    /// See `Recognizer.init`.
    private let taught: [Int]
    /// Nil where gestures always count.
    private var wake: WakeMachine?
    private let wakePose: TrackedHand.Pose.Name?
    /// The thresholds in force.
    private(set) var recognition: RecognitionConfiguration
    /// The thresholds of the model.
    private let defaults: RecognitionConfiguration
    private var logits: [Float]
    /// The class of each held pose in the order of `TrackedHand.Pose.Name.allCases`; nil for a pose that is no gesture.
    private let heldPoseClasses: [Int?]
    /// The classes of the user's own gestures, some of which may be poses; empty if none is.
    private let ownPoseClasses: Range<Int>
    /// The class whose gesture shows each pose, in the same order: that of `heldPoseClasses`, else one of the model.
    private let poseClasses: [Int?]
    /// The classes that the hand's shape can rule out: an open palm by the back of a hand, a grab by a pinch. Nil where
    /// the model lacks them, and with pixels.
    private let palmClass, grabClass: Int?
    /// The classes of `ArmWatch.Swipe`, in its order.
    private let swipeClasses: [Int?]
    /// The class of a pinch; nil if pinches are not reported.
    private let pinchClass: Int?
    /// The part of null's probability that each class gets, or that null gets of the class's; see `Recognizer.step`.
    /// Empty with pixels.
    private var shares: [Float]
    /// The logits of all classes; empty if the model has all classes.
    private var extended: [Float]
    private var hasColumn = false
    /// Slots with a column since the last reset, up to those of a full window.
    private var columns = 0
    private let fullWindow: Int
    /// The classes of movements. They begin only after a full window: a stroke at the very start of a stream may be an arm
    /// that is raised into the picture.
    private let movements: [Int]
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

    init(
        engine: GestureEngine, configuration: GestureEngine.Configuration, source: ColumnSource,
        units: [any ComputeUnit], clock: StreamClock
    ) throws(GestureEngineError) {
        let rows = try engine.rows(of: configuration, for: units)
        let poseLabels = configuration.heldPoses?.gestures ?? [:]
        let pinchLabel = configuration.heldPoses?.pinch
        let ownLabels = configuration.userGestures?.labels ?? []
        if let label = (poseLabels.values + [pinchLabel].compactMap { $0 }).first(where: ownLabels.contains) {
            throw .configuration(
                ConfigurationError(
                    "HeldPoseConfiguration.gestures", "\"\(label)\"", mustBe: "other than the user's own gestures"))
        }
        let poses = TrackedHand.Pose.Name.allCases.map { poseLabels[$0] }
        let labels =
            engine.labels + ownLabels + (poses + [pinchLabel]).compactMap { $0 }.filter { !engine.labels.contains($0) }
        let pinchClass = pinchLabel.flatMap(labels.firstIndex)
        if let wake = configuration.advanced.wake, source.landmarks == nil {
            throw .configuration(
                ConfigurationError(
                    "GestureEngine.Configuration.advanced.wake", wake.pose.rawValue,
                    mustBe: "nil with the pixel front end"))
        }
        let units = try Self.units(units, configuration, rows?.featureCount ?? 0, clock)
        let defaults = engine.defaultRecognition(
            at: configuration.rate, sensitivity: configuration.sensitivity)
        let recognition = configuration.recognition ?? defaults
        let rules = try Self.rules(recognition, labels, engine.nullIndex, pinchClass)
        self.source = source
        self.units = units
        taught = engine.taughtClasses + (engine.labels.count..<engine.labels.count + ownLabels.count)
        recognizer = Recognizer(rules: rules, taught: taught)
        self.recognition = recognition
        self.defaults = defaults
        self.labels = labels
        self.rows = rows
        nullIndex = engine.nullIndex
        self.pinchClass = pinchClass
        heldPoseClasses = poses.map { $0.flatMap(labels.firstIndex) }
        poseClasses = TrackedHand.Pose.Name.allCases.map { name in
            (poseLabels[name] ?? name.gesture).flatMap(labels.firstIndex)
        }
        let hasOwnPoses = configuration.userGestures?.gestures.contains(where: { $0.isPose }) ?? false
        ownPoseClasses = engine.labels.count..<engine.labels.count + (hasOwnPoses ? ownLabels.count : 0)
        let seesHands = source.landmarks != nil
        fullWindow = GestureTCN.windowLength * engine.frontEnd.columnStride(rate: configuration.rate.rawValue)
        movements = labels.indices.filter { [nullIndex, poseClasses, ownPoseClasses] in
            $0 != nullIndex && $0 != pinchClass && !poseClasses.contains($0) && !ownPoseClasses.contains($0)
        }
        swipeClasses = ArmWatch.Swipe.allCases.map { engine.labels.firstIndex(of: $0.label) }
        palmClass = seesHands ? engine.labels.firstIndex(of: "openPalm") : nil
        grabClass = seesHands ? engine.labels.firstIndex(of: "grab") : nil
        shares = [Float](repeating: 0, count: seesHands ? labels.count : 0)
        // A held pose without a class in the model has no logit: its probability is its share.
        extended = [Float](
            repeating: Self.none, count: labels.count > engine.labels.count ? labels.count : 0)
        directions = DirectionRemap(labels: labels, isometry: configuration.advanced.directions)
        rate = configuration.rate
        self.clock = clock
        logits = [Float](repeating: 0, count: engine.labels.count)
        wakePose = configuration.advanced.wake?.pose
        let wakeClass = wakePose.flatMap { [poseClasses] pose in poseClasses[pose.place] }
        wake = configuration.advanced.wake.map {
            WakeMachine(
                hold: $0.hold.saturatedNanoseconds, window: $0.window.saturatedNanoseconds, poseClass: wakeClass)
        }
        events.reserveCapacity(Self.eventLimit)
        arrivals.reserveCapacity(Self.eventLimit)
    }

    private static func units(
        _ units: [any ComputeUnit], _ configuration: GestureEngine.Configuration, _ featureCount: Int,
        _ clock: StreamClock
    ) throws(GestureEngineError) -> UnitGroup {
        try GestureEngineError.checked(
            UnitGroup(units, selection: configuration.advanced.unitSelection, featureCount: featureCount, clock: clock))
    }

    private static func rules(
        _ recognition: RecognitionConfiguration, _ labels: [String], _ nullIndex: Int, _ momentary: Int?
    ) throws(GestureEngineError) -> RecognitionRules {
        try GestureEngineError.checked(
            RecognitionRules(
                labels: labels, nullIndex: nullIndex, configuration: recognition, momentary: momentary))
    }

    /// Keeps what recognition reads from the next slot on, in `trace`.
    mutating func beginTrace() {
        trace = RecognitionTrace(labels: labels, nullIndex: nullIndex, momentary: pinchClass, taught: taught)
    }

    /// Changes the thresholds from the next slot on; nil restores those of the model. Unusable values throw and change
    /// nothing.
    mutating func changeRecognition(to recognition: RecognitionConfiguration?) throws(GestureEngineError) {
        let next = recognition ?? defaults
        recognizer.change(to: try Self.rules(next, labels, nullIndex, pinchClass))
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

    var activeUnit: String { units.activeName }

    /// The hands of the newest frame; none with pixels.
    var hands: [TrackedHand] { source.landmarks?.hands ?? [] }

    /// The arms at the latest look; nil without them.
    var arms: WatchedArms? { source.landmarks?.watchedArms }

    /// The identity of the hand whose gestures are recognised; nil without one, and with pixels.
    var gesturingHand: Int? { source.landmarks?.gesturing.identity }

    /// The times of the latest work's stages; nil with pixels and without a frame.
    var stageTimes: StageTimes? {
        guard let column = source.landmarks?.times, let inference = times.inference else { return nil }
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
    /// - frame: the work's frame as the `FrameStage` has it for the source, unchanged meanwhile; nil if it has none.
    /// - regions: where hands may be in the frame.
    /// - changes: a switch of units is appended, and what the wake pose changes.
    mutating func run(
        _ work: SlotWork, frame: PixelView?, near regions: [TrackedRegion] = [], changes: inout [StreamChange]
    ) {
        begin()
        times.isShared = units.isSwitching
        if work.reset { forget() }
        source.landmarks?.search(near: regions)
        for slot in 0..<work.slotCount {
            let isOfFrame = work.isOfFrame(slot)
            hasColumn = hasColumn || isOfFrame
            if isOfFrame { latestFrame = (work.frameTime, work.arrival) }
            advance(isOfFrame ? frame : nil, at: work.time(ofSlot: slot, at: rate), &changes)
        }
        if units.isSwitching { times.isShared = true }
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
            Self.advance(&units, of: source, frame, at: slotTime, logits: &logits)
        }
        if let change {
            times.unitSwitches += 1
            changes.append(.unit(change))
        }
        let computed = clock.now()
        if frame != nil { times.inference = computed - begun }
        columns = min(columns + 1, fullWindow)
        guard units.isWarm else { return }
        weighArm(at: slotTime)
        var result = StageSignpost.interval("recognition") {
            if !extended.isEmpty { Self.extend(&extended, logits, rows, units.features) }
            let landmarks = source.landmarks
            if let landmarks { share(landmarks) }
            let kept = landmarks?.debouncedPose.flatMap { poseClasses[$0.place] }
            let ended: Int? = if frame != nil, let landmarks { endedClass(landmarks) } else { nil }
            trace?.add(
                logits: extended.isEmpty ? logits : extended, shares: shares, kept: kept, ended: ended, at: slotTime)
            return Self.recognise(
                &recognizer, extended.isEmpty ? logits : extended, shares, keeping: kept, ending: ended, at: slotTime)
        }
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
        _ units: inout UnitGroup, of source: ColumnSource, _ frame: PixelView?, at slotTime: Int64,
        logits: inout [Float]
    ) -> SchedulerState.UnitSwitch? {
        var output = logits.mutableElementSpan
        guard let frame else { return units.advance(nil, at: slotTime, logits: &output) }
        switch source {
        case .pixels: return units.advance(frame.bytes, at: slotTime, logits: &output)
        case .landmarks(let source):
            source.see(frame, at: slotTime)
            return units.advance(source.column.elementSpan, at: slotTime, logits: &output)
        }
    }

    /// A logit whose probability is 0.
    private static let none: Float = -1e30

    /// Copies the model's logits and writes the user's after them.
    @inline(never)
    private static func extend(
        _ extended: inout [Float], _ logits: [Float], _ rows: UserGestureRows?, _ features: [Float]
    ) {
        var output = extended.mutableElementSpan
        for index in logits.indices { output[index] = logits[index] }
        rows?.extend(&output, features: features.elementSpan)
    }

    /// Adds what the gesturing arm says of swipes to their logits.
    private mutating func weighArm(at slotTime: Int64) {
        guard let evidence = source.landmarks?.armEvidence(at: slotTime) else { return }
        for place in swipeClasses.indices {
            if let index = swipeClasses[place] { logits[index] += evidence[place] }
        }
    }

    /// Takes in what the hand of the latest frame shows beside the temporal layers.
    private mutating func share(_ landmarks: LandmarkSource) {
        for index in movements { shares[index] = columns < fullWindow ? -1 : 0 }
        let (poses, own) = (landmarks.poseShares, landmarks.ownPoseShares)
        for place in heldPoseClasses.indices {
            if let index = heldPoseClasses[place] { shares[index] = poses[place] }
        }
        for (place, index) in ownPoseClasses.enumerated() { shares[index] = own[place] }
        if let palmClass {
            shares[palmClass] = landmarks.showsBack || landmarks.pinching.isHeld ? -1 : 0
        }
        if let grabClass, landmarks.pinching.isTouching { shares[grabClass] = -1 }
        if let pinchClass { shares[pinchClass] = landmarks.pinching.isHeld ? 1 : 0 }
    }

    /// What the wake pose lets pass.
    private mutating func passing(
        _ result: StepResult, at slotTime: Int64, _ changes: inout [StreamChange]
    ) -> StepResult {
        let isShown = wakePose != nil && source.landmarks?.debouncedPose == wakePose
        guard let passed = wake?.step(result, showingPose: isShown, at: slotTime) else { return result }
        if let time = passed.changes.disarmed { changes.append(.disarmed(at: .nanoseconds(time))) }
        if let time = passed.changes.armed { changes.append(.armed(at: .nanoseconds(time))) }
        return passed.result
    }

    /// The class whose pose ended in the latest frame.
    private func endedClass(_ landmarks: LandmarkSource) -> Int? {
        if landmarks.pinching.hasEnded, let pinchClass { return pinchClass }
        return landmarks.endedPose.flatMap { poseClasses[$0.place] }
    }

    private static func recognise(
        _ recognizer: inout Recognizer, _ logits: [Float], _ shares: [Float], keeping kept: Int?, ending ended: Int?,
        at slotTime: Int64
    ) -> StepResult {
        recognizer.step(
            logits: logits.elementSpan, shares: shares.elementSpan, keeping: kept, ending: ended, at: slotTime)
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
                point: event.classIndex == pinchClass ? source.landmarks?.pinching.point : nil,
                sequence: event.sequence))
        arrivals.append(latestFrame.arrival)
    }

    private mutating func forget() {
        let end = recognizer.flush(at: latestSlot)
        trace?.addFlush(at: latestSlot)
        if let end = wake == nil ? end : wake?.flush(end) { append(end) }
        source.landmarks?.reset()
        units.reset()
        hasColumn = false
        columns = 0
        prediction = nil
    }
}
