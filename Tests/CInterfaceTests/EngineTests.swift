import CGesture
import Foundation
import Frames
import GestureEngine
import HandTracking
import TestSupport
import Testing

/// Engines from folders and from bytes, options, and names.
@Suite struct CEngineTests {
    private static let files = [
        "palm-detection-lite", "hand-landmark-lite", "gesture-embedder", "canned-gesture-classifier", "hand-gestures",
    ]

    /// The outcome of making an engine, and its sentence.
    private func outcome(_ change: (inout gesture_engine_options) -> Void) -> (status: Int, message: String) {
        var (options, error, engine) = (CProgram.engineOptions, gesture_error(), OpaquePointer(bitPattern: 99))
        change(&options)
        let status = gesture_engine_create(&options, &engine, &error)
        #expect((engine == nil) == (status != GESTURE_OK))
        if status == GESTURE_OK { #expect(gesture_engine_destroy(engine, nil) == GESTURE_OK) }
        return (Int(status), CProgram.text(error.message))
    }

    /// The hand networks in memory.
    private final class Contents {
        private let files: [NSData]
        /// Valid while this object lives.
        let bytes: [gesture_bytes]

        init() throws {
            let folder = URL(fileURLWithPath: CProgram.handsFolder)
            files = try CEngineTests.files.map {
                try NSData(contentsOf: folder.appendingPathComponent($0 + ".safetensors"))
            }
            bytes = files.map { gesture_bytes(bytes: $0.bytes, count: $0.length) }
        }
    }

    private static func set(_ bytes: [gesture_bytes], in options: inout gesture_engine_options) {
        options.palm_detection = bytes[0]
        options.hand_landmarks = bytes[1]
        options.gesture_embedder = bytes[2]
        options.gesture_classifier = bytes[3]
        options.hand_gestures = bytes[4]
    }

    /// The outcome of making an engine from these contents, some of which may be left out.
    private func outcome(of files: [gesture_bytes], without missing: [Int] = []) -> (status: Int, message: String) {
        var files = files
        for index in missing { files[index] = gesture_bytes() }
        return outcome { Self.set(files, in: &$0) }
    }

    @Test func networksAsBytes() throws {
        let files = try Contents()
        #expect(outcome(of: files.bytes).status == GESTURE_OK)
        // Without poses.
        #expect(outcome(of: files.bytes, without: [2, 3]).status == GESTURE_OK)
        for missing in [0, 1, 4] {
            let found = outcome(of: files.bytes, without: [missing])
            #expect(found.status == GESTURE_INVALID_ARGUMENT && found.message.contains("all three are needed"))
        }
        for missing in [2, 3] {
            let found = outcome(of: files.bytes, without: [missing])
            #expect(found.status == GESTURE_INVALID_ARGUMENT && found.message.contains("poses need both"))
        }
        var changed = files.bytes
        changed[0].count -= 1
        let short = outcome(of: changed)
        #expect(short.status == GESTURE_INVALID_MODEL && short.message.hasPrefix("palmDetection: "), "\(short)")
        changed = files.bytes
        changed.swapAt(0, 1)
        let swapped = outcome(of: changed)
        #expect(swapped.status == GESTURE_INVALID_MODEL && swapped.message.contains("shapes"), "\(swapped)")
        for impossible in [gesture_bytes(bytes: nil, count: 5), gesture_bytes(bytes: files.bytes[1].bytes, count: -1)] {
            changed = files.bytes
            changed[1] = impossible
            #expect(outcome(of: changed).status == GESTURE_INVALID_ARGUMENT)
        }
    }

    @Test func networksOfAFolder() throws {
        #expect(
            CProgram.handsFolder.withCString { folder in outcome { $0.hands_folder = folder } }.status == GESTURE_OK)
        let missing = "/no/such/folder".withCString { folder in outcome { $0.hands_folder = folder } }
        #expect(missing.status == GESTURE_INVALID_MODEL)
        #expect(missing.message.contains("/no/such/folder/palm-detection-lite.safetensors"))
        // Beside the test program lie no networks.
        let beside = outcome { _ in }
        #expect(beside.status == GESTURE_INVALID_MODEL && beside.message.contains("/gesture-hands/"), "\(beside)")
        let text: [CChar] = [0x2F, -1, 0]
        let garbled = text.withUnsafeBufferPointer { text in outcome { $0.hands_folder = text.baseAddress } }
        #expect(garbled.status == GESTURE_INVALID_ARGUMENT && garbled.message.contains("UTF-8"))
    }

