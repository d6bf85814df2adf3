import ModelFile

/// Why a PyTorch file was refused.
package enum TorchFault: Error, Sendable, Equatable {
    /// The archive has not exactly one pickle `NAME/data.pkl`.
    case pickleMissing
    /// The archive's member `byteorder` says neither `little` nor `big`.
    case byteOrder
    case pickle(PickleFault)
    /// A dictionary has this key twice.
    case keyTwice(String)
    /// No dictionary of the file has tensors.
    case noTensors
    /// Several dictionaries have tensors; or the one with the requested name, unless empty, has none.
    case entry(String, available: [String])
    /// A weight of the network is a tensor of another kind, by the name of its type or of what makes it.
    case unreadable(tensor: String, kind: String)
    /// The tensor's storage is not in the archive, or has another size than the pickle states.
    case storage(tensor: String, key: String)
    /// The sizes and strides of a tensor lead outside its storage, are negative, or give more elements than it has.
    case view(tensor: String)
}

extension Checkpoint {
    /// The tensors of a PyTorch archive (`torch.save` since 1.6): those of the one dictionary that has tensors of the
    /// network, else of the one that has any, or of the dictionary called `entry`. Values that are no tensors are left out.
    /// - Parameter entry: the keys that lead to the dictionary, joined by slashes; empty for the file's own value.
    static func tensors(torch bytes: [UInt8], entry: String? = nil) throws(ImportError) -> [String: Tensor] {
        let file = try TorchFile(bytes)
        var gathered = TensorCollection()
        for (name, view) in try file.stateDictionary(entry) {
            try gathered.add(name, try file.tensor(view, name: name))
        }
        return gathered.tensors
    }
}

private struct TorchFile {
    private let archive: ZipArchive
    private let members: [String: ZipArchive.Entry]
    /// The directory of all members, with its slash.
    private let root: String
    private let isBigEndian: Bool
    private let pickle: Pickle

    init(_ bytes: [UInt8]) throws(ImportError) {
        // PyTorch never compresses. Many tensors may share a member, which would be unpacked for each.
        archive = try ZipArchive.opening(bytes, allowingDeflate: false)
        members = Dictionary(uniqueKeysWithValues: archive.entries.map { ($0.name, $0) })
        let names = archive.entries.map(\.name)
        guard !names.contains(where: { $0.hasSuffix("/constants.pkl") || $0.contains("/code/") }) else {
            throw .unsupportedFormat(.torchScript)
        }
        let pickles = names.filter { $0.hasSuffix("/data.pkl") }
        guard pickles.count == 1, let member = members[pickles[0]] else { throw .torch(.pickleMissing) }
        root = String(pickles[0].dropLast("data.pkl".count))
        var isBigEndian = false
        if let order = members[root + "byteorder"] {
            switch String(decoding: try archive.reading(order), as: UTF8.self) {
            case "little": break
            case "big": isBigEndian = true
            default: throw .torch(.byteOrder)
            }
        }
        self.isBigEndian = isBigEndian
        let content = try archive.reading(member)
        do throws(PickleFault) { pickle = try Pickle(content) } catch { throw .torch(.pickle(error)) }
    }

    // MARK: The state dict

    /// The tensors of the dictionary by their keys.
    func stateDictionary(_ entry: String?) throws(ImportError) -> [(String, Pickle.TensorView)] {
        let candidates = try dictionariesWithTensors()
        let chosen = candidates.first { $0.path == entry } ?? (entry == nil ? Self.network(candidates) : nil)
        guard let chosen else {
            if candidates.isEmpty, let foreign = pickle.firstForeign {
                throw .torch(.pickle(.global(module: foreign.module, name: foreign.name)))
            }
            guard entry != nil || !candidates.isEmpty else { throw .torch(.noTensors) }
            throw .torch(.entry(entry ?? "", available: candidates.map(\.path)))
        }
        if let (name, kind) = chosen.unreadable.first { throw .torch(.unreadable(tensor: name, kind: kind)) }
        return chosen.tensors
    }

    private struct Candidate {
        let path: String
        /// Whether another dictionary with tensors contains it.
        let isInner: Bool
        var tensors: [(String, Pickle.TensorView)] = []
        /// Values with names of the network's tensors that are not read.
        var unreadable: [(name: String, kind: String)] = []

        /// Names of the network's tensors.
        var names: Set<String> { Set((tensors.map(\.0) + unreadable.map(\.name)).compactMap { NetworkName($0)?.name }) }
    }

