/// A graph file is a safetensors file whose metadata are a `GraphManifest` and whose tensors are the parameters by
/// name.
///
/// Weights of convolutions and fully connected layers have the type of the manifest's precision: F32, F16, or I8 with
/// `<name>.scale`, F32, one positive number per output channel. Parameters with one number per channel, such as biases
/// and slopes, are F32, or F16 in a float16 file. There are no other tensors, and all numbers are finite and within
/// `parameterLimit`, `weightScales` and `valueScales`.
extension GraphFile {
    /// Largest file that is read, in bytes.
    package static let sizeLimit = 256 << 20

    static let scaleSuffix = ".scale"

    /// The largest magnitude of a float parameter, and the scales of weights and of quantised values. No network in use
    /// comes near them. Within them an operator whose inputs are below 2^80 has no sum beyond float32: it has at most
    /// `NetworkGraph.elementLimit` products, 2^24.
    package static let parameterLimit: Float = 0x1p20
    package static let weightScales: ClosedRange<Float> = 0x1p-60...0x1p13
    package static let valueScales: ClosedRange<Float> = 0x1p-40...0x1p20

    /// Reads and checks the file at `path`.
    package init(contentsOf path: String) throws(ModelFileError) {
        try self.init(file: SafetensorsFile.load(path: path, limit: Self.sizeLimit))
    }

    /// Reads and checks a file in memory.
    package init(bytes: [UInt8]) throws(ModelFileError) {
        guard bytes.count <= Self.sizeLimit else {
            throw .tooLarge(bytes: UInt64(bytes.count), limit: UInt64(Self.sizeLimit))
        }
        try self.init(file: SafetensorsFile(bytes: bytes))
    }

    /// The same for a safetensors file that was read already. All other initialisers use this one.
    package init(file: SafetensorsFile) throws(ModelFileError) {
        let manifest = try GraphManifest(metadata: file.metadata)
        try ContentHash.check(file)
        let graph = try NetworkGraph(json: file.metadata[GraphManifest.Key.graph] ?? "")
        let uses = graph.parameterUses
        var scaleNames: Set<String> = []
        if manifest.precision == .int8 {
            for (name, use) in uses where use != .perChannel { scaleNames.insert(name + Self.scaleSuffix) }
        }
        var shapes: [String: [Int]] = [:]
        for tensor in file.tensors {
            guard uses[tensor.name] == nil || !scaleNames.contains(tensor.name) else {
                throw .duplicateKey(tensor.name)
            }
            if uses[tensor.name] != nil {
                shapes[tensor.name] = tensor.shape
            } else if !scaleNames.contains(tensor.name) {
                throw .unexpectedTensor(tensor.name)
            }
        }
        do throws(ModelFileError.GraphFault) { try graph.validate(parameterShapes: shapes) } catch {
            throw .graph(error)
        }

        var elements = 0
        var parameters: [String: Parameter] = [:]
        for (name, use) in uses.sorted(by: { $0.key < $1.key }) {
            let tensor = try file.tensor(named: name)
            elements += tensor.elementCount
            guard elements <= NetworkGraph.totalElementLimit else {
                throw .graph(.tooMany(.elements, limit: NetworkGraph.totalElementLimit))
            }
            parameters[name] = try Self.parameter(tensor, use, manifest.precision, file)
        }
        var quantisation: [String: Quantisation] = [:]
        if manifest.precision == .int8 {
            let text = file.metadata[GraphManifest.Key.quantisation] ?? ""
            quantisation = try Self.quantisation(json: text, of: graph)
        }
        self.init(graph: graph, parameters: parameters, quantisation: quantisation, manifest: manifest)
    }

