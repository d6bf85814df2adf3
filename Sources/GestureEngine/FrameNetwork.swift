package import Frames
package import Scheduling
package import Streams
import TrackerInference
import Vocabulary

/// A front end of another module: from frames to the logits of their slots. The module PixelFrontEnd has one.
package protocol FrameNetwork: AnyObject {
    /// The name of the compute unit whose logits are used.
    var activeUnit: String { get }

    /// Whether two units run for each column, because one prepares to take over.
    var isSwitching: Bool { get }

    /// True when enough columns have been made for a prediction.
    var isWarm: Bool { get }

    /// How much the latest frame differs from the one before (`ChangeMeter.activity`); nil if it was not measured.
    var activity: Float? { get }

    /// Throws unless every compute unit has so many features.
    func requireFeatures(_ count: Int) throws(EngineError)

    /// Computes the logits of the next slot.
    /// - Parameters:
    ///   - frame: the slot's frame; nil repeats the newest column.
    ///   - time: of the slot, in nanoseconds.
    /// - Returns: a switch of compute units, if one begins.
    func advance(
        _ frame: PixelView?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch?

    /// Writes the classifier's input behind the latest logits.
    func copyFeatures(to output: inout MutableSpan<Float>)

    /// Forgets every frame.
    func reset()
}

/// Makes the networks of an engine whose front end is another module's. A class, because Embedded Swift has no other existentials.
package protocol FrameNetworkFactory: AnyObject, Sendable {
    /// - Parameter measuresActivity: whether `FrameNetwork.activity` is wanted.
    func makeNetwork(
        for engine: GestureEngine, _ configuration: GestureEngine.Configuration, measuresActivity: Bool,
        clock: StreamClock
    ) throws(EngineError) -> any FrameNetwork
}

/// The network of a stream: hands, or a front end of another module.
enum SlotNetwork {
    case landmarks(LandmarkNetwork)
    case frames(any FrameNetwork)

    /// The network of landmarks; nil with another front end.
    var landmarks: LandmarkNetwork? { if case .landmarks(let network) = self { network } else { nil } }

    var activeUnit: String {
        switch self {
        case .landmarks: FrontEnd.landmarks.rawValue
        case .frames(let network): network.activeUnit
        }
    }

    var isSwitching: Bool { if case .frames(let network) = self { network.isSwitching } else { false } }

    var isWarm: Bool {
        switch self {
        case .landmarks(let network): network.isWarm
        case .frames(let network): network.isWarm
        }
    }

    var activity: Float? {
        switch self {
        case .landmarks(let network): network.activity
        case .frames(let network): network.activity
        }
    }

    func advance(
        _ frame: PixelView?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        switch self {
        case .landmarks(let network):
            network.advance(frame, at: time, logits: &logits)
            return nil
        case .frames(let network): return network.advance(frame, at: time, logits: &logits)
        }
    }

    func copyFeatures(to output: inout MutableSpan<Float>) {
        switch self {
        case .landmarks(let network): network.copyFeatures(to: &output)
        case .frames(let network): network.copyFeatures(to: &output)
        }
    }

    func reset() {
        switch self {
        case .landmarks(let network): network.reset()
        case .frames(let network): network.reset()
        }
    }
}
