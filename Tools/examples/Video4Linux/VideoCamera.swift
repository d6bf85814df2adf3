package import GestureEngine

/// A camera of a Linux machine, through Video4Linux. Use it from one thread at a time.
///
/// The driver fills four buffers in turn, which this program maps and reads in place.
package final class VideoCamera {
    /// The camera's name, as its driver says it.
    package let name: String

    private let device: any VideoDevice
    private var frames: VideoFrames
    private var buffers: [VideoBuffer] = []
    private var isStreaming = false

    private static let bufferCount: UInt32 = 4

    /// What the camera's frames are; the driver may have chosen another size than was asked for.
    package var format: VideoFormat { frames.format }

    /// Opens a camera and starts it.
    /// - Parameters:
    ///   - path: the device, such as `/dev/video0`.
    ///   - width: the size to ask for, in pixels; the driver takes the nearest.
    ///   - height: likewise.
    ///   - rate: frames a second to ask for.
    ///   - formats: what to ask for, the preferred one first. Over USB 2 a camera has its full rate in NV12 and YUYV up to
    ///     about 640x480, and needs Motion JPEG above.
    package convenience init(
        path: String, width: Int = 640, height: Int = 480, rate: Int = 30,
        formats: [VideoFormat.Pixels] = [.nv12, .yuyv, .mjpeg]
    ) throws(VideoError) {
        try self.init(
            SystemVideoDevice(path: path), path: path, width: width, height: height, rate: rate, formats: formats)
    }

    /// The same with another device, such as that of a test.
    package init(
        _ device: any VideoDevice, path: String, width: Int, height: Int, rate: Int, formats: [VideoFormat.Pixels]
    ) throws(VideoError) {
        self.device = device
        name = try Self.name(of: device, path)
        frames = VideoFrames(try Self.agree(device, width: width, height: height, formats))
        Self.ask(device, rate: rate)
        try mapBuffers()
        var type = VideoStructure(of: .startStreaming)
        type[0] = VideoLayout.videoCapture
        try Self.control(device, .startStreaming, &type, "start")
        isStreaming = true
    }

    deinit {
        var type = VideoStructure(of: .stopStreaming)
        type[0] = VideoLayout.videoCapture
        // Nothing can be done about a failure: the device is closed next.
        if isStreaming { _ = device.control(.stopStreaming, &type) }
        for buffer in buffers { device.unmap(buffer) }
    }

    /// Waits for the next frame and lends it with its time, on the driver's clock.
    /// - Parameter seconds: how long to wait.
    /// - Throws: errors of one frame (`VideoError.isOfOneFrame`), after which the next one can be asked for; `timeout`,
    ///   and `request` for a camera that was unplugged.
    package func nextFrame<Result>(
        waiting seconds: Int = 5, _ body: (borrowing PixelView, Duration) -> Result
    ) throws(VideoError) -> Result {
        guard try device.wait(seconds: seconds) else { throw .timeout(seconds: seconds) }
        typealias Buffer = VideoLayout.Buffer
        var filled = Self.bufferStructure(.dequeueBuffer)
        try Self.control(device, .dequeueBuffer, &filled, "take a frame")
        let index = filled[Buffer.index]
        guard index < buffers.count else { throw .request("take a frame", code: 0) }
        let outcome = lend(buffers[Int(index)], filled, body)
        var empty = Self.bufferStructure(.queueBuffer)
        empty[Buffer.index] = index
        try Self.control(device, .queueBuffer, &empty, "give a buffer back")
        return try outcome.get()
    }

    private func lend<Result>(
        _ buffer: VideoBuffer, _ filled: VideoStructure, _ body: (borrowing PixelView, Duration) -> Result
    ) -> Swift.Result<Result, VideoError> {
        typealias Buffer = VideoLayout.Buffer
        let used = Int(filled[Buffer.bytesUsed])
        guard filled[Buffer.flags] & Buffer.damaged == 0, used > 0 else { return .failure(.damagedFrame) }
        let time =
            Duration.seconds(Int64(truncatingIfNeeded: filled[long: Buffer.seconds]))
            + .microseconds(Int64(truncatingIfNeeded: filled[long: Buffer.microseconds]))
        do throws(VideoError) {
            return .success(
                try buffer.withBytes(first: used) { bytes throws(VideoError) in
                    try frames.withView(of: bytes) { body($0, time) }
                })
        } catch {
            return .failure(error)
        }
    }

    private static func name(of device: any VideoDevice, _ path: String) throws(VideoError) -> String {
        typealias Capability = VideoLayout.Capability
        var answer = VideoStructure(of: .capabilities)
        guard device.control(.capabilities, &answer) == 0 else { throw .noCamera(path: path) }
        var capabilities = answer[Capability.capabilities]
        if capabilities & Capability.hasDeviceCapabilities != 0 { capabilities = answer[Capability.deviceCapabilities] }
        let needed = Capability.capture | Capability.streaming
        guard capabilities & needed == needed else { throw .noCamera(path: path) }
        return answer.text(Capability.card, Capability.cardBytes)
    }

    /// Asks for each format in turn. A driver answers with the nearest that it has.
    private static func agree(
        _ device: any VideoDevice, width: Int, height: Int, _ formats: [VideoFormat.Pixels]
    ) throws(VideoError) -> VideoFormat {
        typealias Format = VideoLayout.Format
        var offered = "nothing"
        for pixels in formats {
            var format = VideoStructure(of: .setFormat)
            format[Format.type] = VideoLayout.videoCapture
            format[Format.width] = UInt32(clamping: width)
            format[Format.height] = UInt32(clamping: height)
            format[Format.pixels] = pixels.rawValue
            format[Format.field] = Format.progressive
            try control(device, .setFormat, &format, "set the format")
            offered = format.text(Format.pixels, 4)
            if format[Format.pixels] == pixels.rawValue { return try VideoFormat(format) }
        }
        throw .format(offered: offered)
    }

    /// Asks for a rate. Not every camera can choose one, so a refusal is no error.
    private static func ask(_ device: any VideoDevice, rate: Int) {
        var parameters = VideoStructure(of: .setParameters)
        parameters[VideoLayout.Parameters.type] = VideoLayout.videoCapture
        parameters[VideoLayout.Parameters.numerator] = 1
        parameters[VideoLayout.Parameters.denominator] = UInt32(clamping: rate)
        _ = device.control(.setParameters, &parameters)
    }

    private func mapBuffers() throws(VideoError) {
        typealias Buffer = VideoLayout.Buffer
        var request = VideoStructure(of: .requestBuffers)
        request[VideoLayout.Request.count] = Self.bufferCount
        request[VideoLayout.Request.type] = VideoLayout.videoCapture
        request[VideoLayout.Request.memory] = VideoLayout.mapped
        try Self.control(device, .requestBuffers, &request, "give buffers")
        let count = request[VideoLayout.Request.count]
        // With one buffer the camera waits while the program works.
        guard 2...32 ~= count else { throw .request("give buffers", code: 0) }
        for index in 0..<count {
            var buffer = Self.bufferStructure(.queryBuffer)
            buffer[Buffer.index] = index
            try Self.control(device, .queryBuffer, &buffer, "describe a buffer")
            buffers.append(try device.map(offset: Int(buffer[Buffer.offset]), length: Int(buffer[Buffer.length])))
            try Self.control(device, .queueBuffer, &buffer, "take a buffer")
        }
    }

    private static func bufferStructure(_ request: VideoRequest) -> VideoStructure {
        var structure = VideoStructure(of: request)
        structure[VideoLayout.Buffer.type] = VideoLayout.videoCapture
        structure[VideoLayout.Buffer.memory] = VideoLayout.mapped
        return structure
    }

    private static func control(
        _ device: any VideoDevice, _ request: VideoRequest, _ structure: inout VideoStructure, _ name: String
    ) throws(VideoError) {
        let code = device.control(request, &structure)
        guard code == 0 else { throw .request(name, code: code) }
    }
}
