import GestureEngine
import PageSession
import TrackerInference

/// A session on an actor of its own, on which the engine runs.
actor ServedSession {
    let session: GestureSession

    init(_ setup: PageSetup, send: @escaping @Sendable (PageReport) -> Void) throws(EngineError) {
        session = try GestureSession(setup, send: send)
    }

    func sendHello(source: String?) { session.sendHello(source: source) }
    func perform(_ command: PageCommand) { session.perform(command) }
    func fail(_ sentence: String) { session.fail(sentence) }

    func take(_ picture: CameraPicture, waited: Duration, counts: PictureCounts) {
        session.take(picture, waited: waited, counts: counts)
    }
}
