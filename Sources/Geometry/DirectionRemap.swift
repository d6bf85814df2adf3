package import Frames

/// Which class a gesture becomes when the model's picture is not the way its user sees it: a permutation of class indices.
///
/// The network knows left, right, up and down as its picture shows them. Where an app cannot hand over pictures the way
/// they are meant (a camera that mirrors by itself, a mount that is turned, a preview that is mirrored and the model's
/// picture not), events are translated instead. Turning the picture by `FrameGeometry` is better where it can be done, as a
/// hand that hangs from above is not what the network was trained on.
///
/// The directions are found in the labels, whose words left, right, up, down, clockwise and counterclockwise (or
/// anticlockwise) are translated; the class with the resulting label takes the place of the first. So `swipeLeft` becomes
/// `swipeRight` in a mirror, `thumbsUp` becomes `thumbsDown` upside down, `circleClockwise` changes in mirrors alone, and
/// `tap` or `zoomIn` in nothing.
///
/// Classes change places in cycles, and a cycle is taken whole or not at all, so that no two classes ever become one. A cycle
/// that lacks a label leaves its classes as they are and names them in `unmapped`: `thumbsUp` under a quarter turn, for a
/// thumb to the side is no class of its own. Two labels of the same words are no target for each other either.
package struct DirectionRemap: Sendable, Hashable {
    /// Classes that point somewhere and whose image has no label: they stay as they are, which is wrong for the user. Ascending.
    package let unmapped: [Int]

    private let targets: [Int]

    /// - Parameters:
    ///   - labels: the model's, in the order of its classes. Any number, any text.
    ///   - isometry: what sets the model's picture upright in the user's eyes, as an EXIF orientation does it for a stored
    ///     picture: `.upMirrored` where left is to be right, `.right` where the picture has to be turned by 90 degrees
    ///     clockwise.
    package init(labels: [String], isometry: ImageOrientation) {
        let parsed = labels.map(DirectionLabel.init)
        let classes = Dictionary(zip(parsed, labels.indices.map { [$0] }), uniquingKeysWith: +)
        let images = parsed.indices.map { index -> Int? in
            let image = parsed[index].seen(through: isometry)
            if image == parsed[index] { return index }
            guard let found = classes[image], found.count == 1, classes[parsed[index]]?.count == 1 else { return nil }
            return found[0]
        }
        // Different labels have different images, so what `images` draws are cycles and chains that break off.
        func returns(_ start: Int) -> Bool {
            var index = start
            for _ in images {
                guard let next = images[index] else { return false }
                if next == start { return true }
                index = next
            }
            return false
        }
        let mapped = images.indices.map(returns)
        targets = images.indices.map { mapped[$0] ? images[$0] ?? $0 : $0 }
        unmapped = images.indices.filter { !mapped[$0] }
    }

    /// The class to report for one that was recognised. An index that no label has comes back as it is.
    package func callAsFunction(_ classIndex: Int) -> Int {
        targets.indices.contains(classIndex) ? targets[classIndex] : classIndex
    }

    /// Whether every class stays what it is.
    package var isIdentity: Bool {
        targets.indices.allSatisfy { targets[$0] == $0 }
    }
}
