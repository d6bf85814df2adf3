import CGesture
import CInterface
import Foundation
import TestSupport

/// What a C program keeps: handles and the latest error.
final class CProgram {
    var error = gesture_error()
    private(set) var engine: OpaquePointer?
    private var streams: [OpaquePointer?] = []
    private var trackers: [OpaquePointer?] = []

    struct Failed: Error {
        let status: gesture_status
        let message: String
    }

    /// An engine of the pixel network, or of all networks.
    init(hands: Bool = false) throws {
        try check(hands ? Self.makeEngine(&engine, &error) : Self.makePixelEngine(&engine, &error))
    }

    deinit {
        for stream in streams { gesture_stream_destroy(stream, nil) }
        for tracker in trackers { gesture_hand_tracker_destroy(tracker, nil) }
        gesture_engine_destroy(engine, nil)
    }

    static let handsFolder = Fixtures.repository.appendingPathComponent("Weights/hands").path

    static func makePixelEngine(
        _ engine: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>? = nil
    ) -> gesture_status {
        var options = engineOptions
        options.networks = Int32(GESTURE_NETWORKS_PIXELS)
        return gesture_engine_create(&options, engine, error)
    }

    static func makeEngine(
        _ engine: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<gesture_error>? = nil
    ) -> gesture_status {
        handsFolder.withCString { folder in
            var options = engineOptions
            options.hands_folder = folder
            return gesture_engine_create(&options, engine, error)
        }
    }

    static var engineOptions: gesture_engine_options {
        var options = gesture_engine_options()
        options.size = MemoryLayout<gesture_engine_options>.size
        return options
    }

    static var options: gesture_options {
        var options = gesture_options()
        options.size = MemoryLayout<gesture_options>.size
        return options
    }

    func check(_ status: gesture_status) throws {
        guard status == GESTURE_OK else { throw Failed(status: status, message: message) }
    }

    /// The sentence of the latest failure.
    var message: String { Self.text(error.message) }

    /// The characters of a C array up to its zero.
    static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func makeStream(_ change: (inout gesture_options) -> Void = { _ in }) throws -> OpaquePointer? {
        var options = Self.options
        change(&options)
        var stream: OpaquePointer?
        try check(gesture_stream_create(engine, &options, &stream, &error))
        streams.append(stream)
        return stream
    }

    func makeTracker() throws -> OpaquePointer? {
        var tracker: OpaquePointer?
        try check(gesture_hand_tracker_create(engine, nil, &tracker, &error))
        trackers.append(tracker)
        return tracker
    }

    /// Pushes a frame; its result.
    func push(_ frame: gesture_frame, at time: Int64, to stream: OpaquePointer?) throws -> gesture_push_result {
        var (frame, result) = (frame, gesture_push_result())
        try check(gesture_stream_push(stream, &frame, time, &result, MemoryLayout<gesture_push_result>.size, &error))
        return result
    }

    func statistics(of stream: OpaquePointer?) throws -> gesture_statistics {
        var statistics = gesture_statistics()
        try check(
            gesture_stream_copy_statistics(stream, &statistics, MemoryLayout<gesture_statistics>.size, &error))
        return statistics
    }
}

/// Memory of a C program with a frame in it.
final class CFrame {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var frame = gesture_frame()

    /// The bytes of rows without padding, and the rows, of each plane of a format.
    static func planes(_ format: Int, width: Int, height: Int) -> [(rowBytes: Int, rows: Int)] {
        let (across, down) = ((width + 1) / 2, (height + 1) / 2)
        switch format {
        case GESTURE_FORMAT_GRAY: return [(width, height)]
        case GESTURE_FORMAT_NV12, GESTURE_FORMAT_NV12_FULL, GESTURE_FORMAT_NV21, GESTURE_FORMAT_NV21_FULL:
            return [(width, height), (2 * across, down)]
        case GESTURE_FORMAT_I420, GESTURE_FORMAT_I420_FULL: return [(width, height), (across, down), (across, down)]
        case GESTURE_FORMAT_YUYV, GESTURE_FORMAT_YUYV_FULL, GESTURE_FORMAT_UYVY, GESTURE_FORMAT_UYVY_FULL:
            return [(2 * width, height)]
        case GESTURE_FORMAT_RGB, GESTURE_FORMAT_BGR: return [(3 * width, height)]
        default: return [(4 * width, height)]
        }
    }

    /// A frame of noise, each plane in memory of exactly its size.
    init(_ format: Int = GESTURE_FORMAT_GRAY, width: Int = 64, height: Int = 48, padding: Int = 0, seed: UInt8 = 1) {
        let planes = Self.planes(format, width: width, height: height)
        let counts = planes.map { ($0.rowBytes + padding) * ($0.rows - 1) + $0.rowBytes }
        memory = .allocate(byteCount: counts.reduce(0, +), alignment: 1)
        var value = seed
        for index in memory.indices {
            value = value &* 157 &+ 31
            memory[index] = value
        }
        frame.size = MemoryLayout<gesture_frame>.size
        frame.format = Int32(format)
        frame.width = Int32(width)
        frame.height = Int32(height)
        var start = UnsafeRawPointer(memory.baseAddress)
        withUnsafeMutableBytes(of: &frame.planes) { bytes in
            let target = bytes.bindMemory(to: gesture_plane.self)
            for (index, plane) in planes.enumerated() {
                target[index] = gesture_plane(
                    bytes: start, count: counts[index], bytes_per_row: padding == 0 ? 0 : plane.rowBytes + padding)
                start = start.map { $0 + counts[index] }
            }
        }
    }

    deinit { memory.deallocate() }

    /// Replaces all bytes.
    func fill(_ bytes: [UInt8]) {
        precondition(bytes.count == memory.count)
        memory.copyBytes(from: bytes)
    }
}
