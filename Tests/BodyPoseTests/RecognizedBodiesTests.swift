import BodyPose
import BodyWeights
import TestSupport
import Testing
import TrackerInference

/// One picture, the product's own networks.
@Suite struct RecognizedBodiesTests {
    private static let engine = Result { try BodyPoseEngine() }

    private static func observations(
        _ orientation: ImageOrientation = .up,
        _ configuration: BodyTrackingConfiguration = BodyTrackingConfiguration()
    ) throws -> [BodyObservation] {
        try StandingPerson().withView(orientation) {
            try engine.get().recognizedBodies(in: $0, orientation: orientation, at: .seconds(7), configuration)
        }
    }

    /// The joints lie where the rig has them, however the picture is stored; left is the person's left.
    @Test(arguments: ImageOrientation.allCases)
    func everyOrientationComesOutUpright(_ orientation: ImageOrientation) throws {
        let observations = try Self.observations(orientation)
        #expect(observations.count == 1)
        let person = try #require(observations.first)
        #expect(person.confidence > 0.9 && person.time == .seconds(7))
        #expect(Array(person.joints).count == BodyJoints.count)
        #expect(person.quality == [])
        let upright = try #require(try Self.observations().first)
        for (name, point) in person.joints {
            let offset = try point.location - #require(upright.joints[name]).location
            #expect(abs(offset.x) < 0.005 && abs(offset.y) < 0.005, "\(name) is off by \(offset)")
        }
        for (name, place) in StandingPerson.rig {
            let offset = try #require(person.joints[name]).topLeftLocation - place
            #expect(abs(offset.x) < 0.04 && abs(offset.y) < 0.04, "\(name) is off by \(offset)")
        }
        let nose = try #require(person.joints[.nose])
        let image = nose.imagePoint(width: StandingPerson.width, height: StandingPerson.height)
        #expect(abs(image.x - 64) < 3 && abs(image.y - 128) < 3, "the nose is at \(image)")
        #expect(nose.topLeftLocation == SIMD2(person.body.landmarks[.nose].x, 1 - nose.location.y))
    }

    /// A picture that stands on its head and is called upright has a person who does: the nose is below the hips.
    @Test func theOrientationIsNotGuessed() throws {
        let person = try #require(
            try StandingPerson().withView(.down) {
                try Self.engine.get().recognizedBodies(in: $0, orientation: .up).first
            })
        let (nose, root) = (try #require(person.joints[.nose]), try #require(person.joints[.root]))
        #expect(nose.location.y < root.location.y - 0.2)
    }

    /// A joint in the preview's points lies where the stored picture's pixel is shown.
    @Test func jointsGoThroughTheViewTransform() throws {
        let person = try #require(try Self.observations(.right).first)
        let wrist = try #require(person.joints[.rightWrist])
        let transform = try ViewTransform(
            frameWidth: StandingPerson.height, frameHeight: StandingPerson.width,
            geometry: FrameGeometry(orientation: .right),
            preview: ViewTransform.Preview(width: 300, height: 400, gravity: .fit, mirrored: true))
        let shown = transform.map(PlanePoint(wrist), from: .picture(.bottomLeft), to: .view)
        #expect(abs(shown.x - (300 - 300 * 0.213)) < 12 && abs(shown.y - 400 * 0.149) < 16, "\(shown)")
    }

    /// What makes a video calm has no effect on one picture, and nothing is left of the picture before.
    @Test func aPictureHasNoPast() throws {
        let first = try Self.observations()
        #expect(!first.isEmpty)
        let person = try StandingPerson()
        let empty = [UInt8](repeating: 128, count: 4 * 120 * 160)
        let observed = try Self.engine.get().recognizedBodies(
            in: PixelView(empty.span, format: .rgba, width: 120, height: 160, bytesPerRow: 480))
        #expect(observed.isEmpty)
        for configuration in [
            BodyTrackingConfiguration(stillness: 255), BodyTrackingConfiguration(stillness: nil, hold: .zero),
            BodyTrackingConfiguration(detectionInterval: .seconds(10), hold: .seconds(10)),
            BodyTrackingConfiguration(smoothing: nil),
            BodyTrackingConfiguration(smoothing: BodyTrackingConfiguration.Smoothing(visibility: 0)),
        ] {
            let again = try person.withView { try Self.engine.get().recognizedBodies(in: $0, configuration) }
            #expect(again.map(\.joints) == first.map(\.joints))
            #expect(again.map(\.body.worldLandmarks) == first.map(\.body.worldLandmarks))
        }
        // The same by the call without joints.
        let bodies = try person.withView { try Self.engine.get().bodies(in: $0) }
        #expect(bodies == first.map(\.body))
    }

