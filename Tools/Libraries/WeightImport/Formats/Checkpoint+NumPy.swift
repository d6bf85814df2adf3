import ModelFile

extension Checkpoint {
    /// The tensors of an archive of arrays (`numpy.savez`, `numpy.savez_compressed`), by their members' names without
    /// `.npy`.
    static func tensors(npz bytes: [UInt8]) throws(ImportError) -> [String: Tensor] {
        let archive = try ZipArchive.opening(bytes, allowingDeflate: true)
        var gathered = TensorCollection()
        for entry in archive.entries {
            guard entry.name.hasSuffix(".npy") else { throw .numpy(tensor: entry.name, .member) }
            let name = String(entry.name.dropLast(".npy".count))
            let content = try archive.reading(entry)
            try gathered.add(name, try tensor(npy: content, name: name))
        }
        return gathered.tensors
    }

    /// One array.
    static func tensor(npy bytes: ArraySlice<UInt8>, name: String) throws(ImportError) -> Tensor {
        do throws(NumPyFault) {
            let array = try NumPyArray(bytes)
            return Tensor(shape: array.shape, type: array.type, values: array.values, bytes: array.bytes)
        } catch {
            throw .numpy(tensor: name, error)
        }
    }
}

/// Tensors by name, within the limits of checkpoints.
struct TensorCollection {
    private(set) var tensors: [String: Checkpoint.Tensor] = [:]
    private var elements = 0

    mutating func add(_ name: String, _ tensor: Checkpoint.Tensor) throws(ImportError) {
        guard name.utf8.count <= CheckpointLimit.nameBytes else {
            throw .file(.nameTooLong(name, limit: CheckpointLimit.nameBytes))
        }
        guard tensors.updateValue(tensor, forKey: name) == nil else { throw .file(.duplicateKey(name)) }
        guard tensors.count <= CheckpointLimit.tensors else {
            throw .file(.tooManyTensors(limit: CheckpointLimit.tensors))
        }
        let count = tensor.values?.count ?? 0
        guard count <= CheckpointLimit.elements - elements else {
            throw .tooManyElements(limit: CheckpointLimit.elements)
        }
        elements += count
    }
}

extension ZipArchive {
    static func opening(_ bytes: [UInt8], allowingDeflate: Bool) throws(ImportError) -> ZipArchive {
        do throws(Fault) { return try ZipArchive(bytes: bytes, allowingDeflate: allowingDeflate) } catch {
            throw .archive(error)
        }
    }

    func reading(_ entry: Entry) throws(ImportError) -> ArraySlice<UInt8> {
        do throws(Fault) { return try contents(of: entry) } catch { throw .archive(error) }
    }
}
