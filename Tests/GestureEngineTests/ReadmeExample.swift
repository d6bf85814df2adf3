// The examples of README and guide, compiled. `ReadmeExampleTests` holds the documents to these very lines.

// example: events
import GestureEngine
import GestureHands

func printGestures(in video: [(rgba: [UInt8], time: Duration)], width: Int, height: Int) throws {
    let engine = try GestureEngine(hands: .lite())
    let stream = try engine.makeStream(GestureEngine.Configuration(rate: .hz30))
    for (rgba, time) in video {
        let frame = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
        for event in stream.push(frame, at: time).events {
            print(event.kind, event.label, event.confidence, event.onset)
        }
        if let hand = stream.hands.first { print(hand.handedness, hand.presence, hand.landmarks[8]) }
    }
    for event in stream.finish() { print(event.kind, event.label) }
}
// end

// example: live
func watch(_ camera: some AsyncSequence<(luma: [UInt8], chroma: [UInt8], time: Duration), Never>) async throws {
    let live = try GestureEngine(hands: .lite()).makeLiveStream(GestureEngine.Configuration(rate: .hz60))
    Task {
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
