import Foundation
import Frames
import GestureEngine
import GestureHands
import GesturePixels
import HandTracking
import ModelFile
import Network
import PixelFrontEnd
import Platform
import Scheduling
import TestSupport
import Testing
import TrackerInference

/// The landmark front end in the engine.
@Suite struct HandEngineTests {
    private static func configuration(_ rate: PacingConfiguration.Rate = .hz30) -> GestureEngine.Configuration {
        var configuration = GestureEngine.Configuration.eager
        configuration.rate = rate
        configuration.scheduling = .everySlot
        return configuration
    }

    private static func time(_ index: Int, _ rate: PacingConfiguration.Rate = .hz30) -> Duration {
        .nanoseconds(Int64(index) * 1_000_000_000 / Int64(rate.rawValue))
    }

    // MARK: Choice and errors

    @Test func theNetworksDecideTheFrontEnd() throws {
        let engine = try GestureEngine(hands: .lite())
        let stream = try engine.makeStream()
        #expect(engine.frontEnd == .landmarks && stream.activeUnit == "landmarks")
        #expect(stream.labels == engine.labels)
        let pixels = try GestureEngine(pixels: .bundled)
        #expect(try pixels.frontEnd == .pixels && pixels.makeStream().activeUnit == "int8")
    }

    @Test func anEngineOfPixelsHasNoHands() throws {
        let engine = try GestureEngine(pixels: .bundled)
        #expect(throws: EngineError.noHandModels) { try engine.makeHandStream() }
    }

    @Test func anEngineOfHandsHasNoPixels() throws {
        let engine = try GestureEngine(hands: .lite(gestures: .file(path: ColumnModel.path)))
        #expect(throws: Never.self) { try engine.makeStream() }
        #expect(throws: EngineError.noPixelModel) { try engine.makeStream(pixels: PixelConfiguration()) }
    }

