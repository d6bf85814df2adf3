import BodyPose
import Frames
import GestureEngine
package import HandTracking
import TrackerInference
import Vocabulary

/// What one instance of the module has: an engine, and the session of a page.
package final class Tab {
    private let report: (String) -> Void
    private var session: GestureSession?
    private var engine: GestureEngine?
    private var options = TabOptions()
    private let bodies = BodyNetworks()
    /// Of the latest picture or still.
    package private(set) var hands: [TrackedHand] = []

    package init(report: @escaping (String) -> Void) { self.report = report }

    /// - Parameter files: palm detection, hand landmarks, gesture embedder, gesture classifier, gestures, background.
    package func open(_ files: [[UInt8]], options text: [UInt8]) -> Bool {
        do throws(PageCommandError) { options = try TabOptions(text) } catch { return fail(error.sentence) }
        do throws(EngineError) {
            let models = try HandModels(
                palmDetection: files[0], handLandmarks: files[1], poses: (embedder: files[2], classifier: files[3]),
                gestures: .bytes(files[4]), background: .bytes(files[5]))
            let engine = try GestureEngine(hands: models)
            let setup = PageSetup(
                engine: engine, configuration: options.configuration, settings: options.settings,
                gestures: engine.noUserGestures(), readSensors: nil
            ) { [bodies] () throws(EngineError) in try bodies.engine() }
            let session = try GestureSession(setup) { [report] in report($0.text) }
            (self.engine, self.session, hands) = (engine, session, [])
            session.greet(source: nil)
            return true
        } catch {
            return fail(error.description)
        }
    }

    package func openBodies(_ files: [[UInt8]]) -> Bool {
        do throws(EngineError) {
            bodies.models = try BodyModels(detection: files[0], landmarks: files[1])
            return true
        } catch {
            return fail(error.description)
        }
    }

    package func command(_ text: [UInt8]) {
        guard let session = opened() else { return }
        do throws(PageCommandError) {
            session.perform(try PageCommand(String(decoding: text, as: UTF8.self)))
        } catch {
            session.fail(error.sentence)
        }
    }

    package func take(_ message: [UInt8]) {
        guard let session = opened() else { return }
        do throws(PictureError) {
            session.take(try CameraPicture(message))
            hands = session.hands
        } catch {
            session.fail(error.sentence)
        }
    }

    /// The number of hands; nil after a failure.
    package func recognise(_ message: [UInt8]) -> Int? {
        guard let session = opened(), let engine else { return nil }
        hands = []
        let picture: CameraPicture
        do throws(PictureError) { picture = try CameraPicture(message) } catch {
            session.fail(error.sentence)
            return nil
        }
        do throws(PixelView.FrameError) {
            let view = try picture.pixelView()
            do throws(EngineError) {
                hands = try engine.recognizedHands(
                    in: view, maximumHands: options.configuration.maximumHands,
                    options.configuration.advanced.hands)
                return hands.count
            } catch {
                session.fail(error.description)
            }
        } catch {
            session.fail(error.description)
        }
        return nil
    }

    package func finish() { session?.finish() }

    private func opened() -> GestureSession? {
        if session == nil { _ = fail("The engine is not open.") }
        return session
    }

    private func fail(_ sentence: String) -> Bool {
        report(PageReport.failure(PageReport.Failure(sentence: sentence)).text)
        return false
    }
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
