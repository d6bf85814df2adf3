extension PixelView.FrameError: CustomStringConvertible {
    /// One sentence for users.
    public var description: String {
        switch self {
        case .size(let width, let height, let maximum):
            "The frame has \(width)x\(height) pixels; each side must have from 1 to \(maximum)."
        case .bytesPerRow(let minimum, let found):
            "The frame has \(found) bytes a row; it needs at least \(minimum), and the plane's size must not overflow."
        case .planeTooShort(let required, let found):
            "The frame's memory has \(found) bytes; its last pixel ends at byte \(required)."
        case .chromaOfFormat(let format):
            "The chroma planes do not fit the format \(format.name): NV12 has one, I420 has two, others have none."
        case .chromaBytesPerRow(let minimum, let found):
            "The chroma has \(found) bytes a row; it needs at least \(minimum), and the plane's size must not overflow."
        case .chromaTooShort(let required, let found):
            "A chroma plane has \(found) bytes; its last sample ends at byte \(required)."
        case .region(let region, let width, let height):
            "The region of \(region.width)x\(region.height) pixels at \(region.x), \(region.y) is not inside the frame "
                + "of \(width)x\(height)."
        case .pixelFormat(let code):
            "The pixel format \(Self.text(ofCode: code)) is not supported; ask the camera for 420f, 420v, BGRA or L008."
        case .notLocked(let code): "The camera's buffer could not be locked for reading: Core Video's code \(code)."
        case .noPicture: "The sample buffer has no image."
        case .destination(let required, let found):
            "The destination has room for \(found) bytes; a frame of the network has \(required)."
        }
    }
}

extension PixelView.Format {
    fileprivate var name: String {
        switch self {
        case .gray8: "gray8"
        case .nv12: "NV12"
        case .nv21: "NV21"
        case .i420: "I420"
        case .yuyv: "YUYV"
        case .bgra: "BGRA"
        case .rgba: "RGBA"
        }
    }
}
