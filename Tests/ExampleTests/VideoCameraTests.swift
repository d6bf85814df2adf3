import Foundation
import GestureEngine
import MotionJPEG
import TestSupport
import Testing
import Video4Linux

@Suite struct VideoCameraTests {
    private func camera(
        _ device: ScriptedDevice, formats: [VideoFormat.Pixels] = [.nv12, .yuyv, .mjpeg]
    ) throws -> VideoCamera {
        try VideoCamera(device, path: "/dev/video7", width: 640, height: 480, rate: 30, formats: formats)
    }

    @Test func framesComeInTurnAndBuffersGoBack() throws {
        let device = ScriptedDevice()
        device.frames = (0..<10).map { ([UInt8](repeating: UInt8($0), count: 128), 0) }
        var open: VideoCamera? = try camera(device)
        let camera = try #require(open)
        #expect(camera.name == "Cam" && camera.format.pixels == .yuyv)
        #expect((camera.format.width, camera.format.height) == (16, 4))
        #expect(device.rate == 30 && device.queued == [0, 1, 2, 3] && device.mapped == 4)
        for index in 0..<10 {
            let time = try camera.nextFrame { frame, time in
                #expect(frame.format == .yuyv(.video) && frame.width == 16 && frame.height == 4)
                #expect(frame.plane.byteCount >= 128)
                #expect(unsafe frame.plane.unsafeLoad(as: UInt8.self) == UInt8(index))
                return time
            }
            #expect(time == .microseconds(33_333 * index))
            #expect(device.queued.count == 4)
        }
        #expect(throws: VideoError.timeout(seconds: 5)) { try camera.nextFrame { _, _ in } }
        open = nil
    }

    @Test func aReleasedCameraStops() throws {
        let device = ScriptedDevice()
        do {
            let camera = try camera(device)
            #expect(camera.name == "Cam" && device.isStreaming)
        }
        #expect(!device.isStreaming && device.mapped == 0)
    }

