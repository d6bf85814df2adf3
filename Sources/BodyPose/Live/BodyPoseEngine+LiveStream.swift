public import BodyTracking
package import Streams
public import TrackerInference

extension BodyPoseEngine {
    /// Makes a stream whose frames may come from any thread and whose results are an `AsyncStream`: live mode.
    /// - Parameter sensors: heat and battery for the schedule, read about once a second; with nil only
    ///   `LiveBodyStream.update` supplies them.
    public func makeLiveStream(
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration(), sensors: DeviceSensors? = .system
    ) throws(EngineError) -> LiveBodyStream {
        try makeLiveStream(configuration, sensors: sensors, clock: .system)
    }

    /// The same with a clock that a test moves.
    package func makeLiveStream(
        _ configuration: BodyTrackingConfiguration, sensors: DeviceSensors?, clock: StreamClock
    ) throws(EngineError) -> LiveBodyStream {
        try LiveBodyStream(stream: makeStream(configuration, clock: clock), sensors: sensors, clock: clock)
    }
}
