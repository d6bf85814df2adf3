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

    /// The temporal layers that the network may have, fewest first: one choice for pixels, two for landmarks.
    package var temporalChoices: [[LayerSpec]] {
        self == .pixels ? [GestureTCN.temporal] : [GestureTCN.temporal, GestureTCN.longTemporal]
    }

    /// The temporal layers of a model or checkpoint: the longest choice whose last layer is present.
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

    /// What one step of the quantised input stands for: of a luma value in 0...1, or of a feature in 0...6.
    package var inputScale: Float { self == .pixels ? 1 / 255 : 6 / 255 }

    /// Number of quantised values that `encode` takes: those of an image or of a column.
    package var inputCount: Int { self == .pixels ? GestureTCN.frameBytes : GestureTCN.featureCount }

    /// Columns that a stream needs for its first prediction. Pixels need a full window. Landmarks need fewer, so a thumb that
    /// is held up when a stream begins is reported within 200 ms. Gestures that move still wait for a full window: see
    /// `SlotRecognition`.
    package var minimumColumns: Int { self == .pixels ? GestureTCN.windowLength : 4 }

    /// Columns per second that the temporal layers read; nil for the column of every slot, at any rate of the grid.
    package var columnRate: Int? { self == .pixels ? nil : 30 }

    /// Slots from one tap of a temporal layer of dilation 1 to the next, on a grid of `rate` slots per second. The
    /// layers read columns of landmarks at 30 Hz, whatever the camera's rate. So the receptive field spans half a
    /// second, or 1.3 s with a fourth temporal layer, and one set of weights serves every rate.
    package func columnStride(rate: Int) -> Int { columnRate.map { max(rate / $0, 1) } ?? 1 }
}
