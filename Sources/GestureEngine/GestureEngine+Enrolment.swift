public import Enrolment
import Network
import Platform
import Vocabulary

/// Gestures of the user's own: recorded, fitted and kept beside the model, which stays as it is.
extension GestureEngine {
    /// No gestures yet; where an app without a file begins. They are of the default front end.
    public func noUserGestures() -> UserGestures { UserGestures(base: enrolmentBase) }

    /// Reads the gestures that `UserGestures.bytes()` gave; those of another model are refused.
    public func userGestures(_ bytes: [UInt8]) throws(GestureEngineError) -> UserGestures {
        do { return try UserGestures(bytes: bytes, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Reads such a file.
    public func userGestures(path: String) throws(GestureEngineError) -> UserGestures {
        do { return try UserGestures.load(path: path, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Reads the columns of the model's own classes that new gestures are told apart from.
    public func featureBank(_ bytes: [UInt8]) throws(GestureEngineError) -> FeatureBank {
        do { return try FeatureBank(bytes: bytes, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// What takes one recording after another, of a gesture or of nothing. Configure it as the streams that will recognise.
    public func makeRecorder(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(GestureEngineError) -> GestureRecorder {
        try GestureRecorder(engine: self, configuration: configuration)
    }

    /// Adds a gesture of the user's own to `gestures`, or refuses it and leaves them as they were.
    ///
    /// It takes long beside a frame, so not on the thread that pushes frames. Streams that were made before do not know the
    /// gesture.
    /// - Parameters:
    ///   - label: what its events are called.
    ///   - examples: recordings of it, one or more; from two on they are tested against each other.
    ///   - background: recordings of nothing, in which it must not fire.
    ///   - bank: the model's own classes; without one only `background` and the examples' rest speak against it.
    @discardableResult
    public func enrol(
        _ label: String, from examples: [GestureRecording], background: [GestureRecording] = [],
        bank: FeatureBank? = nil, into gestures: inout UserGestures,
        configuration: EnrolmentConfiguration = EnrolmentConfiguration()
    ) throws(GestureEngineError) -> UserGestures.EnrolmentReport {
        do throws(EnrolmentError) {
            try Self.require(gestures, of: enrolmentBase)
            let enrolment = try GestureEnrolment(existing: gestures, bank: bank, configuration: configuration)
            let (gesture, report) = try enrolment.fit(label, examples: examples, background: background)
            try gestures.add(gesture)
            return report
        } catch {
            throw .enrolment(error)
        }
    }

    /// What enrolment knows of this model.
    package var enrolmentBase: EnrolmentBase {
        guard let base = try? enrolmentBase(of: defaultFrontEnd) else {
            preconditionFailure("an engine has a model of its default front end")
        }
        return base
    }

    /// What enrolment knows of a front end's model.
    private func enrolmentBase(of frontEnd: FrontEnd) throws(GestureEngineError) -> EnrolmentBase {
        let model = try model(frontEnd)
        return basesOfEnrolment.withLock { bases in
            if let base = bases[frontEnd] { return base }
            let made = EnrolmentBase(
                identity: model.weights.identity(model.manifest), labels: labels, nullIndex: nullIndex,
                featureCount: GestureTCN.temporalWidth)
            bases[frontEnd] = made
            return made
        }
    }

    /// Refuses gestures of another model.
    private static func require(_ gestures: UserGestures, of base: EnrolmentBase) throws(EnrolmentError) {
        guard gestures.base == base else {
            throw .otherModel(expected: base.identity, found: gestures.base.identity)
        }
    }

    private func require(_ gestures: UserGestures, of frontEnd: FrontEnd) throws(GestureEngineError) {
        let base = try enrolmentBase(of: frontEnd)
        do { try Self.require(gestures, of: base) } catch { throw .enrolment(error) }
    }

    /// The rows of a stream's configuration, nil if there are none, for units that all hand out features and none of which is
    /// ours and of the other front end's model.
    func rows(
        of configuration: GestureEngine.Configuration, for units: [any ComputeUnit]
    ) throws(GestureEngineError) -> UserGestureRows? {
        guard let gestures = configuration.userGestures, !gestures.labels.isEmpty else { return nil }
        try require(gestures, of: frontEnd(of: configuration, adding: units))
        let rows = UserGestureRows(gestures)
        for unit in units {
            guard unit.featureCount == rows.featureCount else {
                throw .unitFeatures(name: unit.name, required: rows.featureCount, found: unit.featureCount)
            }
            if unit is any NetworkUnit { try require(gestures, of: unit.frontEnd) }
        }
        return rows
    }
}
