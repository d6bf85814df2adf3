import BodyPose
public import CGesture
import Platform
import TrackerInference

/// The people of an engine: its body networks, which are read when they are first needed.
final class BodyNetworks: Sendable {
    private let folder: BodyFolder
    private let engine = Locked<BodyPoseEngine?>(nil)

    init(_ folder: BodyFolder) { self.folder = folder }

    /// The engine of bodies; the first call reads the networks.
    func bodies() throws(CallFailure) -> BodyPoseEngine {
        try engine.withLock { engine throws(CallFailure) in
            if let engine { return engine }
            let made = try CallFailure.bodies { () throws(EngineError) in
                BodyPoseEngine(try BodyModels(folder))
            }
            engine = made
            return made
        }
    }
}

/// Where the body networks lie.
enum BodyFolder: Sendable {
    case given(String)
    case besideLibrary

    /// The name of the folder beside the library.
    static let name = "gesture-bodies"
}

extension BodyModels {
    /// The networks of a folder.
    init(_ folder: BodyFolder) throws(EngineError) {
        let path: String
        switch folder {
        case .given(let given): path = given
        case .besideLibrary:
            guard let beside = LibraryFolder.path(of: BodyFolder.name) else { throw .resourcesMissing(searched: []) }
            path = beside
        }
        try self.init(
            detection: path + "/pose-detection.safetensors", landmarks: path + "/pose-landmark-full.safetensors")
    }
}

extension BodyTrackingConfiguration {
    /// The configuration of a body tracker or a still image.
    /// - Parameter options: NULL means the defaults.
    init(_ options: UnsafePointer<gesture_body_options>?) throws(CallFailure) {
        let name = "gesture_body_options"
        let options =
            unsafe try CallersStruct.read(options, name, empty: gesture_body_options()) ?? gesture_body_options()
        self.init()
        orientation = try ImageOrientation(exif: options.orientation, name + ".orientation")
        if options.maximum_bodies != 0 { maximumBodies = Int(options.maximum_bodies) }
        if options.minimum_detection_score != 0 { minimumDetectionScore = options.minimum_detection_score }
        if options.minimum_presence != 0 { minimumPresence = options.minimum_presence }
        if try flag(options.unsmoothed, name + ".unsmoothed") { smoothing = nil }
        if try flag(options.detects_in_every_frame, name + ".detects_in_every_frame") {
            detectionInterval = .zero
            stillness = nil
            hold = .zero
        }
        do { try validate() } catch { throw CallFailure(error) }
    }
}

extension gesture_body {
    /// A tracked body.
    /// - Parameter identity: nil takes the tracker's.
    init(_ body: TrackedBody, identity: Int? = nil) {
        self.init()
        self.identity = Int64(identity ?? body.identity)
        is_held = body.state == .held ? 1 : 0
        presence = body.presence
        copyPoints(count: TrackedBody.Points.count, to: &landmarks) { body.landmarks[$0] }
        copyPoints(count: TrackedBody.Points.count, to: &world_landmarks) { body.worldLandmarks[$0] }
        Self.copy(body.visibility, to: &visibility)
        Self.copy(body.pointPresence, to: &point_presence)
    }

    /// - Parameter target: a tuple of `GESTURE_BODY_POINT_COUNT` floats.
    private static func copy<Tuple>(_ scores: TrackedBody.Scores, to target: inout Tuple) {
        unsafe withUnsafeMutableBytes(of: &target) { buffer in
            for index in 0..<TrackedBody.Points.count {
                unsafe buffer.storeBytes(
                    of: scores[index], toByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
            }
        }
    }
}

/// Finds the people of a still image; see `gesture.h`.
@c @implementation
public func gesture_engine_recognize_bodies(
    _ engine: OpaquePointer?, _ frame: UnsafePointer<gesture_frame>?, _ options: UnsafePointer<gesture_body_options>?,
    _ bodies: UnsafeMutablePointer<gesture_body>?, _ capacity: Int, _ body_size: Int,
    _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<gesture_error>?
) -> gesture_status {
    unsafe call(error) { () throws(CallFailure) in
        let object = unsafe try engines.object(engine)
        let target = unsafe try FoundTarget(bodies, capacity: capacity, size: body_size, count: count, "bodies")
        let configuration = unsafe try BodyTrackingConfiguration(options)
        let engine = try object.bodies.bodies()
        var reader = FrameReader()
        let found = unsafe try reader.withView(of: frame) { view in
            Result { () throws(EngineError) in try engine.bodies(in: view, configuration) }
        }
        let people = try CallFailure.bodies { () throws(EngineError) in try found.get() }
        try target.write(people.indices.map { gesture_body(people[$0], identity: $0) })
    }
}
