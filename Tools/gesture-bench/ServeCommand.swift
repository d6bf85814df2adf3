import ArgumentParser
import BodyPose
import Clips
import FileOutput
import Foundation
import GestureEngine
import LivePage
import PageSession
import Platform
import ToolSupport
import TrackerInference

/// Serves a page to this machine's browser that shows what the engine sees.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show hands and gestures live on a page in this machine's browser, and teach it new ones.",
        discussion: """
            Open the printed address. The page sends pictures of the browser's camera to this program and to nothing else; \
            the program listens on 127.0.0.1 alone and refuses pages of other sites. With --camera the pictures come from a \
            clip, or from a camera of this machine (Linux): gesture-bench serve --camera /dev/video0. SIGINT ends it.
            """)

    @Option(
        help: ArgumentHelp("A clip, - for Y4M, or a camera's device instead of the browser's.", valueName: "source"))
    var camera: String?
    @Option(help: "The port of the page, 0...65535; 0 takes a free one.") var port: Int = 8080
    @Option(help: ArgumentHelp("Gestures that the page has taught before, as it saves them.", valueName: "file"))
    var userGestures: String?
    @OptionGroup var model: ModelOptions
    @OptionGroup var clips: ClipOptions

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 0 to 65535, not \(port)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks, watchesArms: true)
        var configuration = model.configuration
        configuration.scheduling = SchedulingConfiguration()
        let source = clips.source(for: "gesture-bench")
        let clip: ServedClip?
        if let camera {
            clip = try await ServedClip(camera, source: source) { sentence(for: $0) }
        } else {
            clip = nil
        }
        var settings = PageSettings()
        if let rate = clip?.rate {
            settings.rate =
                PacingConfiguration.Rate.allCases.first { Double($0.rawValue) * 1.01 >= rate }?.rawValue ?? 120
        }
        let server = try PageServer(
            port: UInt16(port),
            PageSetup(
                engine: engine, configuration: configuration, settings: settings,
                gestures: try userGestures.map { path in try naming(path) { try engine.userGestures(path: path) } }
                    ?? engine.noUserGestures(),
                readSensors: { [sensors = DeviceSensors.system] in sensors.read() },
                loadBodies: { () throws(EngineError) in try BodyPoseEngine() }),
            clip: clip)
        Interruption.listen()
        try Terminal.print("Open http://localhost:\(server.port)/ in a browser on this machine. Ctrl-C ends.")
        try await server.run()
    }
}

extension PageServerError: Explained {
    var sentence: String {
        switch self {
        case .listening(let port, let code):
            "Port \(port) cannot be listened on: \(SystemError.reason(code)). Choose another with --port."
        case .resources(let searched):
            "The page's files were not found. Ship swift-gesture_LivePage.resources beside the program. Searched: "
                + searched.map { visible($0) }.joined(separator: ", ") + "."
        }
    }
}
