/// The properties of a model to whose frozen rows enrolment adds.
package struct EnrolmentBase: Sendable, Equatable {
    /// SHA-256 of everything on which features and logits depend, 64 lowercase hexadecimal digits.
    package let identity: String
    package let labels: [String]
    package let nullIndex: Int
    /// Values in a feature column.
    package let featureCount: Int

    /// Requires `nullIndex` to be an index of `labels`, and at least one value in a column.
    package init(identity: String, labels: [String], nullIndex: Int, featureCount: Int) {
        precondition(labels.indices.contains(nullIndex) && featureCount > 0)
        self.identity = identity
        self.labels = labels
        self.nullIndex = nullIndex
        self.featureCount = featureCount
    }

    package var classCount: Int { labels.count }

    /// Largest feature: the network's activations are clamped to it.
    package static let featureLimit: Float = 6
}
