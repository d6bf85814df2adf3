import Foundation
package import ModelFile

/// A network in a file: a TFLite file, or a member of a bundle of them (`.task`, a zip archive).
package struct GraphSource: Sendable {
    /// Largest file read, in bytes.
    package static let sizeLimit = 256 << 20
    /// The depth to which bundles in bundles are searched.
    private static let depthLimit = 2

    /// The file's name without its directory; for a member, the bundle's name and the member's path in it.
    package let name: String
    package let bytes: [UInt8]

    /// Opens the file at `path`.
    /// - Parameter entry: a network of a bundle; a bundle inside it is a directory of the path. Required if there are
    ///   several.
    package static func open(path: String, entry: String? = nil) throws(ImportError) -> GraphSource {
        let bytes = try importing { () throws(ModelFileError) in
            try FileBytes.read(path: path, limit: sizeLimit)
        }
        return try GraphSource(
            bytes: bytes, fileName: URL(fileURLWithPath: path).lastPathComponent, entry: entry)
    }

    package init(bytes: [UInt8], fileName: String, entry: String? = nil) throws(ImportError) {
        switch Self.Kind(bytes) {
        case nil: throw .noNetwork(ModelFileError.FileFormat.detect(bytes))
        case .network:
            guard entry == nil else { throw .entryMissing(entry ?? "", available: []) }
            self.bytes = bytes
            name = fileName
            return
        case .bundle: break
        }
        let networks = try Self.networks(bytes, path: "", depth: 0)
        let names = networks.map(\.name)
        if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
            throw .archive(.name(names[twice]))
        }
        let index = entry.map { names.firstIndex(of: $0) } ?? (networks.count == 1 ? 0 : nil)
        guard let index else { throw .entryMissing(entry ?? "", available: names) }
        self.bytes = networks[index].bytes
        name = fileName + "/" + names[index]
    }

    /// The graph, with its origin.
    package func graph() throws(ImportError) -> GraphFile {
        do throws(TFLiteError) {
            let file = try TFLiteGraph.read(bytes)
            return GraphFile(
                graph: file.graph, parameters: file.parameters,
                manifest: GraphManifest(source: name, sourceSHA256: SHA256.hexadecimal(of: bytes)))
        } catch {
            throw .tflite(error)
        }
    }

    /// The kinds of files that contain networks.
    package enum Kind: Sendable, Equatable {
        case network, bundle

        /// Nil if the bytes are neither. A TFLite file may have an archive of metadata at its end; it is still a TFLite
        /// file. A bundle may have bytes before its first member. Bytes that begin like an archive are a bundle even if
        /// its end is cut off.
        package init?(_ bytes: [UInt8]) {
            switch ModelFileError.FileFormat.detect(bytes) {
            case .tflite: self = .network
            case .zip, .mediaPipeTask: self = .bundle
            // Files and archives of other content contain no networks.
            case .safetensors, .npz, .torchArchive, .torchScript, .torchExport, .keras, .coreML, .tensorFlow: return nil
            default:
                guard ZipArchive.isArchive(bytes) else { return nil }
                self = .bundle
            }
        }
    }

    private static func networks(
        _ bytes: [UInt8], path: String, depth: Int
    ) throws(ImportError) -> [(name: String, bytes: [UInt8])] {
        let archive: ZipArchive
        do throws(ZipArchive.Fault) { archive = try ZipArchive(bytes: bytes) } catch { throw .archive(error) }
        var networks: [(name: String, bytes: [UInt8])] = []
        for entry in archive.entries {
            let member = Array(bytes[entry.range])
            switch Kind(member) {
            case .network: networks.append((path + entry.name, member))
            case .bundle:
                guard depth + 1 < depthLimit else {
                    throw .archive(.tooDeep(path + entry.name, limit: depthLimit))
                }
                networks += try self.networks(member, path: path + entry.name + "/", depth: depth + 1)
            case nil: break
            }
        }
        return networks
    }
}
