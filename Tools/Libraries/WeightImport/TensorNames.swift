import ModelFile

/// Converts a checkpoint's tensor names to the network's.
package struct TensorNames: Sendable, Equatable {
    /// Prefixes that wrappers add to the names of their network: DataParallel, Lightning and `torch.compile`.
    package static let wrapperPrefixes = ["module.", "model.", "_orig_mod."]

    private let renamed: [String: String]

    /// - Parameter map: from the checkpoint's names, as in the file, to the network's.
    package init(map: [(from: String, to: String)] = []) throws(ImportError) {
        var renamed: [String: String] = [:]
        var targets: Set<String> = []
        for (from, to) in map {
            guard targets.insert(to).inserted else { throw .mapTargetTwice(to) }
            renamed[from] = to
        }
        self.renamed = renamed
    }

    /// Reads the map from a JSON text, an object of strings: `{"backbone.conv1.weight": "stem.conv.weight"}`.
    package init(json: [UInt8]) throws(ImportError) {
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
        try self.init(map: map.map { (from: $0.from, to: $0.to ?? "") })
    }

    /// The tensors under the network's names.
    ///
    /// Mapped names are replaced by the map; the others lose every wrapper prefix. BatchNorm's `num_batches_tracked`,
    /// which inference does not need, is left out.
    package func apply(
        _ tensors: [String: Checkpoint.Tensor]
    ) throws(ImportError) -> [String: Checkpoint.Tensor] {
        for name in renamed.keys.sorted() where tensors[name] == nil { throw .mapSourceMissing(name) }
        var result: [String: Checkpoint.Tensor] = [:]
        var origins: [String: String] = [:]
        for (original, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
            let name = renamed[original] ?? Self.withoutPrefixes(original)
            if name.hasSuffix(".num_batches_tracked") { continue }
            if let first = origins.updateValue(original, forKey: name) {
                throw .nameCollision(name: name, first: first, second: original)
            }
            result[name] = tensor
        }
        return result
    }

    private static func withoutPrefixes(_ name: String) -> String {
        var name = name[...]
        while let prefix = wrapperPrefixes.first(where: { name.hasPrefix($0) }) { name = name.dropFirst(prefix.count) }
        return String(name)
    }
}
