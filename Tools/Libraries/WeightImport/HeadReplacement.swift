import ModelFile
import Network

/// The classes of a checkpoint whose classifier is not the project's: the meaning of each of its logits.
package struct HeadReplacement: Sendable, Equatable {
    /// In the order of the logits, all different.
    package let labels: [String]
    package let nullLabel: String
    /// The project's gestures that the checkpoint lacks, in the project's order.
    package let dropped: [String]

    /// The project's gestures are those of `ModelBuilder.defaultLabels` except null, which may have any label.
    /// - Parameter allowsDropped: whether the checkpoint may lack some of the project's gestures.
    package init(labels: [String], nullLabel: String, allowsDropped: Bool = false) throws(ImportError) {
        let seen = Set(try ClassLabels.checked(labels))
        guard seen.contains(nullLabel) else { throw .headWithoutNull(nullLabel) }
        let dropped = ModelBuilder.defaultLabels.dropLast().filter { !seen.contains($0) || $0 == nullLabel }
        guard allowsDropped || dropped.isEmpty else { throw .headDrops(dropped) }
        self.labels = labels
        self.nullLabel = nullLabel
        self.dropped = dropped
    }

    /// Reads a JSON text: an array of labels, or an object `{"labels": [...], "null": "null"}`.
    /// - Parameter nullLabel: the label for no gesture if the text names none.
    package init(json: [UInt8], nullLabel: String, allowsDropped: Bool = false) throws(ImportError) {
        var reader = try JSONReader(json, of: .head, beginningWith: "[{")
        guard reader.isObject() else {
            let labels = try ClassLabels.read(&reader)
            try self.init(labels: labels, nullLabel: nullLabel, allowsDropped: allowsDropped)
            return
        }
        let text = try HeadText(&reader)
        try self.init(labels: text.labels, nullLabel: text.null ?? nullLabel, allowsDropped: allowsDropped)
    }

    /// Labels that the project does not have, in the order of the logits.
    package var added: [String] {
        labels.filter { $0 != nullLabel && !ModelBuilder.defaultLabels.contains($0) }
    }

    /// Rejects a classifier with another number of rows. If it is missing or is not a matrix, nothing is thrown here:
    /// the error of `FoldedNetwork` names everything that does not fit.
    /// - Parameter tensors: under the network's names.
    package func check(_ tensors: [String: Checkpoint.Tensor]) throws(ImportError) {
        let name = GestureTCN.classifier(classCount: labels.count).name + ".weight"
        guard let shape = tensors[name]?.shape, shape.count == 2, shape[0] != labels.count else { return }
        throw .headCount(labels: labels.count, rows: shape[0])
    }

    /// The difference in bytes between this model and the same network with the project's classes; below 0 if this
    /// model is smaller.
    ///
    /// A model's size depends on the shapes and the labels, not on the weights. So the project's classifier takes its
    /// rows from `network` if they exist there, and zeros otherwise.
    /// - Parameter builder: the builder of `product`.
    package func addedBytes(
        _ product: ModelBuilder.Product, of network: FoldedNetwork, by builder: ModelBuilder
    ) throws(ImportError) -> Int {
        var original = builder
        original.postProcessing.taught = []
        original.labels = ModelBuilder.defaultLabels
        original.nullLabel = ModelBuilder.defaultLabels[ModelBuilder.defaultLabels.count - 1]
        let sources = original.labels.map { label in
            labels.firstIndex(of: label == original.nullLabel ? nullLabel : label)
        }
        let size = try original.build(network.selectingClasses(sources)).bytes.count
        return product.bytes.count - size
    }
}

extension FoldedNetwork {
    /// The same network with other rows in its classifier: `sources` are indices of the present rows; nil is a row of
    /// zeros.
    package func selectingClasses(_ sources: [Int?]) -> FoldedNetwork {
        let old = layers[layers.count - 1]
        let depth = old.spec.depth
        let spec = GestureTCN.classifier(classCount: sources.count)
        let zeros = [Float](repeating: 0, count: depth)
        let classifier = Layer(
            spec: spec,
            weights: sources.flatMap { $0.map { Array(old.weights[$0 * depth..<($0 + 1) * depth]) } ?? zeros },
            bias: sources.map { $0.map { old.bias[$0] } ?? 0 }, wasFoldedHere: old.wasFoldedHere)
        return FoldedNetwork(layers: layers.dropLast() + [classifier])
    }
}

/// The object in a file of labels.
private struct HeadText {
    let labels: [String]
    private(set) var null: String?

    init(_ reader: inout JSONReader) throws(ImportError) {
        var labels: [String?]?
        var unknownKey: String?
        var indices: [(label: String, index: Double?)] = []
        var reading = reader
        var null: String?
        try importing { () throws(ModelFileError) in
            var seen: Set<String> = []
            try reading.beginObject()
            while let key = try reading.nextKey() {
                guard seen.insert(key).inserted else { throw .duplicateKey(key) }
                switch key {
                case "labels": labels = try reading.textsOfArray()
                case "null" where reading.isString(): null = try reading.string()
                // Any other key is a fault, which the kind of its value explains.
                default:
                    unknownKey = unknownKey ?? key
                    indices.append(try reading.labelOfMap(key))
                }
            }
            try reading.finishText()
        }
        reader = reading
        if labels == nil, !indices.isEmpty, indices.allSatisfy({ $0.index != nil }) {
            let sorted = indices.sorted { ($0.index ?? 0) < ($1.index ?? 0) }
            let isWhole = sorted.enumerated().allSatisfy { Double($0.offset) == $0.element.index }
            throw .labelMap(isWhole ? sorted.map(\.label) : [])
        }
        if let unknownKey { throw .headKey(unknownKey) }
        guard let labels else { throw .headWithoutLabels }
        self.labels = try ClassLabels.texts(labels)
        self.null = null
    }
}