    /// A damaged frame is an error of its own, and the next one comes.
    @Test func damagedFramesAreLeftOut() throws {
        let device = ScriptedDevice()
        let whole = [UInt8](repeating: 5, count: 128)
        device.frames = [
            (whole, 0), (whole, VideoLayout.Buffer.damaged), ([], 0), ([UInt8](repeating: 5, count: 127), 0),
            (whole, 0),
        ]
        let camera = try camera(device)
        var found: [VideoError?] = []
        for _ in 0..<5 {
            do throws(VideoError) {
                try camera.nextFrame { _, _ in }
                found.append(nil)
            } catch {
                #expect(error.isOfOneFrame && error.description.hasSuffix("."))
                found.append(error)
            }
        }
        #expect(
            found == [
                nil, .damagedFrame, .damagedFrame, .frame(.planeTooShort(required: 128, found: 127)), nil,
            ])
        #expect(device.queued.count == 4)
    }

    @Test func whatIsNoCameraIsRefused() throws {
        func expect(_ error: VideoError, _ change: (ScriptedDevice) -> Void) {
            let device = ScriptedDevice()
            change(device)
            #expect(throws: error) { try camera(device) }
            #expect(!error.isOfOneFrame && error.description.hasSuffix("."))
            #expect(device.mapped == 0 && !device.isStreaming)
        }
        expect(.noCamera(path: "/dev/video7")) { $0.capabilities = VideoLayout.Capability.streaming }
        expect(.noCamera(path: "/dev/video7")) { $0.failures[.capabilities] = ENOTTY }
        expect(.format(offered: "RG24")) { $0.formats = [] }
        expect(.request("set the format", code: EBUSY)) { $0.failures[.setFormat] = EBUSY }
        expect(.request("give buffers", code: 0)) { $0.buffers = 1 }
        expect(.request("start", code: ENOSPC)) { $0.failures[.startStreaming] = ENOSPC }
        // A camera that cannot choose its rate is a camera.
        let device = ScriptedDevice()
        device.failures[.setParameters] = ENOTTY
        #expect(try camera(device).name == "Cam")
    }

    @Test func anUnpluggedCameraIsAnError() throws {
        let device = ScriptedDevice()
        device.frames = [([UInt8](repeating: 5, count: 128), 0)]
        let camera = try camera(device)
        device.failures[.dequeueBuffer] = ENODEV
        #expect(throws: VideoError.request("take a frame", code: ENODEV)) { try camera.nextFrame { _, _ in } }
    }

    @Test func pathsThatAreNoDevices() {
        #expect(throws: VideoError.cannotOpen(path: "/dev/video-none", code: ENOENT)) {
            try VideoCamera(path: "/dev/video-none")
        }
        #expect(throws: VideoError.noCamera(path: "/dev/null")) { try VideoCamera(path: "/dev/null") }
    }

    /// A format as a driver answers it, in bytes.
    private func frames(
        _ pixels: VideoFormat.Pixels, bytesPerRow: UInt32 = 0, _ change: (inout VideoStructure) -> Void = { _ in }
    ) throws -> VideoFrames {
        var answer = VideoStructure(of: .setFormat)
        answer[VideoLayout.Format.pixels] = pixels.rawValue
        answer[VideoLayout.Format.width] = 16
        answer[VideoLayout.Format.height] = 4
        answer[VideoLayout.Format.bytesPerRow] = bytesPerRow
        change(&answer)
        return VideoFrames(try VideoFormat(answer))
    }

    @Test func nv12FramesHaveLumaAndChroma() throws {
        var frames = try frames(.nv12, bytesPerRow: 20)
        let bytes = [UInt8](repeating: 90, count: 80) + [UInt8](repeating: 130, count: 40)
        let isColor = try unsafe frames.withView(of: bytes.span.bytes) { view in
            #expect(view.format == .nv12(.video) && view.bytesPerRow == 20 && view.matrix == .bt601)
            return view.isColor
        }
        #expect(isColor)
        #expect(throws: VideoError.damagedFrame) {
            try unsafe frames.withView(of: bytes.span.extracting(first: 79).bytes) { _ in }
        }
        #expect(throws: VideoError.frame(.chromaTooShort(required: 36, found: 35))) {
            try unsafe frames.withView(of: bytes.span.extracting(first: 115).bytes) { _ in }
        }
    }

    @Test func rangeAndColoursAreTheDrivers() throws {
        typealias Format = VideoLayout.Format
        #expect(try frames(.yuyv).format.range == .video)
        #expect(try frames(.yuyv) { $0[Format.quantisation] = Format.fullRange }.format.range == .full)
        #expect(try frames(.yuyv) { $0[Format.colorSpace] = Format.jpeg }.format.range == .full)
        #expect(
            try frames(.yuyv) {
                $0[Format.colorSpace] = Format.jpeg
                $0[Format.quantisation] = 2
            }.format.range == .video)
        #expect(try frames(.yuyv) { $0[Format.colorSpace] = Format.rec709 }.format.matrix == .bt709)
        #expect(try frames(.yuyv) { $0[Format.encoding] = Format.encoding709 }.format.matrix == .bt709)
        #expect(
            try frames(.yuyv) {
                $0[Format.colorSpace] = Format.rec709
                $0[Format.encoding] = 1
            }.format.matrix == .bt601)
        #expect(throws: VideoError.format(offered: "H264")) {
            try frames(.mjpeg) { $0[Format.pixels] = 0x3436_3248 }
        }
    }

    @Test(.enabled(if: areInstalled("ffmpeg")))
    func aJPEGFrameIsDecoded() async throws {
        let scratch = try Scratch()
        try await scratch.succeed(
            "ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x48 -frames:v 1 -pix_fmt yuvj422p -f mjpeg a.jpg")
        let jpeg = try scratch.bytes("a.jpg")
        var frames = try frames(.mjpeg)
        // Padding after the image, as drivers leave it.
        let padded = jpeg + [UInt8](repeating: 0, count: 100)
        let size = try unsafe frames.withView(of: padded.span.bytes) { ($0.width, $0.height, $0.isColor) }
        #expect(size == (64, 48, true))
        #expect(throws: VideoError.jpeg(.truncated)) {
            try unsafe frames.withView(of: jpeg.span.extracting(first: jpeg.count / 2).bytes) { _ in }
        }
    }
}
