import Foundation
import ModelFile
import Network
import Vocabulary

/// Models of the landmark front end for tests.
package enum ColumnModel {
    /// The project's own, int8.
    package static var path: String {
        Fixtures.repository.appendingPathComponent("Weights/hands/hand-gestures.safetensors").path
    }

    /// An int8 model: the temporal layers of the golden model, under the name of the network over columns.
    package static func int8() throws -> [UInt8] {
        let path = Fixtures.golden("golden-int8.safetensors")
        let file = try SafetensorsFile.load(path: path, limit: 1 << 24)
        let layers = Set(FrontEnd.landmarks.layers().map(\.name))
        func layer(_ name: String) -> String { name.split(separator: ".").dropLast().joined(separator: ".") }
        var manifest = try ModelFile(file: file).manifest
        manifest.network = FrontEnd.landmarks.networkName
        manifest.activationScales = manifest.activationScales.filter { layers.contains($0.key) }
        let tensors = file.tensors.filter { layers.contains(layer($0.name)) }.map { tensor in
            let raw = file.rawBytes(of: tensor)
            return TensorPayload(
                name: tensor.name, type: tensor.type, shape: tensor.shape, bytes: raw.indices.map { raw[$0] })
        }
        return try ModelFile.bytes(manifest: manifest, tensors: tensors)
    }
}
