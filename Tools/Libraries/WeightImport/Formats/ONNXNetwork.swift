import Network
import Vocabulary

/// The network that an ONNX graph computes, found by a walk from its input to its output.
///
/// Every operator must be one of the network's, in its place, or have no effect on the logits. So a weight's place in the
/// network does not depend on its name.
struct ONNXNetwork {
    private(set) var places = NetworkPlaces()

    private let constants: ONNXWeights
    private let neededNodes: [(index: Int, node: ONNXModel.Node)]
    private let inputs: [String: ONNXModel.Input]
    private var signals: [String: ONNXSignal] = [:]
    /// Shapes of values, which operators on shapes take.
    private var shapes: [String: [ONNXSize]] = [:]
    private var inputName: String?
    /// Number of values along a factor of an axis; nil if it is not fixed.
    private var sizes: [Int?] = []
    private var frontEnd = FrontEnd.landmarks
    private var classCount = 0

    /// Operators that may stand between Pad and its convolution, and both of them.
    private static let passesPads: Set = [
        "Conv", "Identity", "Cast", "Dropout", "Pad", "QuantizeLinear", "DequantizeLinear",
    ]

    /// Walks to the first output.
    init(_ model: ONNXModel, _ weights: ONNXWeights) throws(ONNXFault) {
        constants = weights
        inputs = Dictionary(model.inputs.map { ($0.name, $0) }) { first, _ in first }
        let output = model.outputs.first ?? model.nodes.last?.outputs.first ?? ""
        var needed: Set = [output]
        var nodes: [(index: Int, node: ONNXModel.Node)] = []
        for (index, node) in model.nodes.enumerated().reversed() where node.outputs.contains(where: needed.contains) {
            needed.formUnion(node.inputs)
            nodes.append((index, node))
        }
        neededNodes = nodes.reversed()
        for (index, node) in neededNodes where node.outputs.first.map({ constants.constants[$0] == nil }) ?? true {
            var step = ONNXStep(node: node, index: index)
            try walk(&step)
        }
        guard let end = signals[output], end.stage == .products || end.stage == .logits else {
            throw .otherNetwork(
                OtherNetwork(
                    operation: "", node: output,
                    difference: .instead(of: signals[output].map(expected) ?? expected(ONNXSignal()))))
        }
        if end.stage == .products { places.zeros["fc.bias"] = classCount }
    }

    /// The layers of `frontEnd`; the last may be missing.
    private var convolutions: [LayerSpec] { frontEnd.longestConvolutions }

    private func expected(_ signal: ONNXSignal) -> ExpectedOperator {
        switch signal.stage {
        case .sums, .normalised: .activation(convolutions[signal.layers - 1].name)
        case .products, .logits: .end
        case .input, .activated:
            frontEnd.isComplete(signal.layers) || signal.layers == convolutions.count
                ? .classifier : .convolution(convolutions[signal.layers].name)
        }
    }

    // MARK: Operators

    private mutating func walk(_ step: inout ONNXStep) throws(ONNXFault) {
        let node = step.node
        let names = node.inputs.filter { !$0.isEmpty && constants.constants[$0] == nil && shapes[$0] == nil }
        guard let name = names.first else {
            guard foldShape(node) else { throw step.fault(.constantOperator) }
            return
        }
        guard names.count == 1 else {
            throw step.fault(names.first { signals[$0] == nil }.map { .secondInput($0) } ?? .combination)
        }
        guard var signal = signal(name) else { throw step.fault(.secondInput(name)) }
        step.input = node.inputs.firstIndex(of: name) ?? 0
        if signal.quantisation != nil, !["DequantizeLinear", "Identity"].contains(node.operation), !step.isReshaping {
            throw step.fault(.quantisation)
        }
        // Zeros of Pad belong to the convolution behind it.
        if !signal.pads.isEmpty, !Self.passesPads.contains(node.operation) {
            throw step.fault(.instead(of: expected(signal)))
        }
        switch node.operation {
        case "Identity": break
        case "Dropout": try passDropout(signal, step)
        case "Cast":
            guard [1, 10, 11, 16].contains(node.integers["to"] ?? 0) else { throw unexpected(signal, step) }
        case "Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze": try reshape(&signal, step)
        case "Shape":
            shapes[node.outputs.first ?? ""] = signal.axes.map { factors in
                let known = factors.compactMap { sizes[$0] }
                let count = known.count == factors.count ? CheckpointLimit.elementCount(known) : nil
                return count.map { .number($0) } ?? .factors(factors)
            }
            return
        case "Pad": try pad(&signal, step)
        case "Slice": try slice(&signal, step)
        case "Gather": try gather(&signal, step)
        case "Conv": try convolve(&signal, step)
        case "BatchNormalization": try normalise(&signal, step)
        case "Clip", "Relu", "Min", "Max": try bound(&signal, step)
        case "Gemm", "MatMul": try multiply(&signal, step)
        case "Add": try addBias(&signal, step)
        case "Mul", "Div": try scaleInput(&signal, step)
        case "QuantizeLinear", "DequantizeLinear": try quantise(&signal, step)
        default: throw unexpected(signal, step)
        }
        guard let output = node.outputs.first else { return }
        signals[output] = signal
    }

