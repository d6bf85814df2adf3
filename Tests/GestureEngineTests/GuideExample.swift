// The examples of the guides, compiled. `GuideExampleTests` holds the documents to these very lines.

import BodyPose
import GestureEngine
import GestureHands
import GestureHandsEmbedded
import GesturePixels
import PixelFrontEnd

// example: thresholds
func makeStreamOfSwipes(_ engine: GestureEngine) throws -> GestureStream {
    var recognition = engine.defaultRecognition(at: .hz30)
    recognition.allowedClasses = ["swipeLeft", "swipeRight", "grab"]
    recognition.beginConfidence = 0.9
    recognition.overrides["grab"] = RecognitionConfiguration.Override(beginFrames: 4, beginConfidence: 0.6)
    var configuration = GestureEngine.Configuration(rate: .hz30)
    configuration.recognition = recognition
    return try engine.makeStream(configuration)
}
// end

// example: few
func makeStreamWithFewFalseEvents() throws -> GestureStream {
    let engine = try GestureEngine(hands: .lite(), arms: .full())
    var configuration = GestureEngine.Configuration(rate: .hz30)
    configuration.recognition = engine.defaultRecognition(at: .hz30, sensitivity: .low)
    configuration.recognition?.deniedClasses = ["point", "openPalm"]
    configuration.advanced.wake = .init(pose: .victory)
    return try engine.makeStream(configuration)
}
// end

// example: labels
enum Action: String, CaseIterable {
    case next = "swipeLeft"
    case back = "swipeRight"
    case select = "grab"

    /// What a gesture asks for, when it begins; nil for gestures that the app does not use.
    init?(_ event: GestureEvent) {
        guard event.kind == .begin else { return nil }
        self.init(rawValue: event.label)
    }

    static func missing(in engine: GestureEngine) -> [String] {
        allCases.map(\.rawValue).filter { !engine.labels.contains($0) }
    }
}
// end

// example: view
func makeView(camera: (width: Int, height: Int), view: (width: Double, height: Double)) throws -> ViewTransform {
    try ViewTransform(
        frameWidth: camera.width, frameHeight: camera.height, orientation: .right,
        preview: ViewTransform.Preview(width: view.width, height: view.height, gravity: .fill, mirrored: true))
}
// end

// example: record
func record(_ take: [(rgba: [UInt8], time: Duration)], by recorder: GestureRecorder) throws -> GestureRecording {
    for (rgba, time) in take {
        recorder.push(try PixelView(rgba.span, format: .rgba, width: 640, height: 480, bytesPerRow: 2560), at: time)
    }
    return try recorder.finish()
}
// end

// example: teach
func teach(
    _ label: String, from takes: [GestureRecording], idle: GestureRecording, beside known: UserGestures,
    by engine: GestureEngine
) throws -> (stream: GestureStream, file: [UInt8]) {
    var gestures = known
    try engine.enrol(label, from: takes, background: [idle], into: &gestures)
    var configuration = GestureEngine.Configuration(rate: .hz30)
    configuration.userGestures = gestures
    return (try engine.makeStream(configuration), gestures.bytes())
}
// end

// example: one file
func makeEngineOfOneFile() throws -> GestureEngine {
    try GestureEngine(hands: .embedded())
}
// end

// example: camera
func push(_ buffer: RawSpan, of camera: (width: Int, height: Int), at time: Duration, to stream: GestureStream) throws {
    let lumaBytes = camera.width * camera.height
    let frame = try PixelView(
        buffer.extracting(first: lumaBytes),
        chroma: PixelView.ChromaPlanes(
            interleaved: buffer.extracting(droppingFirst: lumaBytes), bytesPerRow: camera.width),
        format: .nv12(.video), width: camera.width, height: camera.height, bytesPerRow: camera.width)
    for event in stream.push(frame, at: time).events { print(event.kind, event.label) }
}
// end

// example: pixels
func makePixelStream() throws -> GestureStream {
    try GestureEngine(pixels: .bundled).makeStream(GestureEngine.Configuration(rate: .hz60))
}
// end

// example: arms
func makeStreamWithArms() throws -> GestureStream {
    try GestureEngine(hands: .lite(), arms: .full()).makeStream(GestureEngine.Configuration(rate: .hz60))
}
// end

// example: live
func watch(_ camera: some AsyncSequence<(luma: [UInt8], chroma: [UInt8], time: Duration), Never>) async throws {
    let live = try GestureEngine(hands: .lite()).makeLiveStream(GestureEngine.Configuration(rate: .hz60))
    let listener = Task {
        for await event in live.events where event.kind == .begin { print(event.label) }
    }
    for await (luma, chroma, time) in camera {
        let (y, uv) = unsafe (luma.span.bytes, chroma.span.bytes)
        let frame = try PixelView(
            y, chroma: PixelView.ChromaPlanes(interleaved: uv, bytesPerRow: 1280), format: .nv12(.video), width: 1280,
            height: 720, bytesPerRow: 1280)
        live.push(frame, at: time)
    }
    live.finish()
    await listener.value
}
// end

// example: draw
func drawHands(_ live: LiveGestureStream, in view: ViewTransform, line: (PlanePoint, PlanePoint) -> Void) async {
    for await frame in live.hands {
        for hand in frame.hands {
            func place(_ joint: TrackedHand.Joint) -> PlanePoint {
                view.map(PlanePoint(landmark: hand.landmarks[joint]), from: .picture(.topLeft), to: .view)
            }
            for bone in TrackedHand.bones { line(place(bone.start), place(bone.end)) }
        }
    }
}
// end

// example: still
func poses(_ rgba: [UInt8], width: Int, height: Int, by engine: GestureEngine) throws -> [TrackedHand.Pose.Name] {
    let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    return try engine.recognizedHands(in: picture, orientation: .up).compactMap { $0.pose?.name }
}
// end
