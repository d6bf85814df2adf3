import BodyPose
import BodyTracking
import Frames
import GestureEngine
import HandTracking
import TrackerInference
import Vocabulary

/// What one instance of the module has: an engine and the session of a page, or only hands or people without gestures.
package final class Tab {
    /// What pictures are looked at for.
    private enum Use {
        case gestures(GestureEngine, HandModels, GestureSession)
        case hands(GestureEngine, HandStream)
        case people(BodyPoseEngine, BodyStream)
    }

    private let outlet: Outlet
    private var use: Use?
    private var options = TabOptions()
    private let bodies = BodyNetworks()

    /// - Parameters:
    ///   - report: gets each report, as JSON.
    ///   - numbers: gets the numbers of each frame of a session, `PageReport.Frame.numbers`; and of `look` the number of hands or people, and
    ///     the numbers of each.
    package init(report: @escaping (String) -> Void, numbers: @escaping ([Float]) -> Void) {
        outlet = Outlet(text: report, numbers: numbers)
    }

    /// - Parameter files: palm detection, hand landmarks, gesture embedder, gesture classifier, gestures, background.
    package func open(_ files: [[UInt8]], options text: [UInt8]) -> Bool {
        attempt(text) { () throws(EngineError) in
            let models = try HandModels(
                palmDetection: files[0], handLandmarks: files[1], poses: (embedder: files[2], classifier: files[3]),
                gestures: .bytes(files[4]), background: .bytes(files[5]))
            let engine = try GestureEngine(hands: models)
            let setup = PageSetup(
                engine: engine, configuration: options.configuration, settings: options.settings,
                gestures: engine.noUserGestures(), readSensors: nil
            ) { [bodies] () throws(EngineError) in try bodies.engine() }
            let session = try GestureSession(setup) { [outlet] in outlet.send($0) }
            use = .gestures(engine, models, session)
            session.sendHello(source: nil)
        }
    }

    /// Follows hands without gestures and poses.
    /// - Parameter files: palm detection, hand landmarks, gestures.
    package func openHands(_ files: [[UInt8]], options text: [UInt8]) -> Bool {
        attempt(text) { () throws(EngineError) in
            let engine = try GestureEngine(
                hands: try HandModels(
                    palmDetection: files[0], handLandmarks: files[1], gestures: .bytes(files[2])))
            use = .hands(engine, try engine.makeHandStream(options.configuration))
        }
    }

    /// Follows people.
    /// - Parameter files: detection and landmarks.
    package func openPeople(_ files: [[UInt8]], options text: [UInt8]) -> Bool {
        attempt(text) { () throws(EngineError) in
            let engine = BodyPoseEngine(try BodyModels(detection: files[0], landmarks: files[1]))
            use = .people(engine, try engine.makeStream(options.bodies))
        }
    }

    /// Takes the networks of bodies for a session.
    package func openBodies(_ files: [[UInt8]]) -> Bool {
        attempt { () throws(EngineError) in
            bodies.models = try BodyModels(detection: files[0], landmarks: files[1])
        }
    }

    /// Has the session watch the arms, by the networks that `openBodies` took, or the hand alone.
    package func watchArms(_ isOn: Bool) -> Bool {
        attempt { () throws(EngineError) in
            guard case .gestures(_, let hands, let session) = use else { return }
            guard !isOn || bodies.models != nil else { throw .resourcesMissing(searched: []) }
            let engine = try GestureEngine(hands: hands, arms: isOn ? bodies.models : nil)
            try session.use(engine)
            use = .gestures(engine, hands, session)
        }
    }

    package func command(_ text: [UInt8]) {
        guard let session else { return outlet.fail("The engine is not open.") }
        do throws(PageCommandError) {
            session.perform(try PageCommand(String(decoding: text, as: UTF8.self)))
        } catch {
            outlet.fail(error.sentence)
        }
    }

    /// Runs the session on the next picture.
    package func take(_ message: [UInt8]) {
        guard let session else { return outlet.fail("The engine is not open.") }
        do throws(PictureError) { session.take(try CameraPicture(message)) } catch { outlet.fail(error.sentence) }
    }

    /// Finds the hands or the people of a picture.
    /// - Parameter isStill: whether it has no past. A picture of a video needs `openHands` or `openPeople`.
    package func look(_ message: [UInt8], isStill: Bool) {
        let picture: CameraPicture
        do throws(PictureError) { picture = try CameraPicture(message) } catch { return outlet.fail(error.sentence) }
        do throws(PixelView.FrameError) {
            let view = try picture.pixelView()
            do throws(EngineError) { try look(view, at: picture.time, isStill: isStill) } catch {
                outlet.fail(error.description)
            }
        } catch {
            outlet.fail(error.description)
        }
    }

    private func look(_ view: borrowing PixelView, at time: Duration, isStill: Bool) throws(EngineError) {
        var numbers: [Float] = []
        func put(_ hands: [TrackedHand]) {
            numbers.append(Float(hands.count))
            for hand in hands { hand.write(to: &numbers) }
        }
        func put(_ people: [TrackedBody]) {
            numbers.append(Float(people.count))
            for body in people { body.write(to: &numbers) }
        }
        switch (use, isStill) {
        case (.gestures(let engine, _, _), true), (.hands(let engine, _), true):
            put(
                try engine.recognizedHands(
                    in: view, maximumHands: options.configuration.maximumHands, options.configuration.advanced.hands))
        case (.people(let engine, _), true): put(try engine.bodies(in: view, options.bodies))
        case (.hands(_, let stream), false):
            stream.track(view, at: time)
            put(stream.hands)
        case (.people(_, let stream), false):
            stream.track(view, at: time)
            put(stream.bodies)
        default: return outlet.fail("The engine is not open.")
        }
        outlet.numbers(numbers)
    }

    package func finish() { session?.finish() }

    private var session: GestureSession? {
        if case .gestures(_, _, let session) = use { session } else { nil }
    }

    /// Whether `body` does not throw. What it throws is reported.
    /// - Parameter text: the options, which are read first; nil leaves them.
    private func attempt(_ text: [UInt8]? = nil, _ body: () throws(EngineError) -> Void) -> Bool {
        do throws(PageCommandError) { if let text { options = try TabOptions(text) } } catch {
            outlet.fail(error.sentence)
            return false
        }
        do throws(EngineError) { try body() } catch {
            outlet.fail(error.description)
            return false
        }
        return true
    }
}

/// Where reports go.
private final class Outlet {
    let text: (String) -> Void
    let numbers: ([Float]) -> Void
    /// The words of the latest frame. They are sent again when they differ.
    private var words = ""

    init(text: @escaping (String) -> Void, numbers: @escaping ([Float]) -> Void) {
        (self.text, self.numbers) = (text, numbers)
    }

    func send(_ report: PageReport) {
        guard case .frame(let frame) = report else { return text(report.text) }
        let fresh = frame.words
        if fresh != words { text(fresh) }
        words = fresh
        numbers(frame.numbers)
    }

    func fail(_ sentence: String) { text(PageReport.failure(PageReport.Failure(sentence: sentence)).text) }
}

/// The networks of bodies, once the page has loaded them.
private final class BodyNetworks: @unchecked Sendable {
    var models: BodyModels?
    private var made: BodyPoseEngine?

    func engine() throws(EngineError) -> BodyPoseEngine {
        if let made { return made }
        guard let models else { throw .resourcesMissing(searched: []) }
        let engine = BodyPoseEngine(models)
        made = engine
        return engine
    }
}
