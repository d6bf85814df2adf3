import ModelFile
import Testing
import WeightImport

@Suite struct TorchCheckpointTests {
    private typealias Writer = CheckpointWriter
    private typealias Pickle = CheckpointWriter.Pickle

    /// The fixtures' tensors: element i of each is i / 8 - 1.
    static func expectKnown(
        _ checkpoint: Checkpoint, tolerance: Float = 0, _ location: SourceLocation = #_sourceLocation
    ) {
        let shapes = ["conv.weight": [4, 2, 3], "conv.bias": [4], "fc.weight": [3, 4], "fc.bias": [3]]
        #expect(checkpoint.tensors.mapValues(\.shape) == shapes, sourceLocation: location)
        for (name, tensor) in checkpoint.tensors {
            let values = tensor.values ?? []
            #expect(values.count == shapes[name]?.reduce(1, *), sourceLocation: location)
            for (index, value) in values.enumerated() {
                #expect(abs(value - (Float(index) / 8 - 1)) <= tolerance, "\(name)", sourceLocation: location)
            }
        }
    }

    /// Files that PyTorch itself wrote: a state dict, one among an optimizer's state and numbers, tensors whose storage
    /// has another order, and bfloat16.
    @Test(arguments: ["state.pt", "training.pt", "strided.pt", "bfloat16.pt"])
    func filesOfPyTorch(_ file: String) throws {
        Self.expectKnown(try Checkpoint(bytes: Fixture.checkpoint(file), fileExtension: "pt"))
    }

