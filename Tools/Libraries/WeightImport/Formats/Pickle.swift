/// The value that a pickle of PyTorch's describes.
///
/// The pickle is interpreted, never executed: its instructions make nodes of data, and the few classes and functions of
/// state dicts (`PickleGlobal`) are names without code. Objects of any other class are names without content; other
/// instructions are refused. Nodes lie in one list
/// and refer to each other by index, so neither a deep value nor one that contains itself needs recursion.
struct Pickle {
    enum Node: Equatable {
        case none
        case boolean(Bool)
        case integer(Int)
        case float(Double)
        case text(String)
        case tuple([Int])
        case list([Int])
        /// In the order of insertion; a key may occur twice.
        case dictionary([Entry])
        case global(PickleGlobal)
        /// A class or function that state dicts do not need, or what a pickle makes with it: a name without content.
        case foreign(ForeignName)
        case storage(Storage)
        case tensor(TensorView)
    }

    struct Entry: Equatable {
        let key: Int
        let value: Int
    }

    struct ForeignName: Equatable {
        let module: String
        let name: String
    }

    /// The elements that tensors look at: one member of the archive.
    struct Storage: Equatable {
        let type: PickleGlobal.StorageType
        let key: String
        let count: Int
    }

    struct TensorView: Equatable {
        let storage: Storage
        let offset: Int
        let shape: [Int]
        let strides: [Int]
    }

    private(set) var nodes: [Node] = []
    /// The index of the value itself.
    private(set) var root = 0
    /// The first class or function that state dicts do not need.
    private(set) var firstForeign: ForeignName?

    static let nodeLimit = 1 << 20
    static let stackLimit = 1 << 16
    static let markLimit = 1 << 10
    static let memoLimit = 1 << 20
    static let textLimit = 1 << 16

    private var stack: [Int] = []
    /// Depths of the stack.
    private var marks: [Int] = []
    private var memo: [Int: Int] = [:]
    private var reader: PickleReader

    init(_ bytes: ArraySlice<UInt8>) throws(PickleFault) {
        reader = PickleReader(bytes)
        guard try reader.byte() == PickleOpcode.proto.rawValue else { throw .proto(nil) }
        let version = try reader.byte()
        guard version == 2 else { throw .proto(Int(version)) }
        while true {
            let offset = reader.offset
            let code = try reader.byte()
            guard let opcode = PickleOpcode(rawValue: code) else { throw .opcode(code, offset: offset) }
            guard opcode != .stop else { break }
            try run(opcode, at: offset)
        }
        guard stack.count == 1, marks.isEmpty else { throw .operand(offset: reader.offset - 1) }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        root = stack[0]
    }

    // MARK: Instructions

    private mutating func run(_ opcode: PickleOpcode, at offset: Int) throws(PickleFault) {
        switch opcode {
        case .proto, .stop: throw .opcode(opcode.rawValue, offset: offset)
        case .mark:
            guard marks.count < Self.markLimit else { throw .tooLarge(.marks) }
            marks.append(stack.count)
        case .none: try push(.none)
        case .newTrue: try push(.boolean(true))
        case .newFalse: try push(.boolean(false))
        case .integer1: try push(.integer(Int(try reader.number(1))))
        case .integer2: try push(.integer(Int(try reader.number(2))))
        case .integer:
            try push(.integer(Int(Int32(truncatingIfNeeded: try reader.number(4)))))
        case .long1: try push(.integer(try reader.long()))
        case .binaryFloat: try push(.float(Double(bitPattern: try reader.number(8).byteSwapped)))
        case .unicode: try push(.text(try reader.text(Int(try reader.number(4)))))
        case .shortString: try push(.text(try reader.text(Int(try reader.number(1)))))
        case .emptyTuple: try push(.tuple([]))
        case .emptyList: try push(.list([]))
        case .emptyDictionary: try push(.dictionary([]))
        case .tuple: try push(.tuple(try popToMark(offset)))
        case .tuple1: try push(.tuple(try pop(1, offset)))
        case .tuple2: try push(.tuple(try pop(2, offset)))
        case .tuple3: try push(.tuple(try pop(3, offset)))
        case .append: try append(try pop(1, offset), offset)
        case .appends: try append(try popToMark(offset), offset)
        case .setItem: try set(try pop(2, offset), offset)
        case .setItems: try set(try popToMark(offset), offset)
        case .put: try store(Int(try reader.number(1)), offset)
        case .longPut: try store(Int(try reader.number(4)), offset)
        case .get: try recall(Int(try reader.number(1)), offset)
        case .longGet: try recall(Int(try reader.number(4)), offset)
        case .global:
            let (module, name) = try reader.global()
            if let global = PickleGlobal(module: module, name: name) {
                try push(.global(global))
            } else {
                let foreign = ForeignName(module: module, name: name)
                firstForeign = firstForeign ?? foreign
                try push(.foreign(foreign))
            }
        case .persistentID: try push(try storage(try pop(1, offset)[0], offset))
        case .reduce, .newObject:
            let operands = try pop(2, offset)
            try call(operands[0], arguments: operands[1], makesObject: opcode == .newObject, offset)
        case .build:
            // Dictionaries of state dicts have attributes, such as the versions of their modules, which are not needed.
            _ = try pop(1, offset)
            // Nor is the content of other objects.
            guard let target = stack.last else { throw .operand(offset: offset) }
            switch nodes[target] {
            case .dictionary, .foreign: break
            default: throw .operand(offset: offset)
            }
        }
    }

