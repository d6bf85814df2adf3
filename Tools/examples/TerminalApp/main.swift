// Gestures of a video in a terminal: prints an event a line, and draws the hand if the terminal is shown.
//
//     Tools/build --product terminal-app
//     ffmpeg -v error -re -i Weights/demo/hands.mp4 -f yuv4mpegpipe -pix_fmt yuv420p - | .build/release/terminal-app
//     ffmpeg -v error -f v4l2 -i /dev/video0 -f yuv4mpegpipe -pix_fmt yuv420p - | .build/release/terminal-app

import BodyPose
import Foundation
import GestureEngine
import GestureHands

do {
    try run(drawing: isatty(STDOUT_FILENO) == 1)
} catch {
    FileHandle.standardError.write(Data("terminal-app: \(error)\n".utf8))
    exit(1)
}

/// Recognises the gestures of the video of standard input.
func run(drawing: Bool) throws {
    let video = try Y4MVideo(FileHandle.standardInput)
    let rate: PacingConfiguration.Rate = video.rate <= 30.3 ? .hz30 : video.rate <= 60.6 ? .hz60 : .hz120
    // Without `arms` the hand alone is watched: less work, and fewer swipes of people a metre or more away.
    let engine = try GestureEngine(hands: .lite(), arms: .full())
    let stream = try engine.makeStream(GestureEngine.Configuration(rate: rate))
    var news: [String] = []
    var index = 0
    while let pixels = try video.nextFrame() {
        let time = Duration.seconds(Double(index) / video.rate)
        index += 1
        let (luma, chroma) = (video.width * video.height, (video.width + 1) / 2 * ((video.height + 1) / 2))
        // All bytes of the array are initialised, so all may be read raw.
        let bytes = unsafe pixels.span.bytes
        let planes = PixelView.ChromaPlanes(
            blue: bytes.extracting(luma..<luma + chroma), red: bytes.extracting(luma + chroma..<luma + 2 * chroma),
            bytesPerRow: (video.width + 1) / 2)
        let frame = try PixelView(
            bytes.extracting(first: luma), chroma: planes, format: .i420(.video), width: video.width,
            height: video.height, bytesPerRow: video.width)
        report(stream.push(frame, at: time).events)
        guard drawing else { continue }
        var canvas = TextCanvas(columns: 64, rows: 24)
        for hand in stream.hands {
            for bone in TrackedHand.bones { canvas.line(hand.landmarks[bone.start], hand.landmarks[bone.end]) }
        }
        // From the top left corner over the frame before; the newest events are below.
        print("\u{1B}[H\u{1B}[J" + canvas.text + "\n" + news.suffix(4).joined(separator: "\n"))
    }
    report(stream.finish())

    func report(_ events: [GestureEvent]) {
        for event in events {
            let kind = event.kind == .begin ? "begin" : "end"
            let line = "\(event.decision)  \(kind) \(event.label) \(event.confidence)"
            news.append(line)
            if !drawing { print(line) }
        }
    }
}