    @Test func aPersonFarAwayIsTooSmall() throws {
        let person = try #require(
            try StandingPerson().withDistantView { try Self.engine.get().recognizedBodies(in: $0) }.first)
        #expect(person.quality == .tooSmall)
        let nose = try #require(person.joints[.nose]).topLeftLocation
        #expect(abs(nose.x - (0.375 + 0.535 / 4)) < 0.02 && abs(nose.y - (0.375 + 0.2 / 4)) < 0.02, "\(nose)")
    }

    /// A region of the picture is the picture: shares are of the region.
    @Test func aRegionIsLookedAtAlone() throws {
        let (rgba, width, height) = try StandingPerson().stored(.up)
        let region = PixelView.Region(x: 10, y: 5, width: 100, height: 155)
        let picture = try PixelView(
            rgba.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width, region: region)
        let person = try #require(try Self.engine.get().recognizedBodies(in: picture).first)
        let knee = try #require(person.joints[.leftKnee]).topLeftLocation
        #expect(abs(knee.x - (0.664 * 120 - 10) / 100) < 0.05 && abs(knee.y - (0.731 * 160 - 5) / 155) < 0.04)
    }

    /// An unusable value is refused by name, even where it would have no effect.
    @Test(arguments: [
        (BodyTrackingConfiguration(maximumBodies: 0), "maximumBodies"),
        (BodyTrackingConfiguration(maximumBodies: .max), "maximumBodies"),
        (BodyTrackingConfiguration(minimumDetectionScore: .nan), "minimumDetectionScore"),
        (BodyTrackingConfiguration(minimumPresence: 2), "minimumPresence"),
        (BodyTrackingConfiguration(minimumOverlap: -.infinity), "minimumOverlap"),
        (BodyTrackingConfiguration(detectionInterval: .seconds(-1)), "detectionInterval"),
        (BodyTrackingConfiguration(stillness: .nan), "stillness"),
        (BodyTrackingConfiguration(hold: .seconds(11)), "hold"),
    ]) func absurdConfigurationsAreRefused(_ configuration: BodyTrackingConfiguration, _ name: String) throws {
        do {
            _ = try Self.observations(.up, configuration)
            Issue.record("accepted")
        } catch EngineError.configuration(let error) {
            #expect(error.parameter == "BodyTrackingConfiguration." + name)
        }
    }

    /// An app's own networks are taken, and what is no network of this tracker is refused before the first picture.
    @Test func variantsAreLoadedAndOthersRefused() throws {
        let (detector, network) = (try BodyWeights.detection, try BodyWeights.landmarks)
        let own = try BodyPoseEngine(BodyModels(landmarks: network))
        let found = try StandingPerson().withView { try own.recognizedBodies(in: $0) }
        #expect(found.map(\.joints) == (try Self.observations()).map(\.joints))
        do {
            _ = try BodyModels(landmarks: detector)
            Issue.record("a detector was taken for a landmark network")
        } catch {
            guard case .otherGraph(let expected, let found) = error else { throw error }
            #expect(expected != found && "\(error)".hasPrefix("A network of the tracker has inputs"))
        }
        do {
            _ = try BodyModels(landmarks: "/nonexistent")
            Issue.record("a file that is not there was read")
        } catch {
            guard case .model = error else { throw error }
        }
        do {
            _ = try BodyModels(detection: Fixtures.golden("golden.safetensors"))
            Issue.record("a gesture model was taken for a detector")
        } catch {
            guard case .file(Fixtures.golden("golden.safetensors"), _) = error else { throw error }
        }
    }

    /// The best first; the first that is quick enough is taken, and no other is measured after it.
    @Test func theBestVariantWithinTheBudgetIsTaken() throws {
        let variants = [BodyModels](repeating: try BodyModels(), count: 3)
        func choice(_ times: [Int]) throws -> (variant: Int, measured: Int) {
            var measured = 0
            let engine = try BodyPoseEngine(choosingFrom: variants, within: .milliseconds(25), excludedTiers: []) {
                _ throws(EngineError) in
                measured += 1
                return .milliseconds(times[measured - 1])
            }
            return (engine.variant, measured)
        }
        #expect(try choice([25]) == (0, 1))
        #expect(try choice([26, 10]) == (1, 2))
        // Nothing is lighter than the last one, so its time does not matter.
        #expect(try choice([60, 26]) == (2, 2))
    }

    @Test func variantsAreMeasuredOnThisDevice() throws {
        let own = try BodyModels()
        #expect(try BodyPoseEngine(choosingFrom: [own, own], within: .seconds(3_600)).variant == 0)
        let last = try BodyPoseEngine(choosingFrom: [own, own], within: .nanoseconds(1))
        #expect(last.variant == 1)
        let found = try StandingPerson().withView { try last.recognizedBodies(in: $0) }
        #expect(found.map(\.joints) == (try Self.observations()).map(\.joints))
        do {
            _ = try BodyPoseEngine(choosingFrom: [])
            Issue.record("an engine without a network was made")
        } catch {
            guard case .configuration = error else { throw error }
        }
    }
}
