import Foundation
package import ModelFile
package import Network
package import Vocabulary

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

    /// The layers of a network over columns with a fourth temporal layer, for 13 classes.
    package static let fourLayers = FrontEnd.landmarks.layers(temporal: GestureTCN.longTemporal)

    /// A model with random parameters and four temporal layers unless `layers` are others.
    /// - Parameter change: what is done to its tensors and activation scales before they are written.
    package static func random(
        seed: UInt64, _ precision: ModelManifest.Precision = .int8, layers: [LayerSpec] = fourLayers,
        frontEnd: FrontEnd = .landmarks, change: (inout [TensorPayload], inout [String: Float]) -> Void = { _, _ in }
    ) throws -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let parameters = RandomModel.floats(seed: seed, layers: layers)
        var tensors: [TensorPayload] = []
        for spec in layers {
            let (weights, bias) = parameters[spec.name] ?? ([], [])
            let (weight, shape) = (spec.name + ".weight", spec.weightShape)
            let channels = [spec.outputChannels]
            switch precision {
            case .float32: tensors.append(.float32(weight, shape: shape, weights))
            case .float16: tensors.append(.float16(weight, shape: shape, bits: weights.map(HalfPrecision.bits)))
            case .int8:
                let codes = weights.map { _ in Int8.random(in: -127...127, using: &random) }
                let scale = HalfPrecision.bits((6 / Float(spec.depth)).squareRoot() / 127)
                tensors.append(.int8(weight, shape: shape, codes))
                tensors.append(
                    .float16(
                        spec.name + ".scale", shape: channels,
                        bits: [UInt16](repeating: scale, count: spec.outputChannels)))
            }
            tensors.append(
                precision == .float32
                    ? .float32(spec.name + ".bias", shape: channels, bias)
                    : .float16(spec.name + ".bias", shape: channels, bits: bias.map(HalfPrecision.bits)))
        }
        var scales: [String: Float] = [:]
        if precision == .int8 { for spec in layers.dropLast() { scales[spec.name] = 6 / 255 } }
        change(&tensors, &scales)
        var manifest = try ModelFile.load(path: Fixtures.golden("golden-int8.safetensors")).manifest
        manifest.network = frontEnd.networkName
        manifest.precision = precision
        manifest.activationScales = scales
        return try ModelFile.bytes(manifest: manifest, tensors: tensors)
    }
}
