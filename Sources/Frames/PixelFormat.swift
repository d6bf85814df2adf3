extension PixelView {
    /// The luma levels of black and white.
    public enum LumaRange: Sendable, Hashable {
        /// 16 is black and 235 is white (BT.601, BT.709 "limited"): expanded to 0...255 while resizing.
        case video
        /// 0 is black and 255 is white.
        case full
    }
}

extension PixelView {
    /// The conversion from luma and two colour differences to red, green and blue.
    public enum ColorMatrix: Sendable, Hashable {
        /// ITU-R BT.601: luma is 0.299 red, 0.587 green and 0.114 blue.
        case bt601
        /// ITU-R BT.709: luma is 0.2126 red, 0.7152 green and 0.0722 blue.
        case bt709
    }
}

extension PixelView {
    /// How the pixels of a plane are stored, with 8 bits per sample.
    ///
    /// The pixel network uses only luma: of planar formats it reads only the first plane, so a view can be made from
    /// that plane alone. Hand tracking uses colour: for it a view of a planar format needs `PixelView.ChromaPlanes`;
    /// without them the frame is grey.
    public enum Format: Sendable, Hashable {
        /// One byte of full-range luma per pixel.
        case gray8
        /// Biplanar 4:2:0: luma, and one plane with both colour differences in turn.
        case nv12(PixelView.LumaRange)
        /// Biplanar 4:2:0 with red difference first (Android's cameras).
        case nv21(PixelView.LumaRange)
        /// Triplanar 4:2:0: luma, and one plane for each colour difference. Without chroma, any other planar layout
        /// with 8-bit luma is read in the same way.
        case i420(PixelView.LumaRange)
        /// Packed 4:2:2, bytes Y0 U Y1 V (YUY2): luma in every second byte.
        case yuyv(PixelView.LumaRange)
        /// Bytes blue, green, red and an ignored one.
        case bgra
        /// Bytes red, green, blue and an ignored one.
        case rgba

        /// Bytes from one pixel to the next in a row.
        public var bytesPerPixel: Int {
            switch self {
            case .gray8, .nv12, .nv21, .i420: 1
            case .yuyv: 2
            case .bgra, .rgba: 4
            }
        }

        /// Weights of the first three bytes of a pixel in its luma, in 1/16384; nil if luma is stored. BT.601: 0.299,
        /// 0.587 and 0.114, of which the middle one absorbs the rounding, so that the sum is exact.
        package var lumaShares: (first: Int32, second: Int32, third: Int32)? {
            switch self {
            case .gray8, .nv12, .nv21, .i420, .yuyv: nil
            case .bgra: (1_868, 9_617, 4_899)
            case .rgba: (4_899, 9_617, 1_868)
            }
        }

        /// The range of luma. Colour formats have full range, and so has their luma.
        public var lumaRange: PixelView.LumaRange {
            switch self {
            case .gray8, .bgra, .rgba: .full
            case .nv12(let range), .nv21(let range), .i420(let range), .yuyv(let range): range
            }
        }
    }
}

extension PixelView {
    /// A rectangle of pixels, from the top left of the stored frame, before any orientation.
    public struct Region: Sendable, Hashable {
        /// First pixel of each row.
        public var x: Int
        /// First row.
        public var y: Int
        /// Pixels of each row, at least 1.
        public var width: Int
        /// Rows, at least 1.
        public var height: Int

        /// Makes a rectangle; a `PixelView` checks it against its frame.
        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }
}

extension PixelView {
    /// Why a frame is refused.
    public enum FrameError: Error, Sendable, Hashable {
        /// Width or height is below 1 or above `PixelView.maximumSide`.
        case size(width: Int, height: Int, maximum: Int)
        /// The rows would overlap because `bytesPerRow` is smaller than a row of pixels, which includes negative
        /// strides; or it is so large that the plane's size overflows.
        case bytesPerRow(minimum: Int, found: Int)
        /// The plane ends before the last pixel of the last row.
        case planeTooShort(required: Int, found: Int)
        /// The format has no such chroma planes: one plane belongs to NV12 or NV21, two belong to I420.
        case chromaOfFormat(PixelView.Format)
        /// The same as `bytesPerRow`, for the chroma planes.
        case chromaBytesPerRow(minimum: Int, found: Int)
        /// A chroma plane ends before the last sample of its last row.
        case chromaTooShort(required: Int, found: Int)
        /// The region of interest is empty or not inside the frame.
        case region(PixelView.Region, width: Int, height: Int)
        /// A camera's buffer has an unsupported pixel format, given as a four-character code.
        case pixelFormat(UInt32)
        /// A camera's buffer has no address to read from. `code` is Core Video's.
        case notLocked(code: Int32)
        /// A sample of a capture session has no image.
        case noPicture
        /// The destination is not exactly one 224 x 224 frame.
        case destination(required: Int, found: Int)
    }
}
