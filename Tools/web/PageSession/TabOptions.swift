import BodyTracking
import GestureEngine
import HandTracking
import Scheduling

/// What a script chooses when it opens the engine: a JSON object, of which every member may be missing.
///
/// | member | value |
/// |---|---|
/// | `rate` | nominal frames a second: 30, 60 or 120 |
/// | `maximumHands` | 1...4 |
/// | `mirrored` | whether the user sees a mirrored picture, so that swipes are named as the user sees them |
/// | `heldPoses` | whether a fist, a victory sign and I-love-you are gestures when they are held |
/// | `sensitivity` | `low`, `medium` or `high` |
/// | `pointer` | whether hands are followed as pointers, or an object of settings (`HandPointer.Configuration`) |
/// | `minimumPalmScore`, `minimumPresence` | 0...1, as in `HandTrackingConfiguration` |
/// | `maximumBodies`, `minimumBodyScore`, `minimumBodyPresence` | as in `BodyTrackingConfiguration`; for `openPeople` alone |
struct TabOptions {
    var configuration = GestureEngine.Configuration()
    var settings = PageSettings()
    var bodies = BodyTrackingConfiguration()

    init() {}

    init(_ text: [UInt8]) throws(PageCommandError) {
        try ObjectReader.read(text) { key, reader throws(PageCommandError) in
            switch key {
            case "rate":
                if let rate = try reader.integer(key) {
                    guard PacingConfiguration.Rate(rawValue: rate) != nil else { throw .rate(rate) }
                    settings.rate = rate
                }
            case "maximumHands":
                if let count = try reader.integer(key) { configuration.maximumHands = count }
            case "mirrored":
                if let isMirrored = try reader.boolean(key) { settings.isMirrored = isMirrored }
            case "heldPoses":
                if let hasHeldPoses = try reader.boolean(key) { settings.hasHeldPoses = hasHeldPoses }
            case "sensitivity":
                if let sensitivity: GestureEngine.Sensitivity = try reader.choice(key) {
                    configuration.sensitivity = sensitivity
                }
            case "pointer": settings.pointer = try HandPointer.Configuration(reading: &reader, key)
            case "minimumPalmScore":
                if let score = try reader.number(key) { configuration.advanced.hands.minimumPalmScore = Float(score) }
            case "minimumPresence":
                if let presence = try reader.number(key) {
                    configuration.advanced.hands.minimumPresence = Float(presence)
                }
            case "maximumBodies":
                if let count = try reader.integer(key) { bodies.maximumBodies = count }
            case "minimumBodyScore":
                if let score = try reader.number(key) { bodies.minimumDetectionScore = Float(score) }
            case "minimumBodyPresence":
                if let presence = try reader.number(key) { bodies.minimumPresence = Float(presence) }
            default: try reader.skip()
            }
        }
    }
}
