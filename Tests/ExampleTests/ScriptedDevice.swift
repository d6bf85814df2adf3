import Foundation
import Video4Linux

/// A device that plays the kernel: it gives frames in its own buffers, in turn.
final class ScriptedDevice: VideoDevice {
    /// What the device has.
    var formats: [VideoFormat.Pixels] = [.yuyv]
    var width: UInt32 = 16
    var height: UInt32 = 4
    var bytesPerRow: UInt32 = 32
    var capabilities = VideoLayout.Capability.capture | VideoLayout.Capability.streaming
    var buffers: UInt32 = 4
    var bufferBytes = 4096
    /// The frames to give, each with its flags.
    var frames: [(bytes: [UInt8], flags: UInt32)] = []
    /// Error numbers of requests that fail.
    var failures: [VideoRequest: Int32] = [:]

    private(set) var queued: [Int] = []
    private(set) var isStreaming = false
    private(set) var mapped = 0
    private(set) var rate: UInt32 = 0
    private var memories: [VideoBuffer] = []
    private var given = 0

    deinit { for buffer in memories { unsafe buffer.memory.deallocate() } }

    func control(_ request: VideoRequest, _ structure: inout VideoStructure) -> Int32 {
        typealias Layout = VideoLayout
        if let code = failures[request] { return code }
        switch request {
        case .capabilities:
            structure[Layout.Capability.capabilities] = Layout.Capability.hasDeviceCapabilities | 0x0F
            structure[Layout.Capability.deviceCapabilities] = capabilities
            structure.bytes.replaceSubrange(16..<20, with: Array("Cam\0".utf8))
        case .setFormat:
            let asked = VideoFormat.Pixels(rawValue: structure[Layout.Format.pixels])
            let pixels = formats.first { $0 == asked } ?? formats.first
            structure[Layout.Format.pixels] = pixels?.rawValue ?? 0x3432_4752
            structure[Layout.Format.width] = width
            structure[Layout.Format.height] = height
            structure[Layout.Format.bytesPerRow] = bytesPerRow
        case .setParameters: rate = structure[Layout.Parameters.denominator]
        case .requestBuffers: structure[Layout.Request.count] = buffers
        case .queryBuffer:
            structure[Layout.Buffer.offset] = structure[Layout.Buffer.index] * 4096
            structure[Layout.Buffer.length] = UInt32(bufferBytes)
        case .queueBuffer: queued.append(Int(structure[Layout.Buffer.index]))
        case .startStreaming: isStreaming = true
        case .stopStreaming: isStreaming = false
        case .dequeueBuffer: return fill(&structure)
        default: return EINVAL
        }
        return 0
    }

    /// Takes the oldest queued buffer and fills it with the next frame.
    private func fill(_ structure: inout VideoStructure) -> Int32 {
        guard isStreaming, let index = queued.first, given < frames.count else { return EAGAIN }
        queued.removeFirst()
        let frame = frames[given]
        unsafe memories[index].memory.copyBytes(from: frame.bytes)
        structure[VideoLayout.Buffer.index] = UInt32(index)
        structure[VideoLayout.Buffer.bytesUsed] = UInt32(frame.bytes.count)
        structure[VideoLayout.Buffer.flags] = frame.flags
        structure[VideoLayout.Buffer.seconds] = UInt32(given / 30)
        structure[VideoLayout.Buffer.microseconds] = UInt32(given % 30 * 33_333)
        given += 1
        return 0
    }

    func map(offset: Int, length: Int) throws(VideoError) -> VideoBuffer {
        guard offset == memories.count * 4096 else { throw .memory(code: EINVAL) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        let buffer = unsafe VideoBuffer(memory)
        memories.append(buffer)
        mapped += 1
        return buffer
    }

    func unmap(_ buffer: VideoBuffer) { mapped -= 1 }

    func wait(seconds: Int) throws(VideoError) -> Bool { given < frames.count }
}
