/// The values of a graph that do not depend on its input: its constants, and what operators make of them.
///
/// Exporters leave operators on constants in a graph: weights that are dequantised, cast or turned, and the numbers of
/// shapes and of padding, which are computed in many steps.
struct ONNXConstants {
    private var values: [String: ONNXTensor] = [:]
    /// Elements of what has been computed.
    private var elements = 0

    subscript(name: String) -> ONNXTensor? { values[name] }

    mutating func add(_ tensor: ONNXTensor, as name: String) throws(ONNXFault) {
        guard values.updateValue(tensor, forKey: name) == nil else { throw .nameTwice(name) }
    }

    /// A few operators could make any number of copies of one constant.
    mutating func count(_ tensor: ONNXTensor) throws(ONNXFault) {
        elements += tensor.shape.reduce(1, *)
        guard elements <= 2 * CheckpointLimit.elements else {
            throw .tooMany("elements of weights", limit: 2 * CheckpointLimit.elements)
        }
    }

    /// Computes an operator whose inputs are all constant; false for one that is not, or is not computed here.
    mutating func fold(_ node: ONNXModel.Node) throws(ONNXFault) -> Bool {
        guard let output = node.outputs.first, !output.isEmpty else { return false }
        var inputs: [ONNXTensor?] = []
        for name in node.inputs {
            let tensor = values[name]
            guard tensor != nil || name.isEmpty else {
                // What follows a constant must be constant, too.
                if node.operation == "DequantizeLinear", let first = inputs.first, let first {
                    throw .tensor(first.name, .dequantisation)
                }
                return false
            }
            inputs.append(tensor)
        }
        guard let result = try ONNXConstantOperator(node, inputs).result() else { return false }
        try count(result)
        try add(result, as: output)
        return true
    }
}

/// An operator on constants.
private struct ONNXConstantOperator {
    /// Elements of a constant of one value: these are numbers of shapes.
    private static let filledLimit = 1 << 10

    private let node: ONNXModel.Node
    private let inputs: [ONNXTensor?]

    init(_ node: ONNXModel.Node, _ inputs: [ONNXTensor?]) { (self.node, self.inputs) = (node, inputs) }

    /// Nil for an operator that is not computed, or for inputs that it does not take.
    func result() throws(ONNXFault) -> ONNXTensor? {
        if node.operation == "Constant" { return node.value?.named(node.outputs[0]) }
        guard let first = inputs.first, let first else { return nil }
        switch node.operation {
        case "Identity": return first.named(node.outputs[0])
        case "Cast": return first.cast(to: node.integers["to"] ?? 0)
        case "DequantizeLinear": return try dequantised(first)
        case "QuantizeLinear": return quantised(first)
        case "Transpose":
            let order = node.lists["perm"] ?? Array(first.shape.indices.reversed())
            return order.sorted() == Array(first.shape.indices) ? first.transposed(order) : nil
        case "Reshape", "Flatten", "Squeeze", "Unsqueeze": return shape(of: first).map { first.reshaped($0) }
        case "Shape":
            return ONNXTensor(name: node.name, shape: [first.shape.count], integers: first.shape)
        case "ConstantOfShape":
            guard let shape = first.integers.map({ $0.map(Int.init) }), shape.count <= CheckpointLimit.rank,
                CheckpointLimit.elementCount(shape, limit: Self.filledLimit) != nil
            else { return nil }
            if let integer = node.value?.integers?.first {
                return ONNXTensor(name: node.name, shape: [], integers: [Int(integer)]).repeated(shape)
            }
            return ONNXTensor(name: node.name, shape: [], floats: [node.value?.floats?.first ?? 0]).repeated(shape)
        case "Concat": return joined()
        case "Gather": return gathered(first)
        case "Slice": return sliced(first)
        case "Add", "Sub", "Mul", "Div": return combined(first)
        default: return nil
        }
    }

    private func numbers(_ index: Int) -> [Int]? {
        guard index < inputs.count else { return nil }
        return inputs[index]?.integers.map { $0.map(Int.init) }
    }

    /// The axes of an attribute or, since operator set 13, of an input.
    private var axes: [Int]? { node.lists["axes"] ?? numbers(1) }

