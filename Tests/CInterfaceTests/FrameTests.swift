import CGesture
import Testing

/// Frames of C programs: every format, and every way to describe one wrongly.
@Suite struct FrameTests {
    private let program: CProgram
    private let stream: OpaquePointer?

    init() throws {
        program = try CProgram()
        stream = try program.makeStream()
    }

    private func status(_ frame: gesture_frame) -> gesture_status {
        var frame = frame
        return gesture_stream_push(stream, &frame, 0, nil, 0, &program.error)
    }

    @Test(
        arguments: Array(GESTURE_FORMAT_GRAY...GESTURE_FORMAT_BGRA),
        [(64, 48, 0), (65, 47, 0), (63, 49, 13), (1, 1, 0)])
    func everyFormatIsReadToItsLastByte(_ format: Int, _ size: (width: Int, height: Int, padding: Int)) throws {
        let memory = CFrame(format, width: size.width, height: size.height, padding: size.padding)
        #expect(status(memory.frame) == GESTURE_OK, "\(program.message)")
        // Of each plane the last byte is needed.
        for plane in CFrame.planes(format, width: size.width, height: size.height).indices {
            var short = memory.frame
            withUnsafeMutableBytes(of: &short.planes) {
                let planes = $0.bindMemory(to: gesture_plane.self)
                planes[plane].count -= 1
            }
            #expect(status(short) == GESTURE_INVALID_FRAME, "plane \(plane)")
            #expect(program.message.contains("bytes"))
        }
    }

    @Test(arguments: [GESTURE_FORMAT_NV12, GESTURE_FORMAT_NV21, GESTURE_FORMAT_I420])
    func chromaMayBeLeftOut(_ format: Int) {
        let memory = CFrame(format)
        var gray = memory.frame
        gray.planes.1 = gesture_plane()
        gray.planes.2 = gesture_plane()
        #expect(status(gray) == GESTURE_OK)
    }

    /// Changes of a good frame, and a part of the sentence that each brings.
    private static let faults: [(String, @Sendable (inout gesture_frame) -> Void)] = [
        ("format", { $0.format = 0 }), ("format", { $0.format = 16 }), ("format", { $0.format = -1 }),
        ("matrix", { $0.matrix = 2 }),
        ("0x48", { $0.width = 0 }), ("64x0", { $0.height = 0 }), ("-1x48", { $0.width = -1 }),
        ("-2147483648x48", { $0.width = .min }),
        ("64x2147483647", { $0.height = .max }), ("16385x48", { $0.width = 16_385 }),
        ("bytes a row", { $0.planes.0.bytes_per_row = 63 }),
        ("bytes a row", { $0.planes.0.bytes_per_row = Int.max }),
        ("impossible", { $0.planes.0.bytes_per_row = -1 }), ("impossible", { $0.planes.0.count = -1 }),
        ("NULL", { $0.planes.0.bytes = nil }),
        ("0 bytes", { $0.planes.0 = gesture_plane() }),
        ("not inside", { ($0.region_width, $0.region_height) = (65, 1) }),
        ("not inside", { ($0.region_x, $0.region_width, $0.region_height) = (-1, 8, 8) }),
        ("not inside", { ($0.region_x, $0.region_width, $0.region_height) = (.max, .max, .max) }),
        ("not inside", { $0.region_x = 1 }),
    ]

    @Test(arguments: FrameTests.faults.indices) func wrongFramesAreRefused(_ index: Int) {
        let memory = CFrame()
        var frame = memory.frame
        let (part, change) = Self.faults[index]
        change(&frame)
        #expect(status(frame) == GESTURE_INVALID_FRAME)
        #expect(program.error.status == GESTURE_INVALID_FRAME)
        #expect(program.message.contains(part), "\(program.message)")
        // The stream goes on.
        #expect(status(memory.frame) == GESTURE_OK)
    }

    @Test func chromaPlanesOfOneStride() {
        let memory = CFrame(GESTURE_FORMAT_I420, padding: 2)
        var frame = memory.frame
        frame.planes.2.bytes_per_row -= 1
        #expect(status(frame) == GESTURE_INVALID_FRAME)
        #expect(program.message.contains("must have the same"))
    }

    @Test func thePlaneIsNamed() {
        for (format, plane) in [(GESTURE_FORMAT_NV12, 1), (GESTURE_FORMAT_I420, 1), (GESTURE_FORMAT_I420, 2)] {
            let memory = CFrame(format)
            var frame = memory.frame
            if plane == 1 { frame.planes.1.count = -1 } else { frame.planes.2.count = -1 }
            #expect(status(frame) == GESTURE_INVALID_FRAME)
            #expect(program.message == "The size or stride of plane \(plane) is impossible.")
        }
    }

    @Test func frameOfNull() {
        #expect(gesture_stream_push(stream, nil, 0, nil, 0, &program.error) == GESTURE_INVALID_ARGUMENT)
        #expect(program.message == "The frame is NULL.")
    }

    /// The header's promise about structs that grow.
    @Test func sizesOfStructs() {
        let memory = CFrame()
        let size = MemoryLayout<gesture_frame>.size
        for wrong in [0, 1, size - 1, -1, Int.max, 1 << 17] {
            var frame = memory.frame
            frame.size = wrong
            #expect(status(frame) == GESTURE_INVALID_ARGUMENT)
            #expect(program.message.contains("gesture_frame.size is \(UInt(bitPattern: wrong))"), "\(program.message)")
        }
        // A caller whose header has eight bytes more.
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 8, alignment: 8)
        defer { larger.deallocate() }
        for (added, expected) in [(UInt8(0), GESTURE_OK), (3, GESTURE_TOO_NEW)] {
            var frame = memory.frame
            frame.size = size + 8
            larger.initializeMemory(as: UInt8.self, repeating: 0)
            withUnsafeBytes(of: frame) { larger.copyMemory(from: $0) }
            larger[size + 5] = added
            let pointer = UnsafePointer(larger.baseAddress!.assumingMemoryBound(to: gesture_frame.self))
            #expect(gesture_stream_push(stream, pointer, 0, nil, 0, &program.error) == expected)
        }
        #expect(program.message.contains("byte \(size + 5)"))
    }
}
