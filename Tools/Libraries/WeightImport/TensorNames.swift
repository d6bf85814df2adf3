import ModelFile
import Network

/// Converts a checkpoint's tensor names to the network's.
package struct TensorNames: Sendable, Equatable {
    /// Prefixes that wrappers add to the names of their network: DataParallel and Lightning.
    private static let wrapperPrefixes = ["module.", "model."]
    /// Modules that wrappers put anywhere into a name: those of `torch.compile`, DeepSpeed and FSDP.
    private static let wrapperModules: Set<Substring> = [
        "_orig_mod", "_forward_module", "_fsdp_wrapped_module", "_checkpoint_wrapped_module",
    ]
    /// Counters that averages of weights and training loops keep beside a network.
    private static let counters: Set<String> = [
        "step", "global_step", "epoch", "initted", "n_averaged", "num_updates", "decay", "iteration",
    ]

    private let renamed: [String: String]
    private let prefix: String?

    /// - Parameters:
    ///   - map: from the checkpoint's names, as in the file, to the network's.
    ///   - prefix: what the names of the network's tensors begin with; nil to find it.
    package init(map: [(from: String, to: String)] = [], prefix: String? = nil) throws(ImportError) {
        var renamed: [String: String] = [:]
        var targets: Set<String> = []
        for (from, to) in map {
            guard targets.insert(to).inserted else { throw .mapTargetTwice(to) }
            renamed[from] = to
        }
        self.renamed = renamed
        self.prefix = prefix
    }

    /// Reads the map from a JSON text, an object of strings: `{"backbone.conv1.weight": "stem.conv.weight"}`.
    package init(json: [UInt8], prefix: String? = nil) throws(ImportError) {
        var reader = try JSONReader(json, of: .names, beginningWith: "{")
        let map = try importing { () throws(ModelFileError) in
            var map: [(from: String, to: String?)] = []
            var seen: Set<String> = []
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard seen.insert(key).inserted else { throw .duplicateKey(key) }
                map.append((key, try reader.stringIfText()))
            }
            try reader.finishText()
            return map
        }
        if let wrong = map.first(where: { $0.to == nil }) { throw .mapValue(wrong.from) }
        try self.init(map: map.map { (from: $0.from, to: $0.to ?? "") }, prefix: prefix)
    }

    /// The tensors of a checkpoint under the network's names.
    ///
    /// A graph tells the place of each of its weights, which must not contradict their names; what does not contribute to
    /// its output is left out. It must compute the network. Without a graph, names alone count.
    package func apply(_ checkpoint: Checkpoint) throws(ImportError) -> [String: Checkpoint.Tensor] {
        guard let places = checkpoint.places else { return try apply(checkpoint.tensors) }
        try checkMap(checkpoint.tensors)
        let network: NetworkPlaces
        do throws(ONNXFault) { network = try places.get() } catch { throw .onnx(error) }
        var result: [String: Checkpoint.Tensor] = [:]
        for (place, name) in network.weights.sorted(by: { $0.key < $1.key }) {
            guard let tensor = checkpoint.tensors[name] else { continue }
            // BatchNorms may share their parameters, and exporters merge equal ones; convolutions have their own.
            if let own = renamed[name] ?? NetworkName(name)?.name, let found = NetworkName.layer(of: own),
                let expected = NetworkName.layer(of: place), own == found + ".weight", place == expected + ".weight",
                found != expected
            {
                throw .onnx(
                    .otherNetwork(
                        OtherNetwork(
                            operation: "", node: "", difference: .order(found: name, expected: expected))))
            }
            result[place] = Self.withoutUnits(tensor, place)
        }
        for (place, count) in network.zeros {
            result[place] = Checkpoint.Tensor(
                shape: [count], type: "zeros", values: [Float](repeating: 0, count: count))
        }
        return result
    }

    private func checkMap(_ tensors: [String: Checkpoint.Tensor]) throws(ImportError) {
        for name in renamed.keys.sorted() where tensors[name] == nil { throw .mapSourceMissing(name) }
    }

    /// The tensors under the network's names.
    ///
    /// Mapped names are replaced by the map. The others lose what wrappers add, and the prefix that the network's tensors
    /// have in common. Weights that are stored as a direction and a length are computed. BatchNorm's
    /// `num_batches_tracked` and counters beside the network, which inference does not need, are left out.
    package func apply(
        _ tensors: [String: Checkpoint.Tensor]
    ) throws(ImportError) -> [String: Checkpoint.Tensor] {
        try checkMap(tensors)
        let mapped = tensors.filter { renamed[$0.key] != nil }
        let others = try StoredWeights.computed(tensors.filter { renamed[$0.key] == nil })
        let names = others.keys.sorted()
        let taken = Set(renamed.values)
        let found = names.compactMap { name in NetworkName(name).map { (original: name, found: $0) } }
            .filter { !taken.contains($0.found.name) }
        let chosen = try chosenPrefix(found.map(\.found))
        var candidates: [String: [(original: String, prefix: String)]] = [:]
        for (original, found) in found { candidates[found.name, default: []].append((original, found.prefix)) }

        var result: [String: Checkpoint.Tensor] = [:]
        var origins: [String: String] = [:]
        func add(_ name: String, _ original: String, _ tensor: Checkpoint.Tensor) throws(ImportError) {
            if let first = origins.updateValue(original, forKey: name) {
                throw .nameCollision(name: name, first: min(first, original), second: max(first, original))
            }
            result[name] = Self.withoutUnits(tensor, name)
        }
        for (original, tensor) in mapped { try add(renamed[original] ?? original, original, tensor) }
        for original in names {
            guard let tensor = others[original] else { continue }
            if original.hasSuffix("num_batches_tracked") || Self.isCounter(original, tensor, besides: chosen) {
                continue
            }
            let found = NetworkName(original)
            if let found, !taken.contains(found.name), let all = candidates[found.name] {
                // A tensor with another prefix is the network's if no other has its name.
                let isIn = found.prefix == chosen
                let isOnly = prefix == nil && all.count == 1
                if isIn || isOnly {
                    try add(found.name, original, tensor)
                    continue
                }
                if prefix != nil { continue }
            }
            if prefix != nil, !Self.plain(original).hasPrefix(chosen ?? "") { continue }
            try add(Self.withoutPrefixes(original, chosen), original, tensor)
        }
        return result
    }

    /// The prefix of the network's tensors; nil if none of them is there.
    private func chosenPrefix(_ found: [NetworkName]) throws(ImportError) -> String? {
        var names: [String: Set<String>] = [:]
        for name in found { names[name.prefix, default: []].insert(name.name) }
        if let prefix {
            let wanted = prefix.isEmpty || prefix.hasSuffix(".") ? prefix : prefix + "."
            guard names[Self.plain(wanted)] != nil else { throw .prefixMissing(prefix) }
            return Self.plain(wanted)
        }
        let whole = names.filter { NetworkName.ends.isSubset(of: $0.value) }.keys.sorted()
        guard whole.count <= 1 else { throw .severalNetworks(whole) }
        return whole.first ?? names.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    }

    private static func isCounter(_ name: String, _ tensor: Checkpoint.Tensor, besides prefix: String?) -> Bool {
        guard tensor.shape.reduce(1, *) == 1, let prefix, NetworkName(name) == nil else { return false }
        let last = plain(name).split(separator: ".").last.map(String.init) ?? ""
        return tensor.values == nil || !plain(name).hasPrefix(prefix.isEmpty ? "." : prefix) && counters.contains(last)
    }

    /// A name with dots for slashes and without the modules of wrappers.
    fileprivate static func plain(_ name: String) -> String {
        name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
            .filter { !wrapperModules.contains($0) }.joined(separator: ".")
    }

    private static func withoutPrefixes(_ name: String, _ prefix: String?) -> String {
        if let prefix, !prefix.isEmpty, plain(name).hasPrefix(prefix) {
            return String(plain(name).dropFirst(prefix.count))
        }
        var name = name.split(separator: ".", omittingEmptySubsequences: false)
            .filter { !wrapperModules.contains($0) }.joined(separator: ".")[...]
        while let prefix = wrapperPrefixes.first(where: { name.hasPrefix($0) }) { name = name.dropFirst(prefix.count) }
        return String(name)
    }

    /// Dimensions of 1 that a convolution of one tap or a broadcast bias has beyond a matrix or a list.
    private static func withoutUnits(_ tensor: Checkpoint.Tensor, _ name: String) -> Checkpoint.Tensor {
        guard NetworkName.all.contains(name) else { return tensor }
        var shape = tensor.shape
        if name == "fc.weight" { while shape.count > 2, shape.last == 1 { shape.removeLast() } }
        if name.hasSuffix(".bias"), shape.count > 1, shape.filter({ $0 != 1 }).count <= 1 {
            shape = [shape.reduce(1, *)]
        }
        return Checkpoint.Tensor(shape: shape, type: tensor.type, values: tensor.values, bytes: tensor.bytes)
    }
}