    private func unexpected(_ signal: ONNXSignal, _ step: ONNXStep) -> ONNXFault {
        // An incomplete activation is what differs, not what follows it.
        if signal.stage == .sums || signal.stage == .normalised, let bound = signal.bound {
            return bound.fault(
                .bounds(low: signal.low, high: signal.high, layer: convolutions[signal.layers - 1].name))
        }
        return step.fault(.instead(of: expected(signal)))
    }

    /// The value of this name. The first one that nothing computes is the graph's input; nil for a second one.
    private mutating func signal(_ name: String) -> ONNXSignal? {
        if let signal = signals[name] { return signal }
        guard inputName == nil else { return nil }
        inputName = name
        let input = inputs[name]
        var signal = ONNXSignal()
        // Types of integers, by number.
        signal.isInteger = [2, 3, 4, 5, 6, 7, 12, 13].contains(input?.type ?? 1)
        signal.axes = input?.shape?.map { $0 == 1 ? [] : [factor($0)] } ?? []
        signals[name] = signal
        return signal
    }

    private mutating func factor(_ size: Int?) -> Int {
        sizes.append(size)
        return sizes.count - 1
    }

    private func constant(_ step: ONNXStep, _ index: Int) -> ONNXTensor? {
        index < step.node.inputs.count ? constants.constants[step.node.inputs[index]] : nil
    }

    private func number(_ step: ONNXStep, _ index: Int, _ name: String) -> Float? {
        if let value = step.node.floats[name] { return value }
        guard let tensor = constant(step, index), tensor.shape.reduce(1, *) == 1 else { return nil }
        return tensor.floats?.first ?? tensor.integers?.first.map { Float($0) }
    }

    private func passDropout(_ signal: ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        let isTraining = step.node.inputs.count > 2 && !step.node.inputs[2].isEmpty
        guard !isTraining || constant(step, 2)?.integers == [0] else { throw unexpected(signal, step) }
    }

    // MARK: Shapes

    /// Passes on the sizes of a value, which shape operators take; false for another operator.
    private mutating func foldShape(_ node: ONNXModel.Node) -> Bool {
        guard let output = node.outputs.first else { return false }
        switch node.operation {
        case "Identity", "Cast", "Unsqueeze", "Squeeze": shapes[output] = node.inputs.first.flatMap { shapes[$0] }
        case "Gather":
            guard node.inputs.count == 2, let first = shapes[node.inputs[0]],
                let indices = constants.constants[node.inputs[1]]?.integers?.map({ Int($0) })
            else { return false }
            let places = indices.map { $0 < 0 ? $0 + first.count : $0 }
            guard places.allSatisfy(first.indices.contains) else { return false }
            shapes[output] = places.map { first[$0] }
        case "Slice":
            guard let first = shapes[node.inputs[0]],
                let slice = ONNXSlice(node, inputs: node.inputs.map { constants.constants[$0] }), slice.steps == [1]
            else { return false }
            let range = slice.range(0, size: first.count)
            shapes[output] = Array(first.dropFirst(range.first).prefix(range.count))
        case "Concat":
            let parts = node.inputs.map { sizes(named: $0) }
            guard parts.allSatisfy({ $0 != nil }) else { return false }
            shapes[output] = parts.flatMap { $0 ?? [] }
        default: return false
        }
        return shapes[output] != nil
    }

