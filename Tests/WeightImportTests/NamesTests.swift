import ModelFile
import Testing
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
