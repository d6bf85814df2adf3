import Scheduling
public import Streams
public import TrackerInference

extension GestureEngine {
    /// Makes a stream that takes frames from any thread and gives its events as an `AsyncStream`.
    /// - Parameter sensors: sensors of heat and battery for the schedule, read about once a second. With nil the schedule
    ///   has only the readings of `LiveGestureStream.update`.
    public func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors? = .system
    ) throws(EngineError) -> LiveGestureStream {
        try makeLiveStream(configuration, sensors: sensors, clock: .system)
    }

    /// The same with a clock that a test moves, and with a network of another module's front end.
    package func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), sensors: DeviceSensors?,
        network: sending (any FrameNetwork)? = nil, clock: StreamClock
    ) throws(EngineError) -> LiveGestureStream {
        let scheduling = configuration.scheduling ?? SchedulingConfiguration()
        let recognition = try makeRecognition(
            configuration, network: network, measuresActivity: scheduling.activity != nil, clock: clock)
        let intake = try StreamIntake(configuration, for: frontEnd, scheduling: scheduling, clock: clock)
        return try LiveGestureStream(intake: intake, inference: recognition, sensors: sensors, clock: clock)
    }
}

extension StreamIntake: FrameGate {
    typealias Work = SlotWork
}

extension SlotWork: MergedWork {}
