extension ModelManifest {
    /// What is wrong with a list of class labels; positions count from 0.
    package enum LabelFault: Error, Sendable, Equatable {
        /// Fewer than two classes, or more than a model may have.
        case count(Int)
        /// The list has something other than text here.
        case notText(position: Int)
        case empty(position: Int)
        /// The label has a character that is not part of a line of text, such as a line break.
        case control(String, position: Int)
        case twice(String, position: Int, first: Int)

        /// Throws unless there are as many labels as a model may have classes, all different, each a line of text.
        package static func check(_ labels: [String]) throws(LabelFault) {
            guard (2...countLimit).contains(labels.count) else { throw .count(labels.count) }
            var positions: [String: Int] = [:]
            for (position, label) in labels.enumerated() {
                guard !label.isEmpty else { throw .empty(position: position) }
                guard label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                    throw .control(label, position: position)
                }
                if let first = positions.updateValue(position, forKey: label) {
                    throw .twice(label, position: position, first: first)
                }
            }
        }
    }
}

extension ModelManifest.LabelFault: CustomStringConvertible {
    /// One sentence for users.
    package var description: String {
        switch self {
        case .count(let count):
            "The number of labels is \(count); a model has from 2 to \(ModelManifest.countLimit) classes."
        case .notText(let position): "Label \(position + 1) is not text: a label is a JSON string, such as \"wave\"."
        case .empty(let position): "Label \(position + 1) is empty."
        case .control(let label, let position):
            "Label \(position + 1), \(label.excerpt()), has a line break or another control character; a label is one "
                + "line of text."
        case .twice(let label, let position, let first):
            "Labels \(first + 1) and \(position + 1) are the same, \(label.excerpt())."
        }
    }
}
