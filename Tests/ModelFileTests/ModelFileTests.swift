import ModelFile
import Testing

@Suite struct ModelFileTests {
    static let labels = ["wave", "null"]

    static func manifest(_ precision: ModelManifest.Precision = .int8) -> ModelManifest {
        ModelManifest(
            network: "tiny", precision: precision, labels: labels, nullIndex: 1,
            activationScales: precision == .int8 ? ["a": 6 / 255] : [:], calibration: "8 frames",
            training: "{\"seed\":1}",
            sourceSHA256: String(repeating: "0f", count: 32), additional: ["vendor.note": "kept \"as is\""])
    }

    static func tensors(_ precision: ModelManifest.Precision = .int8) -> [TensorPayload] {
        switch precision {
        case .int8:
            [
                .int8("a.weight", shape: [2, 3], [1, -2, 3, 127, -127, 0]),
                .float16("a.scale", shape: [2], bits: [0x3800, 0x3400]),
                .float16("a.bias", shape: [2], bits: [0x3C00, 0xC000]),
                .int8("fc.weight", shape: [2, 2], [1, 2, 3, 4]),
                .float16("fc.scale", shape: [2], bits: [0x3C00, 0x3C00]),
                .float16("fc.bias", shape: [2], bits: [0, 0]),
            ]
        case .float16:
            [
                .float16("a.weight", shape: [1, 2], bits: [0x3C00, 0xBC00]),
                .float16("a.bias", shape: [1], bits: [0x3800]),
            ]
        case .float32:
            [.float32("a.weight", shape: [1, 2], [0.1, -3]), .float32("a.bias", shape: [1], [7])]
        }
    }

    static func bytes(_ tensors: [TensorPayload] = tensors(), _ manifest: ModelManifest = manifest()) throws -> [UInt8]
    {
        try ModelFile.bytes(manifest: manifest, tensors: tensors)
    }

    @Test func manifestsReadBack() throws {
        var manifest = Self.manifest()
        manifest.postProcessing = .init(
            median: .frames(7), begin: .frames(4), beginConfidence: 0.1, end: .frames(1))
        for scale: Float in [
            6 / 255, 0.1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1 / 3,
        ] {
            manifest.activationScales = ["a": scale, "b.c": scale.nextUp.isFinite ? scale.nextUp : 1]
            #expect(try ModelManifest(metadata: manifest.metadata()) == manifest)
        }
        manifest.labels = ["away", "back", "null"]
        manifest.nullIndex = 2
        manifest.postProcessing.returnMilliseconds = 500
        manifest.postProcessing.returnStrokes = ["away": "back", "back": "away"]
        #expect(try ModelManifest(metadata: manifest.metadata()) == manifest)
        #expect(try manifest.metadata()["post.return_strokes"] == #"{"away":"back","back":"away"}"#)
        manifest.postProcessing = .init(
            median: .milliseconds(233), begin: .milliseconds(67), beginConfidence: 0.75,
            classConfidence: ["away": 0.9, "back": 0], steady: .init(milliseconds: 167, confidence: 0.6),
            end: .milliseconds(333), unsureEndMilliseconds: 333,
            mergeWindowMilliseconds: 500, taught: ["back"])
        #expect(try ModelManifest(metadata: manifest.metadata()) == manifest)
        #expect(try manifest.metadata()["post.taught"] == #"["back"]"#)
        #expect(try manifest.metadata()["post.class_confidence"] == #"{"away":"0.9","back":"0.0"}"#)
        #expect(try manifest.metadata()["post.once_ms"] == "500")
        #expect(try manifest.metadata()["post.steady_ms"] == "167")
        #expect(try manifest.metadata()["post.steady_confidence"] == "0.6")
        manifest.calibration = nil
        manifest.training = nil
        manifest.sourceSHA256 = nil
        manifest.additional = [:]
        #expect(try ModelManifest(metadata: manifest.metadata()) == manifest)
    }

