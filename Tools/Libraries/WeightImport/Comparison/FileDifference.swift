import ModelFile
import Network

/// The differences between two files of tensors: models or checkpoints, of any readable format each.
package struct FileDifference: Sendable, Equatable, Codable {
    package struct Tensor: Sendable, Equatable, Codable {
        package enum Kind: String, Sendable, Codable {
            /// In one of the files alone.
            case onlyFirst, onlySecond
            /// Shapes that differ, or values of which one cannot be read as floats.
            case shape, type
            /// Other values of the same shape.
            case values
        }

        package let name: String
        package let kind: Kind
        package let first: String?
        package let second: String?
        /// The largest absolute difference of two values; infinity if one is NaN. Only if the shapes agree.
        package let largestDifference: Float?
        /// The first file's values compared with the difference.
        package let decibels: Double?
    }

    package struct Setting: Sendable, Equatable, Codable {
        package let key: String
        package let first: String?
        package let second: String?
    }

    /// By name.
    package let tensors: [Tensor]
    /// Entries of the metadata that differ, by key; hashes are left out.
    package let settings: [Setting]
    package let equalTensors: Int
    /// Whether the files stand for different networks: tensors differ, or in two models a setting other than where the
    /// model comes from. The metadata of checkpoints are notes.
    package let differs: Bool

    private static let provenance: Set = ["calibration", "source_sha256", "training"]

    /// Names lose their wrapper prefixes, as in an import. An int8 model's weights are compared as floats.
    package init(_ first: Checkpoint, _ second: Checkpoint) throws(ImportError) {
        let names = try TensorNames()
        let sides = [try names.apply(first.dequantised), try names.apply(second.dequantised)]
        var tensors: [Tensor] = []
        var equal = 0
        for name in Set(sides[0].keys).union(sides[1].keys).sorted() {
            if let difference = Self.difference(name, sides[0][name], sides[1][name]) {
                tensors.append(difference)
            } else {
                equal += 1
            }
        }
        self.tensors = tensors
        equalTensors = equal
        settings = Set(first.metadata.keys).union(second.metadata.keys).subtracting([ContentHash.key]).sorted()
            .compactMap { key in
                let values = (first.metadata[key], second.metadata[key])
                return values.0 == values.1 ? nil : Setting(key: key, first: values.0, second: values.1)
            }
        let areModels = [first, second].allSatisfy { $0.metadata["format"] == ModelManifest.format }
        differs = !tensors.isEmpty || areModels && settings.contains { !Self.provenance.contains($0.key) }
    }

    /// Nil if the tensors are equal.
    private static func difference(
        _ name: String, _ first: Checkpoint.Tensor?, _ second: Checkpoint.Tensor?
    ) -> Tensor? {
        func text(_ tensor: Checkpoint.Tensor) -> String {
            tensor.type + " " + (tensor.shape.isEmpty ? "scalar" : tensor.shape.map(String.init).joined(separator: "x"))
        }
        func result(_ kind: Tensor.Kind, _ largest: Float? = nil, _ decibels: Double? = nil) -> Tensor {
            Tensor(
                name: name, kind: kind, first: first.map(text), second: second.map(text), largestDifference: largest,
                decibels: decibels)
        }
        guard let first, let second else { return result(first == nil ? .onlySecond : .onlyFirst) }
        guard first.shape == second.shape else { return result(.shape) }
        guard let values = first.values, let others = second.values else {
            guard first.type == second.type else { return result(.type) }
            // Of integers only those of one byte are read.
            return first.bytes == second.bytes ? nil : result(.values)
        }
        var ratio = SignalToNoise()
        var largest: Float = 0
        for (value, other) in zip(values, others) where value != other && !(value.isNaN && other.isNaN) {
            let difference = abs(value - other)
            largest = difference.isNaN ? .infinity : max(largest, difference)
        }
        guard largest > 0 else { return nil }
        for (value, other) in zip(values, others) { ratio.add(signal: value, found: other) }
        return result(.values, largest, ratio.decibels.flatMap { $0.isFinite ? $0 : nil })
    }
}

extension Checkpoint {
    /// The tensors, those of an int8 model with their values: `W.weight` times `W.scale`, a scale for each output.
    var dequantised: [String: Tensor] {
        guard metadata["format"] == ModelManifest.format, metadata["precision"] == ModelManifest.Precision.int8.rawValue
        else { return tensors }
        var result = tensors
        for (name, tensor) in tensors {
            guard let codes = tensor.bytes, name.hasSuffix(".weight"),
                let scales = tensors[name.dropLast("weight".count) + "scale"]?.values, !scales.isEmpty,
                codes.count % scales.count == 0
            else { continue }
            let depth = codes.count / scales.count
            guard depth > 0 else { continue }
            result[name] = Tensor(
                shape: tensor.shape, type: tensor.type,
                values: codes.enumerated().map { Float(Int8(bitPattern: $1)) * scales[$0 / depth] })
        }
        return result
    }
}
