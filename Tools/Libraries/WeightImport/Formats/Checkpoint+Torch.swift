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
    /// The tensor's storage is not in the archive, or has another size than the pickle states.
    case storage(tensor: String, key: String)
    /// The sizes and strides of a tensor lead outside its storage, are negative, or give more elements than it has.
    case view(tensor: String)
}

extension Checkpoint {
    /// The tensors of a PyTorch archive (`torch.save` since 1.6): those of the one dictionary that has any, or of the
    /// dictionary called `entry`. Values that are no tensors are left out.
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
        guard let entry else {
            guard let only = candidates.first else { throw .torch(.noTensors) }
            guard candidates.count == 1 else {
                throw .torch(.entry("", available: candidates.map(\.path)))
            }
            return only.tensors
        }
        guard let found = candidates.first(where: { $0.path == entry }) else {
            throw .torch(.entry(entry, available: candidates.map(\.path)))
        }
        return found.tensors
    }

    private typealias Candidate = (path: String, tensors: [(String, Pickle.TensorView)])

    /// Dictionaries inside more others than this are not looked into.
    private static let depthLimit = 4

    /// Every dictionary with tensors; what lies inside of one is not looked at.
    private func dictionariesWithTensors() throws(ImportError) -> [Candidate] {
        var candidates: [Candidate] = []
        var level = [(path: "", index: pickle.root)]
        var seen: Set<Int> = []
        for _ in 0..<Self.depthLimit {
            var next: [(path: String, index: Int)] = []
            for (path, index) in level where seen.insert(index).inserted {
                guard case .dictionary(let entries) = pickle.nodes[index] else { continue }
                var tensors: [(String, Pickle.TensorView)] = []
                var inner: [(path: String, index: Int)] = []
                var keys: Set<String> = []
                for entry in entries {
                    guard case .text(let key) = pickle.nodes[entry.key] else { continue }
                    guard keys.insert(key).inserted else { throw .torch(.keyTwice(key)) }
                    switch pickle.nodes[entry.value] {
                    case .tensor(let view): tensors.append((key, view))
                    case .dictionary: inner.append((path.isEmpty ? key : path + "/" + key, entry.value))
                    default: break
                    }
                }
                if tensors.isEmpty { next += inner } else { candidates.append((path, tensors)) }
            }
            level = next
        }
        return candidates
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

    /// All elements of the view must lie in its storage, and a view must not have more of them than the storage: a
    /// stride of 0 would make any number of one.
    private static func check(_ view: Pickle.TensorView, name: String) throws(ImportError) {
        let fault = ImportError.torch(.view(tensor: name))
        guard view.strides.count == view.shape.count, view.offset >= 0, view.strides.allSatisfy({ $0 >= 0 }),
            let count = CheckpointLimit.elementCount(view.shape), count <= view.storage.count
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
