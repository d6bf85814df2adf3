import Enrolment
import ModelFile
import Testing
import Vocabulary

struct UserGesturesTests {
    private let base = EnrolmentBase(
        identity: SyntheticModel.identity, labels: ["a", "b", "null"], nullIndex: 2, featureCount: 160)

    private func gesture(_ label: String, seed: UInt64 = 1, count: Int = 3) throws -> UserGestures.Gesture {
        var random = SplitMix64(seed: seed)
        let weights = (0..<160).map { _ in Float(random.normal()) }
        let bias = Float(random.normal())
        let exemplars = (0..<640).map { _ in UInt8(random.next() & 255) }
        let gesture = UserGestures.Gesture(
            label: label, exampleCount: count, weights: weights, bias: bias, exemplars: exemplars,
            exemplarLogits: (0..<12).map { Float($0) / 4 })
        return try #require(gesture)
    }

    private func three() throws -> UserGestures {
        var gestures = UserGestures(base: base)
        try gestures.add(gesture("wave", seed: 1))
        try gestures.add(gesture("snap \"é\"", seed: 2, count: 10))
        try gestures.add(gesture("四", seed: 3, count: 1))
        return gestures
    }

    @Test func filesComeBackAsTheyWere() throws {
        for gestures in [UserGestures(base: base), try three()] {
            let bytes = gestures.bytes()
            #expect(try UserGestures(bytes: bytes, base: base) == gestures)
            #expect(bytes == gestures.bytes())
        }
        #expect(try three().allLabels == ["a", "b", "null", "wave", "snap \"é\"", "四"])
    }

    @Test func aGestureTakesLessThanTwoKilobytes() throws {
        var gestures = UserGestures(
            base: EnrolmentBase(
                identity: SyntheticModel.identity, labels: (0..<13).map { "class \($0)" }, nullIndex: 12,
                featureCount: 160))
        for index in 0..<UserGestures.limit {
            var random = SplitMix64(seed: UInt64(index))
            let made = UserGestures.Gesture(
                label: "gesture number \(index)", exampleCount: 5,
                weights: (0..<160).map { _ in Float(random.normal()) }, bias: 0,
                exemplars: [UInt8](repeating: 7, count: 640), exemplarLogits: [Float](repeating: 1, count: 52))
            try gestures.add(#require(made))
            #expect(gestures.bytes().count < 2048 * (index + 1))
        }
    }

    @Test func labelsAreUniqueAndLimited() throws {
        var gestures = try three()
        for label in ["wave", "a", "null"] {
            let again = try gesture(label)
            #expect(throws: EnrolmentError.labelTaken(label)) { try gestures.add(again) }
        }
        for label in ["", "two\nlines", "\u{7F}", String(repeating: "x", count: 65)] {
            #expect(!UserGestures.Gesture.isLabel(label))
        }
        #expect(UserGestures.Gesture.isLabel(String(repeating: "x", count: 64)))
        for index in 3..<UserGestures.limit { try gestures.add(gesture("more \(index)")) }
        let last = try gesture("last")
        #expect(throws: EnrolmentError.tooManyGestures(limit: 16)) { try gestures.add(last) }
    }

    @Test func removalKeepsTheOrderOfTheOthers() throws {
        var gestures = try three()
        try gestures.remove("snap \"é\"")
        #expect(gestures.labels == ["wave", "四"])
        #expect(throws: EnrolmentError.unknownLabel("a")) { try gestures.remove("a") }
        #expect(try UserGestures(bytes: gestures.bytes(), base: base).labels == ["wave", "四"])
    }

    @Test func filesOfAnotherModelAreRefused() throws {
        let bytes = try three().bytes()
        let other = EnrolmentBase(
            identity: String(repeating: "f", count: 64), labels: base.labels, nullIndex: 2, featureCount: 160)
        #expect(throws: EnrolmentError.otherModel(expected: other.identity, found: base.identity)) {
            try UserGestures(bytes: bytes, base: other)
        }
    }

    @Test func everyTruncationIsRefused() throws {
        let bytes = try three().bytes()
        for count in 0..<bytes.count {
            #expect(throws: EnrolmentError.self) { try UserGestures(bytes: Array(bytes[..<count]), base: base) }
        }
        #expect(throws: EnrolmentError.self) { try UserGestures(bytes: bytes + [0], base: base) }
    }

