/// A request of Linux's header `videodev2.h` to a video device, as the number that `ioctl` takes.
///
/// Swift's module of glibc has neither the header's structures nor its requests, so this module lays them out. The numbers
/// hold on 64-bit machines with x86 and ARM processors.
package struct VideoRequest: Sendable, Hashable {
    /// Who writes the structure.
    enum Direction: UInt {
        case program = 1
        case kernel = 2
        case both = 3
    }

    /// The number for `ioctl`: direction, size, the letter V, and the request's own number.
    package let code: UInt
    /// Bytes of its structure.
    package let byteCount: Int

    private init(_ number: UInt, _ direction: Direction, byteCount: Int) {
        code = direction.rawValue << 30 | UInt(byteCount) << 16 | UInt(UInt8(ascii: "V")) << 8 | number
        self.byteCount = byteCount
    }

    /// `VIDIOC_QUERYCAP`: `struct v4l2_capability`.
    package static let capabilities = VideoRequest(0, .kernel, byteCount: 104)
    /// `VIDIOC_S_FMT`: `struct v4l2_format`.
    package static let setFormat = VideoRequest(5, .both, byteCount: 208)
    /// `VIDIOC_REQBUFS`: `struct v4l2_requestbuffers`.
    package static let requestBuffers = VideoRequest(8, .both, byteCount: 20)
    /// `VIDIOC_QUERYBUF`: `struct v4l2_buffer`.
    package static let queryBuffer = VideoRequest(9, .both, byteCount: 88)
    /// `VIDIOC_QBUF`: `struct v4l2_buffer`.
    package static let queueBuffer = VideoRequest(15, .both, byteCount: 88)
    /// `VIDIOC_DQBUF`: `struct v4l2_buffer`.
    package static let dequeueBuffer = VideoRequest(17, .both, byteCount: 88)
    /// `VIDIOC_STREAMON`: the buffers' type.
    package static let startStreaming = VideoRequest(18, .program, byteCount: 4)
    /// `VIDIOC_STREAMOFF`: the buffers' type.
    package static let stopStreaming = VideoRequest(19, .program, byteCount: 4)
    /// `VIDIOC_S_PARM`: `struct v4l2_streamparm`.
    package static let setParameters = VideoRequest(22, .both, byteCount: 204)
}

/// The structure of a request, as bytes whose fields are at known offsets.
package struct VideoStructure: Sendable {
    /// All of it.
    package var bytes: [UInt8]

    /// Zeros.
    package init(of request: VideoRequest) { bytes = [UInt8](repeating: 0, count: request.byteCount) }

    /// A field of 32 bits; the offset must lie within the structure.
    package subscript(offset: Int) -> UInt32 {
        get { read(offset) }
        set {
            unsafe bytes.withUnsafeMutableBytes {
                unsafe $0.storeBytes(of: newValue, toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    /// A field of 64 bits.
    package subscript(long offset: Int) -> UInt64 { read(offset) }

    /// The text of so many bytes, up to its first zero.
    package func text(_ offset: Int, _ count: Int) -> String {
        String(decoding: bytes[offset..<offset + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    private func read<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Value {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= bytes.count)
        // Within the bytes, by the line above.
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }
}

/// Offsets of the fields that are used, and the values that they take.
package enum VideoLayout {
    /// `struct v4l2_capability`.
    package enum Capability {
        package static let card = 16
        package static let cardBytes = 32
        package static let capabilities = 84
        package static let deviceCapabilities = 88
        package static let capture: UInt32 = 0x1
        package static let streaming: UInt32 = 0x400_0000
        /// The device says in `deviceCapabilities` what this one node can do.
        package static let hasDeviceCapabilities: UInt32 = 0x8000_0000
    }

    /// `struct v4l2_format` with its `struct v4l2_pix_format`.
    package enum Format {
        package static let type = 0
        package static let width = 8
        package static let height = 12
        package static let pixels = 16
        package static let field = 20
        package static let bytesPerRow = 24
        package static let imageBytes = 28
        package static let colorSpace = 32
        package static let encoding = 44
        package static let quantisation = 48
        /// Whole frames, no half frames of interlaced video.
        package static let progressive: UInt32 = 1
        package static let rec709: UInt32 = 3
        package static let jpeg: UInt32 = 7
        package static let encoding709: UInt32 = 2
        package static let fullRange: UInt32 = 1
    }

    /// `struct v4l2_streamparm` with its `struct v4l2_captureparm`.
    package enum Parameters {
        package static let type = 0
        package static let numerator = 12
        package static let denominator = 16
    }

    /// `struct v4l2_requestbuffers`.
    package enum Request {
        package static let count = 0
        package static let type = 4
        package static let memory = 8
    }

    /// `struct v4l2_buffer`.
    package enum Buffer {
        package static let index = 0
        package static let type = 4
        package static let bytesUsed = 8
        package static let flags = 12
        package static let seconds = 24
        package static let microseconds = 32
        package static let memory = 60
        package static let offset = 64
        package static let length = 72
        /// The frame in it is damaged.
        package static let damaged: UInt32 = 0x40
    }

    /// `V4L2_BUF_TYPE_VIDEO_CAPTURE`.
    package static let videoCapture: UInt32 = 1
    /// `V4L2_MEMORY_MMAP`.
    package static let mapped: UInt32 = 1
}
