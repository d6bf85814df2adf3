import ModelFile
import Network
import Testing
import Vocabulary
import WeightImport

@Suite struct NamesTests {
    private let one = Fixture.tensor([1], [1])
    private let two = Fixture.tensor([1], [2])

    @Test func wrapperPrefixesAreDroppedHoweverNested() throws {
        let tensors = [
            "module.model.fc.weight": one, "_orig_mod.module.fc.bias": two, "b1.model.x": one, "model.": two,
        ]
        let names = try TensorNames().apply(tensors)
        #expect(Set(names.keys) == ["fc.weight", "fc.bias", "b1.model.x", ""])
        #expect(names["fc.bias"] == two)
    }

    @Test func batchCountersAreLeftOut() throws {
        let names = try TensorNames().apply([
            "stem.bn.num_batches_tracked": one, "module.b1.dw_bn.num_batches_tracked": one,
        ])
        #expect(names.isEmpty)
    }

    @Test func theMapRenamesExactly() throws {
        let names = try TensorNames(json: Array(#"{"model.head.w":"fc.weight","a":"model.kept"}"#.utf8))
        let result = try names.apply(["model.head.w": one, "a": two, "model.b": one])
        #expect(result == ["fc.weight": one, "model.kept": two, "b": one])
    }

    @Test func mistakesOfTheMapAreNamed() throws {
        #expect(throws: ImportError.mapTargetTwice("x")) { try TensorNames(json: Array(#"{"a":"x","b":"x"}"#.utf8)) }
        #expect(throws: ImportError.file(.duplicateKey("a"))) {
            try TensorNames(json: Array(#"{"a":"x","a":"y"}"#.utf8))
        }
        #expect(throws: ImportError.mapValue("b")) { try TensorNames(json: Array(#"{"a":"x","b":[1]}"#.utf8)) }
        for (text, found) in [("[]", ModelFileError.FileFormat.json), ("a=b", .text), ("", .empty)] {
            #expect(throws: ImportError.json(.names, found: found)) { try TensorNames(json: Array(text.utf8)) }
        }
        #expect(try TensorNames(json: [0xEF, 0xBB, 0xBF] + Array("{}".utf8)).apply(["a": one]) == ["a": one])
        let names = try TensorNames(map: [(from: "gone", to: "fc.weight")])
        #expect(throws: ImportError.mapSourceMissing("gone")) { try names.apply(["a": one]) }
        let taken = try TensorNames(map: [(from: "z", to: "fc.weight")])
        #expect(throws: ImportError.nameCollision(name: "fc.weight", first: "model.fc.weight", second: "z")) {
            try taken.apply(["z": one, "model.fc.weight": two])
        }
    }

    @Test func collisionsAfterPrefixesAreRefused() {
        #expect(throws: ImportError.nameCollision(name: "a", first: "a", second: "module.a")) {
            try TensorNames().apply(["a": one, "module.a": two])
        }
    }
}

/// How a network is found in a checkpoint with other names.
@Suite struct PrefixTests {
    private static let network = Fixture.tensors(of: FrontEnd.landmarks.layers(), seed: 8)

    private static func renamed(_ rename: (String) -> String) -> [String: Checkpoint.Tensor] {
        Dictionary(uniqueKeysWithValues: network.map { (rename($0.key), $0.value) })
    }

    @Test(arguments: [
        "", "net.", "ema_model.", "module.model.", "student.", "model_ema.module.", "_forward_module.model.",
        "_fsdp_wrapped_module.", "_orig_mod.net.", "a.b.c.d.",
    ])
    func anyCommonPrefixIsDropped(_ prefix: String) throws {
        #expect(try TensorNames().apply(Self.renamed { prefix + $0 }) == Self.network)
        let slashes = Self.renamed { (prefix + $0).replacing(".", with: "/") }
        #expect(try TensorNames().apply(slashes) == Self.network)
    }

    @Test func wrappersStandAnywhere() throws {
        let inner = Self.renamed { $0.replacing("conv.", with: "conv._orig_mod.") }
        #expect(try TensorNames().apply(inner) == Self.network)
        var beside = Self.renamed { "ema_model." + $0 }
        beside["step"] = Fixture.tensor([], [7])
        beside["initted"] = Fixture.checkpointTensor(.int8("t", shape: [1], [1]))
        #expect(try TensorNames().apply(beside) == Self.network)
    }

    /// What could change the logits is not passed over.
    @Test func otherTensorsRemain() throws {
        var tensors = Self.renamed { "net." + $0 }
        tensors["net.temperature"] = Fixture.tensor([], [2])
        #expect(try TensorNames().apply(tensors)["temperature"] != nil)
    }

    @Test func oneOfSeveralNetworksIsChosen() throws {
        let tensors = Self.renamed { "student." + $0 }.merging(Self.renamed { "teacher." + $0 }) { $1 }
        #expect(throws: ImportError.severalNetworks(["student.", "teacher."])) { try TensorNames().apply(tensors) }
        for prefix in ["student", "teacher."] {
            #expect(try TensorNames(prefix: prefix).apply(tensors) == Self.network)
        }
        #expect(throws: ImportError.prefixMissing("net")) { try TensorNames(prefix: "net").apply(tensors) }
    }

    @Test(arguments: [
        ("parametrizations.weight.original0", "parametrizations.weight.original1"), ("weight_g", "weight_v"),
    ])
    func weightNormIsComputed(_ length: String, _ direction: String) throws {
        var tensors = Self.network
        let removed = tensors.removeValue(forKey: "t1.conv.weight")
        let weight = try #require(removed)
        let values = try #require(weight.values)
        let lengths = (0..<160).map { row in
            values[row * 384..<(row + 1) * 384].reduce(0) { $0 + $1 * $1 }.squareRoot()
        }
        tensors["t1.conv." + length] = Fixture.tensor([160, 1, 1], lengths)
        tensors["t1.conv." + direction] = Fixture.tensor([160, 128, 3], values.map { $0 * 3 })
        let found = try #require(try TensorNames().apply(tensors)["t1.conv.weight"]?.values)
        for (a, b) in zip(found, values) { #expect(abs(a - b) < 1e-5) }
        #expect(try TensorNames().apply(tensors).count == Self.network.count)
    }

    /// The tensors of the other network are never listed.
    @Test func aHeadLacksTensorsOfAHead() {
        do throws(ImportError) {
            _ = try FoldedNetwork(["x": Fixture.tensor([1], [0])], classCount: 3)
            Issue.record("accepted")
        } catch {
            guard case .mismatch(let mismatch) = error else { return }
            #expect(
                !mismatch.missing.isEmpty && mismatch.missing.allSatisfy { $0.hasPrefix("t") || $0.hasPrefix("fc") })
        }
    }
}