    /// Every changed bit of the header is noticed except in labels and counts, which are free; nothing traps.
    @Test func changedBytesAreRefusedOrReadAsOtherGestures() throws {
        let gestures = try three()
        let bytes = gestures.bytes()
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << (index % 8)
            guard let read = try? UserGestures(bytes: changed, base: base) else { continue }
            #expect(read != gestures, "byte \(index)")
        }
    }

    @Test func wrongContentsAreNamed() throws {
        let good = try three()
        func expect(
            _ error: EnrolmentError, _ change: (inout [String: String], inout [String: TensorPayload]) -> Void
        ) throws {
            let file = try SafetensorsFile(bytes: good.bytes())
            var (metadata, tensors) = (file.metadata, [String: TensorPayload]())
            for tensor in file.tensors {
                tensors[tensor.name] = TensorPayload(
                    name: tensor.name, type: tensor.type, shape: tensor.shape,
                    bytes: Array(file.bytes[tensor.byteRange]))
            }
            change(&metadata, &tensors)
            let bytes = try SafetensorsWriter.bytes(tensors: Array(tensors.values), metadata: metadata)
            #expect(throws: error) { try UserGestures(bytes: bytes, base: base) }
        }
        try expect(.wrongFormat(expected: "gesture-user", found: "gesture-model")) { fields, _ in
            fields["format"] = "gesture-model"
        }
        try expect(.wrongFormat(expected: "gesture-user", found: nil)) { fields, _ in fields["format"] = nil }
        try expect(.file(.unsupportedVersion("3"))) { fields, _ in fields["format_version"] = "3" }
        try expect(.file(.missingMetadata(key: "model_sha256"))) { fields, _ in fields["model_sha256"] = nil }
        try expect(.file(.malformedMetadata(key: "note", value: "x"))) { fields, _ in fields["note"] = "x" }
        try expect(.file(.malformedMetadata(key: "labels", value: "[1]"))) { fields, _ in fields["labels"] = "[1]" }
        try expect(.labelTaken("wave")) { fields, _ in fields["labels"] = "[\"wave\",\"wave\",\"x\"]" }
        try expect(.labelTaken("b")) { fields, _ in fields["labels"] = "[\"wave\",\"b\",\"x\"]" }
        for examples in ["[\"3\",\"0\",\"1\"]", "[\"3\",\"03\",\"1\"]", "[\"3\",\"x\",\"1\"]", "[\"3\",\"1\"]"] {
            try expect(.file(.malformedMetadata(key: "examples", value: examples))) { fields, _ in
                fields["examples"] = examples
            }
        }
        try expect(.file(.wrongShape(tensor: "weight", expected: [2, 160], found: [3, 160]))) { fields, _ in
            fields["labels"] = "[\"wave\",\"x\"]"
        }
        try expect(.file(.missingTensor("bias"))) { _, tensors in tensors["bias"] = nil }
        try expect(.file(.unexpectedTensor("extra"))) { _, tensors in
            tensors["extra"] = .float32("extra", shape: [1], [0])
        }
        try expect(.file(.wrongType(tensor: "bias", expected: "F32", found: "F16"))) { _, tensors in
            tensors["bias"] = .float16("bias", shape: [3], bits: [0, 0, 0])
        }
        try expect(.file(.invalidValue(tensor: "bias", index: 1))) { _, tensors in
            tensors["bias"] = .float32("bias", shape: [3], [0, .nan, 0])
        }
    }

    /// Against sums in Double.
    @Test func rowsExtendLogitsBehindTheModels() throws {
        let gestures = try three()
        let rows = UserGestureRows(gestures)
        #expect(rows.totalCount == 6 && rows.featureCount == 160)
        var random = SplitMix64(seed: 77)
        let features = (0..<160).map { _ in Float(6 * random.unit()) }
        var logits: [Float] = [1, -2, 3, 99, 99, 99]
        var span = logits.mutableSpan
        rows.extend(&span, features: features.span)
        #expect(logits[..<3] == [1, -2, 3])
        for (index, gesture) in gestures.gestures.enumerated() {
            var sum = Double(gesture.bias) + 3
            for feature in 0..<160 { sum += Double(gesture.weights[feature]) * Double(features[feature]) }
            #expect(abs(Double(logits[3 + index]) - sum) < 1e-3)
        }
        var broken: [Float] = [1, .nan, .nan, 0, 0, 0]
        var brokenSpan = broken.mutableSpan
        rows.extend(&brokenSpan, features: features.span)
        #expect(broken[3...].allSatisfy { $0.isNaN })
    }

    @Test func banksComeBackAsTheyWereAndDoNotGrow() throws {
        var model = SyntheticModel(seed: 9)
        let bank = try model.bank()
        #expect(bank.columnCount == 32 + 32 + 96)
        let bytes = try bank.bytes()
        #expect(try FeatureBank(bytes: bytes, base: model.base) == bank)
        #expect(throws: EnrolmentError.wrongFormat(expected: "gesture-bank", found: "gesture-user")) {
            try FeatureBank(bytes: UserGestures(base: model.base).bytes(), base: model.base)
        }
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: EnrolmentError.self) {
                try FeatureBank(bytes: Array(bytes[..<count]), base: model.base)
            }
        }
        #expect(throws: EnrolmentError.otherModel(expected: base.identity, found: base.identity + "0")) {
            let other = EnrolmentBase(
                identity: base.identity + "0", labels: ["a", "b", "null"], nullIndex: 2, featureCount: 24)
            var builder = try FeatureBankBuilder(base: other)
            builder.add([Float](repeating: 1, count: 24), logits: [0, 0, 0], classIndex: 0)
            _ = try GestureEnrolment(existing: UserGestures(base: model.base), bank: builder.build())
        }
    }

    /// A reservoir of one: which column stays is the same each time, and NaN never does.
    @Test func bankBuildersAreDeterministicAndSkipWhatIsNotFinite() throws {
        let small = EnrolmentBase(identity: base.identity, labels: ["a", "null"], nullIndex: 1, featureCount: 2)
        func build() throws -> FeatureBank {
            var builder = try FeatureBankBuilder(base: small, columnsPerClass: 1, nullColumns: 1)
            builder.add([.nan, 1], logits: [0, 0], classIndex: 0)
            for index in 0..<100 { builder.add([Float(index) * 0.06, 0], logits: [0, 1], classIndex: 0) }
            return builder.build()
        }
        let bank = try build()
        #expect(try bank == build())
        #expect(bank.classes == [0] && bank.columnCount == 1)
    }

    @Test func banksHaveRoomForAByteOfClasses() {
        let wide = EnrolmentBase(
            identity: base.identity, labels: (0..<257).map(String.init), nullIndex: 0, featureCount: 2)
        #expect(throws: EnrolmentError.tooManyClasses(257, limit: 256)) { try FeatureBankBuilder(base: wide) }
    }
}
