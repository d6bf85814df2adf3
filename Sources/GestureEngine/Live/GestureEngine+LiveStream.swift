public import Network
import Scheduling
public import Streams

extension GestureEngine {
    /// Makes a stream that takes frames from any thread and gives its events as an `AsyncStream`.
    /// - Parameters:
    ///   - sensors: sensors of heat and battery for the schedule, read about once a second. With nil the schedule knows
    ///     only what `LiveGestureStream.update` tells it.
    ///   - units: as for `makeStream`.
    public func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors? = .system,
        adding units: sending [any ComputeUnit] = []
    ) throws(GestureEngineError) -> LiveGestureStream {
        try makeLiveStream(configuration, sensors: sensors, adding: units, clock: .system)
    }

    package func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors?,
        adding units: sending [any ComputeUnit] = [], clock: StreamClock
    ) throws(GestureEngineError) -> LiveGestureStream {
        let inference = try makeInference(configuration, adding: units, clock: clock)
        let intake = try StreamIntake(
            configuration, for: frontEnd, scheduling: configuration.scheduling ?? SchedulingConfiguration(),
            copyingFrames: true, clock: clock)
        return try LiveGestureStream(intake: intake, inference: inference, sensors: sensors, clock: clock)
    }
}

extension StreamIntake: LiveIntake {}
