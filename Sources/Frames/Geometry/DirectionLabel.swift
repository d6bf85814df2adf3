/// A label split into words, among which directions and senses of rotation are recognised.
///
/// A word begins at a capital after a small letter or digit, and after any character that is neither letter nor digit:
/// `swipeLeft`, `swipe_left` and `Swipe Left` are the same two words. Otherwise case does not matter.
struct DirectionLabel: Hashable {
    private enum Word: Hashable {
        /// Quarter turns clockwise from right: 0 is right, 1 down, 2 left, 3 up.
        case direction(Int)
        case rotation(clockwise: Bool)
        case other(String)

        init(_ text: String) {
            switch text {
            case "right": self = .direction(0)
            case "down": self = .direction(1)
            case "left": self = .direction(2)
            case "up": self = .direction(3)
            case "clockwise": self = .rotation(clockwise: true)
            case "counterclockwise", "anticlockwise": self = .rotation(clockwise: false)
            default: self = .other(text)
            }
        }

        func seen(through isometry: ImageOrientation) -> Word {
            switch self {
            case .direction(let direction):
                // A mirror swaps 0 and 2 and keeps 1 and 3.
                let mirrored = isometry.isReflection ? 2 - direction : direction
                return .direction((mirrored + isometry.quarterTurns) & 3)
            case .rotation(let clockwise):
                return .rotation(clockwise: clockwise != isometry.isReflection)
            case .other:
                return self
            }
        }
    }

    private var words: [Word]

    init(_ label: String) {
        var texts: [String] = []
        var text = ""
        var endsSmall = false
        for character in label {
            let belongs = character.isLetter || character.isNumber
            if !belongs || (character.isUppercase && endsSmall) {
                if !text.isEmpty { texts.append(text) }
                text = ""
            }
            if belongs { text += character.lowercased() }
            endsSmall = belongs && !character.isUppercase
        }
        if !text.isEmpty { texts.append(text) }

        words = []
        for text in texts {
            if text == "clockwise", words.last == .other("counter") || words.last == .other("anti") {
                words[words.count - 1] = .rotation(clockwise: false)
            } else {
                words.append(Word(text))
            }
        }
    }

    /// The label of the same movement in an image that was turned or mirrored.
    func seen(through isometry: ImageOrientation) -> DirectionLabel {
        var result = self
        result.words = words.map { $0.seen(through: isometry) }
        return result
    }
}
