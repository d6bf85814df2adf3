public import Frames
public import Network
public import Pacing
public import Recognition

/// Everything about a stream that an app can choose. The defaults suit the bundled model and a 120 fps camera.
public struct Configuration: Sendable, Equatable {
    /// How frames are brought into the network's square: crop mode, orientation, mirror.
    public var geometry: FrameGeometry

    /// The camera's nominal rate, and what late and missing frames become.
    public var pacing: PacingConfiguration

    /// The thresholds of begin and end; nil takes the model's own defaults.
    public var recognition: RecognitionConfiguration?

    /// The arithmetic; nil takes int8 for an int8 model and float for a float model.
    public var backend: Backend?

    /// Kernel tiers not to be used, by name: for comparing and for tests. It can only remove.
    public var excludedTiers: Set<String>

    /// A configuration; what is not named has its default.
    public init(
        geometry: FrameGeometry = FrameGeometry(),
        pacing: PacingConfiguration = PacingConfiguration(),
        recognition: RecognitionConfiguration? = nil,
        backend: Backend? = nil,
        excludedTiers: Set<String> = []
    ) {
        self.geometry = geometry
        self.pacing = pacing
        self.recognition = recognition
        self.backend = backend
        self.excludedTiers = excludedTiers
    }

    /// The defaults at another nominal camera rate.
    public init(rate: NominalRate) {
        self.init(pacing: PacingConfiguration(nominalRate: rate))
    }
}
