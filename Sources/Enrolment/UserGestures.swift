import ModelFile

extension UserGestures {
    /// A gesture of the user's own: the row that the classifier uses beside the model's.
    public struct Gesture: Sendable, Equatable {
        /// The name in its events.
        public let label: String
        /// Number of recordings to which it was fitted.
        public let exampleCount: Int
        /// The gesture's logit is null's plus these times the features, plus `bias`.
        package let weights: [Float]
        package let bias: Float
        /// [exemplar][feature], quantised in steps of 6/255: columns that show the gesture, from which later gestures
        /// must differ.
        package let exemplars: [UInt8]
        /// [exemplar][class], the model's logits for them, exact in binary16.
        package let exemplarLogits: [Float]
        /// The pose that is the gesture when it is held; nil for a movement alone.
        package let pose: PoseTemplate?

        /// The bias of a gesture that is a pose alone: its row never leads.
        package static let silentBias: Float = -60

        /// Whether it is recognised when a hand is held still in its pose.
        public var isPose: Bool { pose != nil }
        /// Whether it is recognised as a movement.
        public var isMovement: Bool { pose == nil || weights.contains { $0 != 0 } }

        package static let exemplarCount = 4
        package static let exemplarScale = EnrolmentBase.featureLimit / 255
        package static let labelLimit = 64

        /// Nil unless the values fit each other and are finite, and the label is valid.
        package init?(
            label: String, exampleCount: Int, weights: [Float], bias: Float, exemplars: [UInt8],
            exemplarLogits: [Float], pose: PoseTemplate? = nil
        ) {
            guard Self.isLabel(label), exampleCount > 0, exampleCount <= EnrolmentConfiguration.recordingLimit,
                !weights.isEmpty, weights.allSatisfy({ $0.isFinite }), bias.isFinite,
                exemplars.count == Self.exemplarCount * weights.count, !exemplarLogits.isEmpty,
                exemplarLogits.count.isMultiple(of: Self.exemplarCount), exemplarLogits.allSatisfy({ $0.isFinite })
            else { return nil }
            self.label = label
            self.exampleCount = exampleCount
            self.weights = weights
            self.bias = bias
            self.exemplars = exemplars
            self.exemplarLogits = exemplarLogits
            self.pose = pose
        }

        /// Whether a text can be a label: 1 to 64 bytes of UTF-8 without control characters.
        package static func isLabel(_ text: String) -> Bool {
            (1...labelLimit).contains(text.utf8.count)
                && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        }

        /// The row's addition to null's logit for a column.
        func score(_ column: some Sequence<Float>) -> Double {
            zip(weights, column).reduce(Double(bias)) { $0 + Double($1.0) * Double($1.1) }
        }
    }
}

/// The gestures that a user has enrolled for one model, in the order of their logits behind the model's.
///
/// The file is safetensors, with 1.4 KB per gesture and a header of about 0.7 KB:
///
/// | key or tensor | value |
/// |---|---|
/// | `format`, `format_version` | `gesture-user`, `1` or `2` |
/// | `model_sha256` | the model that the rows belong to |
/// | `labels`, `examples` | JSON arrays of strings: names, and numbers of recordings |
/// | `weight` | F32 [gestures, features] |
/// | `bias` | F32 [gestures] |
/// | `exemplars` | U8 [gestures, 4, features] |
/// | `exemplar_logits` | F16 [gestures, 4, classes] |
///
/// If a gesture is a pose, `format_version` is `2`, each such gesture takes 2 KB more, and the file has also:
///
/// | key or tensor | value |
/// |---|---|
/// | `pose_centres` | JSON array of strings: the number of centres of each gesture, 0 to 4 |
/// | `pose_known` | JSON array of strings: the place of the networks' pose that each gesture is, 1 to 7, or 0 |
/// | `centres` | F32 [centres of all gestures, 128], unit vectors |
/// | `radius` | F32 [gestures]; 0 for a gesture without a pose |
public struct UserGestures: Sendable, Equatable {
    package let base: EnrolmentBase
    /// In the order of their logits.
    public private(set) var gestures: [UserGestures.Gesture] = []

