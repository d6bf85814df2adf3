public import Vocabulary

extension ViewTransform {
    /// Where the y of a space begins and in which direction it rises. x always begins at the left.
    public enum Origin: Sendable, Hashable {
        /// At the top, going down: UIKit, Android, MediaPipe and all images in memory.
        case topLeft
        /// At the bottom, going up: Vision, AppKit, Core Graphics.
        case bottomLeft
    }
}

extension ViewTransform {
    /// How the app shows the camera: the whole upright frame in a view.
    public struct Preview: Sendable, Hashable {
        /// The view's width in points of any kind.
        public var width: Double
        /// The view's height in the same points.
        public var height: Double
        /// `fit` shows the whole frame with bars at two sides, and `fill` covers the view and cuts two sides off, both
        /// centred; `stretch` does not keep the aspect ratio. Core Animation: resizeAspect, resizeAspectFill, resize.
        public var gravity: PixelView.CropMode
        /// Whether the screen swaps left and right, as usual for front cameras. It is independent of
        /// `GestureEngine.Configuration.isMirrored`, which concerns the model's image.
        public var mirrored: Bool
        /// Where the view's coordinates begin.
        public var origin: ViewTransform.Origin

        /// Makes a preview; `ViewTransform` refuses impossible sides.
        public init(
            width: Double, height: Double, gravity: PixelView.CropMode = .fill, mirrored: Bool = false,
            origin: ViewTransform.Origin = .topLeft
        ) {
            self.width = width
            self.height = height
            self.gravity = gravity
            self.mirrored = mirrored
            self.origin = origin
        }
    }
}

/// Converts between the coordinate spaces of one camera frame: from what the model sees to what the app shows.
///
/// Coordinates are those of edges, not of pixels: pixel i of a row covers i...i + 1 and its centre is at i + 1/2. The
/// position of the model's square is in whole pixels, exactly as in `Preprocessor`, so that `model` coordinates agree
/// with the resampled image to within rounding.
///
/// Points outside the region, in the padding of a fitted frame or beyond the view's edge have coordinates, too: nothing
/// is clamped.
public struct ViewTransform: Sendable, Hashable {
    /// The space of a coordinate.
    public enum Space: Sendable, Hashable {
        /// Pixels of the frame as it is stored, from its top left.
        case frame
        /// 0...1 along each side of the frame as it is stored, from its top left.
        case unitFrame
        /// 0...1 along each side of the whole upright frame, not mirrored: the space of a detector that knows the
        /// orientation, from the bottom left for Vision and from the top left for others.
        case picture(ViewTransform.Origin)
        /// Pixels of the model's image, 0...224 from its top left.
        case model
        /// 0...1 along each side of the model's image, from its top left.
        case unitModel
        /// Points of the preview.
        case view
    }

    /// Allowed sides of a view, in points. Within them a point mapped there and back is off by at most a millionth of a
    /// stored pixel, even if the largest frame is fitted into a view of 1 x 100,000 points.
    public static let allowedViewSides = 1.0...100_000

    /// Width of the stored frame.
    public let frameWidth: Int
    /// Height of the stored frame.
    public let frameHeight: Int

    private let toPicture: ViewTransform.PlaneTransform
    private let toModel: ViewTransform.PlaneTransform
    private let toView: ViewTransform.PlaneTransform

    /// Makes the transform of one frame size.
    /// - Parameters:
    ///   - frameWidth: width of the stored frame, 1...`PixelView.maximumSide`.
    ///   - frameHeight: height of the stored frame, within the same limits.
    ///   - region: the part that the model sees, in stored pixels; nil for all of it. The preview shows the whole
    ///     frame.
    ///   - orientation: how the frame is stored, as in `GestureEngine.Configuration`.
    ///   - isMirrored: whether the model sees the frame mirrored, likewise.
    ///   - crop: how the region becomes the model's image, likewise.
    ///   - preview: nil for a view that is the upright frame itself: a point is a pixel, the origin is at the top left.
    /// - Throws: the first argument that is not possible.
    public init(
        frameWidth: Int, frameHeight: Int, region: PixelView.Region? = nil, orientation: ImageOrientation = .up,
        isMirrored: Bool = false, crop: PixelView.CropMode = .stretch, preview: ViewTransform.Preview? = nil
    ) throws(ConfigurationError) {
        try self.init(
            frameWidth: frameWidth, frameHeight: frameHeight, region: region,
            geometry: FrameGeometry(crop: crop, orientation: orientation, mirrored: isMirrored), preview: preview)
    }

    /// - Parameter geometry: the geometry given to `Preprocessor`. Its orientation is also that of the preview.
    package init(
        frameWidth: Int, frameHeight: Int, region: PixelView.Region? = nil, geometry: FrameGeometry,
        preview: ViewTransform.Preview? = nil
    ) throws(ConfigurationError) {
        try Self.checkFrame(frameWidth, frameHeight)
        let region = region ?? PixelView.Region(x: 0, y: 0, width: frameWidth, height: frameHeight)
        guard Self.fits(region.x, region.width, in: frameWidth), Self.fits(region.y, region.height, in: frameHeight)
        else {
            throw ConfigurationError(
                "ViewTransform.region", "\(region.width)x\(region.height) at \(region.x), \(region.y)",
                mustBe: "inside the frame of \(frameWidth)x\(frameHeight)")
        }
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        toPicture = Self.unit(PixelView.Region(x: 0, y: 0, width: frameWidth, height: frameHeight))
            .followed(by: ViewTransform.PlaneTransform(geometry.orientation))
        toModel = Self.model(region, geometry)
        let isTransposed = toPicture.isTransposed
        let width = Double(isTransposed ? frameHeight : frameWidth)
        let height = Double(isTransposed ? frameWidth : frameHeight)
        toView = try toPicture.followed(
            by: Self.show(
                width, height, in: preview ?? ViewTransform.Preview(width: width, height: height, gravity: .stretch)))
    }

