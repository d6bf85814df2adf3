import Frames
import Testing

@Suite struct OrientationGroupTests {
    private static let corners = [(0.0, 0.0), (640, 0), (0, 480), (200, 77)].map { PlanePoint(x: $0.0, y: $0.1) }

    /// One after the other is what the plain steps give, done one after the other.
    @Test(arguments: ImageOrientation.allCases) func oneAfterTheOther(_ first: ImageOrientation) {
        for second in ImageOrientation.allCases {
            for corner in Self.corners {
                let once = uprightPlace(corner, of: (640, 480), first)
                let twice = uprightPlace(once.point, of: (once.width, once.height), second)
                let together = uprightPlace(corner, of: (640, 480), first.followed(by: second))
                #expect(together.point == twice.point, "\(first) then \(second)")
                #expect(together.width == twice.width)
            }
        }
    }

    @Test(arguments: ImageOrientation.allCases) func inversesUndo(_ orientation: ImageOrientation) {
        #expect(orientation.followed(by: orientation.inverse) == .up)
        #expect(orientation.inverse.followed(by: orientation) == .up)
    }

    @Test func knownProducts() {
        #expect(ImageOrientation.right.followed(by: .right) == .down)
        #expect(ImageOrientation.right.inverse == .left)
        #expect(ImageOrientation.right.followed(by: .upMirrored) == .leftMirrored)
        #expect(ImageOrientation.upMirrored.followed(by: .right) == .rightMirrored)
        #expect(ImageOrientation.allCases.filter(\.isReflection).map(\.rawValue) == [2, 4, 5, 7])
    }
}
