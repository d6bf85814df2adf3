import BodyTracking
import CGesture
import CInterface
import Foundation
import TestSupport
import Testing

/// Bodies as a C program asks for them. The wheel's tests have pictures of people.
@Suite struct BodyTests {
    private static func makeEngine(_ program: CProgram, arms: Int32 = 0, folder: String) throws -> OpaquePointer? {
        var engine: OpaquePointer?
        try folder.withCString { folder in
            try CProgram.handsFolder.withCString { hands in
                var options = CProgram.engineOptions
                (options.bodies_folder, options.hands_folder, options.arms) = (folder, hands, arms)
                try program.check(gesture_engine_create(&options, &engine, &program.error))
            }
        }
        return engine
    }

    private static let folder = Fixtures.repository.appendingPathComponent("Weights/body").path

    private static var options: gesture_body_options {
        var options = gesture_body_options()
        options.size = MemoryLayout<gesture_body_options>.size
        return options
    }

    @Test func framesWithoutPeople() throws {
        let program = try CProgram()
        let engine = try Self.makeEngine(program, folder: Self.folder)
        var (tracker, count, frame) = (OpaquePointer(bitPattern: 9), 9, CFrame(GESTURE_FORMAT_RGB).frame)
        try program.check(gesture_body_tracker_create(engine, nil, &tracker, &program.error))
        // A tracker keeps what it needs.
        try program.check(gesture_engine_destroy(engine, &program.error))
        for time in 0..<3 as Range<Int64> {
            try program.check(gesture_body_tracker_track(tracker, &frame, time * 100_000_000, &program.error))
        }
        try program.check(
            gesture_body_tracker_copy_bodies(
                tracker, nil, 0, MemoryLayout<gesture_body>.size, &count, &program.error))
        #expect(count == 0)
        try program.check(gesture_body_tracker_reset(tracker, &program.error))
        try program.check(gesture_body_tracker_destroy(tracker, &program.error))
        #expect(gesture_body_tracker_reset(tracker, &program.error) == GESTURE_INVALID_HANDLE)
        #expect(program.message.contains("body tracker was destroyed"))
    }

    @Test func stills() throws {
        let program = try CProgram()
        let engine = try Self.makeEngine(program, folder: Self.folder)
        defer { gesture_engine_destroy(engine, nil) }
        var (count, frame) = (9, CFrame(GESTURE_FORMAT_RGB).frame)
        try program.check(
            gesture_engine_recognize_bodies(
                engine, &frame, nil, nil, 0, MemoryLayout<gesture_body>.size, &count, &program.error))
        #expect(count == 0)
        #expect(
            gesture_engine_recognize_bodies(engine, &frame, nil, nil, 0, 4, &count, nil) == GESTURE_INVALID_ARGUMENT)
    }

    @Test func missingNetworks() throws {
        let program = try CProgram()
        let folder = "/no/such/folder"
        // They are needed by arms at once, and by bodies when these are asked for.
        #expect(throws: CProgram.Failed.self) { try Self.makeEngine(program, arms: 1, folder: folder) }
        #expect(program.error.status == GESTURE_INVALID_MODEL && program.message.contains(folder))
        let engine = try Self.makeEngine(program, folder: folder)
        defer { gesture_engine_destroy(engine, nil) }
        var tracker = OpaquePointer(bitPattern: 9)
        #expect(gesture_body_tracker_create(engine, nil, &tracker, &program.error) == GESTURE_INVALID_MODEL)
        #expect(tracker == nil && program.message.contains(folder + "/pose-detection.safetensors"))
        let arms = try Self.makeEngine(program, arms: 1, folder: Self.folder)
        var stream: OpaquePointer?
        try program.check(gesture_stream_create(arms, nil, &stream, &program.error))
        #expect(try program.push(CFrame(GESTURE_FORMAT_RGB).frame, at: 0, to: stream).outcome == GESTURE_FRAME_ENCODED)
        gesture_stream_destroy(stream, nil)
        gesture_engine_destroy(arms, nil)
        var options = CProgram.engineOptions
        (options.networks, options.arms) = (Int32(GESTURE_NETWORKS_PIXELS), 1)
        var none: OpaquePointer?
        #expect(gesture_engine_create(&options, &none, &program.error) == GESTURE_INVALID_ARGUMENT)
        #expect(program.message.contains("arms need hands"))
    }

    private static let faults: [(String, @Sendable (inout gesture_body_options) -> Void)] = [
        ("gesture_body_options.maximum_bodies is 5", { $0.maximum_bodies = 5 }),
        ("gesture_body_options.minimum_detection_score is 2", { $0.minimum_detection_score = 2 }),
        ("gesture_body_options.minimum_presence is -1", { $0.minimum_presence = -1 }),
        ("gesture_body_options.orientation is 9", { $0.orientation = 9 }),
        ("gesture_body_options.unsmoothed is 2", { $0.unsmoothed = 2 }),
        ("gesture_body_options.detects_in_every_frame is -1", { $0.detects_in_every_frame = -1 }),
        ("gesture_body_options.size is 4", { $0.size = 4 }),
    ]

    @Test func optionsOutOfRange() throws {
        let program = try CProgram()
        for (part, change) in Self.faults {
            var (options, tracker) = (Self.options, OpaquePointer(bitPattern: 9))
            change(&options)
            #expect(
                gesture_body_tracker_create(program.engine, &options, &tracker, &program.error)
                    == GESTURE_INVALID_ARGUMENT)
            #expect(tracker == nil && program.message.contains(part), "\(program.message)")
        }
    }

    @Test func points() { #expect(Int(GESTURE_BODY_POINT_COUNT) == TrackedBody.Points.count) }
}