    @Test func contradictions() throws {
        let files = try Contents()
        CProgram.handsFolder.withCString { folder in
            let twice = outcome {
                Self.set(files.bytes, in: &$0)
                $0.hands_folder = folder
            }
            #expect(twice.status == GESTURE_INVALID_ARGUMENT && twice.message.contains("given twice"))
            let unwanted = outcome {
                $0.networks = Int32(GESTURE_NETWORKS_PIXELS)
                $0.hands_folder = folder
            }
            #expect(unwanted.status == GESTURE_INVALID_ARGUMENT && unwanted.message.contains("PIXELS"))
            let models = outcome {
                $0.model_path = folder
                $0.model = files.bytes[4]
            }
            #expect(models.status == GESTURE_INVALID_ARGUMENT && models.message.contains("model is given twice"))
        }
        #expect(outcome { $0.networks = 2 }.message.contains("networks is 2"))
        #expect(outcome { $0.arms = 2 }.message.contains("arms is 2"))
        #expect(outcome { $0.size = 4 }.status == GESTURE_INVALID_ARGUMENT)
    }

    @Test func modelsOfTheCaller() throws {
        let pixels = Int32(GESTURE_NETWORKS_PIXELS)
        let path = Fixtures.repository.appendingPathComponent("Weights/gesture-tcn-int8.safetensors").path
        path.withCString { path in
            #expect(
                outcome {
                    $0.networks = pixels
                    $0.model_path = path
                }.status == GESTURE_OK)
        }
        let files = try Contents()
        // A model of landmarks is refused where one of pixels is needed.
        let alone = outcome {
            $0.networks = pixels
            $0.model = files.bytes[4]
        }
        #expect(alone.status == GESTURE_INVALID_MODEL, "\(alone)")
        let replaced = outcome {
            Self.set(files.bytes, in: &$0)
            $0.model = files.bytes[4]
        }
        #expect(replaced.status == GESTURE_OK)
    }

    /// A sentence that is longer than the caller's memory ends with a whole character.
    @Test func longSentencesAreCut() {
        for pad in 0..<4 {
            let folder = "/" + String(repeating: "x", count: pad) + String(repeating: "\u{1F590}", count: 600)
            let found = folder.withCString { folder in outcome { $0.hands_folder = folder } }
            #expect(found.status == GESTURE_INVALID_MODEL)
            #expect((Int(GESTURE_MESSAGE_SIZE) - 4..<Int(GESTURE_MESSAGE_SIZE)).contains(found.message.utf8.count))
            #expect(!found.message.unicodeScalars.contains("\u{FFFD}"))
        }
    }

    /// Changes of the options, and a part of the sentence that each brings.
    private static let faults: [(String, @Sendable (inout gesture_options) -> Void)] = [
        ("rate is 25", { $0.rate = 25 }), ("rate is -30", { $0.rate = -30 }),
        ("orientation is 9", { $0.orientation = 9 }), ("orientation is -1", { $0.orientation = -1 }),
        ("options.maximum_hands is 5", { $0.maximum_hands = 5 }), ("maximum_hands is -1", { $0.maximum_hands = -1 }),
        ("minimum_palm_score is 2", { $0.minimum_palm_score = 2 }),
        ("minimum_palm_score is not a number", { $0.minimum_palm_score = .nan }),
        ("minimum_presence", { $0.minimum_presence = -.infinity }), ("held_poses is 2", { $0.held_poses = 2 }),
        ("pinch is 2", { $0.pinch = 2 }), ("options.begin_confidence is 1.0", { $0.begin_confidence = 1 }),
        ("wake_pose is 8", { $0.wake_pose = 8 }), ("wake_pose is -1", { $0.wake_pose = -1 }),
        ("options.wake_hold is", { ($0.wake_pose, $0.wake_hold) = (2, 1) }),
        ("options.wake_window is", { ($0.wake_pose, $0.wake_window) = (2, -1) }),
        ("allowed_classes is NULL", { $0.allowed_class_count = 1 }),
        ("denied_classes is NULL", { $0.denied_class_count = 1 }), ("thresholds is NULL", { $0.threshold_count = 1 }),
        ("is_smoothed is -1", { $0.is_smoothed = -1 }),
        ("detects_in_every_frame is 7", { $0.detects_in_every_frame = 7 }),
        ("size is 8", { $0.size = 8 }),
    ]

    @Test func optionsOutOfRange() throws {
        let program = try CProgram(hands: true)
        for (part, change) in Self.faults {
            var (options, made) = (CProgram.options, OpaquePointer(bitPattern: 99))
            change(&options)
            #expect(gesture_stream_create(program.engine, &options, &made, &program.error) == GESTURE_INVALID_ARGUMENT)
            #expect(made == nil && program.message.contains(part), "\(program.message)")
            #expect(gesture_hand_tracker_create(program.engine, &options, &made, nil) == GESTURE_INVALID_ARGUMENT)
            var (frame, count) = (CFrame().frame, 0)
            #expect(
                gesture_engine_recognize_hands(
                    program.engine, &frame, &options, nil, 0, MemoryLayout<gesture_hand>.size, &count, nil)
                    == GESTURE_INVALID_ARGUMENT)
        }
    }

    @Test func optionsInUse() throws {
        let program = try CProgram(hands: true)
        for rate in [0, 30, 60, 120] as [Int32] { _ = try program.makeStream { $0.rate = rate } }
        for orientation in 0...8 as ClosedRange<Int32> { _ = try program.makeStream { $0.orientation = orientation } }
        let stream = try program.makeStream {
            ($0.held_poses, $0.is_smoothed, $0.detects_in_every_frame, $0.maximum_hands) = (1, 1, 1, 4)
            ($0.pinch, $0.begin_confidence, $0.wake_pose, $0.wake_window) = (1, 0.7, 2, 3_000_000_000)
        }
        var count = 0
        try program.check(gesture_stream_count_labels(stream, &count, nil, &program.error))
        #expect(count == 17)
        #expect(try program.push(CFrame().frame, at: 0, to: stream).is_armed == 0)
        #expect(try program.push(CFrame().frame, at: 0, to: program.makeStream()).is_armed == 1)
        // An engine of pixels has no hands.
        let pixels = try CProgram()
        #expect(throws: CProgram.Failed.self) { try pixels.makeTracker() }
        #expect(pixels.error.status == GESTURE_NO_NETWORKS)
    }

    @Test func classesByLabel() throws {
        let program = try CProgram(hands: true)
        let sets: [(String, (inout gesture_options, UnsafePointer<CChar>) throws -> Void)] = [
            (
                "allowed_classes",
                { options, label in
                    try withUnsafePointer(to: Optional(label)) { labels in
                        (options.allowed_classes, options.allowed_class_count) = (labels, 1)
                        _ = try Self.makeStream(program, options)
                    }
                }
            ),
            (
                "denied_classes",
                { options, label in
                    try withUnsafePointer(to: Optional(label)) { labels in
                        (options.denied_classes, options.denied_class_count) = (labels, 1)
                        _ = try Self.makeStream(program, options)
                    }
                }
            ),
            (
                "thresholds",
                { options, label in
                    try withUnsafePointer(to: gesture_threshold(label: label, confidence: 0.5, reserved: 0)) {
                        thresholds in
                        (options.thresholds, options.threshold_count) = (thresholds, 1)
                        _ = try Self.makeStream(program, options)
                    }
                }
            ),
        ]
        for (name, set) in sets {
            var options = CProgram.options
            try "tap".withCString { try set(&options, $0) }
            #expect(throws: CProgram.Failed.self) { try "waltz".withCString { try set(&options, $0) } }
            #expect(program.error.status == GESTURE_INVALID_ARGUMENT)
            #expect(program.message.hasPrefix("gesture_options.\(name) is \"waltz\"; it must be"), "\(program.message)")
        }
    }

    private static func makeStream(_ program: CProgram, _ options: gesture_options) throws -> OpaquePointer? {
        try program.makeStream { $0 = options }
    }

    @Test func namesOfTheHeader() throws {
        func text(_ characters: UnsafePointer<CChar>?) -> String? { characters.map { String(cString: $0) } }
        #expect(text(gesture_version()) == GestureEngine.version)
        let poses = (0..<Int32(GESTURE_POSE_COUNT)).map { text(gesture_pose_name($0)) }
        #expect(poses == TrackedHand.Pose.Name.allCases.map(\.rawValue))
        #expect(gesture_pose_name(-1) == nil && gesture_pose_name(8) == nil)
        #expect(Int(GESTURE_POINT_COUNT) == TrackedHand.Points.count)
        let names = try String(
            contentsOf: Fixtures.repository.appendingPathComponent("Sources/CModules/CGesture/gesture.h"),
            encoding: .utf8
        ).matches(of: #/(GESTURE_[A-Z_]+) = (\d+),?\n/#)
        let statuses = names.prefix(11)
        #expect(statuses.last?.1 == "GESTURE_FORKED")
        for status in statuses { #expect(text(gesture_status_name(try #require(Int32(status.2)))) == String(status.1)) }
        #expect(gesture_status_name(11) == nil && gesture_status_name(-1) == nil)
        for (bit, flag) in [
            (GESTURE_QUALITY_LOW_LIGHT, QualityFlags.lowLight), (GESTURE_QUALITY_OVEREXPOSED, .overexposed),
            (GESTURE_QUALITY_BLURRED, .blurred), (GESTURE_QUALITY_SUBJECT_TOO_SMALL, .subjectTooSmall),
            (GESTURE_QUALITY_EXPOSURE_DRIFT, .exposureDrift),
        ] {
            #expect(bit == Int(flag.rawValue))
        }
    }

    /// Any number is a time, also one before the frame before.
    @Test func timesOfTrackers() throws {
        let program = try CProgram(hands: true)
        let tracker = try program.makeTracker()
        let memory = CFrame(GESTURE_FORMAT_BGR)
        var (frame, count) = (memory.frame, 9)
        for time in [0, .max, .min, -1, 1, 0] as [Int64] {
            try program.check(gesture_hand_tracker_track(tracker, &frame, time, &program.error))
            let size = MemoryLayout<gesture_hand>.size
            try program.check(gesture_hand_tracker_copy_hands(tracker, nil, 0, size, &count, &program.error))
            #expect(count == 0)
        }
        try program.check(gesture_hand_tracker_reset(tracker, &program.error))
        frame.format = 99
        #expect(gesture_hand_tracker_track(tracker, &frame, 0, &program.error) == GESTURE_INVALID_FRAME)
        #expect(gesture_hand_tracker_track(tracker, nil, 0, &program.error) == GESTURE_INVALID_ARGUMENT)
    }

    /// Two left hands, and what the networks say of them to C.
    @Test(arguments: [(2, "Closed_Fist"), (4, "Open_Palm")])
    func stillsOfAHand(_ place: Int, _ pose: String) throws {
        let program = try CProgram(hands: true)
        let (side, across) = (112, 336)
        let crops = [UInt8](
            try Data(contentsOf: Fixtures.directory.appendingPathComponent("graphs/metres.crops.npy")))[128...]
        // The crop amid gray, so that the palm is as large as the detector expects.
        var picture = [UInt8](repeating: 128, count: 3 * across * across)
        for y in 0..<side {
            let (row, start) = (3 * ((side + y) * across + side), 128 + 3 * side * (place * side + y))
            picture.replaceSubrange(row..<row + 3 * side, with: crops[start..<start + 3 * side])
        }
        let memory = CFrame(GESTURE_FORMAT_RGB, width: across, height: across)
        memory.fill(picture)
        var (frame, count, hand) = (memory.frame, 0, gesture_hand())
        try program.check(
            gesture_engine_recognize_hands(
                program.engine, &frame, nil, &hand, 1, MemoryLayout.size(ofValue: hand), &count, &program.error))
        #expect(count == 1 && hand.identity == 0 && hand.handedness == GESTURE_HAND_LEFT)
        #expect((0.98...1).contains(hand.presence) && (0..<0.1).contains(hand.right_handedness))
        #expect(gesture_pose_name(hand.pose).map { String(cString: $0) } == pose)
    }

    /// A picture of nothing has no hand, whatever its format and options.
    @Test func stillsWithoutHands() throws {
        let program = try CProgram(hands: true)
        for format in [GESTURE_FORMAT_RGB, GESTURE_FORMAT_I420] {
            let memory = CFrame(format)
            var (frame, count, options) = (memory.frame, 9, CProgram.options)
            options.maximum_hands = 2
            let size = MemoryLayout<gesture_hand>.size
            try program.check(
                gesture_engine_recognize_hands(program.engine, &frame, &options, nil, 0, size, &count, &program.error))
            #expect(count == 0)
            #expect(
                gesture_engine_recognize_hands(program.engine, &frame, nil, nil, 1, size, &count, nil)
                    == GESTURE_INVALID_ARGUMENT)
            #expect(
                gesture_engine_recognize_hands(program.engine, &frame, nil, nil, 0, size, nil, nil)
                    == GESTURE_INVALID_ARGUMENT)
            frame.width = 0
            #expect(
                gesture_engine_recognize_hands(program.engine, &frame, nil, nil, 0, size, &count, nil)
                    == GESTURE_INVALID_FRAME)
        }
    }
}
