// The examples of `BodyPoseEngine.recognizedBodies`, README and the guide to bodies, compiled. `BodyExampleTests` holds
// them to these very lines.

// example: torsos
import BodyPose

func torsos(
    _ rgba: [UInt8], width: Int, height: Int, stored orientation: ImageOrientation, by engine: BodyPoseEngine
) throws -> [[SIMD2<Float>]] {
    let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    return try engine.recognizedBodies(in: picture, orientation: orientation).map { person in
        // Shares of the upright picture's width and height, from its bottom left as with Vision.
        person.joints.points(of: .torso).map(\.location)
    }
}
// end

// example: squats
func squats(in video: [[UInt8]], width: Int, height: Int, by engine: BodyPoseEngine) throws -> Int {
    let stream = try engine.makeStream()
    var watch = try BodyActivityTracker(.squat)
    var advice: BodyAdvice = []
    for (index, rgba) in video.enumerated() {
        let time = Duration.seconds(Double(index) / 30)
        let frame = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
        stream.track(frame, at: time)
        let state = watch.step(stream.bodies, at: time, isBodyLost: stream.isBodyLost)
        let news = state.advice.subtracting(advice)
        if news.contains(.turnSideways) { print("Turn a side to the camera.") }
        advice = state.advice
        if let squat = state.completed { print(squat.number, squat.duration, squat.depth) }
    }
    return watch.statistics.repetitions
}
// end