    /// Sizes that a shape operator takes, constant or those of a value.
    private func sizes(named name: String) -> [ONNXSize]? {
        shapes[name] ?? constants.constants[name]?.integers?.map { .number(Int($0)) }
    }

    private mutating func reshape(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        let node = step.node
        guard step.input == 0, let axes = newAxes(signal, node) else { throw step.fault(.layout(expected(signal))) }
        signal.axes = axes
    }

    private mutating func newAxes(_ signal: ONNXSignal, _ node: ONNXModel.Node) -> [[Int]]? {
        let axes = signal.axes
        func numbers(_ name: String) -> [Int]? {
            node.lists[name]
                ?? (node.inputs.count > 1 ? constants.constants[node.inputs[1]]?.integers?.map { Int($0) } : nil)
        }
        switch node.operation {
        case "Transpose":
            let order = node.lists["perm"] ?? Array(axes.indices.reversed())
            return order.sorted() == Array(axes.indices) ? order.map { axes[$0] } : nil
        case "Squeeze": return ONNXShape.squeezed(axes, numbers("axes")) { $0.isEmpty }
        case "Unsqueeze": return numbers("axes").flatMap { ONNXShape.unsqueezed(axes, $0, unit: []) }
        case "Flatten":
            let axis = node.integers["axis"] ?? 1
            let index = axis < 0 ? axis + axes.count : axis
            guard (0...axes.count).contains(index) else { return nil }
            return [axes[..<index].flatMap(\.self), axes[index...].flatMap(\.self)]
        default:
            let input = node.inputs.count > 1 ? sizes(named: node.inputs[1]) : nil
            guard let target = node.lists["shape"]?.map({ ONNXSize.number($0) }) ?? input else { return nil }
            return reshaped(axes, target, copiesZeros: node.integers["allowzero"] ?? 0 == 0)
        }
    }

    /// The axes of a row-major value in another shape: factors are joined, or split where a size demands it.
    private mutating func reshaped(_ axes: [[Int]], _ target: [ONNXSize], copiesZeros: Bool) -> [[Int]]? {
        guard target.count <= CheckpointLimit.rank else { return nil }
        var rest = axes.flatMap(\.self)[...]
        var result = [[Int]](repeating: [], count: target.count)
        let open = target.firstIndex(of: .number(-1)) ?? target.count
        for index in target.indices.prefix(open) {
            guard let taken = take(target[index], copiesZeros ? axes : [], index, &rest, fromEnd: false) else {
                return nil
            }
            result[index] = taken
        }
        for index in target.indices.suffix(max(target.count - open - 1, 0)).reversed() {
            guard let taken = take(target[index], copiesZeros ? axes : [], index, &rest, fromEnd: true) else {
                return nil
            }
            result[index] = taken
        }
        if open < target.count { result[open] = Array(rest) } else if !rest.isEmpty { return nil }
        return result
    }

    /// Takes the factors of a dimension of this size from an end of the rest.
    private mutating func take(
        _ wanted: ONNXSize, _ axes: [[Int]], _ index: Int, _ rest: inout ArraySlice<Int>, fromEnd: Bool
    ) -> [Int]? {
        let size: Int
        switch wanted {
        case .number(let number) where number != 0: size = number
        default:
            var copied = axes.indices.contains(index) ? axes[index] : nil
            if case .factors(let factors) = wanted { copied = factors }
            guard let copied,
                fromEnd ? rest.suffix(copied.count) == copied[...] : rest.prefix(copied.count) == copied[...]
            else { return nil }
            if fromEnd { rest.removeLast(copied.count) } else { rest.removeFirst(copied.count) }
            return copied
        }
        guard size > 0 else { return nil }
        var (taken, left) = ([Int](), size)
        while left > 1 {
            guard let next = fromEnd ? rest.last : rest.first, let count = sizes[next] else { return nil }
            if fromEnd { rest.removeLast() } else { rest.removeFirst() }
            if left.isMultiple(of: count) {
                taken.insert(next, at: fromEnd ? 0 : taken.count)
                left /= count
            } else {
                guard count.isMultiple(of: left) else { return nil }
                let parts = (factor(fromEnd ? count / left : left), factor(fromEnd ? left : count / left))
                taken.insert(fromEnd ? parts.1 : parts.0, at: fromEnd ? 0 : taken.count)
                if fromEnd { rest.append(parts.0) } else { rest = ([parts.1] + rest)[...] }
                left = 1
            }
        }
        return taken
    }