    /// Maximum number of gestures of a user for one model.
    public static let limit = 16
    package static let format = "gesture-user"
    /// The version of files with poses.
    private static let poseVersion = "2"
    /// Largest file that is read, in bytes.
    package static let sizeLimit = 1 << 20

    /// Makes an empty list.
    package init(base: EnrolmentBase) { self.base = base }

    /// Labels of the user's gestures.
    public var labels: [String] { gestures.map { $0.label } }
    /// The model's labels, followed by the user's.
    public var allLabels: [String] { base.labels + labels }

    /// Adds a gesture after the others.
    package mutating func add(_ gesture: UserGestures.Gesture) throws(EnrolmentError) {
        try requireFree(gesture.label)
        guard gesture.weights.count == base.featureCount else {
            throw .file(.wrongShape(tensor: "weight", expected: [base.featureCount], found: [gesture.weights.count]))
        }
        let logitCount = UserGestures.Gesture.exemplarCount * base.classCount
        guard gesture.exemplarLogits.count == logitCount else {
            throw .file(
                .wrongShape(
                    tensor: "exemplar_logits", expected: [logitCount], found: [gesture.exemplarLogits.count]))
        }
        gestures.append(gesture)
    }

    /// Removes a gesture. The indices of later ones decrease by one.
    public mutating func remove(_ label: String) throws(EnrolmentError) {
        guard let index = gestures.firstIndex(where: { $0.label == label }) else { throw .unknownLabel(label) }
        gestures.remove(at: index)
    }

    /// Throws unless another gesture of this label can be added.
    func requireFree(_ label: String) throws(EnrolmentError) {
        guard UserGestures.Gesture.isLabel(label) else { throw .invalidLabel(label) }
        guard !allLabels.contains(label) else { throw .labelTaken(label) }
        guard gestures.count < Self.limit else { throw .tooManyGestures(limit: Self.limit) }
    }

    // MARK: File

    /// Reads and checks gestures for this model; those of another model are refused.
    package init(bytes: [UInt8], base: EnrolmentBase) throws(EnrolmentError) {
        guard bytes.count <= Self.sizeLimit else {
            throw .file(.tooLarge(bytes: UInt64(bytes.count), limit: UInt64(Self.sizeLimit)))
        }
        self.init(base: base)
        var reader = try TensorFile(
            bytes: bytes, format: Self.format, identity: base.identity,
            versions: [TensorFile.version, Self.poseVersion])
        let labels = try reader.takeStrings("labels")
        let examples = try reader.takeStrings("examples")
        let poses = try Self.poses(of: labels.count, in: &reader)
        let width = base.featureCount
        let weights = try reader.floats("weight", .float32, [labels.count, width])
        let bias = try reader.floats("bias", .float32, [labels.count])
        let exemplars = try reader.bytes("exemplars", [labels.count, UserGestures.Gesture.exemplarCount, width])
        let logits = try reader.floats(
            "exemplar_logits", .float16, [labels.count, UserGestures.Gesture.exemplarCount, base.classCount])
        let size = UserGestures.Gesture.exemplarCount * width
        let logitSize = UserGestures.Gesture.exemplarCount * base.classCount
        for (index, label) in labels.enumerated() {
            try requireFree(label)
            guard examples.count == labels.count, let count = Int(examples[index]),
                String(count) == examples[index],
                let gesture = UserGestures.Gesture(
                    label: label, exampleCount: count, weights: Array(weights[index * width..<(index + 1) * width]),
                    bias: bias[index], exemplars: Array(exemplars[index * size..<(index + 1) * size]),
                    exemplarLogits: Array(logits[index * logitSize..<(index + 1) * logitSize]), pose: poses[index])
            else { throw .file(.malformedMetadata(key: "examples", value: JSONText.array(examples))) }
            gestures.append(gesture)
        }
        guard examples.count == labels.count else {
            throw .file(.malformedMetadata(key: "examples", value: JSONText.array(examples)))
        }
    }

