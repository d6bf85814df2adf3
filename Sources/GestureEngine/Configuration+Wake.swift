public import HandTracking
public import Vocabulary

extension GestureEngine.Configuration {
    /// A pose that has to be held before gestures count, for landmarks. Use it in rooms where hands often move without
    /// meaning a gesture.
    ///
    /// A pose that is held for `hold` arms the stream. Gestures are then reported for `window`, and each of them begins
    /// the window anew. At other times begins are withheld, together with their ends. A gesture that began within the
    /// window also gets its end. The pose that arms is not reported as a gesture. `StreamChange.armed` and `.disarmed`
    /// report the state, and `GestureStream.isArmed` has it.
    public struct Wake: Codable, Sendable, Hashable {
        /// The pose, by MediaPipe's scores; dips and losses of under a quarter of a second do not end it. It needs the
        /// networks of poses in `HandModels`.
        public var pose: TrackedHand.Pose.Name

        /// The time for which the pose has to be held, 0.1...10 s.
        public var hold: Duration

        /// The time for which gestures count afterwards, 1...3600 s.
        public var window: Duration

        /// Accepts any values; `validate()` rejects those that cannot be used.
        public init(
            pose: TrackedHand.Pose.Name, hold: Duration = .milliseconds(500), window: Duration = .seconds(8)
        ) {
            self.pose = pose
            self.hold = hold
            self.window = window
        }

        /// Checks every value and throws the first fault, in the order of declaration.
        public func validate() throws(ConfigurationError) {
            let name = "GestureEngine.Configuration.advanced.wake"
            guard pose != .unknown else { throw ConfigurationError("\(name).pose", ".unknown", mustBe: "a pose") }
            guard hold >= .milliseconds(100), hold <= .seconds(10) else {
                throw ConfigurationError("\(name).hold", hold, mustBe: "from 0.1 to 10 seconds")
            }
            guard window >= .seconds(1), window <= .seconds(3600) else {
                throw ConfigurationError("\(name).window", window, mustBe: "from 1 to 3600 seconds")
            }
        }
    }
}
