package import Vocabulary

extension FrontEnd {
    /// The name of the network that goes with it. A fourth temporal layer does not change the name: the tensors tell it.
    package var networkName: String {
        switch self {
        case .pixels: GestureTCN.name
        case .landmarks: "LandmarkTCN-217K"
        }
    }

    /// The front end of the network of a name.
    package init?(networkName: String) {
        guard let found = Self.allCases.first(where: { $0.networkName == networkName }) else { return nil }
        self = found
    }

    /// The network's layers that make a column of a frame; none where columns are given.
    package var encoder: [LayerSpec] { self == .pixels ? GestureTCN.encoder : [] }

    /// The temporal layers that the network may have, fewest first: one choice for pixels, two for landmarks.
    package var temporalChoices: [[LayerSpec]] {
        self == .pixels ? [GestureTCN.temporal] : [GestureTCN.temporal, GestureTCN.longTemporal]
    }

    /// The temporal layers of a model or checkpoint: the most of which the last one is there.
    /// - Parameter isPresent: whether the file has tensors of a layer.
    package func temporal(where isPresent: (LayerSpec) -> Bool) -> [LayerSpec] {
        temporalChoices.last { $0.last.map(isPresent) ?? false } ?? GestureTCN.temporal
    }

    /// Every layer in the order of execution, for `classCount` classes.
    package func layers(
        classCount: Int = GestureTCN.defaultClassCount, temporal: [LayerSpec] = GestureTCN.temporal
    ) -> [LayerSpec] {
        encoder + temporal + [GestureTCN.classifier(classCount: classCount)]
    }

    /// What one code of the network's input stands for: of a pixel, or of a feature in 0...6.
    package var inputScale: Float { self == .pixels ? 1 / 255 : 6 / 255 }

    /// Codes that `encode` takes: a frame's or a column's.
    package var inputCount: Int { self == .pixels ? GestureTCN.frameBytes : GestureTCN.featureCount }

    /// Columns a second; nil where a column is made for every slot, whatever the rate of the grid.
    package var columnRate: Int? { self == .pixels ? nil : 30 }

    /// Slots of a grid of `rate` a second from one temporal tap to the next. Columns of landmarks are at 30 Hz, whatever the
    /// camera's rate. The receptive field then spans half a second, or 1.3 s with a fourth temporal layer, and one set of
    /// weights serves every rate.
    package func columnStride(rate: Int) -> Int { columnRate.map { max(rate / $0, 1) } ?? 1 }
}
