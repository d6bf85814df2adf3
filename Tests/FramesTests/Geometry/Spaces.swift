import Frames

let gravities: [PixelView.CropMode] = [.stretch, .fit, .fill]

/// All orientations, mirrors of the model and crop modes of the model.
let geometries = ImageOrientation.allCases.flatMap { orientation in
    [false, true].flatMap { mirrored in
        gravities.map { FrameGeometry(crop: $0, orientation: orientation, mirrored: mirrored) }
    }
}

/// All ways to show a picture in a view of this size.
func previews(_ width: Double, _ height: Double) -> [ViewTransform.Preview] {
    gravities.flatMap { gravity in
        [false, true].flatMap { mirrored in
            [ViewTransform.Origin.topLeft, .bottomLeft].map {
                ViewTransform.Preview(width: width, height: height, gravity: gravity, mirrored: mirrored, origin: $0)
            }
        }
    }
}

func distance(_ a: PlanePoint, _ b: PlanePoint) -> Double { max(abs(a.x - b.x), abs(a.y - b.y)) }

func distance(_ a: PlaneRect, _ b: PlaneRect) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.width - b.width), abs(a.height - b.height))
}

/// A place in stored pixels as it is seen in the upright picture, pixels from its top left: one step of the definition at a
/// time, without a matrix.
func uprightPlace(
    _ point: PlanePoint, of frame: (width: Double, height: Double), _ orientation: ImageOrientation
) -> (point: PlanePoint, width: Double, height: Double) {
    let (x, y, w, h) = (point.x, point.y, frame.width, frame.height)
    switch orientation.rawValue {
    case 1: return (PlanePoint(x: x, y: y), w, h)
    case 2: return (PlanePoint(x: w - x, y: y), w, h)
    case 3: return (PlanePoint(x: w - x, y: h - y), w, h)
    case 4: return (PlanePoint(x: x, y: h - y), w, h)
    case 5: return (PlanePoint(x: y, y: x), h, w)
    case 6: return (PlanePoint(x: h - y, y: x), h, w)
    case 7: return (PlanePoint(x: h - y, y: w - x), h, w)
    default: return (PlanePoint(x: y, y: w - x), h, w)
    }
}

/// Where a place in stored pixels is seen in a view.
func shownPlace(
    _ point: PlanePoint, of frame: (width: Double, height: Double), _ orientation: ImageOrientation,
    in preview: ViewTransform.Preview
) -> PlanePoint {
    let (upright, width, height) = uprightPlace(point, of: frame, orientation)
    var (byWidth, byHeight) = (preview.width / width, preview.height / height)
    if preview.gravity == .fit { (byWidth, byHeight) = (min(byWidth, byHeight), min(byWidth, byHeight)) }
    if preview.gravity == .fill { (byWidth, byHeight) = (max(byWidth, byHeight), max(byWidth, byHeight)) }
    var x = preview.width / 2 + (upright.x - width / 2) * byWidth
    var y = preview.height / 2 + (upright.y - height / 2) * byHeight
    if preview.mirrored { x = preview.width - x }
    if preview.origin == .bottomLeft { y = preview.height - y }
    return PlanePoint(x: x, y: y)
}
