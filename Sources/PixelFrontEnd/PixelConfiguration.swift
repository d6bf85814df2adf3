public import Frames
public import Network
public import Vocabulary

/// What an app chooses about the pixel front end of a stream.
public struct PixelConfiguration: Codable, Sendable, Equatable {
    /// Whether the network gets the upright frame flipped horizontally.
    public var isMirrored: Bool

    /// How the frame becomes the network's square image. Change it for a network of your own that was trained on images
    /// cut or fitted in another way; the bundled one was trained on stretched images.
    public var crop: PixelView.CropMode

    /// Whether a pixel of the network's image is the mean of all stored pixels that it covers. Without it the image is
    /// made faster from large frames, but fine detail becomes noise that no training clip has.
    public var antialiased: Bool

    /// The network's arithmetic; nil takes int8 for an int8 model and float for a float model. Change it to compare the
    /// two.
    public var backend: Backend?

    /// The compute units by name, the preferred one first, for an app that adds its own. Names are `int8`, `float` and
    /// those of the added units. With nil the unit of `backend` comes first, then the added units. All are prepared with
    /// the stream; a later unit takes over when the one before it is too slow. By default a stream has only one of the
    /// engine's units: a fallback has to be faster, and float takes 2.7 times as long as int8 (D14).
    public var units: [String]?

    /// When another unit takes over.
    package var unitSelection: UnitSelection

    /// Another of `units` takes over when the 95th percentile of the time of a step is above this over two seconds,
    /// 1 us...10 s. Change it for units of an app's own that take longer.
    public var unitLatencyLimit: Duration {
        get { unitSelection.threshold }
        set { unitSelection.threshold = newValue }
    }

    /// Evens out the exposure of the frames; nil leaves them as they are.
    package var exposure: ExposureConfiguration?

    /// Whether the exposure of the network's images is evened out. Turn it on to try it with a camera whose exposure
    /// drifts and cannot be locked. It is off by default, because fewer frames were recognised correctly with it (D16).
    /// An app should lock the exposure after two seconds.
    public var evensExposure: Bool {
        get { exposure != nil }
        set { exposure = newValue ? exposure ?? ExposureConfiguration() : nil }
    }

    /// Values that are not given have their defaults.
    public init(
        isMirrored: Bool = false, crop: PixelView.CropMode = .stretch, antialiased: Bool = true,
        backend: Backend? = nil, units: [String]? = nil, unitLatencyLimit: Duration = .milliseconds(7),
        evensExposure: Bool = false
    ) {
        self.isMirrored = isMirrored
        self.crop = crop
        self.antialiased = antialiased
        self.backend = backend
        self.units = units
        unitSelection = UnitSelection(threshold: unitLatencyLimit)
        exposure = evensExposure ? ExposureConfiguration() : nil
    }

    /// Checks every value that can be checked without a model, in the order of declaration, and throws the first fault.
    public func validate() throws(ConfigurationError) {
        try unitSelection.validate()
        try exposure?.validate()
    }

    /// How a frame becomes the network's image.
    package func geometry(_ orientation: ImageOrientation) -> FrameGeometry {
        FrameGeometry(crop: crop, orientation: orientation, mirrored: isMirrored, antialiased: antialiased)
    }
}