    @Test func theManifestsKeysAreTheFormat() throws {
        var manifest = Self.manifest()
        manifest.additional = [:]
        #expect(
            try manifest.metadata() == [
                "format": "gesture-model", "format_version": "2", "network": "tiny", "precision": "int8",
                "labels": "[\"wave\",\"null\"]", "null_index": "1", "activation_scale.a": "0.023529412",
                "post.median_frames": "5", "post.begin_frames": "3", "post.begin_confidence": "0.85",
                "post.end_frames": "2",
                "calibration": "8 frames", "training": "{\"seed\":1}",
                "source_sha256": String(repeating: "0f", count: 32),
            ])
    }

    @Test(arguments: [("format_version", "1"), ("format_version", "3"), ("format", "pt")])
    func refusesOtherFormats(_ key: String, _ value: String) throws {
        let metadata = try Self.manifest().metadata().merging([key: value]) { $1 }
        let error: ModelFileError = key == "format" ? .notAGestureModel : .unsupportedVersion(value)
        #expect(throws: error) { try ModelManifest(metadata: metadata) }
    }

    /// A manifest with a value for each key, in which every key but the tested one is right.
    private static func metadata(_ key: String) throws -> [String: String] {
        var manifest = Self.manifest()
        if key.contains("return") || key.contains("taught") {
            (manifest.labels, manifest.nullIndex) = (["away", "back", "null"], 2)
            manifest.postProcessing.returnMilliseconds = 500
            manifest.postProcessing.returnStrokes = ["away": "back"]
        } else if key.hasSuffix("_ms") || key.contains("class_confidence") || key.contains("steady") {
            manifest.postProcessing = .init(
                median: .milliseconds(233), begin: .milliseconds(67), end: .milliseconds(333),
                unsureEndMilliseconds: 400)
            if key.contains("steady") { manifest.postProcessing.steady = .init(milliseconds: 167, confidence: 0.6) }
        }
        return try manifest.metadata()
    }

    private static let malformed: [(String, [String])] = [
        ("precision", ["int4"]),
        ("labels", ["[]", #"["a"]"#, #"["a","a"]"#, #"["a",""]"#, #"["a","\u001b[2J"]"#, #"["a",2]"#]),
        ("null_index", ["2", "-1", "+1", ""]), ("post.median_frames", ["4", "0"]),
        ("post.begin_frames", ["99999999999999999999"]), ("post.begin_confidence", ["1.01", "nan", "0x1p-1"]),
        ("activation_scale.a", ["0", "-0.1", "inf", "1e99"]), ("activation_scale.", ["0.1"]),
        ("source_sha256", ["abc"]),
        (
            "post.taught",
            ["[]", "{}", "back", #"["null"]"#, #"["elsewhere"]"#, #"["back","back"]"#, #"["back"] 1"#]
        ),
        ("post.return_ms", ["0", "60001", "0.5"]),
        (
            "post.return_strokes",
            [
                "{}", "[]", #"{"away":"null"}"#, #"{"null":"away"}"#, #"{"away":"away"}"#, #"{"away":"nowhere"}"#,
                #"{"away":"back","away":"back"}"#, #"{"away":"back"} "back""#,
            ]
        ),
        ("post.median_ms", ["0", "267", "33.3", ""]), ("post.begin_ms", ["0", "5001", "-67"]),
        ("post.end_ms", ["0", "5001", "long"]), ("post.unsure_end_ms", ["332", "5001"]),
        ("post.once_ms", ["-1", "60001", "half"]), ("post.steady_ms", ["0", "5001", "0.5"]),
        ("post.steady_confidence", ["-0.1", "1", "nan"]),
        (
            "post.class_confidence",
            [
                "{}", "0.9", #"{"null":"0.9"}"#, #"{"wave":"1"}"#, #"{"wave":"nan"}"#, #"{"wave":0.9}"#,
                #"{"wave":"0.9","wave":"0.8"}"#,
            ]
        ),
    ]

    @Test(arguments: malformed) func refusesMalformedMetadata(_ key: String, _ values: [String]) throws {
        let metadata = try Self.metadata(key)
        for value in values {
            #expect(throws: ModelFileError.malformedMetadata(key: key, value: value)) {
                try ModelManifest(metadata: metadata.merging([key: value]) { $1 })
            }
        }
        if key.contains("return") {
            #expect(throws: ModelFileError.missingMetadata(key: key)) {
                try ModelManifest(metadata: metadata.filter { $0.key != key })
            }
        }
    }

    @Test func returnTimesAreWrittenInTheirRange() {
        var manifest = Self.manifest()
        manifest.postProcessing.returnStrokes = ["wave": "wave"]
        manifest.postProcessing.returnMilliseconds = 0
        #expect(throws: ModelFileError.malformedMetadata(key: "post.return_ms", value: "0")) { try manifest.metadata() }
    }

    @Test func framesAndMillisecondsExcludeEachOther() throws {
        for key in ["post.median", "post.begin", "post.end"] {
            let changed = try Self.manifest().metadata().merging([key + "_ms": "100"]) { $1 }
            #expect(throws: ModelFileError.conflictingMetadata(key: key + "_ms", with: key + "_frames")) {
                try ModelManifest(metadata: changed)
            }
        }
    }

    /// Against the nearest of all counts.
    @Test func extentsBecomeSlots() {
        for rate in [30, 60, 120] {
            for milliseconds in 1...500 {
                let exact = Double(milliseconds * rate) / 1000
                func nearest(_ counts: [Int]) -> Int? {
                    counts.min { (abs(Double($0) - exact), $0) < (abs(Double($1) - exact), $1) }
                }
                let extent = RecognitionExtent.milliseconds(milliseconds)
                #expect(extent.slots(at: rate, columnRate: 30) == nearest(Array(1...61)))
                #expect(extent.oddSlots(at: rate, columnRate: nil) == nearest(Array(stride(from: 1, to: 63, by: 2))))
            }
            for count in 1...31 {
                let extent = RecognitionExtent.frames(count)
                #expect(extent.slots(at: rate, columnRate: 30) == count * rate / 30)
                #expect(extent.slots(at: rate, columnRate: nil) == count)
                // What is written in milliseconds gives back the same counts.
                #expect(extent.inMilliseconds(columnRate: 30).slots(at: 30, columnRate: 30) == count)
                #expect(extent.inMilliseconds(columnRate: nil) == extent)
                guard count % 2 == 1 else { continue }
                #expect(extent.oddSlots(at: rate, columnRate: nil) == count)
                #expect(extent.inMilliseconds(columnRate: 30).oddSlots(at: 30, columnRate: 30) == count)
            }
        }
        #expect([30, 60, 120].map { RecognitionExtent.frames(7).oddSlots(at: $0, columnRate: 30) } == [7, 13, 27])
    }

    @Test func everyRequiredKeyIsNamedWhenMissing() throws {
        let required = [
            "format_version", "network", "precision", "labels", "null_index", "post.median_frames", "post.begin_frames",
            "post.begin_confidence", "post.end_frames",
        ]
        for key in required {
            var metadata = try Self.manifest().metadata()
            metadata[key] = nil
            #expect(throws: ModelFileError.missingMetadata(key: key)) { try ModelManifest(metadata: metadata) }
        }
        #expect(throws: ModelFileError.notAGestureModel) { try ModelManifest(metadata: [:]) }
    }

    @Test func additionalKeysMayNotBeTheManifests() {
        for key in ["labels", "source_sha256", "activation_scale.z", "content_xxh64"] {
            var manifest = Self.manifest()
            manifest.sourceSHA256 = nil
            manifest.additional = [key: key == "source_sha256" ? String(repeating: "0", count: 64) : "0.5"]
            #expect(throws: ModelFileError.duplicateKey(key)) { try manifest.metadata() }
        }
    }

    @Test func readsLayersOfEveryPrecision() throws {
        let int8 = try ModelFile(bytes: Self.bytes())
        #expect(int8.manifest == Self.manifest())
        #expect(Set(int8.layerNames) == ["a", "fc"])
        let layer = try int8.quantisedLayer("a", shape: [2, 3])
        #expect(layer.weights == [1, -2, 3, 127, -127, 0] && layer.scales == [0.5, 0.25] && layer.bias == [1, -2])
        #expect(try int8.floatLayer("a", shape: [2, 3]).weights == [0.5, -1, 1.5, 31.75, -31.75, 0])
        #expect(try int8.activationScale(of: "a") == 6 / 255)
        #expect(throws: ModelFileError.missingMetadata(key: "activation_scale.fc")) {
            try int8.activationScale(of: "fc")
        }
        try int8.requireLayers(["a", "fc"])
        #expect(throws: ModelFileError.missingTensor("b.weight")) { try int8.requireLayers(["a", "b", "fc"]) }
        #expect(throws: ModelFileError.unexpectedTensor("fc.weight")) { try int8.requireLayers(["a"]) }
        #expect(throws: ModelFileError.wrongShape(tensor: "a.weight", expected: [3, 2], found: [2, 3])) {
            try int8.floatLayer("a", shape: [3, 2])
        }
        let half = try ModelFile(bytes: Self.bytes(Self.tensors(.float16), Self.manifest(.float16)))
        let halfLayer = try half.floatLayer("a", shape: [1, 2])
        #expect(halfLayer.weights == [1, -1] && halfLayer.bias == [0.5])
        let single = try ModelFile(bytes: Self.bytes(Self.tensors(.float32), Self.manifest(.float32)))
        let singleLayer = try single.floatLayer("a", shape: [1, 2])
        #expect(singleLayer.weights == [0.1, -3] && singleLayer.bias == [7])
        #expect(throws: ModelFileError.wrongType(tensor: "a.weight", expected: "I8", found: "F32")) {
            try single.quantisedLayer("a", shape: [1, 2])
        }
    }

    /// A tensor that replaces the one of the same name, and the expected error.
    private static let disagreements: [(TensorPayload, ModelFileError)] = [
        (
            .float16("a.weight", shape: [2, 3], bits: [1, 2, 3, 4, 5, 6]),
            .wrongType(tensor: "a.weight", expected: "I8", found: "F16")
        ),
        (.float32("a.scale", shape: [2], [1, 1]), .wrongType(tensor: "a.scale", expected: "F16", found: "F32")),
        (.float16("a.scale", shape: [3], bits: [1, 1, 1]), .wrongShape(tensor: "a.scale", expected: [2], found: [3])),
        (
            .float16("a.bias", shape: [1, 2], bits: [1, 1]),
            .wrongShape(tensor: "a.bias", expected: [2], found: [1, 2])
        ),
        (.int8("a.weight", shape: [], [1]), .wrongShape(tensor: "a.weight", expected: [], found: [])),
        (.int8("a.weight", shape: [0, 3], []), .wrongShape(tensor: "a.weight", expected: [], found: [0, 3])),
        (.int8("extra", shape: [1], [1]), .unexpectedTensor("extra")),
        (.float16("b.bias", shape: [1], bits: [1]), .unexpectedTensor("b.bias")),
        (.int8("b.weight", shape: [1], [1]), .missingTensor("b.scale")),
    ]

    @Test func metadataAndTensorsMustAgree() throws {
        for (payload, error) in Self.disagreements {
            let tensors = Self.tensors().filter { $0.name != payload.name } + [payload]
            #expect(throws: error) { try ModelFile(bytes: Self.bytes(tensors)) }
        }
        var manifest = Self.manifest()
        manifest.activationScales["ghost"] = 0.1
        #expect(throws: ModelFileError.missingTensor("ghost.weight")) {
            try ModelFile(bytes: Self.bytes(Self.tensors(), manifest))
        }
    }

    @Test func refusesValuesThatCannotBeRun() throws {
        let cases: [(TensorPayload, ModelFileError)] = [
            (.int8("a.weight", shape: [2, 3], [0, 0, 0, 0, -128, 0]), .invalidValue(tensor: "a.weight", index: 4)),
            (.float16("a.scale", shape: [2], bits: [0x3C00, 0]), .invalidValue(tensor: "a.scale", index: 1)),
            (.float16("a.scale", shape: [2], bits: [0xBC00, 0x3C00]), .invalidValue(tensor: "a.scale", index: 0)),
            (.float16("a.scale", shape: [2], bits: [0x3C00, 0x7C00]), .invalidValue(tensor: "a.scale", index: 1)),
            (.float16("a.bias", shape: [2], bits: [0x7E00, 0x3C00]), .invalidValue(tensor: "a.bias", index: 0)),
            (.float16("a.bias", shape: [2], bits: [0x3C00, 0xFC00]), .invalidValue(tensor: "a.bias", index: 1)),
        ]
        for (payload, error) in cases {
            let tensors = Self.tensors().filter { $0.name != payload.name } + [payload]
            let model = try ModelFile(bytes: Self.bytes(tensors))
            #expect(throws: error) { try model.floatLayer("a", shape: [2, 3]) }
        }
    }

    @Test(arguments: [
        TensorPayload.float16("a.weight", shape: [1, 2], bits: [0x3C00, 0x7C00]),
        .float16("a.weight", shape: [1, 2], bits: [0x3C00, 0x7E00]),
        .float32("a.weight", shape: [1, 2], [0, .infinity]),
        .float32("a.weight", shape: [1, 2], [0, .nan]),
    ])
    func refusesFloatsThatAreNotFinite(_ payload: TensorPayload) throws {
        let precision: ModelManifest.Precision = payload.type == .float16 ? .float16 : .float32
        let tensors = Self.tensors(precision).filter { $0.name != payload.name } + [payload]
        let model = try ModelFile(bytes: Self.bytes(tensors, Self.manifest(precision)))
        #expect(throws: ModelFileError.invalidValue(tensor: "a.weight", index: 1)) {
            try model.floatLayer("a", shape: [1, 2])
        }
    }
}