    private func shape(of tensor: ONNXTensor) -> [Int]? {
        let shape = tensor.shape
        switch node.operation {
        case "Flatten":
            let axis = node.integers["axis"] ?? 1
            let index = axis < 0 ? axis + shape.count : axis
            guard (0...shape.count).contains(index) else { return nil }
            return [shape[..<index].reduce(1, *), shape[index...].reduce(1, *)]
        case "Squeeze": return ONNXShape.squeezed(shape, axes) { $0 == 1 }
        case "Unsqueeze": return axes.flatMap { ONNXShape.unsqueezed(shape, $0, unit: 1) }
        default:
            guard var target = node.lists["shape"] ?? numbers(1), target.count <= CheckpointLimit.rank else {
                return nil
            }
            let copies = node.integers["allowzero"] ?? 0 == 0
            for index in target.indices where target[index] == 0 && copies {
                guard shape.indices.contains(index) else { return nil }
                target[index] = shape[index]
            }
            let open = target.indices.filter { target[$0] == -1 }
            guard open.count <= 1, let count = CheckpointLimit.elementCount(target.filter { $0 != -1 }) else {
                return nil
            }
            let all = shape.reduce(1, *)
            if let index = open.first {
                guard count > 0, all.isMultiple(of: count) else { return nil }
                target[index] = all / count
            }
            return target.reduce(1, *) == all ? target : nil
        }
    }

    // MARK: Quantised values

    private func dequantised(_ tensor: ONNXTensor) throws(ONNXFault) -> ONNXTensor {
        guard inputs.count > 1, let scale = inputs[1], node.integers["block_size"] ?? 0 == 0 else {
            throw .tensor(tensor.name, .dequantisation)
        }
        let suffix = "_quantized"
        let name = tensor.name.hasSuffix(suffix) ? String(tensor.name.dropLast(suffix.count)) : tensor.name
        return try tensor.dequantised(
            scale: scale, zeroPoint: inputs.count > 2 ? inputs[2] : nil, axis: node.integers["axis"] ?? 1
        ).named(name)
    }

    private func quantised(_ tensor: ONNXTensor) -> ONNXTensor? {
        guard node.integers["block_size"] ?? 0 == 0, inputs.count > 1, let scale = inputs[1] else { return nil }
        return tensor.quantised(
            scale: scale, zeroPoint: inputs.count > 2 ? inputs[2] : nil, axis: node.integers["axis"] ?? 1)
    }

    // MARK: Numbers of shapes

    private func joined() -> ONNXTensor? {
        var numbers: [Int] = []
        for input in inputs {
            guard let input, input.shape.count == 1, let integers = input.integers else { return nil }
            numbers += integers.map(Int.init)
        }
        return ONNXTensor(name: node.name, shape: [numbers.count], integers: numbers)
    }

    private func gathered(_ tensor: ONNXTensor) -> ONNXTensor? {
        guard node.integers["axis"] ?? 0 == 0, tensor.shape.count == 1, let values = tensor.integers, inputs.count > 1,
            let indices = inputs[1]?.integers, let shape = inputs[1]?.shape
        else { return nil }
        var numbers: [Int] = []
        for index in indices.map(Int.init) {
            let place = index < 0 ? index + values.count : index
            guard values.indices.contains(place) else { return nil }
            numbers.append(Int(values[place]))
        }
        return ONNXTensor(name: node.name, shape: shape, integers: numbers)
    }

    private func sliced(_ tensor: ONNXTensor) -> ONNXTensor? {
        guard let slice = ONNXSlice(node, inputs: inputs), slice.axes.allSatisfy({ $0 < tensor.shape.count }) else {
            return nil
        }
        var (shape, strides, offset) = (tensor.shape, FloatElements.rowMajor(tensor.shape), 0)
        for index in slice.starts.indices {
            let axis = slice.axes[index] < 0 ? slice.axes[index] + shape.count : slice.axes[index]
            guard shape.indices.contains(axis) else { return nil }
            let range = slice.range(index, size: shape[axis])
            offset += range.first * strides[axis]
            strides[axis] *= slice.steps[index]
            shape[axis] = range.count
        }
        return tensor.strided(shape, offset: offset, strides: strides)
    }

