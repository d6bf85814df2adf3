/// What enrolment knows of the model whose rows stay as they are.
package struct EnrolmentBase: Sendable, Equatable {
    /// SHA-256 of everything that features and logits depend on, 64 lowercase hexadecimal digits.
    package let identity: String
    package let labels: [String]
    package let nullIndex: Int
    /// Values in a feature column.
    package let featureCount: Int

    /// Requires labels, an index among them, and a column of at least one value.
    package init(identity: String, labels: [String], nullIndex: Int, featureCount: Int) {
        precondition(labels.indices.contains(nullIndex) && featureCount > 0)
        self.identity = identity
        self.labels = labels
        self.nullIndex = nullIndex
        self.featureCount = featureCount
    }

    package var classCount: Int { labels.count }

    /// No feature exceeds this: the network's activations end there.
    package static let featureLimit: Float = 6
}