    @Test func wholeModulesOldFilesAndProgramsAreRefused() throws {
        #expect(throws: ImportError.torch(.pickle(.global(module: "__main__", name: "Network")))) {
            try Checkpoint(bytes: Fixture.checkpoint("module.pt"))
        }
        #expect(throws: ImportError.unsupportedFormat(.torchPickle)) {
            try Checkpoint(bytes: Fixture.checkpoint("legacy.pt"))
        }
        let code = GraphSourceTests.Member(name: "archive/code/__torch__.py", data: [1])
        for script in [
            Writer.torch(Pickle.dictionary, storages: [], others: [code]),
            Writer.torch(Pickle.dictionary, storages: [], others: [.init(name: "archive/constants.pkl", data: [1])]),
            GraphSourceTests.archive([.init(name: "archive/data/0", data: []), code]),
        ] {
            #expect(throws: ImportError.unsupportedFormat(.torchScript)) {
                try Checkpoint(bytes: script, fileExtension: "pt")
            }
        }
        #expect(throws: ImportError.torch(.pickleMissing)) {
            try Checkpoint(bytes: GraphSourceTests.archive([.init(name: "a/version", data: [0x33])]))
        }
    }

    // MARK: Pickles

    private func expect(
        _ fault: PickleFault, _ pickle: [UInt8], _ location: SourceLocation = #_sourceLocation
    ) {
        let archive = GraphSourceTests.archive([.init(name: "a/data.pkl", data: pickle)])
        #expect(throws: ImportError.torch(.pickle(fault)), sourceLocation: location) { try Checkpoint(bytes: archive) }
    }

    private func expectValue(_ fault: PickleFault, _ value: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        expect(fault, Pickle.begin + value + Pickle.stop, location)
    }

    /// A pickle that would run a command if it were executed.
    @Test func functionsAreNamedAndNotRun() {
        let attack = Pickle.global("os", "system") + Pickle.mark + Pickle.text("touch /tmp/owned") + Pickle.tuple
        expectValue(.global(module: "os", name: "system"), attack + Pickle.reduce)
        for (module, name) in [
            ("builtins", "eval"), ("__builtin__", "getattr"), ("torch", "load"), ("torch._utils", "_rebuild_tensor"),
            ("torch.jit", "load"), ("collections", "defaultdict"), ("numpy.core.multiarray", "scalar"), ("", ""),
        ] {
            expectValue(.global(module: module, name: name), Pickle.global(module, name))
        }
        #expect(
            ImportError.torch(.pickle(.global(module: "os", name: "system\u{1B}[2J"))).description
                == #"The checkpoint's pickle names os.system\u{1b}[2J, which is not run. Save only the state dict, a "#
                + "dictionary of tensors.")
    }

    /// Every instruction of other protocols and kinds of objects, by its number.
    @Test func otherInstructionsAreRefused() {
        let known: Set<UInt8> = [
            0x28, 0x29, 0x2E, 0x47, 0x4A, 0x4B, 0x4D, 0x4E, 0x51, 0x52, 0x55, 0x58, 0x5D, 0x61, 0x62, 0x63, 0x65, 0x68,
            0x6A, 0x71, 0x72, 0x73, 0x74, 0x75, 0x7D, 0x81, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A,
        ]
        for code in UInt8.min...UInt8.max where !known.contains(code) {
            expect(.opcode(code, offset: 2), Pickle.begin + [code])
        }
    }

    @Test func brokenPicklesAreRefused() {
        expect(.proto(nil), [0x7D, 0x2E])
        expect(.proto(4), [0x80, 4, 0x7D, 0x2E])
        expect(.ended, [])
        expect(.ended, Pickle.begin)
        expect(.ended, Pickle.begin + Pickle.dictionary)
        expect(.ended, Pickle.begin + [0x58, 0xFF, 0xFF, 0xFF, 0xFF, 0x61])
        expect(.ended, Pickle.begin + Array("ctorch\nFloatStorage".utf8))
        expect(.operand(offset: 2), Pickle.begin + Pickle.stop)
        expect(.trailingBytes(3), Pickle.begin + Pickle.dictionary + Pickle.stop + [1, 2, 3])
        // Two values are left, or a mark.
        expectValue(.operand(offset: 4), Pickle.dictionary + Pickle.dictionary)
        expectValue(.operand(offset: 4), Pickle.mark + Pickle.dictionary)
        // What is below a mark is not an operand.
        expectValue(.operand(offset: 4), Pickle.emptyTuple + Pickle.mark + [0x85])
        expectValue(.operand(offset: 2), Pickle.reduce)
        expectValue(.operand(offset: 2), Pickle.tuple)
        expectValue(.operand(offset: 2), [0x71, 0])
        expectValue(.operand(offset: 2), [0x68, 0])
        expectValue(.operand(offset: 2), [0x51])
        // An odd number of keys and values; items of what is no dictionary.
        expectValue(.operand(offset: 5), Pickle.dictionary + Pickle.mark + [0x4E] + Pickle.setItems)
        expectValue(.operand(offset: 5), Pickle.emptyTuple + Pickle.mark + [0x4E] + [0x65])
        expectValue(.operand(offset: 4), Pickle.emptyTuple + [0x4E, 0x62])
        expectValue(.argument(offset: 7), [0x58, 1, 0, 0, 0, 0xFF])
        expectValue(.argument(offset: 3), [0x8A, 9] + [UInt8](repeating: 1, count: 9))
        // Known functions in other ways.
        let ordered = Pickle.global("collections", "OrderedDict")
        expectValue(.operand(offset: 28), ordered + [0x4E] + Pickle.reduce)
        let filled = ordered + [0x4E, 0x85] + Pickle.reduce
        expectValue(.call("collections.OrderedDict", offset: 29), filled)
        let storage = Pickle.global("torch", "FloatStorage") + Pickle.emptyTuple + Pickle.reduce
        expectValue(.call("torch.FloatStorage", offset: 23), storage)
        let parameter = Pickle.global("torch._utils", "_rebuild_parameter")
        expectValue(.call("torch._utils._rebuild_parameter", offset: 39), parameter + [0x4E, 0x4E, 0x4E, 0x87, 0x52])
    }

    /// Few bytes must not make many values, marks or much depth.
    @Test func sizesAreLimited() throws {
        expectValue(.tooLarge(.stack), [UInt8](repeating: 0x4E, count: 1 << 16 + 1))
        expectValue(.tooLarge(.marks), [UInt8](repeating: 0x28, count: 1 << 10 + 1))
        let text = CheckpointWriter.little(1 << 16 + 1, 4) + [UInt8](repeating: 0x61, count: 1 << 16 + 1)
        expectValue(.tooLarge(.text), [0x58] + text)
        // A value that is put away under a million numbers, and a tuple of one a million deep.
        let puts = (0...1 << 20).flatMap { key -> [UInt8] in [0x72] + CheckpointWriter.little(key, 4) }
        expectValue(.tooLarge(.memo), [0x4E] + puts)
        expectValue(.tooLarge(.values), [0x4E] + [UInt8](repeating: 0x85, count: 1 << 20))
        // Depth itself does no harm, nor does a dictionary in itself.
        let deep = Pickle.dictionary + [0x4E] + [UInt8](repeating: 0x85, count: 200_000) + [0x4E, 0x73]
        let itself = Pickle.dictionary + [0x71, 0] + Pickle.text("a") + [0x68, 0, 0x73]
        for value in [deep, itself] {
            #expect(throws: ImportError.torch(.noTensors)) { try Checkpoint(bytes: Writer.torch(value, storages: [])) }
        }
    }

    // MARK: State dicts

    @Test func theDictionaryWithTensorsIsFound() throws {
        let one = Pickle.dictionary([("w", Pickle.tensor(Pickle.storage("0", count: 1), shape: [1], strides: [1]))])
        func read(_ value: [UInt8], entry: String? = nil) throws -> Checkpoint {
            try Checkpoint(bytes: Writer.torch(value, storages: [("0", Writer.bytes([5]))]), entry: entry)
        }
        let numbers = Pickle.dictionary([("lr", Pickle.integer(1))])
        let nested = Pickle.dictionary([
            ("epoch", Pickle.integer(1)), ("optimizer", numbers), ("inner", Pickle.dictionary([("state_dict", one)])),
        ])
        for value in [one, Pickle.dictionary([("model", one)]), nested] {
            #expect(try read(value).tensors["w"]?.values == [5])
        }
        let two = Pickle.dictionary([("model", one), ("ema", one)])
        #expect(throws: ImportError.torch(.entry("", available: ["model", "ema"]))) { try read(two) }
        #expect(throws: ImportError.torch(.entry("net", available: ["model", "ema"]))) { try read(two, entry: "net") }
        #expect(try read(two, entry: "ema").tensors["w"]?.values == [5])
        #expect(try read(nested, entry: "inner/state_dict").tensors.count == 1)
        #expect(throws: ImportError.torch(.noTensors)) { try read(numbers) }
        #expect(throws: ImportError.torch(.keyTwice("w"))) {
            try read(Pickle.dictionary([("w", Pickle.integer(1)), ("w", Pickle.integer(2))]))
        }
    }

    @Test func viewsMustLieInTheirStorage() throws {
        func read(
            _ shape: [Int], _ strides: [Int], offset: Int = 0, count: Int = 6, key: String = "0",
            data: [UInt8] = CheckpointWriter.bytes([1, 2, 3, 4, 5, 6])
        ) throws -> [Float]? {
            let tensor = Pickle.tensor(
                Pickle.storage(key, count: count), offset: offset, shape: shape, strides: strides)
            let file = Writer.torch(Pickle.dictionary([("w", tensor)]), storages: [("0", data)])
            return try Checkpoint(bytes: file).tensors["w"]?.values
        }
        #expect(try read([2, 3], [3, 1]) == [1, 2, 3, 4, 5, 6])
        #expect(try read([2, 2], [1, 2], offset: 1) == [2, 4, 3, 5])
        #expect(try read([], [], offset: 5) == [6])
        #expect(try read([0, 3], [3, 1]) == [])
        // A few elements many times are within the storage's number of them.
        #expect(try read([2, 3], [0, 1]) == [1, 2, 3, 1, 2, 3])
        let views: [([Int], [Int], Int)] = [
            ([7], [1], 0), ([6], [1], 1), ([2, 3], [4, 1], 0), ([2], [-1], 1), ([2], [1], -1), ([-2], [1], 0),
            ([2, 3], [1], 0), ([1 << 21, 1], [0, 1], 0), ([2], [Int.max], 1), ([2, 2], [Int.max, Int.max], 0),
            ([1 << 32, 1 << 32], [0, 0], 0), ([0, Int.max], [1, 1], 0), ([Int.max, Int.max], [1, 1], Int.max),
        ]
        for (shape, strides, offset) in views {
            #expect(throws: ImportError.torch(.view(tensor: "w")), "\(shape) \(strides) \(offset)") {
                try read(shape, strides, offset: offset)
            }
        }
        for (key, count, data) in [
            ("1", 6, 24), ("../0", 6, 24), ("0", 5, 24), ("0", 7, 24), ("0", -1, 24), ("0", 6, 23), ("0", Int.max, 24),
        ] {
            #expect(throws: ImportError.torch(.storage(tensor: "w", key: key)), "\(key) \(count) \(data)") {
                try read([1], [1], count: count, key: key, data: [UInt8](repeating: 0, count: data))
            }
        }
    }

    /// Many views of one storage are limited together.
    @Test func viewsAreLimitedTogether() {
        let count = 1 << 20
        let view = Pickle.tensor(Pickle.storage("0", type: "HalfStorage", count: count), shape: [count], strides: [1])
        // The tensor is made once and named often.
        let items = (0..<65).map { Pickle.text("\($0)") + [0x68, 9] }
        let file = Writer.torch(
            Pickle.dictionary + Pickle.mark + Pickle.text("first") + view + [0x71, 9] + items.flatMap { $0 }
                + Pickle.setItems, storages: [("0", [UInt8](repeating: 0, count: 2 * count))])
        #expect(throws: ImportError.tooManyElements(limit: 64 << 20)) { try Checkpoint(bytes: file) }
    }

    @Test func typesAndByteOrders() throws {
        func read(_ type: String, _ data: [UInt8], byteOrder: String? = nil) throws -> Checkpoint.Tensor? {
            let tensor = Pickle.tensor(Pickle.storage("0", type: type, count: 2), shape: [2], strides: [1])
            let file = Writer.torch(Pickle.dictionary([("w", tensor)]), storages: [("0", data)], byteOrder: byteOrder)
            return try Checkpoint(bytes: file).tensors["w"]
        }
        #expect(try read("HalfStorage", [0, 0x3C, 0, 0xB8])?.values == [1, -0.5])
        #expect(try read("HalfStorage", [0x3C, 0, 0xB8, 0], byteOrder: "big")?.values == [1, -0.5])
        #expect(try read("BFloat16Storage", [0x80, 0x3F, 0, 0xBF], byteOrder: "little")?.values == [1, -0.5])
        for (type, size) in [("LongStorage", 8), ("IntStorage", 4), ("ShortStorage", 2), ("BoolStorage", 1)] {
            let tensor = try read(type, [UInt8](repeating: 0, count: 2 * size))
            #expect(tensor?.values == nil && tensor?.type == type)
        }
        #expect(throws: ImportError.torch(.byteOrder)) { try read("CharStorage", [0, 0], byteOrder: "middle") }
    }
}
