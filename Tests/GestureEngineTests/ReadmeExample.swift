// The README's examples, compiled. `ReadmeExampleTests` holds the README to these very lines.

// example: events
import GestureEngine

func printGestures(in video: [[UInt8]], width: Int, height: Int) throws {
    let engine = try GestureEngine()  // the bundled model
    let stream = try engine.makeStream(Configuration(rate: .hz60))
    for (index, luma) in video.enumerated() {
        let frame = try PixelView(luma.span, format: .gray8, width: width, height: height, bytesPerRow: width)
        let result = stream.push(frame, at: .seconds(Double(index) / 60))
        for event in result.events {
            print(event.kind, event.label, event.confidence, event.onset)
        }
    }
    for event in stream.finish() { print(event.kind, event.label) }
}
// end

// example: live
func watch(_ camera: some AsyncSequence<(luma: [UInt8], time: Duration), Never>) async throws {
    let live = try GestureEngine().makeLiveStream(Configuration(rate: .hz120))
    Task {
        for await event in live.events where event.kind == .begin { print(event.label) }
    }
    for await (luma, time) in camera {
        live.push(
            try PixelView(luma.span, format: .nv12(.video), width: 1280, height: 720, bytesPerRow: 1280), at: time)
    }
    live.finish()
}
// end
