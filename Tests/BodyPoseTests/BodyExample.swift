// The examples of `BodyPoseEngine.recognizedBodies` and of the guide to bodies, compiled. `BodyExampleTests` holds both to these very lines.

// example: torsos
import BodyPose

func torsos(_ rgba: [UInt8], width: Int, height: Int, by engine: BodyPoseEngine) throws -> [[SIMD2<Float>]] {
    let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    return try engine.recognizedBodies(in: picture, orientation: .right).map { person in
        // The upright width is the stored height. From the bottom left, as with Vision.
        person.joints.points(of: .torso).map { $0.imagePoint(width: height, height: width) }
    }
}
// end

// example: squats
func squats(in video: [[UInt8]], width: Int, height: Int, by engine: BodyPoseEngine) throws -> Int {
    let stream = try engine.makeStream()
    var watch = try BodyActivityTracker(.squat)
    for (index, rgba) in video.enumerated() {
        let time = Duration.seconds(Double(index) / 30)
        let frame = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
        stream.track(frame, at: time)
        let state = watch.step(stream.bodies, at: time, isBodyLost: stream.isBodyLost)
        if state.advice.contains(.turnSideways) { print("Turn a side to the camera.") }
        if let squat = state.completed { print(squat.number, squat.duration, squat.depth) }
    }
    return watch.statistics.repetitions
}
// end
