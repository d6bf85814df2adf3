public import Enrolment
import HandTracking
import ModelFile
import Network
import Platform
public import TrackerInference
import Tracking
import Vocabulary

/// The user's own gestures: recorded, fitted and kept beside the model, which stays unchanged.
extension GestureEngine {
    /// An empty set of gestures for the default front end, for an app that has no file yet.
    public func noUserGestures() -> UserGestures { UserGestures(base: enrolmentBase) }

    /// Reads gestures from the bytes of `UserGestures.bytes()`. Gestures of another model are refused.
    public func userGestures(_ bytes: [UInt8]) throws(EngineError) -> UserGestures {
        do { return try UserGestures(bytes: bytes, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Reads gestures from a file with such bytes.
    public func userGestures(path: String) throws(EngineError) -> UserGestures {
        do { return try UserGestures.load(path: path, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Reads the feature columns of the model's own classes, with which new gestures must not be confused.
    public func featureBank(_ bytes: [UInt8]) throws(EngineError) -> FeatureBank {
        do { return try FeatureBank(bytes: bytes, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Makes a bank from recordings of the model's own gestures and of anything else. A slot counts for the class to which
    /// the model gives more than half of the probability. Slots without such a class are left out. The bank keeps up to 16
    /// slots of each gesture and 128 of null.
    public func featureBank(from recordings: [GestureRecording]) throws(EngineError) -> FeatureBank {
        do { return try FeatureBank(recordings, base: enrolmentBase) } catch { throw .enrolment(error) }
    }

    /// Makes a recorder that takes one recording after another, with or without a gesture. Use the configuration of the
    /// streams that will recognise the gestures.
    public func makeRecorder(
        _ configuration: GestureEngine.Configuration = GestureEngine.Configuration()
    ) throws(EngineError) -> GestureRecorder {
        try GestureRecorder(engine: self, configuration: configuration)
    }

    /// Adds a gesture to the user's `gestures`, or throws and leaves them unchanged.
    ///
    /// Recordings of a hand that is held still teach a pose, recordings of anything else a movement, and both together a
    /// gesture that is either (`EnrolmentConfiguration.kind`). A pose needs landmarks and one recording; it is an event when
    /// it is held for about half a second, as in `HeldPoseConfiguration`.
    ///
    /// This takes much longer than a frame, so do not call it on the thread that pushes frames. Only streams that are made
    /// afterwards recognise the new gesture.
    /// - Parameters:
    ///   - label: the label of its events.
    ///   - examples: one or more recordings of the gesture; two or more are tested against each other.
    ///   - background: recordings without the gesture, in which it must not be recognised.
    ///   - bank: features of the model's own classes. With nil it is the one that comes with the project's hand networks.
    ///     Other models have none: the counterexamples are then only `background` and the rest of the examples, and the
    ///     report warns of a movement.
    @discardableResult
    public func enrol(
        _ label: String, from examples: [GestureRecording], background: [GestureRecording] = [],
        bank: FeatureBank? = nil, into gestures: inout UserGestures,
        configuration: EnrolmentConfiguration = EnrolmentConfiguration()
    ) throws(EngineError) -> UserGestures.EnrolmentReport {
        do throws(EnrolmentError) {
            try Self.require(gestures, of: enrolmentBase)
            let bank = if let bank { bank } else { try backgroundBank() }
            let enrolment = try GestureEnrolment(existing: gestures, bank: bank, configuration: configuration)
            let (gesture, report) = try enrolment.fit(label, examples: examples, background: background)
            try gestures.add(gesture)
            return report
        } catch {
            throw .enrolment(error)
        }
    }

    /// The user's gestures whose poses a stream would report in a recording, by the same rules: held for about half a
    /// second, with a share of null's probability above `confidence`.
    package static func heldGestures(
        _ gestures: UserGestures, in recording: GestureRecording, confidence: Float = 0.85
    ) -> Set<String> {
        guard let hand = recording.hand, var poses = UserPoses(gestures) else { return [] }
        var held = HeldPose(HeldPoseConfiguration())
        var found: Set<String> = []
        for slot in 0..<hand.slotCount {
            let embedding = Array(hand.embeddings[slot * PoseTemplate.width..<(slot + 1) * PoseTemplate.width])
            let isSeen = embedding.contains { $0 > 0 }
            let palm = hand.palms[slot]
            held.update(
                isSeen ? TrackedHand.Pose(scores: SIMD8()) : nil,
                own: poses.scores(embedding.elementSpan, poses: hand.poses[slot]),
                palm: isSeen ? ChangeMeter.Palm(x: palm.x, y: palm.y, size: palm.z) : nil, aspect: 1,
                at: Int64(slot) * 1_000_000_000 / Int64(hand.rate))
            // The first half second is not over before.
            guard slot >= hand.rate / 2 - 1 else { continue }
            for (index, label) in gestures.labels.enumerated() where held.ownShares[index] > confidence {
                found.insert(label)
            }
        }
        return found
    }

    /// The model's data that enrolment needs.
    package var enrolmentBase: EnrolmentBase {
        baseOfEnrolment.withLock { base in
            if let base { return base }
            let made = EnrolmentBase(
                identity: model.weights.identity(model.manifest), labels: labels, nullIndex: nullIndex,
                featureCount: GestureTCN.temporalWidth)
            base = made
            return made
        }
    }

    /// The bank that comes with the hand networks; nil without one for this model's temporal layers.
    private func backgroundBank() throws(EnrolmentError) -> FeatureBank? {
        guard let source = hands?.background else { return nil }
        return try bankOfBackground.withLock { (kept: inout FeatureBank??) throws(EnrolmentError) in
            if let kept { return kept }
            let bytes: [UInt8]
            do throws(ModelFileError) {
                switch source {
                case .file(let path): bytes = try FileBytes.read(path: path, limit: EnrolmentBackground.sizeLimit)
                case .bytes(let given): bytes = given
                case .embedded(let text): bytes = try EmbeddedText.decode(text)
                }
            } catch {
                throw .file(error)
            }
            var bank: FeatureBank?
            do throws(EnrolmentError) {
                bank = try EnrolmentBackground(
                    bytes: bytes, layers: model.weights.featureIdentity, featureCount: enrolmentBase.featureCount
                ).bank(
                    enrolmentBase, weights: model.weights.layers[model.weights.layers.count - 1].floats,
                    bias: model.weights.layers[model.weights.layers.count - 1].bias)
            } catch {
                // Of other temporal layers.
                guard case .otherModel = error else { throw error }
            }
            kept = .some(bank)
            return bank
        }
    }

    /// Refuses gestures of another model.
    private static func require(_ gestures: UserGestures, of base: EnrolmentBase) throws(EnrolmentError) {
        guard gestures.base == base else {
            throw .otherModel(expected: base.identity, found: gestures.base.identity)
        }
    }

    /// The rows of the user's gestures in a stream's configuration; nil without gestures. Throws if the network has
    /// another number of features, or if the gestures belong to another model.
    func rows(
        of configuration: GestureEngine.Configuration, for network: SlotNetwork
    ) throws(EngineError) -> UserGestureRows? {
        guard let gestures = configuration.userGestures, !gestures.labels.isEmpty else { return nil }
        do { try Self.require(gestures, of: enrolmentBase) } catch { throw .enrolment(error) }
        let rows = UserGestureRows(gestures)
        if case .frames(let network) = network { try network.requireFeatures(rows.featureCount) }
        return rows
    }
}
