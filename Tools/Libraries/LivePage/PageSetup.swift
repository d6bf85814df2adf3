package import GestureEngine

/// What sessions of a server share.
package struct PageSetup: Sendable {
    let engine: GestureEngine
    /// Besides what `settings` changes.
    let configuration: GestureEngine.Configuration
    /// Those that a page begins with.
    let settings: PageSettings
    /// The front ends that the engine has.
    let frontEnds: [FrontEnd]
    /// Taught before.
    let gestures: UserGestures
    let sensors: DeviceSensors?
    /// The sentence of a change, for the page.
    let sentence: @Sendable (StreamChange) -> String

    package init(
        engine: GestureEngine, configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        settings: PageSettings, frontEnds: [FrontEnd], gestures: UserGestures, sensors: DeviceSensors? = .system,
        sentence: @escaping @Sendable (StreamChange) -> String
    ) {
        self.engine = engine
        self.configuration = configuration
        self.settings = settings
        self.frontEnds = frontEnds
        self.gestures = gestures
        self.sensors = sensors
        self.sentence = sentence
    }
}