    private mutating func push(_ node: Node) throws(PickleFault) {
        guard nodes.count < Self.nodeLimit else { throw .tooLarge(.values) }
        nodes.append(node)
        try push(index: nodes.count - 1)
    }

    private mutating func push(index: Int) throws(PickleFault) {
        guard stack.count < Self.stackLimit else { throw .tooLarge(.stack) }
        stack.append(index)
    }

    /// The last values of the stack, which must lie above its last mark.
    private mutating func pop(_ count: Int, _ offset: Int) throws(PickleFault) -> [Int] {
        guard stack.count - (marks.last ?? 0) >= count else { throw .operand(offset: offset) }
        defer { stack.removeLast(count) }
        return Array(stack.suffix(count))
    }

    private mutating func popToMark(_ offset: Int) throws(PickleFault) -> [Int] {
        guard let mark = marks.popLast() else { throw .operand(offset: offset) }
        defer { stack.removeLast(stack.count - mark) }
        return Array(stack[mark...])
    }

    private mutating func append(_ values: [Int], _ offset: Int) throws(PickleFault) {
        guard let target = stack.last else { throw .operand(offset: offset) }
        if case .foreign = nodes[target] { return }
        guard case .list(var items) = nodes[target] else { throw .operand(offset: offset) }
        // Otherwise the list would be copied.
        nodes[target] = .none
        items += values
        nodes[target] = .list(items)
    }

    private mutating func set(_ values: [Int], _ offset: Int) throws(PickleFault) {
        guard let target = stack.last, values.count.isMultiple(of: 2) else { throw .operand(offset: offset) }
        // An object with items is a kind of dictionary.
        if case .foreign = nodes[target] { nodes[target] = .dictionary([]) }
        guard case .dictionary(var entries) = nodes[target] else { throw .operand(offset: offset) }
        nodes[target] = .none
        for index in stride(from: 0, to: values.count, by: 2) {
            entries.append(Entry(key: values[index], value: values[index + 1]))
        }
        nodes[target] = .dictionary(entries)
    }

    private mutating func store(_ key: Int, _ offset: Int) throws(PickleFault) {
        guard let value = stack.last, stack.count > (marks.last ?? 0) else { throw .operand(offset: offset) }
        guard memo.count < Self.memoLimit else { throw .tooLarge(.memo) }
        memo[key] = value
    }

    private mutating func recall(_ key: Int, _ offset: Int) throws(PickleFault) {
        guard let value = memo[key] else { throw .operand(offset: offset) }
        try push(index: value)
    }

    // MARK: Classes and functions

