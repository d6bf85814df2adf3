import TestSupport
import Testing
import Video4Linux

@Suite struct VideoLayoutTests {
    private static let header = "/usr/include/linux/videodev2.h"

    /// The numbers and offsets of this module are those that the C compiler finds in the system's header.
    @Test(.enabled(if: areInstalled("clang")))
    func numbersAreThoseOfTheHeader() async throws {
        let requests: [(String, VideoRequest, String)] = [
            ("VIDIOC_QUERYCAP", .capabilities, "struct v4l2_capability"),
            ("VIDIOC_S_FMT", .setFormat, "struct v4l2_format"),
            ("VIDIOC_REQBUFS", .requestBuffers, "struct v4l2_requestbuffers"),
            ("VIDIOC_QUERYBUF", .queryBuffer, "struct v4l2_buffer"),
            ("VIDIOC_QBUF", .queueBuffer, "struct v4l2_buffer"),
            ("VIDIOC_DQBUF", .dequeueBuffer, "struct v4l2_buffer"),
            ("VIDIOC_STREAMON", .startStreaming, "int"), ("VIDIOC_STREAMOFF", .stopStreaming, "int"),
            ("VIDIOC_S_PARM", .setParameters, "struct v4l2_streamparm"),
        ]
        typealias Layout = VideoLayout
        let fields: [(String, String, Int)] = [
            ("v4l2_capability", "card", Layout.Capability.card),
            ("v4l2_capability", "capabilities", Layout.Capability.capabilities),
            ("v4l2_capability", "device_caps", Layout.Capability.deviceCapabilities),
            ("v4l2_format", "type", Layout.Format.type), ("v4l2_format", "fmt.pix.width", Layout.Format.width),
            ("v4l2_format", "fmt.pix.height", Layout.Format.height),
            ("v4l2_format", "fmt.pix.pixelformat", Layout.Format.pixels),
            ("v4l2_format", "fmt.pix.field", Layout.Format.field),
            ("v4l2_format", "fmt.pix.bytesperline", Layout.Format.bytesPerRow),
            ("v4l2_format", "fmt.pix.sizeimage", Layout.Format.imageBytes),
            ("v4l2_format", "fmt.pix.colorspace", Layout.Format.colorSpace),
            ("v4l2_format", "fmt.pix.ycbcr_enc", Layout.Format.encoding),
            ("v4l2_format", "fmt.pix.quantization", Layout.Format.quantisation),
            ("v4l2_streamparm", "type", Layout.Parameters.type),
            ("v4l2_streamparm", "parm.capture.timeperframe.numerator", Layout.Parameters.numerator),
            ("v4l2_streamparm", "parm.capture.timeperframe.denominator", Layout.Parameters.denominator),
            ("v4l2_requestbuffers", "count", Layout.Request.count),
            ("v4l2_requestbuffers", "type", Layout.Request.type),
            ("v4l2_requestbuffers", "memory", Layout.Request.memory), ("v4l2_buffer", "index", Layout.Buffer.index),
            ("v4l2_buffer", "type", Layout.Buffer.type), ("v4l2_buffer", "bytesused", Layout.Buffer.bytesUsed),
            ("v4l2_buffer", "flags", Layout.Buffer.flags), ("v4l2_buffer", "timestamp.tv_sec", Layout.Buffer.seconds),
            ("v4l2_buffer", "timestamp.tv_usec", Layout.Buffer.microseconds),
            ("v4l2_buffer", "memory", Layout.Buffer.memory), ("v4l2_buffer", "m.offset", Layout.Buffer.offset),
            ("v4l2_buffer", "length", Layout.Buffer.length),
        ]
        let values: [(String, UInt32)] = [
            ("V4L2_CAP_VIDEO_CAPTURE", Layout.Capability.capture), ("V4L2_CAP_STREAMING", Layout.Capability.streaming),
            ("V4L2_CAP_DEVICE_CAPS", Layout.Capability.hasDeviceCapabilities),
            ("V4L2_FIELD_NONE", Layout.Format.progressive), ("V4L2_COLORSPACE_REC709", Layout.Format.rec709),
            ("V4L2_COLORSPACE_JPEG", Layout.Format.jpeg), ("V4L2_YCBCR_ENC_709", Layout.Format.encoding709),
            ("V4L2_QUANTIZATION_FULL_RANGE", Layout.Format.fullRange),
            ("V4L2_BUF_FLAG_ERROR", Layout.Buffer.damaged), ("V4L2_BUF_TYPE_VIDEO_CAPTURE", Layout.videoCapture),
            ("V4L2_MEMORY_MMAP", Layout.mapped), ("V4L2_PIX_FMT_NV12", VideoFormat.Pixels.nv12.rawValue),
            ("V4L2_PIX_FMT_YUYV", VideoFormat.Pixels.yuyv.rawValue),
            ("V4L2_PIX_FMT_MJPEG", VideoFormat.Pixels.mjpeg.rawValue),
        ]
        var (asserts, names): ([String], Int) = ([], 0)
        func assert(_ expression: String, _ value: UInt64) {
            asserts.append("_Static_assert((unsigned long long)(\(expression)) == \(value)ull, \"\(expression)\");")
            names += 1
        }
        for (name, request, structure) in requests {
            assert(name, UInt64(request.code))
            assert("sizeof(\(structure))", UInt64(request.byteCount))
        }
        for (structure, field, offset) in fields { assert("offsetof(struct \(structure), \(field))", UInt64(offset)) }
        for (name, value) in values { assert("(unsigned)\(name)", UInt64(value)) }
        let scratch = try Scratch()
        guard try await scratch.run("test -e \(Self.header)").status == 0 else {
            print("SKIPPED: \(Self.header) is missing")
            return
        }
        let source = "#include <stddef.h>\n#include <linux/videodev2.h>\n" + asserts.joined(separator: "\n") + "\n"
        try scratch.write(Array(source.utf8), "layout.c")
        let result = try await scratch.run("clang -std=gnu11 -fsyntax-only layout.c")
        #expect(result.status == 0, "\(result.errors)")
        // An assertion that does not hold is found.
        try scratch.write(Array(source.replacing("== 88ull", with: "== 87ull").utf8), "wrong.c")
        #expect(try await scratch.run("clang -std=gnu11 -fsyntax-only wrong.c").status != 0)
        print("\(names) numbers of \(Self.header) agree")
    }

    /// The same numbers on a machine without the header.
    @Test func requestNumbers() {
        #expect(VideoRequest.capabilities.code == 0x8068_5600)
        #expect(VideoRequest.setFormat.code == 0xC0D0_5605)
        #expect(VideoRequest.dequeueBuffer.code == 0xC058_5611)
    }

    @Test func fieldsAreReadWhereTheyAreWritten() {
        var structure = VideoStructure(of: .queryBuffer)
        structure[VideoLayout.Buffer.length] = 0x0102_0304
        structure[VideoLayout.Buffer.seconds] = 7
        #expect(structure[VideoLayout.Buffer.length] == 0x0102_0304)
        #expect(structure[long: VideoLayout.Buffer.seconds] == 7)
        #expect(structure.bytes.count == 88)
        structure.bytes[0] = UInt8(ascii: "a")
        #expect(structure.text(0, 4) == "a")
    }
}
