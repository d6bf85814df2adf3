import Foundation
package import ModelFile

/// Sequences of images and their expected features, as `Tools/lab/training` writes them.
package enum MotionFixture {
    package struct Sequence: Sendable {
        package let width: Int
        package let height: Int
        package let frames: [Frame]
    }

    package struct Frame: Sendable {
        /// Luma, a byte a pixel.
        package let picture: [UInt8]
        package let time: Int64
        /// The palm's position normalised to the image, and its size in heights; nil without a hand.
        package let palm: SIMD3<Float>?
        /// What the training makes of the frame, and the values that it is quantised to.
        package let numbers: [Float]
        package let values: [UInt8]
    }

    package static let names = ["block", "sway", "noise", "portrait", "hand"]

    package static func sequence(_ name: String) throws -> Sequence {
        let file = try file()
        let shape = try file.tensor(named: "\(name).pictures").shape
        let pictures = try bytes("\(name).pictures", of: file)
        let values = try bytes("\(name).codes", of: file)
        let numbers = try file.floats("\(name).numbers")
        let hands = try file.floats("\(name).hands")
        let times = try bytes("\(name).times", of: file)
        let size = shape[1] * shape[2]
        let frames = (0..<shape[0]).map { frame in
            let hand = SIMD3(hands[3 * frame], hands[3 * frame + 1], hands[3 * frame + 2])
            return Frame(
                picture: Array(pictures[frame * size..<(frame + 1) * size]),
                time: (0..<8).reduce(Int64(0)) { $0 | Int64(times[8 * frame + $1]) << Int64(8 * $1) },
                palm: hand.x.isNaN ? nil : hand, numbers: Array(numbers[12 * frame..<12 * frame + 12]),
                values: Array(values[12 * frame..<12 * frame + 12]))
        }
        return Sequence(width: shape[2], height: shape[1], frames: frames)
    }

    package static func file() throws -> SafetensorsFile {
        let path = Fixtures.repository.appendingPathComponent("Tools/lab/training/tests/motion.safetensors").path
        return try SafetensorsFile.load(path: path, limit: 1 << 20)
    }

    package static func bytes(_ name: String, of file: SafetensorsFile) throws -> [UInt8] {
        let raw = file.rawBytes(of: try file.tensor(named: name))
        return raw.indices.map { raw[$0] }
    }
}
