extension PixelView {
    /// What luma codes stand for black and white.
    public enum LumaRange: Sendable, Hashable {
        /// 16 is black and 235 is white (BT.601, BT.709 "limited"): expanded to 0...255 while resizing.
        case video
        /// 0 is black and 255 is white.
        case full
    }
}

extension PixelView {
    /// How luma and two colour differences become red, green and blue.
    public enum ColorMatrix: Sendable, Hashable {
        /// ITU-R BT.601: luma is 0.299 red, 0.587 green and 0.114 blue.
        case bt601
        /// ITU-R BT.709: luma is 0.2126 red, 0.7152 green and 0.0722 blue.
        case bt709
    }
}

extension PixelView {
    /// How the pixels of a plane lie in memory, 8 bits a sample.
    ///
    /// The pixel network sees luma only. Of the planar formats it reads nothing but the first plane, so a view may be made from that
    /// plane alone. Hand tracking sees colour: for it a view of a planar format has `PixelView.ChromaPlanes` as well, or is
    /// gray.
    public enum Format: Sendable, Hashable {
        /// One byte of full-range luma a pixel.
        case gray8
        /// Biplanar 4:2:0: luma, and a plane of both colour differences in turn.
        case nv12(PixelView.LumaRange)
        /// Biplanar 4:2:0 with red difference first (Android's cameras).
        case nv21(PixelView.LumaRange)
        /// Triplanar 4:2:0: luma, and a plane for each colour difference. Without chroma, every other planar layout with 8-bit
        /// luma is read the same way.
        case i420(PixelView.LumaRange)
        /// Packed 4:2:2, bytes Y0 U Y1 V (YUY2): luma in every second byte.
        case yuyv(PixelView.LumaRange)
        /// Bytes blue, green, red, and one that has no influence.
        case bgra
        /// Bytes red, green, blue, and one that has no influence.
        case rgba

        /// Bytes from one pixel to the next in a row.
        public var bytesPerPixel: Int {
            switch self {
            case .gray8, .nv12, .nv21, .i420: 1
            case .yuyv: 2
            case .bgra, .rgba: 4
            }
        }

        /// What the first three bytes of a pixel count in its luma, in 1/16384; nil where luma is stored. BT.601: 0.299, 0.587
        /// and 0.114, of which the middle one takes the rounding, so that the sum is exact.
        var lumaShares: (first: Int32, second: Int32, third: Int32)? {
            switch self {
            case .gray8, .nv12, .nv21, .i420, .yuyv: nil
            case .bgra: (1_868, 9_617, 4_899)
            case .rgba: (4_899, 9_617, 1_868)
            }
        }

        /// The range of the luma codes. Colour formats are full range, as is their luma.
        public var lumaRange: PixelView.LumaRange {
            switch self {
            case .gray8, .bgra, .rgba: .full
            case .nv12(let range), .nv21(let range), .i420(let range), .yuyv(let range): range
            }
        }
    }
}

extension PixelView {
    /// A rectangle of pixels, from the top left of the stored frame (before any orientation is applied).
    public struct Region: Sendable, Hashable {
        /// First pixel of each row.
        public var x: Int
        /// First row.
        public var y: Int
        /// Pixels of each row, at least 1.
        public var width: Int
        /// Rows, at least 1.
        public var height: Int

        /// A rectangle; a `PixelView` checks it against its frame.
        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }
}

extension PixelView {
    /// Why a frame is not admitted.
    public enum FrameError: Error, Sendable, Hashable {
        /// Width or height is below 1 or above `PixelView.maximumSide`.
        case size(width: Int, height: Int, maximum: Int)
        /// The rows would overlap: `bytesPerRow` is less than the bytes of one row of pixels, negative strides included, or is
        /// so large that the size of the plane is not a number.
        case bytesPerRow(minimum: Int, found: Int)
        /// The plane ends before the last pixel of the last row.
        case planeTooShort(required: Int, found: Int)
        /// Chroma was given with a format that has no such planes: one plane belongs to NV12, two belong to I420.
        case chromaOfFormat(PixelView.Format)
        /// As `bytesPerRow`, of the chroma planes.
        case chromaBytesPerRow(minimum: Int, found: Int)
        /// A chroma plane ends before the last sample of its last row.
        case chromaTooShort(required: Int, found: Int)
        /// The region of interest is empty or not inside the frame.
        case region(PixelView.Region, width: Int, height: Int)
        /// A camera's buffer has a pixel format, a four-character code, that is not read.
        case pixelFormat(UInt32)
        /// A camera's buffer gives no address to read from. `code` is Core Video's.
        case notLocked(code: Int32)
        /// A sample of a capture session has no picture.
        case noPicture
        /// The destination is not exactly one 224 x 224 frame.
        case destination(required: Int, found: Int)
    }
}
