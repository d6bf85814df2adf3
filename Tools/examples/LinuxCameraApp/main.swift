// Gestures of a Linux machine's camera: prints an event a line, and the hands once a second.
//
//     Tools/build --product linux-camera-app
//     .build/release/linux-camera-app /dev/video0 [nv12|yuyv|mjpeg]
//
// Untried on a real camera: none was at hand. Tests hold the layout of the kernel's structures, the order of the calls with a
// device that plays the kernel, and every format's conversion.

import BodyPose
import GestureEngine
import GestureHands
import Video4Linux

let arguments = CommandLine.arguments.dropFirst()
let formats: [String: VideoFormat.Pixels] = ["nv12": .nv12, "yuyv": .yuyv, "mjpeg": .mjpeg]
let chosen = arguments.dropFirst().first.map { [formats[$0]].compactMap(\.self) } ?? [.nv12, .yuyv, .mjpeg]
guard let path = arguments.first, arguments.count <= 2, !chosen.isEmpty else {
    fatal("Usage: linux-camera-app DEVICE [nv12|yuyv|mjpeg]", status: 64)
}
do {
    try watch(path, formats: chosen)
} catch {
    fatal("linux-camera-app: \(error)", status: 1)
}

/// Recognises until the camera is unplugged.
func watch(_ path: String, formats: [VideoFormat.Pixels]) throws {
    let camera = try VideoCamera(path: path, width: 640, height: 480, rate: 30, formats: formats)
    let (width, height) = (camera.format.width, camera.format.height)
    print("\(camera.name): \(width)x\(height), \(camera.format.pixels)")
    // Without `arms` the hand alone is watched: less work, and fewer swipes of people a metre or more away.
    let engine = try GestureEngine(hands: .lite(), arms: .full())
    let stream = try engine.makeStream(GestureEngine.Configuration(rate: .hz30))
    var (frames, damaged) = (0, 0)
    while true {
        do throws(VideoError) {
            try camera.nextFrame { frame, time in
                for event in stream.push(frame, at: time).events {
                    let kind = event.kind == .begin ? "begin" : "end"
                    print("\(event.decision)  \(kind) \(event.label) \(event.confidence)")
                }
            }
            frames += 1
        } catch {
            guard error.isOfOneFrame else { throw error }
            damaged += 1
        }
        guard (frames + damaged).isMultiple(of: 30) else { continue }
        let hands = stream.hands.map { "\($0.handedness) hand, \($0.pose?.name.rawValue ?? "")" }
        print("\(frames) frames, \(damaged) damaged: \(hands.joined(separator: "; "))")
    }
}
