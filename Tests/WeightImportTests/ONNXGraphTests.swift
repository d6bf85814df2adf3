import Network
import Testing
import Vocabulary
import WeightImport

/// Graphs of the landmark head, as exporters write them, and graphs that compute something else.
@Suite struct ONNXGraphTests {
    private typealias Writer = CheckpointWriter
    private typealias Wire = CheckpointWriter.Wire

    /// A chain of operators from `x` to the logits, which a test changes.
    private struct Chain {
        var nodes: [[UInt8]] = []
        var constants: [[UInt8]] = []
        var last = "x"

        mutating func constant(_ name: String, _ shape: [Int], _ values: [Float]? = nil) {
            constants.append(
                Writer.onnxTensor(
                    .init(name: name, shape: shape, values: values ?? [Float](repeating: 0, count: shape.reduce(1, *))))
            )
        }

        mutating func integers(_ name: String, _ values: [Int]) {
            constants.append(
                Writer.onnxTensor(name, type: 7, [values.count], Wire.bytes(9, values.flatMap { Writer.little($0, 8) }))
            )
        }

        mutating func add(_ operation: String, _ others: [String] = [], lists: [(String, [Int])] = []) {
            let output = "\(operation)_\(nodes.count)"
            let attributes = lists.map { name, values in
                Wire.text(1, name) + values.flatMap { Wire.number(8, $0) }
            }
            nodes.append(
                Writer.onnxNode(operation, name: output, [last] + others, [output], attributes: attributes))
            last = output
        }

        var file: [UInt8] {
            let dimensions = [1, 128, 40].flatMap { Wire.bytes(1, Wire.number(1, $0)) }
            let type = Wire.bytes(2, Wire.bytes(1, Wire.number(1, 1) + Wire.bytes(2, dimensions)))
            let ends = Wire.bytes(11, Wire.text(1, "x") + type) + Wire.bytes(12, Wire.text(1, last))
            return Writer.onnx(constants: constants, nodes: nodes, graph: ends)
        }
    }

    private static func head(
        dilations: [Int] = [1, 2, 4], pads: (Int) -> [Int] = { [2 * $0, 0] }, order: [Int] = [1, 2, 3],
        activate: (inout Chain) -> Void = { $0.add("Clip", ["low", "high"]) }
    ) -> [UInt8] {
        head(dilations: dilations, pads: pads, order: order, activate: activate, change: { _, _ in })
    }

    /// - Parameters:
    ///   - change: puts an operator before the layer of this number, 3 for the classifier and 4 for the end.
    ///   - activate: what follows a convolution.
    private static func head(
        dilations: [Int] = [1, 2, 4], pads: (Int) -> [Int] = { [2 * $0, 0] }, order: [Int] = [1, 2, 3],
        activate: (inout Chain) -> Void = { $0.add("Clip", ["low", "high"]) },
        change: (inout Chain, Int) -> Void
    ) -> [UInt8] {
        var chain = Chain()
        chain.constant("low", [], [0])
        chain.constant("high", [], [6])
        for (index, number) in order.enumerated() {
            let name = "t\(number).conv"
            change(&chain, index)
            chain.constant(name + ".weight", [160, number == 1 ? 128 : 160, 3])
            chain.constant(name + ".bias", [160])
            let dilation = dilations[number - 1]
            chain.add(
                "Conv", [name + ".weight", name + ".bias"],
                lists: [("dilations", [dilation]), ("pads", pads(dilation))])
            activate(&chain)
        }
        change(&chain, 3)
        chain.add("Transpose", lists: [("perm", [0, 2, 1])])
        chain.constant("onnx::MatMul_9", [160, 3])
        chain.constant("fc.bias", [3], [1, 2, 3])
        chain.add("MatMul", ["onnx::MatMul_9"])
        chain.add("Add", ["fc.bias"])
        change(&chain, 4)
        return chain.file
    }

    private static func tensors(_ file: [UInt8]) throws -> [String: Checkpoint.Tensor] {
        try TensorNames().apply(Checkpoint(bytes: file))
    }

    private static func difference(_ file: [UInt8]) -> (operation: String, difference: OperatorDifference)? {
        do {
            _ = try tensors(file)
            return nil
        } catch {
            guard case ImportError.onnx(.otherNetwork(let other)) = error else { return nil }
            #expect(other.description.hasSuffix(".") && other.description.contains(other.operation))
            return (other.operation, other.difference)
        }
    }

