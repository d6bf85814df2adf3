import ModelFile

/// The data for enrolment beside a model's weights: the classifier's inputs in generated clips of hands that mean nothing,
/// and in clips of the model's own gestures.
///
/// It has no logits, so that it serves every model with the same temporal layers, whatever its classifier: also one that
/// was taught by a folder of clips. The file is safetensors with 161 bytes per column:
///
/// | key or tensor | value |
/// |---|---|
/// | `format`, `format_version` | `gesture-background`, `1` |
/// | `model_sha256` | `NetworkWeights.featureIdentity` of the layers that computed the features |
/// | `labels` | JSON array of strings: the classes of the columns |
/// | `feature_scale` | the step of a feature |
/// | `null_column_seconds` | the seconds for which a column of null stands |
/// | `features` | U8 [columns, features] |
/// | `classes` | U8 [columns]: the place of its class in `labels`; those of null in the order of time |
package struct EnrolmentBackground: Sendable, Equatable {
    package let labels: [String]
    package let secondsPerNullColumn: Float
    /// [column][feature].
    package let features: [UInt8]
    package let classes: [UInt8]

    package static let format = "gesture-background"
    /// Largest file that is read, in bytes.
    package static let sizeLimit = 4 << 20
    private static let scale = UserGestures.Gesture.exemplarScale

    /// Requires whole columns, and classes that are places of `labels`.
    package init(labels: [String], secondsPerNullColumn: Float, features: [UInt8], classes: [UInt8]) {
        self.labels = labels
        self.secondsPerNullColumn = secondsPerNullColumn
        self.features = features
        self.classes = classes
    }

    /// Reads and checks a file.
    /// - layers: the `featureIdentity` of the model; a file of another one is refused.
    /// - featureCount: values of a column.
    package init(bytes: [UInt8], layers: String, featureCount: Int) throws(EnrolmentError) {
        var reader = try TensorFile(bytes: bytes, format: Self.format, identity: layers)
        let labels = try reader.takeStrings("labels")
        let seconds = try reader.takeScale("null_column_seconds")
        guard try reader.takeScale("feature_scale") == Self.scale else {
            throw .file(.malformedMetadata(key: "feature_scale", value: Self.scale.description))
        }
        try reader.finish(tensors: ["features", "classes"])
        let count = try reader.leading("classes")
        guard count <= FeatureBank.columnLimit else {
            throw .file(.wrongShape(tensor: "classes", expected: [FeatureBank.columnLimit], found: [count]))
        }
        let classes = try reader.bytes("classes", [count])
        if let index = classes.firstIndex(where: { Int($0) >= labels.count }) {
            throw .file(.invalidValue(tensor: "classes", index: index))
        }
        self.init(
            labels: labels, secondsPerNullColumn: seconds,
            features: try reader.bytes("features", [count, featureCount]), classes: classes)
    }

    /// The bytes of the file, for the layers that computed the features.
    package func bytes(layers: String) throws(EnrolmentError) -> [UInt8] {
        var metadata = TensorFile.metadata(format: Self.format, identity: layers)
        metadata["labels"] = JSONText.array(labels)
        metadata["null_column_seconds"] = secondsPerNullColumn.description
        metadata["feature_scale"] = Self.scale.description
        let width = classes.isEmpty ? 0 : features.count / classes.count
        return try TensorFile.read { () throws(ModelFileError) in
            try SafetensorsWriter.bytes(
                tensors: [
                    TensorPayload(name: "features", type: .uint8, shape: [classes.count, width], bytes: features),
                    TensorPayload(name: "classes", type: .uint8, shape: [classes.count], bytes: classes),
                ], metadata: metadata)
        }
    }

    /// The features as the file has them.
    package static func quantise(_ features: some Sequence<Float>) -> [UInt8] {
        QuantisedFeatures.quantise(features, scale: scale)
    }

    /// The bank of a model with these layers. Columns of classes that it does not have are left out.
    /// - weights: of its classifier, [class][feature]. - bias: one per class.
    package func bank(_ base: EnrolmentBase, weights: [Float], bias: [Float]) -> FeatureBank {
        let width = base.featureCount
        var taken: (features: [UInt8], logits: [Float], classes: [UInt8]) = ([], [], [])
        for (column, place) in classes.enumerated() {
            guard let index = base.labels.firstIndex(of: labels[Int(place)]), let byte = UInt8(exactly: index) else {
                continue
            }
            let row = features[column * width..<(column + 1) * width]
            let values = QuantisedFeatures.dequantise(row, scale: Self.scale)
            for output in bias.indices {
                var sum = bias[output]
                for feature in 0..<width { sum += weights[output * width + feature] * values[feature] }
                taken.logits.append(QuantisedFeatures.half(sum))
            }
            taken.features += row
            taken.classes.append(byte)
        }
        return FeatureBank(
            base: base, scale: Self.scale, features: taken.features, logits: taken.logits, classes: taken.classes,
            secondsPerNullColumn: Double(secondsPerNullColumn))
    }
}
