package import Vocabulary

extension FrontEnd {
    /// Name of the front end's network. A fourth temporal layer does not change the name: the tensors show it.
    package var networkName: String {
        switch self {
        case .pixels: GestureTCN.name
        case .landmarks: "LandmarkTCN-217K"
        }
    }

    /// The front end of the network with this name.
    package init?(networkName: String) {
        guard let found = Self.allCases.first(where: { $0.networkName == networkName }) else { return nil }
        self = found
    }

    /// The network's layers that turn an image into a column; none if the network is given columns.
    package var encoder: [LayerSpec] { self == .pixels ? GestureTCN.encoder : [] }

    /// The temporal layers that the network may have, fewest first: one choice for pixels; for landmarks three or four layers, with
    /// arms or without.
    package var temporalChoices: [[LayerSpec]] {
        guard self == .landmarks else { return [GestureTCN.temporal] }
        return [GestureTCN.temporal, GestureTCN.longTemporal].flatMap { [$0, GestureTCN.withArms($0)] }
    }

    /// The temporal layers of a model or checkpoint: the longest choice whose last layer is present, with arms if the first layer
    /// reads them.
    /// - Parameter weightCount: the number of weights that the file has for a layer; nil if it lacks the layer.
    package func temporal(weightCount: (LayerSpec) -> Int?) -> [LayerSpec] {
        let choices = temporalChoices.filter { $0.last.map { weightCount($0) != nil } ?? false }
        let longest = choices.map(\.count).max()
        let candidates = choices.filter { $0.count == longest }
        return candidates.first { $0.first.map { weightCount($0) == $0.weightCount } ?? false } ?? candidates.first
            ?? GestureTCN.temporal
    }

    /// Every layer in the order of execution, for `classCount` classes.
    package func layers(
        classCount: Int = GestureTCN.defaultClassCount, temporal: [LayerSpec] = GestureTCN.temporal
    ) -> [LayerSpec] {
        encoder + temporal + [GestureTCN.classifier(classCount: classCount)]
    }

    /// What one step of the quantised input stands for: of a luma value in 0...1, or of a feature in 0...6.
    package var inputScale: Float { self == .pixels ? 1 / 255 : 6 / 255 }

    /// Whether a network of these layers takes an input of `count` values: exactly an image, or at least the values of a column that
    /// its first layer reads.
    package func takes(_ count: Int, layers: [LayerSpec]) -> Bool {
        self == .pixels ? count == inputCount : count >= layers[0].inputChannels
    }

    /// Number of quantised values that a stream gives: those of an image or of a column.
    package var inputCount: Int { self == .pixels ? GestureTCN.frameBytes : GestureTCN.columnCount }

    /// Columns per second that the temporal layers read; nil for the column of every slot, at any rate of the grid.
    package var columnRate: Int? { self == .pixels ? nil : 30 }

    /// Slots from one tap of a temporal layer of dilation 1 to the next, on a grid of `rate` slots per second. The
    /// layers read columns of landmarks at 30 Hz, whatever the camera's rate. So the receptive field spans half a
    /// second, or 1.3 s with a fourth temporal layer, and one set of weights serves every rate.
    package func columnStride(rate: Int) -> Int { columnRate.map { max(rate / $0, 1) } ?? 1 }
}