    // MARK: Time

    private mutating func pad(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard signal.stage == .input || signal.stage == .activated, signal.layers < convolutions.count else {
            throw unexpected(signal, step)
        }
        let layer = convolutions[signal.layers].name
        let mode = step.node.texts["mode"] ?? "constant"
        let isZero = step.node.inputs.count <= 2 || step.node.inputs[2].isEmpty ? true : number(step, 2, "") == 0
        guard mode == "constant", isZero, step.node.floats["value"] ?? 0 == 0 else {
            throw step.fault(.padding(layer: layer))
        }
        let axes = constant(step, 3)?.integers?.map { Int($0) } ?? Array(signal.axes.indices)
        guard let numbers = step.node.lists["pads"] ?? constant(step, 1)?.integers?.map({ Int($0) }),
            numbers.count == 2 * axes.count
        else { throw step.fault(.layout(.convolution(layer))) }
        var pads = signal.pads.isEmpty ? signal.axes.map { _ in (before: 0, behind: 0) } : signal.pads
        for (place, axis) in axes.enumerated() {
            let index = axis < 0 ? axis + signal.axes.count : axis
            guard pads.indices.contains(index) else { throw step.fault(.layout(.convolution(layer))) }
            pads[index].before += numbers[place]
            pads[index].behind += numbers[place + axes.count]
        }
        signal.pads = pads.contains { $0 != (0, 0) } ? pads : []
    }

    /// The newest rows must remain: older ones may be dropped behind the last convolution, and the surplus of padding
    /// on both sides is dropped behind its own.
    private mutating func slice(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard step.input == 0,
            let slice = ONNXSlice(step.node, inputs: step.node.inputs.map { constants.constants[$0] })
        else { throw step.fault(.layout(expected(signal))) }
        for (place, number) in slice.axes.enumerated() {
            let axis = number < 0 ? number + signal.axes.count : number
            guard signal.axes.indices.contains(axis), slice.steps[place] == 1 else { throw unexpected(signal, step) }
            let size = signal.axes[axis].isEmpty ? 1 : signal.axes[axis].count == 1 ? sizes[signal.axes[axis][0]] : nil
            let (start, end) = (slice.starts[place], slice.ends[place])
            let dropped =
                end >= Int(Int32.max) || size.map { end >= $0 } ?? false ? 0 : end < 0 ? -end : size.map { $0 - end }
            let first = start < 0 ? size.map { max($0 + start, 0) } : start
            guard dropped != 0 || first != 0 else { continue }
            guard signal.axes[axis] == signal.time.map({ [$0] }), dropped == signal.surplus,
                first == 0 || signal.isBehindConvolutions(frontEnd)
            else { throw unexpected(signal, step) }
            signal.surplus = 0
            let length = size.flatMap { size in first.map { size - $0 - (dropped ?? 0) } }
            setTime(&signal, length: start == -1 ? 1 : length)
        }
    }

    /// One row: the newest.
    private mutating func gather(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        let number = step.node.integers["axis"] ?? 0
        let axis = number < 0 ? number + signal.axes.count : number
        guard step.input == 0, signal.axes.indices.contains(axis), let tensor = constant(step, 1),
            let index = tensor.integers?.first, tensor.shape.reduce(1, *) == 1, tensor.shape.count <= 1
        else { throw unexpected(signal, step) }
        if !signal.axes[axis].isEmpty {
            guard signal.axes[axis] == signal.time.map({ [$0] }), let time = signal.time, signal.surplus == 0,
                index == -1 || sizes[time].map({ Int(index) == $0 - 1 }) ?? false, signal.isBehindConvolutions(frontEnd)
            else { throw unexpected(signal, step) }
            setTime(&signal, length: 1)
        }
        if tensor.shape.isEmpty { signal.axes.remove(at: axis) }
    }

