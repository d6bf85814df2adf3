public import Tracking
public import Vocabulary

extension HandPointer {
    /// How hands point. The defaults were chosen on recordings of people; the documentation's page about pointers has the measures.
    public struct Configuration: Codable, Sendable, Hashable {
        /// The part of the upright frame in which the palm moves, in shares of the frame's width and height from its top left.
        /// It maps to the whole screen.
        public struct Region: Codable, Sendable, Hashable {
            /// Its left and top, 0...0.95.
            public var x: Float, y: Float
            /// Its size, 0.05...1; it must end within the frame.
            public var width: Float, height: Float

            /// Accepts any values; `Configuration.validate()` rejects those that cannot be used.
            public init(x: Float = 0.2, y: Float = 0.2, width: Float = 0.6, height: Float = 0.6) {
                (self.x, self.y, self.width, self.height) = (x, y, width, height)
            }

            /// A point of the frame, in shares of the screen: 0...1 within the region.
            package func onScreen(_ point: SIMD2<Float>) -> SIMD2<Float> {
                SIMD2((point.x - x) / width, (point.y - y) / height)
            }
        }

        /// Where the palm moves. A smaller region needs less movement and shows more tremor.
        public var region: Region

        /// Whether left and right are exchanged. The default, true, suits a camera that faces the user and whose frames are not
        /// mirrored: the pointer moves right when the user's hand does.
        public var isMirrored: Bool

        /// The filter of the position (Casiez, Roussel and Vogel, CHI 2012). Speeds are in screens a second.
        public var smoothing: OneEuroParameters

        /// A pinch presses when the tips of thumb and index finger are nearer than this, 0.05...1, in lengths of the palm from wrist
        /// to middle knuckle.
        public var pressGap: Float

        /// It is released when they are further apart than this, in the same unit, `pressGap`...2.
        public var releaseGap: Float

        /// A hand that is not seen stays as it was for this time, 0...2 s.
        public var lostHandTime: Duration

        /// A press that moves by more than this drags, in shares of the screen, 0...1.
        public var dragDistance: Float

        /// Two clicks within this time are a double click, 0...2 s.
        public var doubleClickTime: Duration

        /// Width over height of the screen, 0.1...10, for distance and angle of two hands.
        public var screenAspect: Float

        /// Whether a fist that moves scrolls.
        public var scrolls: Bool

        /// Accepts any values; `validate()` rejects those that cannot be used.
        public init(
            region: Region = Region(), isMirrored: Bool = true,
            smoothing: OneEuroParameters = OneEuroParameters(minimumCutoff: 1, speedCoefficient: 25, speedCutoff: 1),
            pressGap: Float = 0.28, releaseGap: Float = 0.45, lostHandTime: Duration = .milliseconds(150),
            dragDistance: Float = 0.02, doubleClickTime: Duration = .milliseconds(500), screenAspect: Float = 16 / 9,
            scrolls: Bool = true
        ) {
            self.region = region
            self.isMirrored = isMirrored
            self.smoothing = smoothing
            self.pressGap = pressGap
            self.releaseGap = releaseGap
            self.lostHandTime = lostHandTime
            self.dragDistance = dragDistance
            self.doubleClickTime = doubleClickTime
            self.screenAspect = screenAspect
            self.scrolls = scrolls
        }

        /// Checks every value and throws the first fault, in the order of declaration.
        public func validate() throws(ConfigurationError) {
            let name = "HandPointer.Configuration."
            try ConfigurationError.check(region.x, name + "region.x", in: 0...0.95)
            try ConfigurationError.check(region.y, name + "region.y", in: 0...0.95)
            // One unit in the last place for sums such as 0.2 + 0.8.
            try ConfigurationError.check(region.width, name + "region.width", in: 0.05...(1 - region.x).nextUp)
            try ConfigurationError.check(region.height, name + "region.height", in: 0.05...(1 - region.y).nextUp)
            try smoothing.validate(name + "smoothing")
            try ConfigurationError.check(pressGap, name + "pressGap", in: 0.05...1)
            try ConfigurationError.check(releaseGap, name + "releaseGap", in: pressGap...2)
            try Self.check(lostHandTime, name + "lostHandTime")
            try ConfigurationError.check(dragDistance, name + "dragDistance", in: 0...1)
            try Self.check(doubleClickTime, name + "doubleClickTime")
            try ConfigurationError.check(screenAspect, name + "screenAspect", in: 0.1...10)
        }

        private static func check(_ time: Duration, _ name: String) throws(ConfigurationError) {
            try ConfigurationError.check(time, name, in: .zero ... .seconds(2))
        }
    }
}
