package import BodyPose
package import GestureEngine
package import Scheduling
import TrackerInference

/// What sessions share.
package struct PageSetup: Sendable {
    package internal(set) var engine: GestureEngine
    /// Besides what `settings` changes.
    let configuration: GestureEngine.Configuration
    /// Those that a page begins with.
    let settings: PageSettings
    /// Taught before.
    let gestures: UserGestures
    /// Reads heat and battery; nil where nothing is known of them.
    let readSensors: (@Sendable () -> DeviceReading)?
    /// Loads the networks of bodies, when a page asks for people.
    let loadBodies: @Sendable () throws(EngineError) -> BodyPoseEngine

    package init(
        engine: GestureEngine, configuration: GestureEngine.Configuration = GestureEngine.Configuration(),
        settings: PageSettings, gestures: UserGestures, readSensors: (@Sendable () -> DeviceReading)?,
        loadBodies: @escaping @Sendable () throws(EngineError) -> BodyPoseEngine
    ) {
        self.engine = engine
        self.configuration = configuration
        self.settings = settings
        self.gestures = gestures
        self.readSensors = readSensors
        self.loadBodies = loadBodies
    }
}
