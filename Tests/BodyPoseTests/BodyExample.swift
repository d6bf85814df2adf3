// The example of `BodyPoseEngine.recognizedBodies`, compiled. `BodyExampleTests` holds its comment to these very lines.

// example: torsos
import BodyPose

func torsos(_ rgba: [UInt8], width: Int, height: Int, by engine: BodyPoseEngine) throws -> [[SIMD2<Float>]] {
    let picture = try PixelView(rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
    return try engine.recognizedBodies(in: picture, orientation: .right).map { person in
        // Upright, it is as wide as it is stored high. From the bottom left, as with Vision.
        person.joints.points(of: .torso).map { $0.imagePoint(width: height, height: width) }
    }
}
// end