    /// The file's bytes, always the same for the same graph. Throws the errors that reading them would throw.
    package func bytes() throws(ModelFileError) -> [UInt8] {
        var tensors: [TensorPayload] = []
        for (name, use) in graph.parameterUses.sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters[name] else { throw .missingTensor(name) }
            switch (parameter.values, manifest.precision, use) {
            case (.int8(let quantised, let scales), .int8, .weights),
                (.int8(let quantised, let scales), .int8, .depthwiseWeights):
                tensors.append(.int8(name, shape: parameter.shape, quantised))
                tensors.append(.float32(name + Self.scaleSuffix, shape: [scales.count], scales))
            case (.float(let values), .float16, _):
                tensors.append(.float16(name, shape: parameter.shape, bits: values.map(HalfPrecision.bits)))
            case (.float(let values), .float32, _), (.float(let values), .int8, .perChannel):
                tensors.append(.float32(name, shape: parameter.shape, values))
            case (.int8, _, _):
                throw .wrongType(tensor: name, expected: "a float type", found: TensorType.int8.rawValue)
            case (.float, .int8, _):
                throw .wrongType(
                    tensor: name, expected: TensorType.int8.rawValue, found: TensorType.float32.rawValue)
            }
        }
        if let name = parameters.keys.sorted().first(where: { graph.parameterUses[$0] == nil }) {
            throw .unexpectedTensor(name)
        }
        var metadata = try manifest.metadata(
            graph: graph.json, quantisation: manifest.precision == .int8 ? quantisationText : nil)
        metadata[ContentHash.key] = ContentHash(metadata: metadata, tensors: tensors).digits
        let bytes = try SafetensorsWriter.bytes(tensors: tensors, metadata: metadata)
        _ = try GraphFile(bytes: bytes)
        return bytes
    }

    private static func parameter(
        _ tensor: SafetensorsFile.Tensor, _ use: ParameterUse, _ precision: ModelManifest.Precision,
        _ file: SafetensorsFile
    ) throws(ModelFileError) -> Parameter {
        let isQuantised = precision == .int8 && use != .perChannel
        let type: TensorType = isQuantised ? .int8 : precision == .float16 ? .float16 : .float32
        try check(tensor, is: type)
        guard isQuantised else {
            let values = try finiteFloats(tensor, file)
            if let index = values.firstIndex(where: { abs($0) > parameterLimit }) {
                throw .overflow(tensor: tensor.name, index: index)
            }
            return Parameter(shape: tensor.shape, values: .float(values))
        }
        let quantised = try file.int8s(tensor.name)
        // A minimum vectorises; a search for the first match does not.
        if quantised.reduce(0, min) == -128, let index = quantised.firstIndex(of: -128) {
            throw .invalidValue(tensor: tensor.name, index: index)
        }
        let scale = try file.tensor(named: tensor.name + scaleSuffix)
        try check(scale, is: .float32)
        let channels = use == .weights ? tensor.shape.first : tensor.shape.last
        guard scale.shape == [channels ?? 0] else {
            throw .wrongShape(tensor: scale.name, expected: [channels ?? 0], found: scale.shape)
        }
        let scales = try finiteFloats(scale, file)
        if let index = scales.firstIndex(where: { !weightScales.contains($0) }) {
            throw .invalidValue(tensor: scale.name, index: index)
        }
        return Parameter(shape: tensor.shape, values: .int8(quantised, scales: scales))
    }

    private static func check(_ tensor: SafetensorsFile.Tensor, is type: TensorType) throws(ModelFileError) {
        guard tensor.type == type else {
            throw .wrongType(tensor: tensor.name, expected: type.rawValue, found: tensor.type.rawValue)
        }
    }

    private static func finiteFloats(
        _ tensor: SafetensorsFile.Tensor, _ file: SafetensorsFile
    ) throws(ModelFileError) -> [Float] {
        let values = try file.floats(tensor.name)
        if let index = values.firstIndex(where: { !$0.isFinite }) {
            throw .invalidValue(tensor: tensor.name, index: index)
        }
        return values
    }

    // MARK: Quantisation of activations

    private var quantisationText: String {
        let members = quantisation.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { name, value in
            // `description` is the shortest decimal that reads back as the same Float.
            "\(JSONText.quoted(name)):[\"\(value.scale.description)\",\(value.zeroPoint)]"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func quantisation(
        json text: String, of graph: NetworkGraph
    ) throws(ModelFileError) -> [String: Quantisation] {
        let key = GraphManifest.Key.quantisation
        guard text.utf8.count <= NetworkGraph.textLimit else {
            throw .graph(.tooMany(.bytes, limit: NetworkGraph.textLimit))
        }
        let names = Set(graph.values.map { $0.name })
        var result: [String: Quantisation] = [:]
        var reader = JSONReader(Array(text.utf8))
        try reader.beginObject()
        while let name = try reader.nextKey() {
            guard names.contains(name) else { throw .malformedMetadata(key: key, value: name) }
            guard result[name] == nil else { throw .duplicateKey(name) }
            try reader.beginArray()
            guard try reader.nextElement() else { throw .malformedMetadata(key: key, value: name) }
            let scaleText = try reader.string()
            guard try reader.nextElement() else { throw .malformedMetadata(key: key, value: name) }
            let zeroPoint = try reader.integer()
            guard try !reader.nextElement(), let scale = ModelManifest.decimal(scaleText),
                valueScales.contains(scale), zeroPoint <= 255
            else { throw .malformedMetadata(key: key, value: name) }
            result[name] = Quantisation(scale: scale, zeroPoint: zeroPoint)
        }
        try reader.finishText()
        return result
    }
}

extension NetworkGraph {
    /// How each parameter is used. If a parameter has two uses, which `validate` refuses, the last one counts.
    package var parameterUses: [String: ParameterUse] {
        var uses: [String: ParameterUse] = [:]
        for node in nodes { for (name, use) in node.operation.parameters { uses[name] = use } }
        return uses
    }
}