    /// Gives the axis of time another length; one of 1 has no factor.
    private mutating func setTime(_ signal: inout ONNXSignal, length: Int?) {
        guard let time = signal.time else { return }
        let factors = length == 1 ? [] : [factor(length)]
        signal.axes = signal.axes.map { $0.flatMap { $0 == time ? factors : [$0] } }
        signal.time = factors.first
    }

    // MARK: Layers

    private mutating func convolve(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard step.input == 0, let weight = constant(step, 1), weight.shape.count >= 2 else {
            throw step.fault(.notConstant(expected(signal)))
        }
        if signal.stage == .input, signal.layers == 0 {
            frontEnd = weight.shape.count == 4 ? .pixels : .landmarks
            let (found, wanted) = (signal.scale, Double(frontEnd.inputScale))
            guard !signal.isInteger || abs(found / wanted - 1) < 1e-4 else {
                throw step.fault(.inputScale(found: found, expected: wanted))
            }
        }
        let attributes = ConvolutionAttributes(step.node, weight: weight.shape)
        // A convolution of one tap is a matrix product.
        if expected(signal) == .classifier, attributes.kernel == [1] {
            try classify(&signal, step, weight: 1, axis: 1)
            return
        }
        guard signal.stage == .input || signal.stage == .activated, signal.layers < convolutions.count else {
            throw unexpected(signal, step)
        }
        let spec = convolutions[signal.layers]
        let layout = step.fault(.layout(.convolution(spec.name)))
        guard weight.shape.count == spec.weightShape.count, signal.axes.count == weight.shape.count else {
            throw layout
        }
        let pads = try check(attributes, spec, &signal, step)
        // Axes: whatever batch, channels, and the rows of time or an image.
        if signal.layers == 0 {
            guard signal.axes[1].count == (spec.inputChannels == 1 ? 0 : 1) else { throw layout }
            signal.channel = signal.axes[1].first
        }
        guard signal.axes[1] == signal.channel.map({ [$0] }) ?? [], signal.surplus == 0 else { throw layout }
        if let channel = signal.channel, let size = sizes[channel], size != spec.inputChannels { throw layout }
        if spec.kind == .temporal {
            guard signal.axes[2].count <= 1, signal.time == nil || signal.axes[2] == signal.time.map({ [$0] }) else {
                throw layout
            }
            signal.time = signal.axes[2].first
            signal.surplus = pads[1]
            let length = (signal.time.map { sizes[$0] } ?? 1).map { $0 + pads[0] + pads[1] - 2 * spec.dilation }
            guard length.map({ $0 > 0 }) ?? true else { throw layout }
            setTime(&signal, length: length)
        } else {
            for axis in 2...3 {
                guard signal.axes[axis].count == (spec.inputSize == 1 ? 0 : 1) else { throw layout }
                if let only = signal.axes[axis].first, let size = sizes[only], size != spec.inputSize { throw layout }
                signal.axes[axis] = spec.outputSize == 1 ? [] : [factor(spec.outputSize)]
            }
        }
        let channel = factor(spec.outputChannels)
        signal.channel = channel
        signal.axes[1] = [channel]
        signal.pads = []
        signal.layers += 1
        signal.stage = .sums
        (signal.low, signal.high, signal.bound) = (nil, nil, nil)
        take(spec.name + ".weight", step, 1)
        signal.hasBias = step.node.inputs.count > 2 && !step.node.inputs[2].isEmpty
        if signal.hasBias {
            guard constant(step, 2) != nil else { throw step.fault(.notConstant(.convolution(spec.name))) }
            take(spec.name + ".bias", step, 2)
        }
    }