    /// The only dictionary with a whole network, else the only one with a tensor of it, else the only one with tensors. The
    /// state of an optimizer may have its names.
    private static func network(_ candidates: [Candidate]) -> Candidate? {
        let others = candidates.filter { !$0.path.lowercased().hasPrefix("optim") }
        let named = others.filter { !$0.names.isEmpty }
        let whole = named.filter { NetworkName.ends.isSubset(of: $0.names) }
        for choice in [whole, named] where !choice.isEmpty { return choice.count == 1 ? choice[0] : nil }
        let outer = candidates.filter { !$0.isInner }
        return outer.count == 1 ? outer[0] : nil
    }

    /// Dictionaries inside more others than this are not looked into.
    private static let depthLimit = 4

    /// Every dictionary with tensors.
    private func dictionariesWithTensors() throws(ImportError) -> [Candidate] {
        var candidates: [Candidate] = []
        var level = [(path: "", index: pickle.root, isInner: false)]
        var seen: Set<Int> = []
        for _ in 0..<Self.depthLimit {
            var next: [(path: String, index: Int, isInner: Bool)] = []
            for (path, index, isInner) in level where seen.insert(index).inserted {
                var candidate = Candidate(path: path, isInner: isInner)
                var inner: [(path: String, index: Int)] = []
                for (key, value) in try members(of: index) {
                    switch pickle.nodes[value] {
                    case .tensor(let view): candidate.tensors.append((key, view))
                    case .foreign(let foreign) where NetworkName(key) != nil:
                        candidate.unreadable.append((key, foreign.module + "." + foreign.name))
                    case .dictionary, .list, .tuple: inner.append((path.isEmpty ? key : path + "/" + key, value))
                    default: break
                    }
                }
                let hasTensors = !candidate.tensors.isEmpty || !candidate.unreadable.isEmpty
                if hasTensors { candidates.append(candidate) }
                next += inner.map { ($0.path, $0.index, isInner || hasTensors) }
            }
            level = next
        }
        return candidates
    }

    /// The values of a dictionary by their keys that are text, or those of a list by their places.
    private func members(of index: Int) throws(ImportError) -> [(key: String, value: Int)] {
        switch pickle.nodes[index] {
        case .dictionary(let entries):
            var members: [(key: String, value: Int)] = []
            var keys: Set<String> = []
            for entry in entries {
                guard case .text(let key) = pickle.nodes[entry.key] else { continue }
                guard keys.insert(key).inserted else { throw .torch(.keyTwice(key)) }
                members.append((key, entry.value))
            }
            return members
        case .list(let items), .tuple(let items): return items.enumerated().map { ("\($0.offset)", $0.element) }
        default: return []
        }
    }

    // MARK: Tensors

    func tensor(_ view: Pickle.TensorView, name: String) throws(ImportError) -> Checkpoint.Tensor {
        let storage = view.storage
        let type = storage.type.element
        guard let member = members[root + "data/" + storage.key], storage.count >= 0,
            member.size % type.byteCount == 0, member.size / type.byteCount == storage.count
        else { throw .torch(.storage(tensor: name, key: storage.key)) }
        try Self.check(view, name: name)
        let bytes = try archive.reading(member)
        let elements = FloatElements(bytes, type: type, isBigEndian: isBigEndian)
        return Checkpoint.Tensor(
            shape: view.shape, type: storage.type.rawValue,
            values: elements?.values(shape: view.shape, offset: view.offset, strides: view.strides))
    }

    /// Elements of a view that repeats those of its storage, by a stride of 0: several times those of a layer.
    private static let repeatedLimit = 1 << 20

    /// All elements of the view must lie in its storage. A stride of 0 would make any number of one, which is limited.
    private static func check(_ view: Pickle.TensorView, name: String) throws(ImportError) {
        let fault = ImportError.torch(.view(tensor: name))
        guard view.strides.count == view.shape.count, view.offset >= 0, view.strides.allSatisfy({ $0 >= 0 }),
            let count = CheckpointLimit.elementCount(view.shape), count <= max(view.storage.count, repeatedLimit)
        else { throw fault }
        guard count > 0 else { return }
        var last = view.offset
        for (size, stride) in zip(view.shape, view.strides) {
            let (extent, isTooFar) = (size - 1).multipliedReportingOverflow(by: stride)
            let (sum, overflow) = last.addingReportingOverflow(extent)
            guard !isTooFar, !overflow else { throw fault }
            last = sum
        }
        guard last < view.storage.count else { throw fault }
    }
}
