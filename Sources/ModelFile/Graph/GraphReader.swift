/// Reads the JSON of a graph. The lengths of lists are checked while they are read, so that memory is limited by the
/// text's own size.
struct GraphReader {
    private var reader: JSONReader

    init(_ reader: JSONReader) { self.reader = reader }

    mutating func graph() throws(ModelFileError) -> NetworkGraph {
        var inputs: [Int]?
        var outputs: [Int]?
        var values: [NetworkGraph.Value]?
        var nodes: [NetworkGraph.Node]?
        var keys: Set<String> = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
            guard keys.insert(key).inserted else { throw .duplicateKey(key) }
            switch key {
            case "inputs": inputs = try integers(.values)
            case "outputs": outputs = try integers(.values)
            case "values": values = try self.values()
            case "nodes": nodes = try self.nodes()
            default: throw .graph(.unknownField(key))
            }
        }
        try reader.finishText()
        return NetworkGraph(
            values: try required(values, "values"), nodes: try required(nodes, "nodes"),
            inputs: try required(inputs, "inputs"), outputs: try required(outputs, "outputs"))
    }

    // MARK: Values

    private mutating func values() throws(ModelFileError) -> [NetworkGraph.Value] {
        var values: [NetworkGraph.Value] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard values.count < NetworkGraph.countLimit else { throw tooMany(.values) }
            var name: String?
            var shape: [Int]?
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "name":
                    guard name == nil else { throw .duplicateKey(key) }
                    name = try reader.string()
                case "shape":
                    guard shape == nil else { throw .duplicateKey(key) }
                    shape = try integers(.elements)
                default: throw .graph(.unknownField(key))
                }
            }
            values.append(
                NetworkGraph.Value(name: try required(name, "name"), shape: try required(shape, "shape")))
        }
        return values
    }

    // MARK: Nodes

    private mutating func nodes() throws(ModelFileError) -> [NetworkGraph.Node] {
        var nodes: [NetworkGraph.Node] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard nodes.count < NetworkGraph.countLimit else { throw tooMany(.operators) }
            var fields = try fields()
            fields.index = nodes.count
            nodes.append(try fields.node())
        }
        return nodes
    }

    /// The fields of a node, each with the type of its name.
    private mutating func fields() throws(ModelFileError) -> NodeFields {
        var fields = NodeFields()
        var keys: Set<String> = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
            guard keys.insert(key).inserted else { throw .duplicateKey(key) }
            switch key {
            case "operation": fields.operation = try reader.string()
            case "weights", "bias", "slope", "factors", "offsets", "activation": fields.texts[key] = try reader.string()
            case "output", "axis", "block": fields.lists[key] = [try reader.integer()]
            case "inputs", "stride", "window", "padding", "indices": fields.lists[key] = try integers(.values)
            case "align_corners", "half_pixel_centers": fields.lists[key] = [try reader.boolean() ? 1 : 0]
            case "amounts": fields.amounts = try lists()
            default: throw .graph(.unknownField(key))
            }
        }
        return fields
    }

    // MARK: Lists

    private mutating func integers(_ quantity: ModelFileError.GraphFault.Quantity) throws(ModelFileError) -> [Int] {
        var numbers: [Int] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard numbers.count < NetworkGraph.countLimit else { throw tooMany(quantity) }
            numbers.append(try reader.integer())
        }
        return numbers
    }

    private mutating func lists() throws(ModelFileError) -> [[Int]] {
        var lists: [[Int]] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard lists.count < NetworkGraph.countLimit else { throw tooMany(.elements) }
            lists.append(try integers(.elements))
        }
        return lists
    }

    private func tooMany(_ quantity: ModelFileError.GraphFault.Quantity) -> ModelFileError {
        .graph(.tooMany(quantity, limit: NetworkGraph.countLimit))
    }

    private func required<T>(_ value: T?, _ field: String) throws(ModelFileError) -> T {
        guard let value else { throw .graph(.missingField(field)) }
        return value
    }
}

/// The fields of a node; its operation takes its own fields, and none may remain.
private struct NodeFields {
    var index = 0
    var operation = ""
    var texts: [String: String] = [:]
    var lists: [String: [Int]] = [:]
    var amounts: [[Int]]?