    /// Compares the attributes, with those of Pad, and returns the pads.
    private func check(
        _ found: ConvolutionAttributes, _ spec: LayerSpec, _ signal: inout ONNXSignal, _ step: ONNXStep
    ) throws(ONNXFault) -> [Int] {
        let expected = spec.convolution
        func compare(_ name: String, _ found: [Int], _ expected: [Int]) throws(ONNXFault) {
            guard found == expected else {
                throw step.fault(.attribute(name, found: found, expected: expected, layer: spec.name))
            }
        }
        try compare("kernel_shape", found.kernel, expected.kernel)
        try compare("dilations", found.dilations, expected.dilations)
        try compare("strides", found.strides, expected.strides)
        try compare("group", [found.groups], [expected.groups])
        var pads = found.pads
        if !signal.pads.isEmpty {
            let rank = expected.kernel.count
            guard signal.pads.count == rank + 2, signal.pads.prefix(2).allSatisfy({ $0 == (0, 0) }),
                pads.count == 2 * rank
            else { throw step.fault(.layout(.convolution(spec.name))) }
            for axis in 0..<rank {
                pads[axis] += signal.pads[2 + axis].before
                pads[axis + rank] += signal.pads[2 + axis].behind
            }
        }
        let automatic = step.node.texts["auto_pad"] ?? "NOTSET"
        guard ["NOTSET", "VALID", ""].contains(automatic) else {
            // As many zeros on both sides, one more where the number is odd.
            guard spec.kind != .temporal, spec.stride == 1, expected.kernel.allSatisfy({ $0 % 2 == 1 }) else {
                throw step.fault(.padding(layer: spec.name))
            }
            try compare("pads", expected.kernel.map { $0 / 2 } + expected.kernel.map { $0 / 2 }, expected.pads)
            return expected.pads
        }
        if spec.kind == .temporal {
            // Without padding the rows begin later. With zeros on both sides the last rows are a surplus.
            let reach = 2 * spec.dilation
            if pads == [0, 0] || pads == [reach, reach] { return pads }
        }
        try compare("pads", pads, expected.pads)
        return pads
    }

    private mutating func normalise(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard signal.stage == .sums, signal.bound == nil, step.node.integers["training_mode"] ?? 0 == 0,
            step.node.outputs.dropFirst().allSatisfy(\.isEmpty), signal.axes.count > 1,
            signal.axes[1] == signal.channel.map({ [$0] }) ?? []
        else { throw unexpected(signal, step) }
        let spec = convolutions[signal.layers - 1]
        guard let prefix = spec.batchNormPrefix, step.input == 0, (1...4).allSatisfy({ constant(step, $0) != nil })
        else {
            throw step.fault(.notConstant(.convolution(spec.name)))
        }
        for (index, name) in FoldedNetwork.batchNormNames(prefix).enumerated() { take(name, step, index + 1) }
        signal.stage = .normalised
    }

    /// Clip, Relu, and Min and Max with a number: together they must be ReLU6.
    private mutating func bound(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        var low: Float?
        var high: Float?
        switch step.node.operation {
        case "Relu": low = 0
        case "Clip":
            guard step.input == 0 else { throw unexpected(signal, step) }
            (low, high) = (number(step, 1, "min"), number(step, 2, "max"))
            let given = step.node.inputs.dropFirst().filter { !$0.isEmpty }
            guard given.allSatisfy({ constants.constants[$0] != nil }) else { throw unexpected(signal, step) }
        default:
            guard step.node.inputs.count == 2, let value = number(step, 1 - step.input, "") else {
                throw unexpected(signal, step)
            }
            if step.node.operation == "Min" { high = value } else { low = value }
        }
        try bound(&signal, step, low: low, high: high)
    }

    private mutating func bound(
        _ signal: inout ONNXSignal, _ step: ONNXStep, low: Float?, high: Float?
    ) throws(ONNXFault) {
        let range = LayerSpec.activation
        switch signal.stage {
        case .input, .activated:
            // Values are in this range already.
            guard low ?? 0 <= range.lowerBound, high ?? range.upperBound >= range.upperBound else {
                throw step.fault(.instead(of: expected(signal)))
            }
        case .products, .logits: throw unexpected(signal, step)
        case .sums, .normalised:
            if let low { signal.low = max(signal.low ?? low, low) }
            if let high { signal.high = min(signal.high ?? high, high) }
            signal.bound = step
            let layer = convolutions[signal.layers - 1].name
            guard signal.low ?? range.lowerBound == range.lowerBound,
                signal.high ?? range.upperBound == range.upperBound
            else { throw step.fault(.bounds(low: signal.low, high: signal.high, layer: layer)) }
            if signal.low != nil, signal.high != nil { activate(&signal) }
        }
    }