    /// A model of one front end is refused where one of the other is needed.
    @Test func aModelOfTheOtherFrontEndIsRefused() throws {
        let (pixels, landmarks) = (FrontEnd.pixels.networkName, FrontEnd.landmarks.networkName)
        #expect(throws: EngineError.model(.wrongNetwork(expected: pixels, found: landmarks))) {
            try GestureEngine(pixels: .file(path: ColumnModel.path))
        }
        #expect(throws: EngineError.model(.wrongNetwork(expected: landmarks, found: pixels))) {
            try GestureEngine(hands: .lite(gestures: .bundled))
        }
    }

    @Test func filesThatAreMissingOrDamaged() throws {
        let (palms, hand) = (HandScript.weights("palm-detection-lite"), HandScript.weights("hand-landmark-lite"))
        func error(_ palms: String, _ hand: String, _ gestures: GestureEngine.Source) -> EngineError? {
            do throws(EngineError) {
                _ = try HandModels(palmDetection: palms, handLandmarks: hand, gestures: gestures)
                return nil
            } catch {
                return error
            }
        }
        let gestures = GestureEngine.Source.file(path: ColumnModel.path)
        #expect(error(palms, hand, gestures) == nil)
        let missing = EngineError.model(.unreadable(path: "/nowhere/model", code: 2))
        #expect(error("/nowhere/model", hand, gestures) == missing)
        #expect(error(palms, "/nowhere/model", gestures) == missing)
        #expect(error(palms, hand, .file(path: "/nowhere/model")) == missing)
        // A model of pixels, and each file in another's place.
        guard case .model(.wrongNetwork(let expected, _)) = error(palms, hand, .bundled) else {
            Issue.record("accepted")
            return
        }
        #expect(expected == FrontEnd.landmarks.networkName)
        #expect(
            error(hand, palms, gestures)
                == .otherGraph(expected: [[1, 192, 192, 3]], found: [[1, 224, 224, 3]]))
        #expect(error(ColumnModel.path, hand, gestures) == .file(path: ColumnModel.path, .notAGraph))
        #expect(error(palms, hand, .file(path: palms)) != nil)
        try HandScript.withFolder { folder in
            for (name, path) in [("palms", palms), ("hand", hand)] {
                var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                bytes[bytes.count - 100] ^= 1
                let damaged = folder.appendingPathComponent(name)
                try Data(bytes).write(to: damaged)
                let found = name == "palms" ? error(damaged.path, hand, gestures) : error(palms, damaged.path, gestures)
                guard case .file(damaged.path, _) = found else {
                    Issue.record("\(name): \(String(describing: found))")
                    continue
                }
                try Data(bytes.prefix(bytes.count / 2)).write(to: damaged)
                guard
                    case .file(damaged.path, .truncated) = error(
                        name == "palms" ? damaged.path : palms, name == "palms" ? hand : damaged.path, gestures)
                else {
                    Issue.record("\(name), cut off")
                    continue
                }
            }
            let narrow = try HandScript.write(HandScript.palms(coordinates: 14), to: folder, "narrow")
            #expect(
                error(narrow, hand, gestures)
                    == .otherGraph(
                        expected: [[1, 2_016, 18], [1, 2_016, 1]], found: [[1, 2_016, 14], [1, 2_016, 1]]))
        }
    }

    /// The networks of poses come together, are checked like the others, and may be left out.
    @Test func networksOfPosesThatAreMissingOrDamaged() throws {
        let (palms, hand) = (HandScript.weights("palm-detection-lite"), HandScript.weights("hand-landmark-lite"))
        let embedder = HandScript.weights("gesture-embedder")
        let classifier = HandScript.weights("canned-gesture-classifier")
        func error(_ embedder: String, _ classifier: String) -> EngineError? {
            do throws(EngineError) {
                _ = try HandModels(
                    palmDetection: palms, handLandmarks: hand, poses: (embedder, classifier),
                    gestures: .file(path: ColumnModel.path))
                return nil
            } catch {
                return error
            }
        }
        #expect(error(embedder, classifier) == nil)
        let missing = EngineError.model(.unreadable(path: "/nowhere/model", code: 2))
        #expect(error("/nowhere/model", classifier) == missing && error(embedder, "/nowhere/model") == missing)
        // Each in the other's place, and networks of pictures.
        #expect(error(classifier, embedder) == .otherGraph(expected: [[1, 21, 3]], found: [[1, 128]]))
        #expect(error(embedder, embedder) == .otherGraph(expected: [[1, 128]], found: [[1, 21, 3]]))
        #expect(error(hand, classifier) == .otherGraph(expected: [[1, 21, 3]], found: [[1, 224, 224, 3]]))
        try HandScript.withFolder { folder in
            for path in [embedder, classifier] {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let damaged = folder.appendingPathComponent("damaged")
                func found() -> EngineError? {
                    path == embedder ? error(damaged.path, classifier) : error(embedder, damaged.path)
                }
                try Data(bytes.prefix(bytes.count / 2)).write(to: damaged)
                guard case .file(damaged.path, .truncated) = found() else {
                    Issue.record("\(path), cut off: \(String(describing: found()))")
                    continue
                }
                try Data(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]).write(to: damaged)
                guard case .file(damaged.path, _) = found() else {
                    Issue.record("\(path), one bit: \(String(describing: found()))")
                    continue
                }
            }
        }
    }

    @Test func handsHaveAPoseWhereTheNetworksAreThere() throws {
        let poses = (
            embedder: HandScript.weights("gesture-embedder"),
            classifier: HandScript.weights("canned-gesture-classifier")
        )
        for hasPoses in [false, true] {
            let engine = try GestureEngine(hands: HandScript.models(poses: hasPoses ? poses : nil))
            let tracker = try engine.makeHandStream()
            let stream = try engine.makeStream(Self.configuration())
            for index in 0..<3 {
                try ColorPicture.red(.rgba, 160, 120, seed: UInt64(index)).withView { view in
                    tracker.track(view, at: Self.time(index))
                    _ = stream.push(view, at: Self.time(index))
                }
                for hand in [tracker.hands.first, stream.hands.first] {
                    let hand = try #require(hand)
                    #expect((hand.pose != nil) == hasPoses)
                    #expect(hand.pose.map { abs($0.scores.sum() - 1) < 1e-5 } ?? true)
                }
                #expect((stream.stageTimes?.column.pose ?? 0 > 0) == hasPoses)
            }
        }
    }

    // MARK: Motion

    /// A model whose first layer has no weights for poses and motion, as one that was taught before columns had them.
    private static func landmarksAlone() throws -> [UInt8] {
        try ColumnModel.random(seed: 11) { tensors, _ in
            guard let place = tensors.firstIndex(where: { $0.name == "t1.conv.weight" }) else { return }
            let (first, taps) = (tensors[place], 3)
            let codes = first.bytes.indices.map { index in
                index / taps % LandmarkFeatures.count < 108 ? first.bytes[index] : 0
            }
            tensors[place] = TensorPayload(name: first.name, type: first.type, shape: first.shape, bytes: codes)
        }
    }

    /// A block that moves in a picture without a hand: columns show it, and a model without weights for it sees nothing.
    @Test(arguments: [true, false]) func motionIsSeenWithoutAHand(_ hasWeights: Bool) throws {
        let model =
            hasWeights
            ? GestureEngine.Source.file(path: ColumnModel.path) : .bytes(try Self.landmarksAlone())
        let engine = try GestureEngine(hands: HandScript.models(gestures: model))
        func probabilities(step: Int) throws -> [[Float]] {
            let stream = try engine.makeStream(Self.configuration())
            return try (0..<40).map { frame in
                var bytes = [UInt8](repeating: 100, count: 4 * 160 * 120)
                for y in 40..<80 {
                    for x in 10 + step * frame..<40 + step * frame {
                        // Gray: the palm detector takes what is red.
                        for channel in 0..<4 { bytes[4 * (y * 160 + x) + channel] = 190 }
                    }
                }
                let view = try PixelView(bytes.span, format: .rgba, width: 160, height: 120, bytesPerRow: 640)
                _ = stream.push(view, at: Self.time(frame))
                #expect(stream.hands.isEmpty)
                #expect(stream.stageTimes?.column.motion ?? 0 > 0)
                var values = [Float](repeating: 0, count: engine.labels.count)
                var output = values.mutableSpan
                _ = stream.copyProbabilities(to: &output)
                return values
            }
        }
        let (still, moving) = try (probabilities(step: 0), probabilities(step: 3))
        #expect(try probabilities(step: 3) == moving)
        #expect((still != moving) == hasWeights)
        #expect(still.last?.contains { $0 > 0 } == true)
    }

    /// The columns that a tracker tells say what changes from one of its frames to the next, and nothing after a reset.
    @Test func columnsOfATrackerHaveMotion() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let tracker = try engine.makeHandStream(Self.configuration())
        func motion(_ frame: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 100, count: 160 * 120)
            for y in 40..<80 { for x in 10 + 3 * frame..<40 + 3 * frame { bytes[y * 160 + x] = 190 } }
            let view = try PixelView(bytes.span, format: .gray8, width: 160, height: 120, bytesPerRow: 160)
            let time = Self.time(frame)
            tracker.track(view, at: time)
            return Array(tracker.column(of: view, at: time).values[LandmarkFeatures.motionStart...])
        }
        let first = try motion(0)
        #expect(first[0] == 0 && first.last == 255)
        let later = try (1..<12).map(motion)
        #expect(later.last?[0] ?? 0 > 0)
        let places = later.compactMap { $0[0] > 0 ? $0[1] : nil }
        #expect(places.count > 3 && zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
        tracker.reset()
        #expect(try motion(12) == first)
    }

    // MARK: Streams

    /// The same pictures, pushed and live: hands are found, events and predictions are the same, whatever the format.
    @Test(arguments: ColorPicture.formats)
    func liveEqualsSynchronous(format: PixelView.Format) async throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration())
        let live = try engine.makeLiveStream(Self.configuration(), sensors: nil)
        var (events, predictions, seen) = ([GestureEvent](), 0, 0)
        for index in 0..<50 {
            // The size changes, to odd ones too.
            let (width, height) = index < 25 ? (160, 120) : (161, 91)
            let picture = ColorPicture.red(format, width, height, padding: index % 3, seed: UInt64(index))
            try picture.withView { view in
                let result = stream.push(view, at: Self.time(index))
                events += result.events
                seen += stream.hands.count
                live.push(view, at: Self.time(index))
                live.drain()
                #expect(live.prediction == result.prediction)
                if result.prediction != nil { predictions += 1 }
            }
        }
        events += stream.finish()
        live.finish()
        var found: [GestureEvent] = []
        for await event in live.events { found.append(event) }
        #expect(found == events)
        #expect(predictions == 47)
        // The scripted detector sees colours alone.
        #expect(format == .gray8 ? seen == 0 : seen > 30, "\(seen)")
        #expect(live.statistics.superseded == 0)
    }

    /// Pictures of chance through the real networks: whatever they see, both streams see the same.
    @Test func liveEqualsSynchronousWithRealNetworks() async throws {
        let engine = try GestureEngine(hands: .lite())
        let stream = try engine.makeStream(Self.configuration())
        let live = try engine.makeLiveStream(Self.configuration(), sensors: nil)
        for index in 0..<20 {
            let picture = ColorPicture.red(.nv12(.video), 200, 150, seed: UInt64(index))
            try picture.withView { view in
                let result = stream.push(view, at: Self.time(index))
                live.push(view, at: Self.time(index))
                live.drain()
                #expect(live.prediction == result.prediction)
            }
        }
        live.finish()
    }

    @Test(arguments: PacingConfiguration.Rate.allCases)
    func predictsFromTheFourthColumnOn(rate: PacingConfiguration.Rate) throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(rate))
        let picture = ColorPicture.red(.rgba, 64, 48, seed: 1)
        let first = try picture.withView { view in
            (0..<100).first { stream.push(view, at: Self.time($0, rate)).prediction != nil }
        }
        #expect(first == 4 * rate.rawValue / 30 - 1)
    }

    /// A stroke without what came before it may be an arm that is raised into the picture.
    @Test(arguments: PacingConfiguration.Rate.allCases)
    func movementsWaitForAFullWindow(rate: PacingConfiguration.Rate) throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration(rate))
        let (window, poses) = (16 * rate.rawValue / 30, Set(["openPalm", "thumbsUp", "thumbsDown", "point"]))
        var values = [Float](repeating: 0, count: engine.labels.count)
        /// The labels that have a probability after each frame of a run.
        func run(from start: Int) throws -> [Set<String>] {
            try ColorPicture.red(.rgba, 64, 48, seed: 1).withView { view in
                (0..<window + 4).map { index in
                    _ = stream.push(view, at: Self.time(start + index, rate))
                    var output = values.mutableElementSpan
                    guard stream.copyProbabilities(to: &output) else { return [] }
                    return Set(engine.labels.indices.filter { values[$0] > 0 }.map { engine.labels[$0] })
                }
            }
        }
        for start in [0, 1_000] {
            let seen = try run(from: start)
            _ = stream.finish()
            let partial = seen[(4 * rate.rawValue / 30)..<(window - 1)]
            #expect(partial.allSatisfy { $0 == poses.union(["null"]) }, "\(partial)")
            #expect(seen[(window - 1)...].allSatisfy { $0.contains("swipeUp") && $0.contains("tap") }, "\(seen)")
        }
    }

    /// A hand is lost and found by what is in the region alone.
    @Test func regionsAreWhatIsLookedAt() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration())
        let picture = ColorPicture.red(.rgba, 120, 90, seed: 3)
        let region = PixelView.Region(x: 11, y: 7, width: 80, height: 60)
        let inRegion = try picture.withView(region: region) { view in
            _ = stream.push(view, at: .zero)
            return stream.hands
        }
        #expect(inRegion.count == 1)
    }

    @Test func trackerWithoutGesturesSeesTheSame() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration())
        let tracker = try engine.makeHandStream()
        for index in 0..<12 {
            try ColorPicture.red(.bgra, 100, 80, seed: UInt64(index)).withView { view in
                _ = stream.push(view, at: Self.time(index))
                tracker.track(view, at: Self.time(index))
                // Identities of the stream's tracker went on while it got ready.
                #expect(stream.hands.map(\.landmarks) == tracker.hands.map(\.landmarks))
            }
        }
        #expect(tracker.hands.count == 1)
        tracker.reset()
        #expect(tracker.hands.isEmpty)
    }

    /// Regions reach the tracker of a stream, frame by frame, and those that cannot be used change nothing.
    @Test(arguments: [
        TrackedRegion(centerX: 50, centerY: 40, side: 60, rotation: 0.3),
        TrackedRegion(centerX: .nan, centerY: 40, side: 60), TrackedRegion(centerX: 900, centerY: 40, side: 60),
    ])
    func streamTakesRegions(_ region: TrackedRegion) throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let stream = try engine.makeStream(Self.configuration())
        let tracker = try engine.makeHandStream()
        for index in 0..<12 {
            try ColorPicture.red(.bgra, 100, 80, seed: UInt64(index)).withView { view in
                _ = stream.push(view, at: Self.time(index), near: [region])
                tracker.track(view, at: Self.time(index), near: [region])
                #expect(stream.hands.map(\.landmarks) == tracker.hands.map(\.landmarks))
            }
        }
        #expect(tracker.hands.count == 1)
    }

    @Test func trackingValuesAreChecked() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let configuration = GestureEngine.Configuration(maximumHands: 5)
        #expect(
            throws: EngineError.configuration(
                .init("GestureEngine.Configuration.maximumHands", 5, allowed: 1...4))
        ) {
            try engine.makeStream(configuration)
        }
    }

    /// Every slot from the first full window on, and features that follow the hand.
    @Test func recorderTakesLandmarks() throws {
        let engine = try GestureEngine(hands: HandScript.models())
        let recorder = try engine.makeRecorder(Self.configuration())
        func record(_ seed: UInt64) throws -> [Float] {
            for index in 0..<40 {
                try ColorPicture.red(.rgba, 80, 60, seed: seed + UInt64(index)).withView {
                    _ = recorder.push($0, at: Self.time(index))
                }
            }
            #expect(recorder.slotCount == 25)
            let recording = try recorder.finish()
            #expect(recording.slotCount == 25)
            return recording.features
        }
        let first = try record(1)
        #expect(try record(1) == first)
        #expect(try record(500) != first)
        #expect(recorder.slotCount == 0)
    }

    // MARK: A fourth temporal layer

    private static func longMemory() throws -> GestureEngine {
        let gestures = GestureEngine.Source.bytes(try ColumnModel.random(seed: 4))
        return try GestureEngine(hands: HandScript.models(gestures: gestures))
    }

    /// Decisions begin when they do with three layers.
    @Test(arguments: PacingConfiguration.Rate.allCases)
    func aLongerMemoryPredictsAsEarly(rate: PacingConfiguration.Rate) throws {
        let stream = try Self.longMemory().makeStream(Self.configuration(rate))
        let picture = ColorPicture.red(.rgba, 64, 48, seed: 1)
        let first = try picture.withView { view in
            (0..<100).first { stream.push(view, at: Self.time($0, rate)).prediction != nil }
        }
        #expect(first == 4 * rate.rawValue / 30 - 1)
    }

    /// Gestures of the user's own rest on the fourth layer, and belong to this head alone.
    @Test func gesturesAreTaughtOnALongerMemory() throws {
        let engine = try Self.longMemory()
        let recorder = try engine.makeRecorder(Self.configuration())
        for index in 0..<60 {
            try ColorPicture.red(.rgba, 80, 60, seed: UInt64(index)).withView {
                _ = recorder.push($0, at: Self.time(index))
            }
        }
        let recording = try recorder.finish()
        #expect(recording.slotCount == 45 && recording.featureCount == 160)
        #expect(recording.features.contains { $0 > 0 } && recording.features.allSatisfy { (0...6).contains($0) })
        var gestures = engine.noUserGestures()
        try gestures.add(
            #require(
                UserGestures.Gesture(
                    label: "mine", exampleCount: 1, weights: [Float](repeating: 0.1, count: 160), bias: 0,
                    exemplars: [UInt8](repeating: 0, count: 4 * 160),
                    exemplarLogits: [Float](repeating: 0, count: 4 * 13))))
        #expect(try engine.userGestures(gestures.bytes()) == gestures)
        var configuration = Self.configuration()
        configuration.userGestures = gestures
        #expect(try engine.makeStream(configuration).labels == engine.labels + ["mine"])
        let other = try GestureEngine(hands: HandScript.models())
        #expect(throws: EngineError.self) { try other.makeStream(configuration) }
    }

    // MARK: Memory

    /// 20,000 changes of the thresholds take no memory; 22 MB while the old ones stayed.
    @Test(.enabled(if: ProcessMemory.resident != nil, "the system does not tell"))
    func changedThresholdsAreFreed() async {
        await #expect(processExitsWith: .success) {
            let engine = try GestureEngine(hands: .lite())
            let stream = try engine.makeStream()
            let gestures = engine.labels.filter { $0 != engine.labels[engine.nullIndex] }
            var recognition = stream.recognition
            func change(_ count: Int) throws {
                for index in 0..<count {
                    let override = RecognitionConfiguration.Override(beginConfidence: index % 2 == 0 ? 0.6 : 0.7)
                    recognition.overrides = Dictionary(
                        uniqueKeysWithValues: gestures.map { (.label($0), override) })
                    try stream.setRecognition(recognition)
                }
            }
            try change(1000)
            let before = try #require(ProcessMemory.resident)
            try change(20_000)
            let grown = try #require(ProcessMemory.resident) - before
            #expect(grown < 4 << 20, "\(grown) bytes")
        }
    }

    /// Networks and the memory that they work in are there once; a stream of its own takes images, a window of columns and the
    /// pixel front end's ring.
    @Test(.enabled(if: ProcessMemory.resident != nil, "the system does not tell"))
    func streamsShareTheNetworks() async {
        await #expect(processExitsWith: .success) {
            let engine = try GestureEngine(hands: .lite())
            let picture = ColorPicture.red(.rgba, 320, 240, seed: 1)
            var streams: [GestureStream] = []
            func add(_ count: Int) throws {
                for _ in 0..<count {
                    let stream = try engine.makeStream()
                    try picture.withView { view in
                        for index in 0..<3 { _ = stream.push(view, at: .milliseconds(10 * index)) }
                    }
                    streams.append(stream)
                }
            }
            try add(2)
            let before = try #require(ProcessMemory.resident)
            try add(10)
            let each = (try #require(ProcessMemory.resident) - before) / 10
            #expect(each <= 1 << 20, "\(each) bytes a stream")
            #expect(each >= 100_000, "\(each) bytes a stream, less than its images: not measured")
            withExtendedLifetime(streams) {}
        }
    }
}
