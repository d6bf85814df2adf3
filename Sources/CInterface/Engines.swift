public import CGesture
import Frames
import GestureEngine
import HandTracking
import Platform
import TrackerInference

/// An engine of a C program.
final class EngineObject: Sendable {
    let engine: GestureEngine
    let bodies: BodyNetworks
    private let stills = Locked(StillTracker())

    /// One tracker for all still images: its networks have memory of their own.
    private struct StillTracker: ~Copyable {
        var reader = FrameReader()
        var tracker: (configuration: GestureEngine.Configuration, stream: HandStream)?
    }

    init(_ engine: GestureEngine, _ bodies: BodyNetworks) {
        self.engine = engine
        self.bodies = bodies
    }

    /// The hands of a still image.
    func hands(
        in frame: UnsafePointer<gesture_frame>?, _ configuration: GestureEngine.Configuration
    ) throws(CallFailure) -> [TrackedHand] {
        try stills.withLock { (still: inout StillTracker) throws(CallFailure) in
            let stream: HandStream
            if let made = still.tracker, made.configuration == configuration {
                stream = made.stream
            } else {
                stream = try CallFailure.engine { () throws(EngineError) in
                    try engine.makeHandStream(configuration)
                }
                still.tracker = (configuration, stream)
            }
            stream.reset()
            return unsafe try still.reader.withView(of: frame) { view in
                stream.track(view, at: .zero)
                return stream.hands
            }
        }
    }
}

let engines = HandleTable<EngineObject>(of: "engine")

/// Makes an engine; see `gesture.h`.
@c @implementation
public func gesture_engine_create(
    _ options: UnsafePointer<gesture_engine_options>?, _ engine: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        unsafe try engines.make(at: engine) { () throws(CallFailure) in
            let networks = unsafe try Networks(options)
            return try EngineObject(networks.makeEngine(), BodyNetworks(networks.bodies))
        }
    }
}

/// Releases an engine; see `gesture.h`.
@c @implementation
public func gesture_engine_destroy(
    _ engine: OpaquePointer?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in unsafe try engines.remove(engine) }
}

/// Finds the hands of a still image; see `gesture.h`.
@c @implementation
public func gesture_engine_recognize_hands(
    _ engine: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ options: UnsafePointer<gesture_options>?,
    _ hands: UnsafeMutablePointer<gesture_hand>?, _ capacity: Int, _ hand_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try engines.object(engine)
        let target = unsafe try FoundTarget(hands, capacity: capacity, size: hand_size, count: count, "hands")
        let configuration = unsafe try GestureEngine.Configuration(options, of: object.engine)
        let hands = unsafe try object.hands(in: frame, configuration)
        try target.write(hands.indices.map { gesture_hand(hands[$0], identity: $0) })
    }
}
