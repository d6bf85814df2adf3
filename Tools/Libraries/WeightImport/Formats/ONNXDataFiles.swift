import Foundation
import ModelFile

/// The files beside an ONNX model that have the values of its larger constants.
///
/// A model could name any path. Only regular files in the model's own folder are read, by their plain names, and all
/// of them together have at most as many bytes as a checkpoint.
final class ONNXDataFiles {
    /// Nil for a model in memory, which has no files beside it.
    private let folder: URL?
    private(set) var contents: [String: [UInt8]] = [:]

    init(folder: URL? = nil) { self.folder = folder }

    /// The bytes that `location`, `offset` and `length` of a constant lead to.
    func content(_ fields: [String: String], of tensor: String) throws(ONNXFault) -> ArraySlice<UInt8> {
        guard let location = fields["location"], let folder else { throw .tensor(tensor, .external) }
        let bytes = try file(location, in: folder, of: tensor)
        func number(_ key: String, default value: Int) throws(ONNXFault) -> Int {
            guard let text = fields[key] else { return value }
            guard let number = Int(text), number >= 0 else { throw .tensor(tensor, .externalRange(location)) }
            return number
        }
        let offset = try number("offset", default: 0)
        guard offset <= bytes.count else { throw .tensor(tensor, .externalRange(location)) }
        let length = try number("length", default: bytes.count - offset)
        guard length <= bytes.count - offset else { throw .tensor(tensor, .externalRange(location)) }
        return bytes[offset..<offset + length]
    }

    private func file(_ name: String, in folder: URL, of tensor: String) throws(ONNXFault) -> [UInt8] {
        if let bytes = contents[name] { return bytes }
        guard !name.isEmpty, name != ".", name != "..", name.utf8.count <= 255,
            !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == 0 })
        else { throw .tensor(tensor, .externalPath(name)) }
        let path = folder.appendingPathComponent(name).path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { throw .tensor(tensor, .externalMissing(name)) }
        // The attributes are those of a link itself.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw .tensor(tensor, .externalPath(name))
        }
        let limit = Checkpoint.sizeLimit - contents.values.reduce(0) { $0 + $1.count }
        let bytes: [UInt8]
        do { bytes = try FileBytes.read(path: path, limit: limit) } catch { throw .dataFile(name, error) }
        contents[name] = bytes
        return bytes
    }
}
