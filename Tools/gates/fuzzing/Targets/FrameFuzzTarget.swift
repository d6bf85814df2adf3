import CGesture
import CInterface
import Frames
import KernelInterface
import Kernels
import Tracking

/// Frames of a C program, and its settings: one stream of bytes decides the options of a stream, and then of up to four frames
/// the size, strides, format, planes, region and time.
///
/// Every plane is memory of its own, of exactly the bytes that the frame says are there. So AddressSanitizer sees a read behind it.
enum FrameFuzzTarget {
    private static let frameLimit = 4
    /// The most bytes of a plane.
    private static let planeLimit = 1 << 17
    private static let cropSide = 16

    /// An engine of the pixel network alone, and its streams by their options: making one takes longer than anything else here.
    ///
    /// `@unchecked Sendable`: one test or one program enters the target at a time.
    private final class Engine: @unchecked Sendable {
        private static let streamLimit = 64

        private let handle: OpaquePointer?
        private var streams: [[Int32]: OpaquePointer?] = [:]

        /// A stream without frames; nil if the options are refused.
        func stream(_ options: gesture_options) -> OpaquePointer? {
            let key = [
                options.rate, options.orientation, options.maximum_hands, options.held_poses,
                Int32(bitPattern: options.minimum_palm_score.bitPattern),
            ]
            if let known = streams[key] {
                check(gesture_stream_reset(known, nil))
                return known
            }
            var (options, stream): (gesture_options, OpaquePointer?) = (options, nil)
            let status = gesture_stream_create(handle, &options, &stream, nil)
            check(status)
            guard status == GESTURE_OK else { return nil }
            if streams.count == Self.streamLimit {
                for old in streams.values { check(gesture_stream_destroy(old, nil)) }
                streams = [:]
            }
            streams[key] = stream
            return stream
        }

        init() {
            var options = gesture_engine_options()
            options.size = MemoryLayout<gesture_engine_options>.size
            options.networks = Int32(GESTURE_NETWORKS_PIXELS)
            var made: OpaquePointer?
            precondition(gesture_engine_create(&options, &made, nil) == GESTURE_OK, "no engine")
            handle = made
        }
    }

    private static let engine = Engine()

    static func enter(_ bytes: [UInt8]) -> Bool {
        var decisions = Decisions(bytes)
        var options = gesture_options()
        options.size = MemoryLayout<gesture_options>.size
        options.rate = Int32(decisions.choice([0, 30, 60, 120]))
        options.orientation = Int32(decisions.choice(Array(0...8)))
        options.maximum_hands = Int32(decisions.choice([0, 1, 2]))
        options.minimum_palm_score = Float(decisions.choice([0, 50])) / 100
        options.held_poses = Int32(decisions.choice([0, 1]))
        guard let stream = engine.stream(options) else { return false }
        var isTaken = false
        var time: Int64 = 0
        for _ in 0..<frameLimit where !decisions.isEmpty {
            let kind = decisions.byte()
            time = kind < 200 ? time &+ Int64(kind) * 1_000_000 : decisions.word()
            if push(&decisions, to: stream, at: time, Int(options.orientation)) { isTaken = true }
        }
        finish(stream)
        return isTaken
    }

    private static func check(_ status: gesture_status) {
        precondition(gesture_status_name(status) != nil, "a status without a name")
    }

    private static func finish(_ stream: OpaquePointer?) {
        var (events, count) = ([gesture_event](repeating: gesture_event(), count: 4), 0)
        check(gesture_stream_take_events(stream, &events, 4, MemoryLayout<gesture_event>.size, &count, nil))
        precondition(count <= 4, "more events than there is room for")
        var statistics = gesture_statistics()
        check(gesture_stream_copy_statistics(stream, &statistics, MemoryLayout<gesture_statistics>.size, nil))
        check(gesture_stream_finish(stream, nil))
    }

    // MARK: Frames

    /// A plane in memory of exactly its size.
    private final class Plane {
        let memory: UnsafeMutableRawBufferPointer
        let stride: Int

        init(count: Int, stride: Int, seed: UInt8) {
            memory = .allocate(byteCount: count, alignment: 1)
            self.stride = stride
            var value = seed
            for index in memory.indices {
                value = value &* 157 &+ 31
                memory[index] = value
            }
        }

        deinit { memory.deallocate() }
    }

    /// The bytes of rows without padding, and the rows, of each plane that a format asks for.
    private static func planes(_ format: Int, _ width: Int, _ height: Int) -> [(rowBytes: Int, rows: Int)] {
        let (across, down) = ((width + 1) / 2, (height + 1) / 2)
        switch format {
        case GESTURE_FORMAT_NV12...GESTURE_FORMAT_NV21_FULL: return [(width, height), (2 * across, down)]
        case GESTURE_FORMAT_I420, GESTURE_FORMAT_I420_FULL: return [(width, height), (across, down), (across, down)]
        case GESTURE_FORMAT_YUYV...GESTURE_FORMAT_UYVY_FULL: return [(2 * width, height)]
        case GESTURE_FORMAT_RGB, GESTURE_FORMAT_BGR: return [(3 * width, height)]
        case GESTURE_FORMAT_RGBA, GESTURE_FORMAT_BGRA: return [(4 * width, height)]
        default: return [(width, height)]
        }
    }

