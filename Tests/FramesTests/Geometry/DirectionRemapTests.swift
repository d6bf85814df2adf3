import Frames
import Testing

@Suite struct DirectionRemapTests {
    /// The bundled model's classes.
    private static let bundled = [
        "swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap", "point", "openPalm",
        "thumbsUp", "thumbsDown", "null",
    ]

    /// What left, right, up and down become, by hand: a picture that has to be turned clockwise shows an upward swipe where
    /// its user swiped to the right.
    @Test(arguments: [
        (ImageOrientation.up, "LRUD"), (.upMirrored, "RLUD"), (.down, "RLDU"), (.downMirrored, "LRDU"),
        (.leftMirrored, "UDLR"), (.right, "UDRL"), (.rightMirrored, "DURL"), (.left, "DULR"),
    ]) func swipes(_ isometry: ImageOrientation, _ expected: String) {
        let remap = DirectionRemap(labels: Self.bundled, isometry: isometry)
        let letters: [Character: Int] = ["L": 0, "R": 1, "U": 2, "D": 3]
        #expect((0..<4).map { remap($0) } == expected.map { letters[$0]! }, "\(isometry)")
        for index in [4, 5, 6, 7, 8, 9, 12] { #expect(remap(index) == index) }
        #expect(remap.isIdentity == (isometry == .up))
    }

    /// A swipe drawn into a picture moves, in the upright picture, in the direction of the class that it becomes.
    @Test(arguments: ImageOrientation.allCases) func swipesMoveWithThePicture(_ isometry: ImageOrientation) {
        let remap = DirectionRemap(labels: Self.bundled, isometry: isometry)
        let steps = [(-1.0, 0.0), (1, 0), (0, -1), (0, 1)]
        for (index, step) in steps.enumerated() {
            let from = uprightPlace(PlanePoint(x: 50, y: 50), of: (100, 100), isometry).point
            let to = uprightPlace(PlanePoint(x: 50 + step.0, y: 50 + step.1), of: (100, 100), isometry).point
            let seen = steps.firstIndex { $0 == (to.x - from.x, to.y - from.y) }
            #expect(remap(index) == seen, "\(isometry) \(Self.bundled[index])")
        }
    }

    /// Thumbs change places upside down, stay in a mirror, and have no class for a thumb to the side.
    @Test(arguments: ImageOrientation.allCases) func thumbs(_ isometry: ImageOrientation) {
        let remap = DirectionRemap(labels: Self.bundled, isometry: isometry)
        let upsideDown = isometry == .down || isometry == .downMirrored
        #expect([remap(10), remap(11)] == (upsideDown ? [11, 10] : [10, 11]))
        let sideways = isometry.rawValue >= 5
        #expect(remap.unmapped == (sideways ? [10, 11] : []))
    }

    @Test(arguments: ImageOrientation.allCases) func circlesChangeInMirrorsAlone(_ isometry: ImageOrientation) {
        for labels in [
            ["circleClockwise", "circleCounterclockwise"], ["circle_clockwise", "circle_anticlockwise"],
            ["Turning Hand Clockwise", "Turning Hand Counter-Clockwise"], ["CounterClockwise", "Clockwise"],
            ["anti-clockwise", "clockwise"],
        ] {
            let remap = DirectionRemap(labels: labels, isometry: isometry)
            let mirror = [2, 4, 5, 7].contains(isometry.rawValue)
            #expect([remap(0), remap(1)] == (mirror ? [1, 0] : [0, 1]), "\(isometry) \(labels)")
            #expect(remap.unmapped.isEmpty)
        }
    }

    @Test func spellings() {
        for labels in [
            ["swipe_left", "swipe_right"], ["SWIPE-LEFT", "SWIPE-RIGHT"], ["Swiping Left", "Swiping Right"],
            ["left", "right"], ["leftSwipe", "rightSwipe"], ["twoFingers2Left", "twoFingers2Right"],
            ["swipeLeft", "swipe right"],
        ] {
            let remap = DirectionRemap(labels: labels, isometry: .upMirrored)
            #expect([remap(0), remap(1)] == [1, 0], "\(labels)")
        }
        // Letters within a word are no direction, and two gestures do not mix.
        for labels in [["copyright", "copyleft"], ["swipeLeft", "tapRight"], ["upright", "downright"], ["", "-"]] {
            let remap = DirectionRemap(labels: labels, isometry: .upMirrored)
            #expect(remap.isIdentity, "\(labels)")
        }
    }

    /// All eight compose as the pictures do where every direction has its class; where only up and down have, the four that
    /// keep the vertical do.
    @Test func compositionIsThatOfThePictures() {
        let whole = Array(Self.bundled.prefix(10)) + ["circleClockwise", "circleCounterclockwise"]
        for (labels, isometries) in [
            (whole, ImageOrientation.allCases), (Self.bundled, [.up, .upMirrored, .down, .downMirrored]),
        ] {
            for first in isometries {
                let one = DirectionRemap(labels: labels, isometry: first)
                let back = DirectionRemap(labels: labels, isometry: first.inverse)
                #expect(labels.indices.allSatisfy { back(one($0)) == $0 })
                for second in isometries {
                    let two = DirectionRemap(labels: labels, isometry: second)
                    let both = DirectionRemap(labels: labels, isometry: first.followed(by: second))
                    #expect(labels.indices.allSatisfy { two(one($0)) == both($0) }, "\(first) \(second)")
                }
            }
        }
    }

    /// Whatever the labels, no two classes become one.
    @Test(arguments: ImageOrientation.allCases) func alwaysAPermutation(_ isometry: ImageOrientation) {
        let pool = ["swipeLeft", "swipeRight", "swipeUp", "swipeDown", "swipe_left", "thumbsUp", "tap"]
        for subset in 0..<(1 << pool.count) {
            let labels = pool.indices.filter { subset >> $0 & 1 == 1 }.map { pool[$0] }
            let remap = DirectionRemap(labels: labels, isometry: isometry)
            #expect(Set(labels.indices.map { remap($0) }) == Set(labels.indices), "\(labels)")
            #expect(remap.unmapped.allSatisfy { remap($0) == $0 })
        }
    }

    @Test func incompleteCyclesStayAndAreNamed() {
        let three = ["swipeLeft", "swipeRight", "swipeUp"]
        #expect(DirectionRemap(labels: three, isometry: .upMirrored).unmapped == [])
        let upsideDown = DirectionRemap(labels: three, isometry: .down)
        #expect((0..<3).map { upsideDown($0) } == [1, 0, 2])
        #expect(upsideDown.unmapped == [2])
        let turned = DirectionRemap(labels: three, isometry: .right)
        #expect(turned.isIdentity)
        #expect(turned.unmapped == [0, 1, 2])
        // Two labels of the same words: neither is right.
        let twice = DirectionRemap(labels: ["swipeLeft", "swipe_left", "swipeRight"], isometry: .upMirrored)
        #expect(twice.isIdentity)
        #expect(twice.unmapped == [0, 1, 2])
    }

    @Test func indicesOfNoLabelComeBack() {
        let remap = DirectionRemap(labels: Self.bundled, isometry: .upMirrored)
        for index in [-1, 13, .min, .max] { #expect(remap(index) == index) }
        let empty = DirectionRemap(labels: [], isometry: .right)
        #expect(empty.isIdentity)
        #expect(empty(0) == 0)
    }
}
