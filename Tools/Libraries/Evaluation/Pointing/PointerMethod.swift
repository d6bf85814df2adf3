import HandPointer
package import HandTracking
package import Vocabulary

/// A labelled recording with its landmarks.
package struct PointerRecording: Sendable {
    /// A frame and its first hand.
    package struct Frame: Sendable {
        /// In seconds.
        package let time: Double
        package let hand: TrackedHand?

        package init(time: Double, hand: TrackedHand?) { (self.time, self.hand) = (time, hand) }
    }

    package let labels: PointerLabels.Recording
    package let frames: [Frame]
    /// Height over width of a frame.
    package let aspect: Float

    package init(labels: PointerLabels.Recording, frames: [Frame], aspect: Float) {
        (self.labels, self.frames, self.aspect) = (labels, frames, aspect)
    }
}

/// What a method says of a frame.
package struct PointerSample: Sendable, Equatable {
    /// In seconds.
    package var time: Double
    /// Shares of the screen; nil without a hand.
    package var position: SIMD2<Float>?
    /// What `position` follows, unfiltered; nil for a method that follows movements instead of a point.
    package var target: SIMD2<Float>?
    package var isPressed: Bool

    package init(time: Double, position: SIMD2<Float>?, target: SIMD2<Float>?, isPressed: Bool) {
        (self.time, self.position, self.target, self.isPressed) = (time, position, target, isPressed)
    }
}

/// A way from landmarks to a position and a press.
package struct PointerMethod: Sendable {
    package let name: String
    /// Whether it has a press at all.
    package let presses: Bool
    private let run: @Sendable ([PointerRecording.Frame]) throws(ConfigurationError) -> [PointerSample]

    /// What the method says of a recording's frames.
    package func samples(_ frames: [PointerRecording.Frame]) throws(ConfigurationError) -> [PointerSample] {
        try run(frames)
    }

    /// The pointer with its defaults; the palm alone, unfiltered or with an exponential mean; and public scripts.
    package static let all: [PointerMethod] = [
        pointer("HandPointer", HandPointer.Configuration(isMirrored: false)),
        palm("palm, no filter", weight: 1), palm("palm, mean of weight 0.2", weight: 0.2),
        script("handsfree.js", HandsfreeScript()),
        script("Gesture-Controlled-Virtual-Mouse", GestureControlledMouseScript()),
        script("AI Virtual Mouse", VirtualMouseScript()),
    ]

    /// The pointer that presses and releases at these gaps, in lengths of the palm.
    static func pointer(pressGap: Float, releaseGap: Float) -> PointerMethod {
        pointer(
            "HandPointer",
            HandPointer.Configuration(isMirrored: false, pressGap: pressGap, releaseGap: releaseGap))
    }

    private static let region = HandPointer.Configuration.Region()

    private static func onScreen(_ hand: TrackedHand) -> SIMD2<Float> {
        region.onScreen(HandPointer.palm(of: hand.landmarks))
    }

    private static func pointer(_ name: String, _ configuration: HandPointer.Configuration) -> PointerMethod {
        PointerMethod(name: name, presses: true) { frames throws(ConfigurationError) in
            var pointer = try HandPointer(configuration)
            return frames.map { frame in
                let result = pointer.update(frame.hand.map { [$0] } ?? [], at: .seconds(frame.time)).first
                return PointerSample(
                    time: frame.time, position: frame.hand == nil ? nil : result.position,
                    target: frame.hand.map(onScreen), isPressed: result.state.isPressed)
            }
        }
    }

    /// The mean restarts when the hand was lost.
    private static func palm(_ name: String, weight: Float) -> PointerMethod {
        PointerMethod(name: name, presses: false) { frames in
            var mean: SIMD2<Float>?
            return frames.map { frame in
                let target = frame.hand.map(onScreen)
                mean = target.map { new in mean.map { $0 + weight * (new - $0) } ?? new }
                return PointerSample(time: frame.time, position: mean, target: target, isPressed: false)
            }
        }
    }

    private static func script(_ name: String, _ script: some PointerScript) -> PointerMethod {
        PointerMethod(name: name, presses: true) { frames in
            var script = script
            return frames.map { script.step($0) }
        }
    }
}