    private mutating func call(
        _ callee: Int, arguments: Int, makesObject: Bool, _ offset: Int
    ) throws(PickleFault) {
        guard case .tuple(let values) = nodes[arguments] else { throw .operand(offset: offset) }
        if case .foreign(let foreign) = nodes[callee] {
            // The type of a tensor of a newer one says more than its function.
            let type = foreign.name == "_rebuild_tensor_v3" && values.count > 6 ? nodes[values[6]] : nodes[callee]
            if case .foreign = type { try push(type) } else { try push(.foreign(foreign)) }
            return
        }
        guard case .global(let global) = nodes[callee] else { throw .operand(offset: offset) }
        switch global {
        case .orderedDictionary where values.isEmpty: try push(.dictionary([]))
        case .rebuildTensor where !makesObject && (6...7).contains(values.count):
            if case .foreign = nodes[values[0]] {
                try push(index: values[0])
                return
            }
            guard case .storage(let storage) = nodes[values[0]], case .integer(let start) = nodes[values[1]],
                let shape = integers(values[2]), let strides = integers(values[3])
            else { throw .call(global.name, offset: offset) }
            try push(.tensor(TensorView(storage: storage, offset: start, shape: shape, strides: strides)))
        case .rebuildParameter where !makesObject && (3...4).contains(values.count):
            switch nodes[values[0]] {
            case .tensor, .foreign: try push(index: values[0])
            default: throw .call(global.name, offset: offset)
            }
        default: throw .call(global.name, offset: offset)
        }
    }

    /// The numbers of a tuple of at most as many as a shape may have.
    private func integers(_ index: Int) -> [Int]? {
        guard case .tuple(let items) = nodes[index], items.count <= CheckpointLimit.rank else { return nil }
        var numbers: [Int] = []
        for item in items {
            guard case .integer(let number) = nodes[item] else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// The storage that `('storage', type, key, location, count)` names; the type itself if it is not read.
    private func storage(_ index: Int, _ offset: Int) throws(PickleFault) -> Node {
        guard case .tuple(let items) = nodes[index], items.count == 5, case .text("storage") = nodes[items[0]] else {
            throw .operand(offset: offset)
        }
        if case .foreign = nodes[items[1]] { return nodes[items[1]] }
        guard case .global(.storage(let type)) = nodes[items[1]], case .text(let key) = nodes[items[2]],
            case .text = nodes[items[3]], case .integer(let count) = nodes[items[4]]
        else { throw .operand(offset: offset) }
        return .storage(Storage(type: type, key: key, count: count))
    }
}

/// The bytes of a pickle, instruction by instruction.
private struct PickleReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var offset: Int { position - bytes.startIndex }
    var left: Int { bytes.endIndex - position }

    mutating func byte() throws(PickleFault) -> UInt8 {
        guard position < bytes.endIndex else { throw .ended }
        defer { position += 1 }
        return bytes[position]
    }

    /// A little-endian number without sign of at most 8 bytes.
    mutating func number(_ width: Int) throws(PickleFault) -> UInt64 {
        guard left >= width else { throw .ended }
        defer { position += width }
        return (0..<width).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
    }

    /// A number with sign, of as many bytes as the first one says.
    mutating func long() throws(PickleFault) -> Int {
        let start = offset
        let width = Int(try byte())
        guard width <= 8 else { throw .argument(offset: start) }
        let value = try number(width)
        guard width > 0, width < 8 else { return Int(truncatingIfNeeded: value) }
        let isNegative = value >> UInt64(8 * width - 1) == 1
        return Int(truncatingIfNeeded: value) - (isNegative ? 1 << (8 * width) : 0)
    }

    mutating func text(_ count: Int) throws(PickleFault) -> String {
        guard count <= left else { throw .ended }
        guard count <= Pickle.textLimit else { throw .tooLarge(.text) }
        guard let text = String(validating: bytes[position..<position + count], as: UTF8.self) else {
            throw .argument(offset: offset)
        }
        position += count
        return text
    }

    /// The module and the name of a class or function.
    mutating func global() throws(PickleFault) -> (module: String, name: String) { (try line(), try line()) }

    /// The text up to the next line end.
    private mutating func line() throws(PickleFault) -> String {
        guard let end = bytes[position...].prefix(Pickle.textLimit).firstIndex(of: 0x0A) else { throw .ended }
        guard let text = String(validating: bytes[position..<end], as: UTF8.self) else {
            throw .argument(offset: offset)
        }
        position = end + 1
        return text
    }
}
