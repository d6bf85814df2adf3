/// The classes of a model: their labels, in the order of its outputs, and the index of the class for no gesture.
package struct ClassNames: Sendable, Equatable {
    /// At least one, all different.
    package let labels: [String]
    /// Index of the null class.
    package let nullIndex: Int
    private let indices: [String: Int]

    package init(_ labels: [String], nullIndex: Int) throws(ClassNamesError) {
        guard labels.indices.contains(nullIndex) else {
            throw .nullIndexOutOfRange(nullIndex, classes: labels.count)
        }
        var indices: [String: Int] = [:]
        for (index, label) in labels.enumerated() {
            guard indices.updateValue(index, forKey: label) == nil else { throw .repeated(label) }
        }
        self.labels = labels
        self.nullIndex = nullIndex
        self.indices = indices
    }

    package var count: Int { labels.count }

    /// Index of a label, or nil if the model has no such class.
    package func index(of label: String) -> Int? { indices[label] }
}

/// Why a list of labels cannot be a list of classes.
package enum ClassNamesError: Error, Sendable, Equatable {
    /// Thrown also for an empty list.
    case nullIndexOutOfRange(Int, classes: Int)
    case repeated(String)
}