    private static func push(
        _ decisions: inout Decisions, to stream: OpaquePointer?, at time: Int64, _ orientation: Int
    ) -> Bool {
        var frame = gesture_frame()
        frame.size = MemoryLayout<gesture_frame>.size
        let format = decisions.choice(Array(1...15))
        let (width, height) = (decisions.choice(Array(1...65)), decisions.choice(Array(1...49)))
        (frame.format, frame.width, frame.height) = (Int32(format), Int32(width), Int32(height))
        frame.matrix = Int32(decisions.choice([0, 1]))
        var kept: [Plane] = []
        for (rowBytes, rows) in planes(format, max(width, 0), max(height, 0)) {
            let padding = decisions.choice([0, 0, 1, 13])
            let stride = padding == 0 ? 0 : rowBytes + padding
            let needed = max(0, rows - 1) &* max(stride, rowBytes) &+ rowBytes
            let count = min(max(0, needed &+ decisions.choice([0, 0, 0, -1, 1, 64])), planeLimit)
            kept.append(Plane(count: count, stride: stride, seed: decisions.byte()))
        }
        withUnsafeMutableBytes(of: &frame.planes) { bytes in
            let target = bytes.bindMemory(to: gesture_plane.self)
            for (index, plane) in kept.enumerated() {
                target[index] = gesture_plane(
                    bytes: plane.memory.baseAddress, count: plane.memory.count,
                    bytes_per_row: Int(bitPattern: UInt(bitPattern: plane.stride)))
            }
        }
        if decisions.byte() & 1 == 1 {
            frame.region_x = Int32(decisions.choice(Array(0...16)))
            frame.region_y = Int32(decisions.choice(Array(0...16)))
            frame.region_width = Int32(decisions.choice(Array(1...32)))
            frame.region_height = Int32(decisions.choice(Array(1...32)))
        }
        var result = gesture_push_result()
        let status = gesture_stream_push(stream, &frame, time, &result, MemoryLayout<gesture_push_result>.size, nil)
        check(status)
        crop(&decisions, frame, kept, orientation, isTaken: status == GESTURE_OK)
        return status == GESTURE_OK
    }

    /// Reads a turned square of the frame, as the hand networks do.
    private static func crop(
        _ decisions: inout Decisions, _ frame: gesture_frame, _ planes: [Plane], _ orientation: Int, isTaken: Bool
    ) {
        guard isTaken, let layout = layout(Int(frame.format)),
            let orientation = ImageOrientation(rawValue: max(1, orientation))
        else { return }
        let (width, height) = (Int(frame.width), Int(frame.height))
        let tight = self.planes(Int(frame.format), width, height)
        func stride(_ index: Int) -> Int {
            planes[index].stride == 0 ? tight[index].rowBytes : planes[index].stride
        }
        let memory = planes.map { UnsafeRawBufferPointer($0.memory) }
        let (first, last) = (memory[0], memory[memory.count - 1])
        let size = (width: width, height: height, bytesPerRow: stride(0))
        // Chroma of no bytes is chroma left out.
        switch memory.dropFirst().allSatisfy(\.isEmpty) ? 1 : planes.count {
        case 1: read(first, nil, layout, size, &decisions, orientation)
        case 2:
            let chroma = PixelView.ChromaPlanes(interleaved: RawSpan(_unsafeBytes: last), bytesPerRow: stride(1))
            read(first, chroma, layout, size, &decisions, orientation)
        default:
            let second = memory[1]
            let chroma = PixelView.ChromaPlanes(
                blue: RawSpan(_unsafeBytes: second), red: RawSpan(_unsafeBytes: last), bytesPerRow: stride(1))
            read(first, chroma, layout, size, &decisions, orientation)
        }
    }

    private static func read(
        _ luma: UnsafeRawBufferPointer, _ chroma: PixelView.ChromaPlanes?, _ format: PixelView.Format,
        _ size: (width: Int, height: Int, bytesPerRow: Int), _ decisions: inout Decisions,
        _ orientation: ImageOrientation
    ) {
        do throws(PixelView.FrameError) {
            let view = try PixelView(
                RawSpan(_unsafeBytes: luma), chroma: chroma, format: format, width: size.width, height: size.height,
                bytesPerRow: size.bytesPerRow)
            read(view, &decisions, orientation)
        } catch {
            preconditionFailure("the C interface takes a frame that a view refuses: \(error)")
        }
    }

    private static func read(
        _ view: borrowing PixelView, _ decisions: inout Decisions, _ orientation: ImageOrientation
    ) {
        var region = TrackedRegion(around: FrameSize(view.region, orientation))
        region.centerX += Double(decisions.number()) / 64
        region.centerY += Double(decisions.number()) / 64
        region.side *= Double(max(1, decisions.choice([64, 16, 200]))) / 64
        region.rotation = Double(decisions.number()) / 256
        let flags = decisions.byte()
        let cropper = RotatedCrop(kernels: KernelRegistry.select().crop)
        let base = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * cropSide * cropSide)
        defer { base.deallocate() }
        _ = cropper.write(
            view, region, orientation: orientation, border: flags & 1 == 0 ? .black : .nearest,
            isAveraged: flags & 2 == 0, into: ImageBuffer(bytes: base, side: cropSide))
    }

    /// The format of a frame that is read in place.
    private static func layout(_ format: Int) -> PixelView.Format? {
        switch format {
        case GESTURE_FORMAT_GRAY: .gray8
        case GESTURE_FORMAT_NV12: .nv12(.video)
        case GESTURE_FORMAT_NV21: .nv21(.video)
        case GESTURE_FORMAT_I420: .i420(.video)
        case GESTURE_FORMAT_YUYV: .yuyv(.video)
        case GESTURE_FORMAT_RGBA: .rgba
        case GESTURE_FORMAT_BGRA: .bgra
        default: nil
        }
    }
}
