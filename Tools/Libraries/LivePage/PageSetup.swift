package import BodyPose
package import GestureEngine

/// What sessions of a server share.
package struct PageSetup: Sendable {
    let engine: GestureEngine
    /// Besides what `settings` changes.
    let configuration: GestureEngine.Configuration
    /// Those that a page begins with.
    let settings: PageSettings
    /// Taught before.
    let gestures: UserGestures
    let sensors: DeviceSensors?
    /// Loads the networks of bodies, when a page asks for people.
    let loadBodies: @Sendable () throws -> BodyPoseEngine

    package init(
        engine: GestureEngine, configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        settings: PageSettings, gestures: UserGestures, sensors: DeviceSensors? = .system,
        loadBodies: @escaping @Sendable () throws -> BodyPoseEngine = { try BodyPoseEngine() }
    ) {
        self.engine = engine
        self.configuration = configuration
        self.settings = settings
        self.gestures = gestures
        self.sensors = sensors
        self.loadBodies = loadBodies
    }
}
