public import GestureEngine
import KernelInterface
import Kernels
package import ModelFile
package import Network
import Platform
package import Streams
public import TrackerInference
import Vocabulary

extension GestureEngine {
    /// Loads a pixel network, and makes an engine that recognises gestures in the luma of whole frames. It recognises
    /// people that it never saw far worse than landmarks do.
    /// - Parameter source: `.bundled` of the product `GesturePixels`, or a model of one's own.
    public convenience init(pixels source: Source) throws(EngineError) {
        try self.init(pixels: Self.load(source))
    }

    /// Makes an engine from a loaded pixel network.
    package convenience init(pixels file: ModelFile) throws(EngineError) {
        let weights: NetworkWeights
        do {
            weights = try NetworkWeights(model: file)
        } catch {
            throw .model(error)
        }
        guard weights.frontEnd == .pixels else {
            throw .model(.wrongNetwork(expected: FrontEnd.pixels.networkName, found: file.manifest.network))
        }
        self.init(
            Model(manifest: file.manifest, weights: weights), frontEnd: .pixels, frames: PixelNetworkFactory())
    }

    /// Makes a stream of the pixel front end. Feed it from one thread at a time.
    /// - Parameters:
    ///   - pixels: options of this front end.
    ///   - units: compute units of the app. The stream uses those in `pixels.units`, and nothing else may use them
    ///     meanwhile.
    public func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), pixels: PixelConfiguration,
        adding units: [any ComputeUnit] = []
    ) throws(EngineError) -> GestureStream {
        try makeStream(configuration, pixels: pixels, adding: units, clock: .system)
    }

    /// The same with a clock that a test moves.
    package func makeStream(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        pixels: PixelConfiguration = PixelConfiguration(), adding units: [any ComputeUnit] = [], clock: StreamClock
    ) throws(EngineError) -> GestureStream {
        let network = try makePixelNetwork(
            configuration, pixels, adding: units,
            measuresActivity: configuration.scheduling?.activity != nil, clock: clock)
        return try makeStream(configuration, network: network, clock: clock)
    }

    func makePixelNetwork(
        _ configuration: GestureEngine.Configuration, _ pixels: PixelConfiguration, adding units: [any ComputeUnit],
        measuresActivity: Bool, clock: StreamClock
    ) throws(EngineError) -> PixelNetwork {
        guard let factory = frames as? PixelNetworkFactory else { throw .noPixelModel }
        return try factory.makeNetwork(
            for: self, configuration, pixels, adding: units, measuresActivity: measuresActivity, clock: clock)
    }

    /// Makes a unit that runs the model at the configuration's nominal rate; of landmarks, too, for tools.
    /// - Parameter backend: nil takes the model's.
    package func makeUnit(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration(), backend: Backend? = nil
    ) throws(EngineError) -> NetworkUnit {
        let backend = backend ?? (model.manifest.precision == .int8 ? .int8 : .float)
        let stride = frontEnd.columnStride(rate: configuration.rate.rawValue)
        if let factory = frames as? PixelNetworkFactory {
            return try factory.unit(backend, of: model, configuration, columnStride: stride)
        }
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        do {
            return NetworkUnit(
                try PackedLayers(model.weights, backend: backend, kernels: kernels), columnStride: stride)
        } catch {
            throw .notQuantised
        }
    }
}

/// Makes the pixel networks of one engine's streams. Weights are packed once for each backend and tier.
final class PixelNetworkFactory: FrameNetworkFactory {
    private struct Program: Sendable {
        let layers: PackedLayers
        /// What the encoders of the streams run in.
        let arenas = Arenas()
    }

    private let programs = Locked<[String: Program]>([:])

    func makeNetwork(
        for engine: GestureEngine, _ configuration: GestureEngine.Configuration, measuresActivity: Bool,
        clock: StreamClock
    ) throws(EngineError) -> any FrameNetwork {
        try makeNetwork(
            for: engine, configuration, PixelConfiguration(), adding: [], measuresActivity: measuresActivity,
            clock: clock)
    }

    func makeNetwork(
        for engine: GestureEngine, _ configuration: GestureEngine.Configuration, _ pixels: PixelConfiguration,
        adding added: [any ComputeUnit], measuresActivity: Bool, clock: StreamClock
    ) throws(EngineError) -> PixelNetwork {
        try EngineError.checked(pixels.validate())
        let units = try makeUnits(engine, configuration, pixels, adding: added)
        return try PixelNetwork(
            EngineError.checked(UnitGroup(units, selection: pixels.unitSelection, clock: clock)), pixels,
            orientation: configuration.orientation,
            kernels: KernelRegistry.select(excluding: configuration.advanced.excludedTiers).resize,
            measuresActivity: measuresActivity)
    }

    /// The units of a stream, the preferred one first.
    private func makeUnits(
        _ engine: GestureEngine, _ configuration: GestureEngine.Configuration, _ pixels: PixelConfiguration,
        adding added: [any ComputeUnit]
    ) throws(EngineError) -> [any ComputeUnit] {
        let own = pixels.backend ?? (engine.model.manifest.precision == .int8 ? .int8 : .float)
        var units: [any ComputeUnit] = []
        for name in pixels.units ?? [own.rawValue] + added.map({ $0.name }) {
            guard !units.contains(where: { $0.name == name }) else { throw .unitOrder(name: name) }
            if let unit = added.first(where: { $0.name == name }) {
                guard unit.classCount == engine.labels.count else {
                    throw .unitClasses(name: name, required: engine.labels.count, found: unit.classCount)
                }
                units.append(unit)
            } else if let backend = Backend(rawValue: name) {
                units.append(try unit(backend, of: engine.model, configuration, columnStride: 1))
            } else {
                throw .unitOrder(name: name)
            }
        }
        guard !units.isEmpty else { throw .unitOrder(name: "") }
        return units
    }

    func unit(
        _ backend: Backend, of model: GestureEngine.Model, _ configuration: GestureEngine.Configuration,
        columnStride: Int
    ) throws(EngineError) -> NetworkUnit {
        let kernels = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        do {
            let program = try programs.value(for: [backend.rawValue, kernels.tier].joined(separator: "/")) {
                () throws(NetworkError) in
                Program(layers: try PackedLayers(model.weights, backend: backend, kernels: kernels))
            }
            return NetworkUnit(program.layers, columnStride: columnStride, arenas: program.arenas)
        } catch {
            throw .notQuantised
        }
    }
}