    @Test func theNetworkIsTaken() throws {
        let expected = Set(
            FrontEnd.landmarks.layers().flatMap { [$0.name + ".weight", $0.name + ".bias"] })
        let files = [
            Self.head(),
            Self.head(pads: { _ in [0, 0] }),
            Self.head(activate: {
                $0.add("Relu")
                $0.add("Min", ["high"])
            }),
            Self.head { chain, _ in chain.add("Identity") },
            // Padding by an operator of its own.
            Self.head(pads: { _ in [0, 0] }) { chain, layer in
                guard layer < 3 else { return }
                chain.integers("pads\(layer)", [0, 0, 2 << layer, 0, 0, 0])
                chain.add("Pad", ["pads\(layer)"])
            },
        ]
        for file in files {
            let tensors = try Self.tensors(file)
            #expect(Set(tensors.keys) == expected && tensors["fc.weight"]?.shape == [3, 160])
        }
        let model = try FoldedNetwork(Self.tensors(Self.head()), classCount: 3)
        #expect(model.frontEnd == .landmarks && model.layers.count == 4)
    }

    @Test func attributesMustBeTheLayers() {
        #expect(
            Self.difference(Self.head(dilations: [1, 3, 9]))?.difference
                == .attribute("dilations", found: [3], expected: [2], layer: "t2.conv"))
        for pads in [{ [$0, $0] }, { [0, 2 * $0] }] as [(Int) -> [Int]] {
            guard
                case .attribute("pads", found: _, expected: [2, 0], layer: "t1.conv")? = Self.difference(
                    Self.head(pads: pads))?.difference
            else {
                Issue.record("accepted")
                continue
            }
        }
        // Zeros on both sides need a Slice behind them.
        #expect(Self.difference(Self.head(pads: { [2 * $0, 2 * $0] })) != nil)
        #expect(
            Self.difference(Self.head(order: [1, 3, 2]))?.difference
                == .attribute("dilations", found: [4], expected: [2], layer: "t2.conv"))
    }

    @Test func activationsMustBeReLU6() {
        let relu = Self.difference(Self.head(activate: { $0.add("Relu") }))
        #expect(relu?.operation == "Relu" && relu?.difference == .bounds(low: 0, high: nil, layer: "t1.conv"))
        for operation in ["Gelu", "LeakyRelu", "HardSwish", "Sigmoid", "Erf"] {
            let found = Self.difference(Self.head(activate: { $0.add(operation) }))
            #expect(found?.operation == operation && found?.difference == .instead(of: .activation("t1.conv")))
        }
        let none = Self.difference(Self.head(activate: { _ in }))
        #expect(none?.operation == "Conv" && none?.difference == .instead(of: .activation("t1.conv")))
    }

    @Test func operatorsWithAnEffectAreNamed() {
        func scalar(_ operation: String, at place: Int) -> OperatorDifference? {
            Self.difference(
                Self.head { chain, layer in
                    guard layer == place else { return }
                    chain.constant("scalar", [], [6])
                    chain.add(operation, ["scalar"])
                })?.difference
        }
        for operation in ["Div", "Mul", "Add", "Sub"] {
            #expect(scalar(operation, at: 0) == .instead(of: .convolution("t1.conv")))
            #expect(scalar(operation, at: 4) == .instead(of: .end))
        }
        func plain(_ operation: String, at place: Int) -> OperatorDifference? {
            Self.difference(
                Self.head { chain, layer in if layer == place { chain.add(operation) } })?.difference
        }
        #expect(plain("Softmax", at: 4) == .instead(of: .end))
        #expect(plain("GlobalAveragePool", at: 3) == .instead(of: .classifier))
        #expect(plain("LayerNormalization", at: 3) == .instead(of: .classifier))
        let residual = Self.head { chain, layer in if layer == 3 { chain.add("Add", ["Clip_3"]) } }
        #expect(Self.difference(residual)?.difference == .combination)
        let reversed = Self.head { chain, layer in
            guard layer == 0 else { return }
            for (name, value) in [("start", -1), ("end", -1 << 40), ("axis", 2), ("step", -1)] {
                chain.integers(name, [value])
            }
            chain.add("Slice", ["start", "end", "axis", "step"])
        }
        #expect(Self.difference(reversed)?.difference == .instead(of: .convolution("t1.conv")))
    }

    /// Batch and time are not confused with channels.
    @Test func reshapesMustKeepTheAxes() {
        let mixed = Self.head { chain, layer in
            guard layer == 0 else { return }
            chain.integers("shape", [1, 40, 128])
            chain.add("Reshape", ["shape"])
            chain.add("Transpose", lists: [("perm", [0, 2, 1])])
        }
        #expect(Self.difference(mixed) != nil)
    }
}