    private mutating func activate(_ signal: inout ONNXSignal) {
        let spec = convolutions[signal.layers - 1]
        if signal.stage == .sums, !signal.hasBias { places.zeros[spec.name + ".bias"] = spec.outputChannels }
        signal.stage = .activated
        signal.bound = nil
    }

    private mutating func multiply(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard expected(signal) == .classifier else { throw unexpected(signal, step) }
        if step.node.operation == "Gemm" {
            let factors = [step.node.floats["alpha"] ?? 1, step.node.floats["beta"] ?? 1]
            guard factors == [1, 1], step.node.integers["transA"] ?? 0 == 0, step.input == 0 else {
                throw step.fault(.instead(of: .classifier))
            }
        }
        try classify(
            &signal, step, weight: 1 - step.input, axis: signal.axes.count - (step.input == 0 ? 1 : 2))
    }

    /// The classifier, with its bias if the operator has one.
    private mutating func classify(
        _ signal: inout ONNXSignal, _ step: ONNXStep, weight index: Int, axis: Int
    ) throws(ONNXFault) {
        guard signal.stage == .activated, frontEnd.isComplete(signal.layers), signal.surplus == 0 else {
            throw unexpected(signal, step)
        }
        guard let weight = constant(step, index), weight.shape.count >= 2 else {
            throw step.fault(.notConstant(.classifier))
        }
        guard signal.axes.indices.contains(axis), signal.axes[axis] == signal.channel.map({ [$0] }) ?? [] else {
            throw step.fault(.layout(.classifier))
        }
        if step.node.operation == "Conv" {
            let found = ConvolutionAttributes(step.node, weight: weight.shape)
            guard found.groups == 1, found.strides.allSatisfy({ $0 == 1 }), found.pads.allSatisfy({ $0 == 0 }) else {
                throw step.fault(.instead(of: .classifier))
            }
        }
        let isRows = step.node.operation == "Conv" || step.node.integers["transB"] == 1 || index == 0
        classCount = weight.shape[isRows ? 0 : 1]
        take("fc.weight", step, index)
        let classes = factor(classCount)
        signal.channel = classes
        signal.axes[axis] = [classes]
        signal.stage = .products
        if step.node.operation != "MatMul", step.node.inputs.count > 2, !step.node.inputs[2].isEmpty {
            guard let bias = constant(step, 2), bias.shape.reduce(1, *) == classCount else {
                throw step.fault(.notConstant(.classifier))
            }
            take("fc.bias", step, 2)
            signal.stage = .logits
        }
    }

    /// A bias that is added by an operator of its own, along the channels.
    private mutating func addBias(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        let index = 1 - step.input
        let isConvolution = signal.stage == .sums && signal.bound == nil && !signal.hasBias
        guard isConvolution || signal.stage == .products, step.node.inputs.count == 2, let bias = constant(step, index),
            let channel = signal.channel, let count = sizes[channel], bias.floats != nil,
            bias.shape.count <= signal.axes.count
        else { throw unexpected(signal, step) }
        for (place, size) in bias.shape.reversed().enumerated() where size != 1 {
            guard size == count, signal.axes[signal.axes.count - 1 - place] == [channel] else {
                throw unexpected(signal, step)
            }
        }
        guard bias.shape.reduce(1, *) == count else { throw unexpected(signal, step) }
        take(isConvolution ? convolutions[signal.layers - 1].name + ".bias" : "fc.bias", step, index)
        if isConvolution { signal.hasBias = true } else { signal.stage = .logits }
    }

    private mutating func take(_ name: String, _ step: ONNXStep, _ index: Int) {
        guard let checkpoint = constants.names[ONNXInput(node: step.index, index: index)] else { return }
        places.weights[name] = checkpoint
    }

    // MARK: Quantised values

    /// A factor that makes the network's input of integers.
    private mutating func scaleInput(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        guard signal.stage == .input, signal.isInteger, step.node.inputs.count == 2,
            let value = number(step, 1 - step.input, ""), value > 0, step.node.operation == "Mul" || step.input == 0
        else { throw unexpected(signal, step) }
        signal.scale *= step.node.operation == "Mul" ? Double(value) : 1 / Double(value)
    }