    /// The map from one space to another.
    package func map(_ source: Space, to target: Space) -> ViewTransform.PlaneTransform {
        source == target ? .identity : reaching(source).inverse.followed(by: reaching(target))
    }

    /// Maps a point.
    public func map(_ point: PlanePoint, from source: Space, to target: Space) -> PlanePoint {
        map(source, to: target).apply(point)
    }

    /// Maps a rectangle.
    public func map(_ rect: PlaneRect, from source: Space, to target: Space) -> PlaneRect {
        map(source, to: target).apply(rect)
    }

    private func reaching(_ space: Space) -> ViewTransform.PlaneTransform {
        switch space {
        case .frame: .identity
        case .unitFrame: ViewTransform.PlaneTransform(scaleX: 1 / Double(frameWidth), scaleY: 1 / Double(frameHeight))
        case .picture(.topLeft): toPicture
        case .picture(.bottomLeft): toPicture.followed(by: ViewTransform.PlaneTransform(.downMirrored))
        case .model: toModel
        case .unitModel: toModel.followed(by: Self.scale(1 / Double(FrameGeometry.side)))
        case .view: toView
        }
    }
}

extension ViewTransform {
    static func checkFrame(_ width: Int, _ height: Int) throws(ConfigurationError) {
        let sides = 1...PixelView.maximumSide
        try ConfigurationError.check(width, "ViewTransform.frameWidth", in: sides)
        try ConfigurationError.check(height, "ViewTransform.frameHeight", in: sides)
    }

    private static func fits(_ origin: Int, _ length: Int, in side: Int) -> Bool {
        origin >= 0 && length >= 1 && length <= side && origin <= side - length
    }

    private static func scale(_ factor: Double) -> ViewTransform.PlaneTransform {
        ViewTransform.PlaneTransform(scaleX: factor, scaleY: factor)
    }

    /// From stored pixels to 0...1 within a region.
    private static func unit(_ region: PixelView.Region) -> ViewTransform.PlaneTransform {
        let (width, height) = (Double(region.width), Double(region.height))
        return ViewTransform.PlaneTransform(
            scaleX: 1 / width, scaleY: 1 / height, x: -Double(region.x) / width, y: -Double(region.y) / height)
    }

    /// From stored pixels to the model's 224 x 224 image, in whole pixels, rounded as by `Placement` in Preprocessing.
    private static func model(_ region: PixelView.Region, _ geometry: FrameGeometry) -> ViewTransform.PlaneTransform {
        let side = FrameGeometry.side
        let orientation = geometry.mirrored ? geometry.orientation.followed(by: .upMirrored) : geometry.orientation
        let turn = ViewTransform.PlaneTransform(orientation)
        var source = region
        var (width, height) = (side, side)
        switch geometry.crop {
        case .stretch:
            break
        case .fill:
            let square = min(region.width, region.height)
            source.x += (region.width - square) / 2
            source.y += (region.height - square) / 2
            (source.width, source.height) = (square, square)
        case .fit:
            let longer = max(region.width, region.height)
            let across = turn.isTransposed ? region.height : region.width
            let down = turn.isTransposed ? region.width : region.height
            width = max(1, (2 * side * across + longer) / (2 * longer))
            height = max(1, (2 * side * down + longer) / (2 * longer))
        }
        let place = ViewTransform.PlaneTransform(
            scaleX: Double(width), scaleY: Double(height), x: Double((side - width) / 2), y: Double((side - height) / 2)
        )
        return unit(source).followed(by: turn).followed(by: place)
    }

    /// From the unit square of an upright frame of this size to the view.
    private static func show(
        _ width: Double, _ height: Double, in preview: ViewTransform.Preview
    ) throws(ConfigurationError) -> ViewTransform.PlaneTransform {
        try ConfigurationError.check(preview.width, "ViewTransform.Preview.width", in: allowedViewSides)
        try ConfigurationError.check(preview.height, "ViewTransform.Preview.height", in: allowedViewSides)
        let (byWidth, byHeight) = (preview.width / width, preview.height / height)
        let shown =
            switch preview.gravity {
            case .stretch: (preview.width, preview.height)
            case .fit: (min(byWidth, byHeight) * width, min(byWidth, byHeight) * height)
            case .fill: (max(byWidth, byHeight) * width, max(byWidth, byHeight) * height)
            }
        let place = ViewTransform.PlaneTransform(
            scaleX: shown.0, scaleY: shown.1, x: (preview.width - shown.0) / 2, y: (preview.height - shown.1) / 2)
        let flip = ViewTransform.PlaneTransform(
            scaleX: preview.mirrored ? -1 : 1, scaleY: preview.origin == .bottomLeft ? -1 : 1,
            x: preview.mirrored ? preview.width : 0, y: preview.origin == .bottomLeft ? preview.height : 0)
        return place.followed(by: flip)
    }
}
