public import GestureEngine
import Scheduling
public import Streams
public import TrackerInference

extension GestureEngine {
    /// Makes a live stream of the pixel front end.
    /// - Parameters:
    ///   - pixels: options of this front end.
    ///   - sensors: as for `makeLiveStream(_:sensors:)`.
    ///   - units: as for `makeStream(_:pixels:adding:)`.
    public func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), pixels: PixelConfiguration,
        sensors: DeviceSensors? = .system, adding units: sending [any ComputeUnit] = []
    ) throws(EngineError) -> LiveGestureStream {
        try makeLiveStream(configuration, pixels: pixels, sensors: sensors, adding: units, clock: .system)
    }

    /// The same with a clock that a test moves.
    package func makeLiveStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        pixels: PixelConfiguration, sensors: DeviceSensors?,
        adding units: sending [any ComputeUnit] = [], clock: StreamClock
    ) throws(EngineError) -> LiveGestureStream {
        let scheduling = configuration.scheduling ?? SchedulingConfiguration()
        let network = try makePixelNetwork(
            configuration, pixels, adding: units, measuresActivity: scheduling.activity != nil, clock: clock)
        return try makeLiveStream(configuration, sensors: sensors, network: network, clock: clock)
    }
}
