import CGesture
import Frames

/// Makes views of the frames of C programs.
struct FrameReader: ~Copyable {
    private var unpacker = PixelView.Unpacker()

    /// How a plane is read: in place, or by a copy.
    private enum Layout {
        case direct(PixelView.Format)
        case unpacked(PixelView.Unpacker.Layout)

        /// nil for a number that the header does not have.
        init?(_ format: Int32) {
            switch Int(format) {
            case GESTURE_FORMAT_GRAY: self = .direct(.gray8)
            case GESTURE_FORMAT_NV12: self = .direct(.nv12(.video))
            case GESTURE_FORMAT_NV12_FULL: self = .direct(.nv12(.full))
            case GESTURE_FORMAT_NV21: self = .direct(.nv21(.video))
            case GESTURE_FORMAT_NV21_FULL: self = .direct(.nv21(.full))
            case GESTURE_FORMAT_I420: self = .direct(.i420(.video))
            case GESTURE_FORMAT_I420_FULL: self = .direct(.i420(.full))
            case GESTURE_FORMAT_YUYV: self = .direct(.yuyv(.video))
            case GESTURE_FORMAT_YUYV_FULL: self = .direct(.yuyv(.full))
            case GESTURE_FORMAT_UYVY: self = .unpacked(.uyvy(.video))
            case GESTURE_FORMAT_UYVY_FULL: self = .unpacked(.uyvy(.full))
            case GESTURE_FORMAT_RGB: self = .unpacked(.rgb24)
            case GESTURE_FORMAT_BGR: self = .unpacked(.bgr24)
            case GESTURE_FORMAT_RGBA: self = .direct(.rgba)
            case GESTURE_FORMAT_BGRA: self = .direct(.bgra)
            default: return nil
            }
        }
    }

    /// Calls `body` with a view of the caller's frame.
    mutating func withView<Result>(
        of frame: UnsafePointer<gesture_frame>?, _ body: (borrowing PixelView) -> Result
    ) throws(CallFailure) -> Result {
        guard let frame = unsafe try CallersStruct.read(frame, "gesture_frame", empty: gesture_frame()) else {
            throw .null("The frame")
        }
        guard let layout = Layout(frame.format) else {
            let message = "The frame's format is \(frame.format), a value that gesture.h does not have."
            throw CallFailure(.invalidFrame, message)
        }
        let matrix = try Self.matrix(of: frame)
        let (width, height) = (Int(frame.width), Int(frame.height))
        let region = Self.region(of: frame)
        let luma = unsafe try Plane(frame.planes.0, index: 0)
        switch layout {
        case .unpacked(let layout):
            let stride = unsafe luma.bytesPerRow(orTight: width, layout.bytesPerPixel)
            do throws(PixelView.FrameError) {
                return unsafe try unpacker.withView(
                    of: RawSpan(_unsafeBytes: luma.bytes), layout, width: width, height: height, bytesPerRow: stride,
                    region: region, matrix: matrix, body)
            } catch {
                throw CallFailure(error)
            }
        case .direct(let format):
            let stride = unsafe luma.bytesPerRow(orTight: width, format.bytesPerPixel)
            let half = width / 2 + width % 2
            switch format {
            case .nv12, .nv21:
                let chroma = unsafe try Plane(frame.planes.1, index: 1)
                guard unsafe !chroma.bytes.isEmpty else { break }
                let planes = unsafe PixelView.ChromaPlanes(
                    interleaved: RawSpan(_unsafeBytes: chroma.bytes), bytesPerRow: chroma.bytesPerRow(orTight: half, 2))
                return unsafe try Self.call(
                    body, luma, planes, format, width: width, height: height, stride: stride, region, matrix)
            case .i420:
                let (blue, red) = unsafe (try Plane(frame.planes.1, index: 1), try Plane(frame.planes.2, index: 2))
                guard unsafe !blue.bytes.isEmpty || !red.bytes.isEmpty else { break }
                let rows = unsafe (blue.bytesPerRow(orTight: half, 1), red.bytesPerRow(orTight: half, 1))
                guard rows.0 == rows.1 else {
                    throw CallFailure(
                        .invalidFrame,
                        "The chroma planes have \(rows.0) and \(rows.1) bytes a row; they must have the same.")
                }
                let planes = unsafe PixelView.ChromaPlanes(
                    blue: RawSpan(_unsafeBytes: blue.bytes), red: RawSpan(_unsafeBytes: red.bytes), bytesPerRow: rows.0)
                return unsafe try Self.call(
                    body, luma, planes, format, width: width, height: height, stride: stride, region, matrix)
            case .gray8, .yuyv, .bgra, .rgba: break
            }
            return unsafe try Self.call(
                body, luma, nil, format, width: width, height: height, stride: stride, region, matrix)
        }
    }

    /// Calls `body` with a view of memory in a format that is read in place.
    private static func call<Result>(
        _ body: (borrowing PixelView) -> Result, _ luma: Plane, _ chroma: PixelView.ChromaPlanes?,
        _ format: PixelView.Format, width: Int, height: Int, stride: Int, _ region: PixelView.Region?,
        _ matrix: PixelView.ColorMatrix
    ) throws(CallFailure) -> Result {
        do throws(PixelView.FrameError) {
            let view = unsafe try PixelView(
                RawSpan(_unsafeBytes: luma.bytes), chroma: chroma, format: format, width: width, height: height,
                bytesPerRow: stride, region: region, matrix: matrix)
            return body(view)
        } catch {
            throw CallFailure(error)
        }
    }

    private static func matrix(of frame: gesture_frame) throws(CallFailure) -> PixelView.ColorMatrix {
        switch Int(frame.matrix) {
        case GESTURE_MATRIX_BT601: return .bt601
        case GESTURE_MATRIX_BT709: return .bt709
        default:
            throw CallFailure(
                .invalidFrame, "The frame's matrix is \(frame.matrix), a value that gesture.h does not have.")
        }
    }

    /// The frame's region of interest; nil if all of its fields are zero.
    private static func region(of frame: gesture_frame) -> PixelView.Region? {
        let region = PixelView.Region(
            x: Int(frame.region_x), y: Int(frame.region_y), width: Int(frame.region_width),
            height: Int(frame.region_height))
        return region == PixelView.Region(x: 0, y: 0, width: 0, height: 0) ? nil : region
    }
}

/// A plane of a caller's frame.
@unsafe
private struct Plane {
    /// Empty if the caller gave none.
    let bytes: UnsafeRawBufferPointer
    private let stride: Int

    init(_ plane: gesture_plane, index: Int) throws(CallFailure) {
        guard unsafe plane.count >= 0, unsafe plane.bytes_per_row >= 0 else {
            throw CallFailure(.invalidFrame, "The size or stride of plane \(index) is impossible.")
        }
        guard unsafe plane.bytes != nil || (unsafe plane.count == 0) else {
            throw unsafe CallFailure(
                .invalidFrame, "Plane \(index) is NULL, and \(plane.count) bytes are said to be there.")
        }
        unsafe bytes = UnsafeRawBufferPointer(start: plane.bytes, count: plane.count)
        unsafe stride = plane.bytes_per_row
    }

    /// The caller's stride; for 0 that of rows without padding. A width that no frame has gives any stride, as the
    /// frame is refused.
    func bytesPerRow(orTight width: Int, _ bytesPerPixel: Int) -> Int {
        unsafe stride == 0 ? width * bytesPerPixel : stride
    }
}
