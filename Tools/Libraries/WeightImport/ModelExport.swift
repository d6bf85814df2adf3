package import ModelFile
package import Network
import Vocabulary

/// Writes a model for other programs: as a checkpoint, or as an ONNX model that computes the same logits.
package enum ModelExport {
    /// A checkpoint of float32 safetensors that `gesture-import import` takes: weights and biases with BatchNorm folded,
    /// labels, activation scales, recognition defaults and provenance. Values of an int8 model are dequantised.
    package static func safetensors(_ model: ModelFile, _ weights: NetworkWeights) throws(ImportError) -> [UInt8] {
        let tensors = weights.layers.flatMap { layer in
            [
                TensorPayload.float32(layer.spec.name + ".weight", shape: layer.spec.weightShape, layer.floats),
                .float32(layer.spec.name + ".bias", shape: [layer.spec.outputChannels], layer.bias),
            ]
        }
        let metadata = model.manifest.checkpointMetadata
        return try importing { () throws(ModelFileError) in
            try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
        }
    }

    /// An ONNX model (operator set 17) of the streaming network from its reset on, with the same metadata.
    ///
    /// | front end | input | |
    /// |---|---|---|
    /// | pixels | `images` | `[T, 1, 224, 224]` float32, luma 0...1 |
    /// | landmarks | `columns` | `[T, 128]` float32, features 0...6 |
    ///
    /// Output `logits` is `[T, classes]` float32: row t has the logits after input t. The engine reports those from the
    /// 16th on. Activations of an int8 model are not rounded here.
    package static func onnx(_ model: ModelFile, _ weights: NetworkWeights) -> [UInt8] {
        var graph = GraphWriter()
        var value = weights.frontEnd == .pixels ? "images" : "columns"
        graph.describe(
            input: value,
            weights.frontEnd == .pixels ? [1, GestureTCN.inputSide, GestureTCN.inputSide] : [GestureTCN.featureCount],
            output: "logits", [weights.classCount])
        graph.scalar("relu6.low", LayerSpec.activation.lowerBound)
        graph.scalar("relu6.high", LayerSpec.activation.upperBound)
        let layers = weights.layers
        let first = layers.firstIndex { $0.spec.kind == .temporal } ?? 0
        for layer in layers[..<first] { value = graph.convolution(layer, value) }
        // From a list of columns to channels over time and back.
        if first > 0 { value = graph.node("Flatten", [value], "columns", integers: ["axis": 1]) }
        graph.indices("batch", [0])
        value = graph.node("Transpose", [value], "channels", lists: ["perm": [1, 0]])
        value = graph.node("Unsqueeze", [value, "batch"], "window")
        for layer in layers[first...].dropLast() { value = graph.convolution(layer, value) }
        value = graph.node("Squeeze", [value, "batch"], "last.channels")
        value = graph.node("Transpose", [value], "features", lists: ["perm": [1, 0]])
        let classifier = layers[layers.count - 1]
        graph.parameters(classifier)
        _ = graph.node(
            "Gemm", [value, classifier.spec.name + ".weight", classifier.spec.name + ".bias"], "logits",
            integers: ["transB": 1])
        return graph.model(metadata: model.manifest.checkpointMetadata)
    }
}

extension ModelManifest {
    /// The metadata of a checkpoint that becomes a model with this manifest's labels, scales, defaults and provenance.
    var checkpointMetadata: [String: String] {
        var metadata = ["labels": JSONText.array(labels), "begin_confidence": "\(postProcessing.beginConfidence)"]
        for (key, extent) in [
            ("median", postProcessing.median), ("begin", postProcessing.begin), ("end", postProcessing.end),
        ] {
            switch extent {
            case .frames(let count): metadata[key + "_frames"] = "\(count)"
            case .milliseconds(let count): metadata[key + "_ms"] = "\(count)"
            }
        }
        metadata["steady_ms"] = postProcessing.steady.map { "\($0.milliseconds)" }
        metadata["steady_confidence"] = postProcessing.steady.map { "\($0.confidence)" }
        metadata["unsure_end_ms"] = postProcessing.unsureEndMilliseconds.map { "\($0)" }
        if postProcessing.mergeWindowMilliseconds > 0 {
            metadata["once_ms"] = "\(postProcessing.mergeWindowMilliseconds)"
        }
        if !postProcessing.classConfidence.isEmpty {
            metadata["class_confidence"] = JSONText.object(postProcessing.classConfidence.mapValues { "\($0)" })
        }
        if !postProcessing.returnStrokes.isEmpty {
            metadata["return_ms"] = "\(postProcessing.returnMilliseconds)"
            metadata["return_strokes"] = JSONText.object(postProcessing.returnStrokes)
        }
        if !postProcessing.taught.isEmpty { metadata["taught"] = JSONText.array(postProcessing.taught) }
        metadata["training"] = training
        for (layer, scale) in activationScales { metadata[Self.activationScalePrefix + layer] = "\(scale)" }
        return metadata
    }
}

