/// Maps classes when the model's image is not oriented as the user sees it: a permutation of class indices.
///
/// The network's left, right, up and down are those of its image. Some apps cannot supply that image: the camera
/// mirrors by itself, its mount is turned, or only the preview is mirrored. Then events are translated instead. Where
/// possible turn the image with `FrameGeometry` instead: the network was not trained on hands that hang from above.
///
/// Directions are found in the labels: their words left, right, up, down, clockwise and counterclockwise (or
/// anticlockwise) are translated, and the class with the resulting label is reported. So `swipeLeft` becomes
/// `swipeRight` in a mirror, `thumbsUp` becomes `thumbsDown` upside down, `circleClockwise` changes only in mirrors,
/// and `tap` or `zoomIn` never changes.
///
/// Classes are permuted in cycles, and a cycle is applied as a whole or not at all, so two classes never become one. If
/// a cycle lacks a label, its classes stay as they are and are listed in `unmapped`: for example `thumbsUp` under a
/// quarter turn, because no class is a thumb to the side. Two labels with the same words are never mapped to each
/// other.
package struct DirectionRemap: Sendable, Hashable {
    /// Classes with a direction whose translated label does not exist, ascending. They stay as they are, which is wrong
    /// for the user.
    package let unmapped: [Int]

    private let targets: [Int]

    /// Makes the map for a model's labels.
    /// - Parameters:
    ///   - labels: the model's labels in the order of its classes; any number, any text.
    ///   - isometry: the transform from the model's image to what the user sees, as an EXIF orientation describes it
    ///     for a stored image: `.upMirrored` where left becomes right, `.right` where the image has to be turned by 90
    ///     degrees clockwise.
    package init(labels: [String], isometry: ImageOrientation) {
        let parsed = labels.map(DirectionLabel.init)
        let classes = Dictionary(grouping: parsed.indices) { parsed[$0] }
        let images = parsed.indices.map { index -> Int? in
            let image = parsed[index].seen(through: isometry)
            if image == parsed[index] { return index }
            guard let found = classes[image], found.count == 1, classes[parsed[index]]?.count == 1 else { return nil }
            return found[0]
        }
        // Different labels have different images, so `images` consists of cycles and of chains that end.
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

    /// The class to report for a recognised one. An index without a label is returned unchanged.
    package func callAsFunction(_ classIndex: Int) -> Int {
        targets.indices.contains(classIndex) ? targets[classIndex] : classIndex
    }

    /// Whether every class maps to itself.
    package var isIdentity: Bool {
        targets.indices.allSatisfy { targets[$0] == $0 }
    }
}
