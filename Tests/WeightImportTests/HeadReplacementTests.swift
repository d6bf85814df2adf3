import Foundation
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import Testing
import WeightImport

@Suite struct HeadReplacementTests {
    private let gestures = Array(ModelBuilder.defaultLabels.dropLast())
    private var fifteen: [String] { gestures + ["null", "circleClockwise", "circleCounterclockwise"] }

    private func replacement(
        _ text: String, nullLabel: String = "null", allowsDropped: Bool = false
    ) throws(ImportError) -> HeadReplacement {
        try HeadReplacement(json: Array(text.utf8), nullLabel: nullLabel, allowsDropped: allowsDropped)
    }

    /// The golden network with two more rows in its classifier.
    private func larger() throws -> [String: Checkpoint.Tensor] {
        var tensors = try TensorNames().apply(Fixture.golden().tensors)
        var numbers = Fixture.Numbers(seed: 7)
        for (name, shape, count) in [("fc.weight", [15, 160], 320), ("fc.bias", [15], 2)] {
            tensors[name] = Fixture.tensor(shape, try #require(tensors[name]?.values) + numbers.next(count))
        }
        return tensors
    }

    @Test func anArrayAndAnObjectSayTheSame() throws {
        let list = JSONText.array(fifteen)
        let expected = try HeadReplacement(labels: fifteen, nullLabel: "null")
        #expect(expected.added == ["circleClockwise", "circleCounterclockwise"] && expected.dropped.isEmpty)
        #expect(try replacement(" \n\(list)\n") == expected)
        #expect(try replacement(#"{"null": "null", "labels": \#(list)}"#, nullLabel: "ignored") == expected)
        #expect(try replacement("{\"labels\": \(list)}") == expected)
    }

    @Test func nullMayHaveAnotherName() throws {
        let labels = gestures + ["rest", "wave"]
        let found = try replacement(#"{"labels": \#(JSONText.array(labels)), "null": "rest"}"#)
        #expect(found.nullLabel == "rest" && found.added == ["wave"] && found.dropped.isEmpty)
    }

    @Test func badTextsAreRefused() {
        #expect(throws: ImportError.headKey("classes")) {
            try replacement(#"{"classes": {"a": [1]}, "labels": ["null"]}"#)
        }
        #expect(throws: ImportError.headWithoutLabels) { try replacement(#"{"null": "null"}"#) }
        #expect(throws: ImportError.file(.duplicateKey("null"))) { try replacement(#"{"null": "a", "null": "a"}"#) }
        for text in ["[", "{}x", #"["null",]"#, #"{"labels": "null"}"#] {
            #expect(throws: ImportError.self) { try replacement(text) }
        }
        for (text, found) in [("", ModelFileError.FileFormat.empty), (#""null""#, .text), ("wave\nnull\n", .text)] {
            #expect(throws: ImportError.json(.head, found: found)) { try replacement(text) }
        }
        #expect(throws: ImportError.json(.labels, found: .json)) { try ClassLabels.read(json: Array("{}".utf8)) }
        #expect(
            "\(ImportError.json(.labels, found: .text))"
                == "A JSON text is needed: an array of labels, such as [\"wave\", \"null\"]. The file seems to be a text."
        )
    }

    /// A label that breaks a rule is reported with its position, whatever way the labels come.
    @Test func everyRuleOfLabelsIsReported() throws {
        let many = JSONText.array((0..<5000).map(String.init) + ["null"])
        let texts: [(String, ModelManifest.LabelFault)] = [
            (#"["null", "a\nb", "c\"d"]"#, .control("a\nb", position: 1)), (#"["null", ""]"#, .empty(position: 1)),
            (#"["null", 1, "b"]"#, .notText(position: 1)), (#"[["null"], "b"]"#, .notText(position: 0)),
            (#"["null"]"#, .count(1)), ("[]", .count(0)), (many, .count(5001)),
            (#"["null", "a", "a"]"#, .twice("a", position: 2, first: 1)),
            ("[\"null\", \"a\u{7F}\"]", .control("a\u{7F}", position: 1)),
        ]
        for (text, fault) in texts {
            #expect(throws: ImportError.label(fault), "\(text.prefix(40))") {
                try replacement(text, allowsDropped: true)
            }
            #expect(throws: ImportError.label(fault)) {
                try replacement("{\"labels\": \(text)}", allowsDropped: true)
            }
            #expect(throws: ImportError.label(fault)) { try ClassLabels.read(json: Array(text.utf8)) }
            let file = try SafetensorsWriter.bytes(tensors: [], metadata: ["labels": text])
            #expect(throws: ImportError.label(fault)) { try ClassLabels.of(Checkpoint(bytes: file)) }
        }
        #expect(
            "\(ModelManifest.LabelFault.control("a\nb", position: 1))"
                == "Label 2, a\\u{a}b, has a line break or another control character; a label is one line of text.")
        #expect(
            "\(ModelManifest.LabelFault.count(1))" == "The number of labels is 1; a model has from 2 to 1024 classes.")
        let file = try SafetensorsWriter.bytes(tensors: [], metadata: ["labels": "wave"])
        #expect(throws: ImportError.file(.malformedMetadata(key: "labels", value: "wave"))) {
            try ClassLabels.of(Checkpoint(bytes: file))
        }
        #expect(try ClassLabels.read(json: Array(JSONText.array((0..<1024).map(String.init)).utf8)).count == 1024)
    }

    @Test func labelsMustBeDistinctAndHaveNull() {
        #expect(throws: ImportError.label(.twice("grab", position: 15, first: 6))) {
            try replacement(JSONText.array(fifteen + ["grab"]))
        }
        #expect(throws: ImportError.headWithoutNull("null")) { try replacement(JSONText.array(gestures)) }
        #expect(throws: ImportError.headWithoutNull("rest")) {
            try replacement(JSONText.array(fifteen), nullLabel: "rest")
        }
    }

    @Test func droppingGesturesMustBeAllowed() throws {
        let text = JSONText.array(fifteen.filter { $0 != "tap" && $0 != "swipeUp" })
        #expect(throws: ImportError.headDrops(["swipeUp", "tap"])) { try replacement(text) }
        #expect(try replacement(text, allowsDropped: true).dropped == ["swipeUp", "tap"])
    }

    @Test func labelsMustBeAsManyAsTheRows() throws {
        var tensors = try larger()
        try HeadReplacement(labels: fifteen, nullLabel: "null").check(tensors)
        #expect(throws: ImportError.headCount(labels: 16, rows: 15)) {
            try HeadReplacement(labels: fifteen + ["wave"], nullLabel: "null").check(tensors)
        }
        #expect(throws: ImportError.headCount(labels: 13, rows: 15)) {
            try HeadReplacement(labels: ModelBuilder.defaultLabels, nullLabel: "null").check(tensors)
        }
        tensors["fc.weight"] = nil
        try HeadReplacement(labels: fifteen, nullLabel: "null").check(tensors)
        var missing = TensorMismatch()
        missing.missing = ["fc.weight"]
        #expect(throws: ImportError.mismatch(missing)) { try FoldedNetwork(tensors, classCount: 15) }
    }

    @Test func selectedRowsAreThoseOfTheirClasses() throws {
        let tensors = try larger()
        let rows = try #require(tensors["fc.weight"]?.values)
        let network = try FoldedNetwork(tensors, classCount: 15).selectingClasses([14, nil, 0])
        let classifier = try #require(network.layers.last)
        #expect(network.classCount == 3 && classifier.spec.weightShape == [3, 160])
        var expected = Array(rows[14 * 160..<15 * 160])
        expected += [Float](repeating: 0, count: 160)
        expected += rows[0..<160]
        #expect(classifier.weights == expected)
        #expect(classifier.bias[1] == 0)
        #expect(classifier.bias[2] == tensors["fc.bias"]?.values?[0])
    }

    /// Two rows of 160 codes, a scale and a bias each, are 328 bytes in int8; the rest is their names, in the labels, and
    /// what aligns the header.
    @Test func theReportNamesTheClassesAndTheirCost() throws {
        let network = try FoldedNetwork(larger(), classCount: 15)
        let replacement = try HeadReplacement(labels: fifteen, nullLabel: "null")
        var growth: [ModelManifest.Precision: Int] = [:]
        for precision in ModelManifest.Precision.allCases {
            let builder = ModelBuilder(precision: precision, labels: fifteen, activationScales: Fixture.scales)
            let product = try builder.build(network)
            let bytes = try replacement.addedBytes(product, of: network, by: builder)
            let before = try ModelBuilder(precision: precision, activationScales: Fixture.scales)
                .build(Fixture.goldenNetwork())
            #expect(bytes == product.bytes.count - before.bytes.count)
            growth[precision] = bytes
            var report = ImportReport(checkpoint: try Fixture.golden(), network: network, product: product)
            #expect(report.head == nil)
            report.add(replacement, addedBytes: bytes)
            let head = try #require(report.head)
            #expect(head.before == ModelBuilder.defaultLabels && head.after == fifteen && head.addedBytes == bytes)
            #expect(head.added == ["circleClockwise", "circleCounterclockwise"] && head.dropped.isEmpty)
        }
        #expect((328..<328 + 128).contains(try #require(growth[.int8])))
        #expect((1288..<1288 + 128).contains(try #require(growth[.float32])))
    }

    @Test func aModelWithoutAGestureIsSmaller() throws {
        let labels = fifteen.filter { !["tap", "swipeUp", "grab"].contains($0) }
        let network = try FoldedNetwork(larger(), classCount: 15).selectingClasses(Array(0..<12))
        let builder = ModelBuilder(precision: .float32, labels: labels)
        let replacement = try HeadReplacement(labels: labels, nullLabel: "null", allowsDropped: true)
        #expect(try replacement.addedBytes(builder.build(network), of: network, by: builder) < -600)
    }

    /// The null class of a larger head need not be its last.
    @Test func anEngineUnitRunsFifteenClasses() throws {
        let network = try FoldedNetwork(larger(), classCount: 15)
        let product = try ModelBuilder(precision: .int8, labels: fifteen, activationScales: Fixture.scales).build(
            network)
        #expect(product.model.manifest.nullIndex == 12 && product.weights.classCount == 15)
        let unit = try NetworkUnit(int8: product.weights, kernels: KernelRegistry.select())
        var logits: [Float]?
        for frame in try Fixture.goldenFrames()[..<16] { logits = unit.trace(frame.span) { _, _ in } }
        #expect(try #require(logits).count == 15)
    }
}