/// Collects the parts of an ONNX graph.
private struct GraphWriter {
    private var nodes: [[UInt8]] = []
    private var constants: [[UInt8]] = []
    private var ends: [(field: Int, content: [UInt8])] = []

    /// Fields and numbers of `onnx.proto`.
    private enum Number {
        static let float32 = 1
        static let int64 = 7
        static let attributeInteger = 2
        static let attributeIntegers = 7
        static let graphInput = 11
        static let graphOutput = 12
    }

    /// Both have the steps as their first dimension, `T`.
    mutating func describe(input: String, _ inputShape: [Int], output: String, _ outputShape: [Int]) {
        for (field, name, shape) in [
            (Number.graphInput, input, inputShape), (Number.graphOutput, output, outputShape),
        ] {
            var value = ProtobufWriter()
            value.text(1, name)
            value.message(2) { type in
                type.message(1) { tensor in
                    tensor.number(1, Number.float32)
                    tensor.message(2) { dimensions in
                        dimensions.message(1) { $0.text(2, "T") }
                        for size in shape { dimensions.message(1) { $0.number(1, size) } }
                    }
                }
            }
            ends.append((field, value.bytes))
        }
    }

    mutating func scalar(_ name: String, _ value: Float) { constant(name, type: Number.float32, [], [value].rawBytes) }

    mutating func indices(_ name: String, _ values: [Int]) {
        let bytes = values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        constant(name, type: Number.int64, [values.count], bytes)
    }

    mutating func parameters(_ layer: NetworkWeights.Layer) {
        let name = layer.spec.name
        constant(name + ".weight", type: Number.float32, layer.spec.weightShape, layer.floats.rawBytes)
        constant(name + ".bias", type: Number.float32, [layer.spec.outputChannels], layer.bias.rawBytes)
    }

    private mutating func constant(_ name: String, type: Int, _ shape: [Int], _ raw: [UInt8]) {
        var tensor = ProtobufWriter()
        for size in shape { tensor.number(1, size) }
        tensor.number(2, type)
        tensor.text(8, name)
        tensor.bytes(9, raw)
        constants.append(tensor.bytes)
    }

    /// A layer with its parameters and ReLU6; the name of its output.
    mutating func convolution(_ layer: NetworkWeights.Layer, _ input: String) -> String {
        let spec = layer.spec
        parameters(layer)
        let attributes = spec.convolution
        let sum = node(
            "Conv", [input, spec.name + ".weight", spec.name + ".bias"], spec.name + ".sum",
            integers: ["group": attributes.groups],
            lists: [
                "strides": attributes.strides, "dilations": attributes.dilations, "pads": attributes.pads,
            ])
        return node("Clip", [sum, "relu6.low", "relu6.high"], spec.name + ".output")
    }

    /// Adds an operator; the name of its output, which is its own, too.
    mutating func node(
        _ operation: String, _ inputs: [String], _ output: String, integers: [String: Int] = [:],
        lists: [String: [Int]] = [:]
    ) -> String {
        var node = ProtobufWriter()
        for input in inputs { node.text(1, input) }
        node.text(2, output)
        node.text(3, output)
        node.text(4, operation)
        for (name, value) in integers.sorted(by: { $0.key < $1.key }) {
            node.message(5) { attribute in
                attribute.text(1, name)
                attribute.number(3, value)
                attribute.number(20, Number.attributeInteger)
            }
        }
        for (name, values) in lists.sorted(by: { $0.key < $1.key }) {
            node.message(5) { attribute in
                attribute.text(1, name)
                for value in values { attribute.number(8, value) }
                attribute.number(20, Number.attributeIntegers)
            }
        }
        nodes.append(node.bytes)
        return output
    }

    /// The whole file.
    func model(metadata: [String: String]) -> [UInt8] {
        var model = ProtobufWriter()
        model.number(1, 8)
        model.text(2, "swift-gesture")
        model.message(7) { graph in
            for node in nodes { graph.bytes(1, node) }
            graph.text(2, "gesture")
            for constant in constants { graph.bytes(5, constant) }
            for end in ends { graph.bytes(end.field, end.content) }
        }
        model.message(8) { $0.number(2, 17) }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            model.message(14) { entry in
                entry.text(1, key)
                entry.text(2, value)
            }
        }
        return model.bytes
    }
}

extension [Float] {
    /// Little-endian float32.
    fileprivate var rawBytes: [UInt8] {
        flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) } }
    }
}
