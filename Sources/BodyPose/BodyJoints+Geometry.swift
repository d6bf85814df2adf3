public import BodyTracking
public import Frames

extension PlanePoint {
    /// A joint's position in `ViewTransform.Space.picture(.bottomLeft)`, which `ViewTransform` maps to the stored frame
    /// and to the app's view.
    public init(_ joint: BodyJoints.Point) {
        self.init(x: Double(joint.location.x), y: Double(joint.location.y))
    }
}