    /// Reads the poses of as many gestures, and ends the reading of metadata.
    private static func poses(of count: Int, in reader: inout TensorFile) throws(EnrolmentError) -> [PoseTemplate?] {
        let tensors = ["weight", "bias", "exemplars", "exemplar_logits"]
        guard reader.version == poseVersion else {
            try reader.finish(tensors: tensors)
            return [PoseTemplate?](repeating: nil, count: count)
        }
        let counts = try numbers("pose_centres", 0...PoseTemplate.centreLimit, count, in: &reader)
        let known = try numbers("pose_known", 0...PoseTemplate.knownPlaces.upperBound, count, in: &reader)
        try reader.finish(tensors: tensors + ["centres", "radius"])
        let width = PoseTemplate.width
        let centres = try reader.floats("centres", .float32, [counts.reduce(0, +), width])
        let radii = try reader.floats("radius", .float32, [count])
        var start = 0
        var poses: [PoseTemplate?] = []
        for index in 0..<count {
            let end = start + counts[index] * width
            defer { start = end }
            guard counts[index] > 0 else {
                guard radii[index] == 0 else { throw .file(.invalidValue(tensor: "radius", index: index)) }
                poses.append(nil)
                continue
            }
            guard
                let pose = PoseTemplate(
                    centres: Array(centres[start..<end]), radius: radii[index],
                    known: known[index] == 0 ? nil : known[index])
            else {
                throw .file(.invalidValue(tensor: "centres", index: start))
            }
            poses.append(pose)
        }
        return poses
    }

    /// As many whole numbers of a list of metadata.
    private static func numbers(
        _ key: String, _ allowed: ClosedRange<Int>, _ count: Int, in reader: inout TensorFile
    ) throws(EnrolmentError) -> [Int] {
        let texts = try reader.takeStrings(key)
        let numbers = texts.compactMap { text in
            Int(text).flatMap { allowed.contains($0) && String($0) == text ? $0 : nil }
        }
        guard numbers.count == texts.count, numbers.count == count else {
            throw .file(.malformedMetadata(key: key, value: JSONText.array(texts)))
        }
        return numbers
    }

    /// Reads and checks the gestures at `path`.
    package static func load(path: String, base: EnrolmentBase) throws(EnrolmentError) -> UserGestures {
        let bytes = try TensorFile.read { () throws(ModelFileError) in
            try FileBytes.read(path: path, limit: sizeLimit)
        }
        return try UserGestures(bytes: bytes, base: base)
    }

    /// The file's bytes, for the app to keep; always the same for the same gestures.
    public func bytes() -> [UInt8] {
        var metadata = TensorFile.metadata(format: Self.format, identity: base.identity)
        metadata["labels"] = JSONText.array(labels)
        metadata["examples"] = JSONText.array(gestures.map { String($0.exampleCount) })
        var tensors: [TensorPayload] = [
            .float32("weight", shape: [gestures.count, base.featureCount], gestures.flatMap { $0.weights }),
            .float32("bias", shape: [gestures.count], gestures.map { $0.bias }),
            TensorPayload(
                name: "exemplars", type: .uint8,
                shape: [gestures.count, UserGestures.Gesture.exemplarCount, base.featureCount],
                bytes: gestures.flatMap { $0.exemplars }),
            .float16(
                "exemplar_logits", shape: [gestures.count, UserGestures.Gesture.exemplarCount, base.classCount],
                bits: gestures.flatMap { $0.exemplarLogits }.map { HalfPrecision.bits($0) }),
        ]
        if gestures.contains(where: { $0.pose != nil }) {
            metadata["format_version"] = Self.poseVersion
            metadata["pose_centres"] = JSONText.array(gestures.map { String($0.pose?.centreCount ?? 0) })
            metadata["pose_known"] = JSONText.array(gestures.map { String($0.pose?.known ?? 0) })
            let centres = gestures.flatMap { $0.pose?.centres ?? [] }
            tensors += [
                .float32("centres", shape: [centres.count / PoseTemplate.width, PoseTemplate.width], centres),
                .float32("radius", shape: [gestures.count], gestures.map { $0.pose?.radius ?? 0 }),
            ]
        }
        do {
            return try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
        } catch {
            // Names differ and every shape is computed from its values.
            preconditionFailure("\(error)")
        }
    }
}
