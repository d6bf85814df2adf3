package import GestureEngine
package import MotionJPEG

/// Why a camera or one of its frames cannot be used.
package enum VideoError: Error, Sendable, Equatable {
    /// The system is not Linux with glibc.
    case noVideo4Linux
    /// The device cannot be opened; the system's error number.
    case cannotOpen(path: String, code: Int32)
    /// The device is no camera that gives whole frames in memory that it shares.
    case noCamera(path: String)
    /// The camera has none of the formats; what it offers instead, by four letters.
    case format(offered: String)
    /// A request failed; the system's error number.
    case request(String, code: Int32)
    /// The camera's memory cannot be mapped.
    case memory(code: Int32)
    /// There was no frame for so long.
    case timeout(seconds: Int)
    /// The camera says that the frame is damaged, or gives too few bytes.
    case damagedFrame
    /// A frame does not fit the camera's format.
    case frame(PixelView.FrameError)
    /// A frame of a camera with Motion JPEG is refused.
    case jpeg(JPEGError)

    /// Whether the next frame may be well.
    package var isOfOneFrame: Bool {
        switch self {
        case .damagedFrame, .frame, .jpeg: true
        case .noVideo4Linux, .cannotOpen, .noCamera, .format, .request, .memory, .timeout: false
        }
    }
}

extension VideoError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    package var description: String {
        switch self {
        case .noVideo4Linux: "Cameras are read on Linux with glibc alone."
        case .cannotOpen(let path, let code): "\(path) cannot be opened: \(SystemText.of(code))."
        case .noCamera(let path): "\(path) is no camera."
        case .format(let offered): "The camera offers \(offered); NV12, YUYV and MJPG are supported."
        case .request(let name, let code): "The camera refused '\(name)': \(SystemText.of(code))."
        case .memory(let code): "The camera's memory cannot be mapped: \(SystemText.of(code))."
        case .timeout(let seconds): "The camera gave no frame for \(seconds) seconds."
        case .damagedFrame: "The camera gave a damaged frame."
        case .frame(let error): "The camera gave a frame that does not fit its format: \(error)"
        case .jpeg(let error): error.description
        }
    }
}