    /// Values that are quantised and dequantised at once are only rounded and limited. A range from 0 to at most 6 is
    /// ReLU6, too.
    private mutating func quantise(_ signal: inout ONNXSignal, _ step: ONNXStep) throws(ONNXFault) {
        let zero = constant(step, 2)
        guard step.input == 0, let scale = number(step, 1, ""), scale > 0,
            zero.map({ $0.shape.reduce(1, *) == 1 }) ?? true
        else { throw step.fault(.quantisation) }
        let found = ONNXSignal.Quantisation(
            scale: scale, zero: zero?.integers?.first ?? 0, type: zero?.type ?? .uint8)
        if step.node.operation == "QuantizeLinear" {
            signal.quantisation = found
            guard signal.stage == .sums || signal.stage == .normalised else { return }
            let (range, activation) = (found.range, LayerSpec.activation)
            if range.lowerBound == activation.lowerBound, range.upperBound <= activation.upperBound * 1.001 {
                activate(&signal)
            }
        } else if let quantisation = signal.quantisation {
            guard quantisation.scale == found.scale, quantisation.zero == found.zero else {
                throw step.fault(.quantisation)
            }
            signal.quantisation = nil
        } else {
            guard signal.stage == .input, signal.isInteger, found.zero == 0 else { throw step.fault(.quantisation) }
            signal.scale *= Double(scale)
        }
    }
}

/// A value of the graph on the way from the input to the logits.
struct ONNXSignal {
    enum Stage { case input, sums, normalised, activated, products, logits }

    struct Quantisation {
        let scale: Float
        let zero: Int32
        let type: ONNXTensor.ElementType

        /// The values that can be told apart.
        var range: ClosedRange<Float> {
            let limits = ONNXTensor.range(type)
            return Float(limits.lowerBound - Int64(zero)) * scale...Float(limits.upperBound - Int64(zero)) * scale
        }
    }

    var stage = Stage.input
    /// Convolutions that have been applied.
    var layers = 0
    /// The factors of each dimension, the outermost first; none for a dimension of 1.
    var axes: [[Int]] = []
    /// The factor that is the channels; nil for one channel.
    var channel: Int?
    /// The factor that is time, once a convolution over it has been applied; nil for one row.
    var time: Int?
    /// Zeros that Pad has put around each dimension.
    var pads: [(before: Int, behind: Int)] = []
    /// Rows behind the newest, which depend on zeros.
    var surplus = 0
    var hasBias = false
    /// The limits of the last convolution's results, and the operator that gave them.
    var low: Float?
    var high: Float?
    var bound: ONNXStep?
    var isInteger = false
    /// What an integer of the input stands for.
    var scale = 1.0
    var quantisation: Quantisation?

    func isBehindConvolutions(_ frontEnd: FrontEnd) -> Bool {
        frontEnd.isComplete(layers) && [.activated, .products, .logits].contains(stage)
    }
}

/// A dimension in the shape of a value.
enum ONNXSize: Equatable {
    case number(Int)
    /// The product of factors of which one is not fixed.
    case factors([Int])
}

/// An operator, and which of its inputs is not constant.
struct ONNXStep {
    let node: ONNXModel.Node
    let index: Int
    var input = 0

    init(node: ONNXModel.Node, index: Int) { (self.node, self.index) = (node, index) }

    var isReshaping: Bool {
        ["Transpose", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Shape"].contains(node.operation)
    }

    func fault(_ difference: OperatorDifference) -> ONNXFault {
        .otherNetwork(
            OtherNetwork(
                operation: node.operation, node: node.name.isEmpty ? node.outputs.first ?? "" : node.name,
                difference: difference))
    }
}

extension ConvolutionAttributes {
    /// The attributes of an operator, or their defaults.
    init(_ node: ONNXModel.Node, weight: [Int]) {
        let kernel = node.lists["kernel_shape"] ?? Array(weight.dropFirst(2))
        self.init(
            kernel: kernel, strides: node.lists["strides"] ?? kernel.map { _ in 1 },
            dilations: node.lists["dilations"] ?? kernel.map { _ in 1 }, groups: node.integers["group"] ?? 1,
            pads: node.lists["pads"] ?? kernel.map { _ in 0 } + kernel.map { _ in 0 })
    }
}