    private func combined(_ first: ONNXTensor) -> ONNXTensor? {
        guard inputs.count == 2, let second = inputs[1] else { return nil }
        // One of both has the result's shape.
        guard let shape = ONNXShape.broadcast(first.shape, second.shape), shape == first.shape || shape == second.shape
        else { return nil }
        let (a, b) = (first.repeated(shape), second.repeated(shape))
        let name = first.shape == shape ? first.name : second.name
        if let x = a.integers, let y = b.integers {
            let numbers = zip(x, y).map { (x, y) -> Int in
                switch node.operation {
                case "Add": Int(x) + Int(y)
                case "Sub": Int(x) - Int(y)
                case "Mul": Int(x) * Int(y)
                default: y == 0 ? 0 : Int(x) / Int(y)
                }
            }
            return ONNXTensor(name: name, shape: shape, integers: numbers)
        }
        guard let x = a.floats, let y = b.floats else { return nil }
        let values = zip(x, y).map { (x, y) -> Float in
            switch node.operation {
            case "Add": x + y
            case "Sub": x - y
            case "Mul": x * y
            default: x / y
            }
        }
        return ONNXTensor(name: name, shape: shape, floats: values)
    }
}

/// The arithmetic of shapes, of numbers or of what stands for them.
enum ONNXShape {
    /// Without the dimensions of these axes, or without all that are `isUnit`; nil for axes that are not.
    static func squeezed<T>(_ shape: [T], _ axes: [Int]?, isUnit: (T) -> Bool) -> [T]? {
        let removed = axes?.map { $0 < 0 ? $0 + shape.count : $0 } ?? shape.indices.filter { isUnit(shape[$0]) }
        guard removed.allSatisfy({ shape.indices.contains($0) && isUnit(shape[$0]) }) else { return nil }
        return shape.indices.filter { !removed.contains($0) }.map { shape[$0] }
    }

    /// With dimensions of 1 at these places of the result.
    static func unsqueezed<T>(_ shape: [T], _ axes: [Int], unit: T) -> [T]? {
        let rank = shape.count + axes.count
        guard rank <= CheckpointLimit.rank else { return nil }
        var result = shape
        for axis in axes.map({ $0 < 0 ? $0 + rank : $0 }).sorted() {
            guard (0...result.count).contains(axis) else { return nil }
            result.insert(unit, at: axis)
        }
        return result
    }

    static func broadcast(_ first: [Int], _ second: [Int]) -> [Int]? {
        let rank = max(first.count, second.count)
        let padded = [first, second].map { [Int](repeating: 1, count: rank - $0.count) + $0 }
        var shape: [Int] = []
        for (a, b) in zip(padded[0], padded[1]) {
            guard a == b || a == 1 || b == 1 else { return nil }
            shape.append(a == 1 ? b : a)
        }
        return shape
    }
}

/// What Slice takes, from its attributes or, since operator set 10, its inputs.
struct ONNXSlice {
    let starts: [Int]
    let ends: [Int]
    let axes: [Int]
    let steps: [Int]

    /// Nil if a number is not constant, or the lists do not fit each other.
    init?(_ node: ONNXModel.Node, inputs: [ONNXTensor?]) {
        func numbers(_ name: String, _ index: Int) -> [Int]? {
            node.lists[name] ?? (index < inputs.count ? inputs[index]?.integers.map { $0.map(Int.init) } : nil)
        }
        guard let starts = numbers("starts", 1), let ends = numbers("ends", 2) else { return nil }
        // A name whose value is not constant is no missing input.
        for index in 3..<max(3, node.inputs.count) where !node.inputs[index].isEmpty {
            guard index < inputs.count, inputs[index] != nil else { return nil }
        }
        self.starts = starts
        self.ends = ends
        axes = numbers("axes", 3) ?? Array(starts.indices)
        steps = numbers("steps", 4) ?? starts.map { _ in 1 }
        guard ends.count == starts.count, axes.count == starts.count, steps.count == starts.count,
            !steps.contains(0)
        else { return nil }
    }

    /// The first element and the number of elements that remain of `size`.
    func range(_ index: Int, size: Int) -> (first: Int, count: Int) {
        let step = steps[index]
        func place(_ value: Int) -> Int {
            let place = value < 0 ? value + size : value
            return step > 0 ? min(max(place, 0), size) : min(max(place, -1), size - 1)
        }
        let (first, end) = (place(starts[index]), place(ends[index]))
        let count = step > 0 ? (end - first + step - 1) / step : (first - end - step - 1) / -step
        return (max(first, 0), max(count, 0))
    }
}