/// A tensor's name that ends like one of the network's.
struct NetworkName {
    /// The network's name.
    let name: String
    /// What precedes it, with its dot, without what wrappers add.
    let prefix: String

    /// The layers of every network.
    private static let layers = GestureTCN.encoder + GestureTCN.longTemporal + [GestureTCN.classifier(classCount: 1)]
    /// The names of all tensors that a network may have.
    static let all = Set(
        layers.flatMap { spec in
            [spec.name + ".weight", spec.name + ".bias"]
                + (spec.batchNormPrefix.map(FoldedNetwork.batchNormNames) ?? [])
        })
    /// Tensors that only a whole network has.
    static let ends: Set = ["t1.conv.weight", "t3.conv.weight", "fc.weight"]

    /// Nil for a name that ends otherwise.
    init?(_ original: String) {
        let parts = TensorNames.plain(original).split(separator: ".", omittingEmptySubsequences: false)
        for count in [3, 2] where parts.count >= count {
            let name = parts.suffix(count).joined(separator: ".")
            guard Self.all.contains(name) else { continue }
            self.name = name
            let before = parts.dropLast(count).joined(separator: ".")
            prefix = before.isEmpty ? "" : before + "."
            return
        }
        return nil
    }

    /// The name of the layer that a tensor belongs to.
    static func layer(of tensor: String) -> String? { layers.first { $0.owns(tensor: tensor) }?.name }
}
