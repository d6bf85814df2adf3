import ModelFile
import Vocabulary

/// A few feature columns of each of the model's own classes, with which a new gesture must not be confused.
///
/// They are actual columns instead of means and covariances: null is far from Gaussian, the loss needs the logits of
/// each column, and the quantised outputs of the last layer are exactly what an int8 model computes. With 16 columns
/// per class and 128 of null it takes 60 KB beside the model, and one run over labelled clips.
public struct FeatureBank: Sendable, Equatable {
    package let identity: String
    package let featureCount: Int
    package let classCount: Int
    /// The step of a quantised value.
    package let scale: Float
    /// Quantised features, [column][feature].
    package let features: [UInt8]
    /// [column][class], exact in binary16.
    package let logits: [Float]
    /// The class that each column shows.
    package let classes: [UInt8]
    /// Seconds for which a column of null stands, if they are in the order of time; nil if they are a sample.
    package let secondsPerNullColumn: Double?

    /// Number of columns.
    public var columnCount: Int { classes.count }

    package static let format = "gesture-bank"
    package static let columnLimit = 16_384

    init(
        base: EnrolmentBase, scale: Float, features: [UInt8], logits: [Float], classes: [UInt8],
        secondsPerNullColumn: Double? = nil
    ) {
        identity = base.identity
        featureCount = base.featureCount
        classCount = base.classCount
        self.scale = scale
        self.features = features
        self.logits = logits
        self.classes = classes
        self.secondsPerNullColumn = secondsPerNullColumn
    }

    /// Takes the columns of recordings. Each counts for the class that has more than half of the probability; columns
    /// without such a class are left out.
    package init(_ recordings: [GestureRecording], base: EnrolmentBase) throws(EnrolmentError) {
        var builder = try FeatureBankBuilder(base: base)
        for (index, recording) in recordings.enumerated() {
            guard recording.featureCount == base.featureCount, recording.classCount == base.classCount else {
                throw .otherRecording(
                    recording: index, features: recording.featureCount, classes: recording.classCount)
            }
            for slot in 0..<recording.slotCount {
                let logits = recording.scores(slot).map(Double.init)
                let half = Logistic.logSumExp(logits) + Logistic.logProbability(0.5)
                guard let classIndex = logits.firstIndex(where: { $0 > half }) else { continue }
                builder.add(
                    Array(recording.column(slot)), logits: Array(recording.scores(slot)), classIndex: classIndex)
            }
        }
        self = builder.build()
    }

    /// Reads and checks a bank for this model.
    package init(bytes: [UInt8], base: EnrolmentBase) throws(EnrolmentError) {
        var reader = try TensorFile(bytes: bytes, format: Self.format, identity: base.identity)
        let scale = try reader.takeScale("feature_scale")
        try reader.finish(tensors: ["features", "logits", "classes"])
        let count = try reader.leading("classes")
        guard count <= Self.columnLimit else {
            throw .file(.wrongShape(tensor: "classes", expected: [Self.columnLimit], found: [count]))
        }
        let classes = try reader.bytes("classes", [count])
        if let index = classes.firstIndex(where: { Int($0) >= base.classCount }) {
            throw .file(.invalidValue(tensor: "classes", index: index))
        }
        self.init(
            base: base, scale: scale, features: try reader.bytes("features", [count, base.featureCount]),
            logits: try reader.floats("logits", .float16, [count, base.classCount]), classes: classes)
    }

    /// The file's bytes, always the same for the same bank; `GestureEngine.featureBank(_:)` reads them.
    public func bytes() throws(EnrolmentError) -> [UInt8] {
        var metadata = TensorFile.metadata(format: Self.format, identity: identity)
        metadata["feature_scale"] = scale.description
        let tensors = [
            TensorPayload(name: "features", type: .uint8, shape: [columnCount, featureCount], bytes: features),
            .float16("logits", shape: [columnCount, classCount], bits: logits.map { HalfPrecision.bits($0) }),
            TensorPayload(name: "classes", type: .uint8, shape: [columnCount], bytes: classes),
        ]
        return try TensorFile.read { () throws(ModelFileError) in
            try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
        }
    }

    /// The features of a column as floats.
    func column(_ index: Int) -> [Float] {
        QuantisedFeatures.dequantise(features[index * featureCount..<(index + 1) * featureCount], scale: scale)
    }

    func scores(_ index: Int) -> ArraySlice<Float> {
        logits[index * classCount..<(index + 1) * classCount]
    }
}

/// Chooses a bank's columns from a run over labelled frames: a uniform sample of each class, by reservoirs.
///
/// The same frames in the same order give the same bank.
package struct FeatureBankBuilder {
    private struct Reservoir {
        var columns: [(features: [UInt8], logits: [Float])] = []
        var seen: UInt64 = 0
    }

    /// A column's class is one byte.
    private static let classLimit = 256

    private let base: EnrolmentBase
    private let scale: Float
    private let columnsPerClass: Int
    private let nullColumns: Int
    private var reservoirs: [Reservoir]
    private var random: SplitMix64

    /// Makes an empty builder. Throws for a model with more than 256 classes. Requires at most 32 columns per class and
    /// 8,192 of null.
    /// - scale: the quantisation step of the last temporal layer.
    package init(
        base: EnrolmentBase, scale: Float = EnrolmentBase.featureLimit / 255, columnsPerClass: Int = 16,
        nullColumns: Int = 128, seed: UInt64 = 1
    ) throws(EnrolmentError) {
        precondition((1...32).contains(columnsPerClass) && (1...8192).contains(nullColumns) && scale > 0)
        guard base.classCount <= Self.classLimit else {
            throw .tooManyClasses(base.classCount, limit: Self.classLimit)
        }
        self.base = base
        self.scale = scale
        self.columnsPerClass = columnsPerClass
        self.nullColumns = nullColumns
        reservoirs = Array(repeating: Reservoir(), count: base.classCount)
        random = SplitMix64(seed: seed)
    }

    /// Takes in one slot of a known class. Requires whole columns; columns that are not finite are left out.
    package mutating func add(_ features: [Float], logits: [Float], classIndex: Int) {
        precondition(features.count == base.featureCount && logits.count == base.classCount)
        guard features.allSatisfy({ $0.isFinite }), logits.allSatisfy({ $0.isFinite }) else { return }
        let capacity = classIndex == base.nullIndex ? nullColumns : columnsPerClass
        reservoirs[classIndex].seen += 1
        let column = (
            features: QuantisedFeatures.quantise(features, scale: scale),
            logits: logits.map { QuantisedFeatures.half($0) }
        )
        if reservoirs[classIndex].columns.count < capacity {
            reservoirs[classIndex].columns.append(column)
        } else {
            let place = random.next(below: reservoirs[classIndex].seen)
            if place < UInt64(capacity) { reservoirs[classIndex].columns[Int(place)] = column }
        }
    }

    /// The bank of the columns seen so far.
    package func build() -> FeatureBank {
        var features: [UInt8] = []
        var logits: [Float] = []
        var classes: [UInt8] = []
        for (index, reservoir) in reservoirs.enumerated() {
            for column in reservoir.columns {
                features += column.features
                logits += column.logits
                classes.append(UInt8(index))
            }
        }
        return FeatureBank(base: base, scale: scale, features: features, logits: logits, classes: classes)
    }
}