    mutating func node() throws(ModelFileError) -> NetworkGraph.Node {
        let inputs = try list("inputs")
        let output = try number("output")
        let node = NetworkGraph.Node(try operationOfItsFields(), inputs: inputs, output: output)
        let rest = texts.keys.sorted() + lists.keys.sorted() + (amounts == nil ? [] : ["amounts"])
        if let field = rest.first { throw fault(.unknownField(field)) }
        return node
    }

    private mutating func operationOfItsFields() throws(ModelFileError) -> NetworkGraph.Operation {
        switch operation {
        case "convolution":
            let (strideY, strideX) = try pair("stride")
            return .convolution(
                weights: try text("weights"), bias: texts.removeValue(forKey: "bias"), strideY: strideY,
                strideX: strideX, padding: try padding(), activation: try activation())
        case "depthwise_convolution":
            let (strideY, strideX) = try pair("stride")
            return .depthwiseConvolution(
                weights: try text("weights"), bias: texts.removeValue(forKey: "bias"), strideY: strideY,
                strideX: strideX, padding: try padding(), activation: try activation())
        case "add": return .add(try activation())
        case "max_pool":
            let (height, width) = try pair("window")
            let (strideY, strideX) = try pair("stride")
            return .maxPool(
                height: height, width: width, strideY: strideY, strideX: strideX, padding: try padding())
        case "mean": return .mean
        case "pad":
            guard let amounts else { throw fault(.missingField("amounts")) }
            self.amounts = nil
            return .pad(amounts)
        case "resize_bilinear":
            return .resizeBilinear(
                alignCorners: try number("align_corners") == 1,
                halfPixelCenters: try number("half_pixel_centers") == 1)
        case "reshape": return .reshape
        case "concatenation": return .concatenation(axis: try number("axis"))
        case "fully_connected":
            return .fullyConnected(
                weights: try text("weights"), bias: texts.removeValue(forKey: "bias"), activation: try activation())
        case "logistic": return .logistic
        case "relu": return .relu
        case "relu6": return .relu6
        case "prelu": return .prelu(slope: try text("slope"))
        case "depth_to_space": return .depthToSpace(block: try number("block"))
        case "scale": return .scale(factors: try text("factors"), activation: try activation())
        case "shift": return .shift(offsets: try text("offsets"), activation: try activation())
        case "gather": return .gather(axis: try number("axis"), indices: try list("indices"))
        case "softmax": return .softmax
        default:
            if let arithmetic = NetworkGraph.Arithmetic(rawValue: operation) { return .arithmetic(arithmetic) }
            if let reduction = NetworkGraph.Reduction.allCases.first(where: { operation == "reduce_" + $0.rawValue }) {
                return .reduce(reduction, axis: try number("axis"))
            }
            throw fault(.unknown)
        }
    }

    private func fault(_ fault: ModelFileError.GraphFault.NodeFault) -> ModelFileError {
        .graph(.node(index, operation: operation, fault))
    }

    private mutating func text(_ field: String) throws(ModelFileError) -> String {
        guard let text = texts.removeValue(forKey: field) else { throw fault(.missingField(field)) }
        return text
    }

    private mutating func list(_ field: String) throws(ModelFileError) -> [Int] {
        guard let list = lists.removeValue(forKey: field) else { throw fault(.missingField(field)) }
        return list
    }

    private mutating func list(_ field: String, count: Int) throws(ModelFileError) -> [Int] {
        let list = try list(field)
        guard list.count == count else { throw fault(.number(field, list.count)) }
        return list
    }

    private mutating func number(_ field: String) throws(ModelFileError) -> Int { try list(field, count: 1)[0] }

    private mutating func pair(_ field: String) throws(ModelFileError) -> (Int, Int) {
        let list = try list(field, count: 2)
        return (list[0], list[1])
    }

    private mutating func padding() throws(ModelFileError) -> NetworkGraph.Padding {
        let list = try list("padding", count: 4)
        return NetworkGraph.Padding(top: list[0], bottom: list[1], left: list[2], right: list[3])
    }

    private mutating func activation() throws(ModelFileError) -> NetworkGraph.Activation {
        let name = try text("activation")
        guard let activation = NetworkGraph.Activation(rawValue: name) else {
            throw fault(.unknownField("activation " + name))
        }
        return activation
    }
}
