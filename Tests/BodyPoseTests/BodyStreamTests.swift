import BodyPose
import Foundation
import KernelInterface
import Kernels
import Platform
import Testing
import TrackerInference

private let frame30 = Duration.nanoseconds(33_333_333)

@Suite struct BodyStreamTests {
    /// How far the points of two bodies are apart at most, in shares of the frame's width and height.
    private static func distance(_ one: TrackedBody, _ other: TrackedBody) -> Float {
        (0..<TrackedBody.Points.count).map { index in
            let offset = one.landmarks[index] - other.landmarks[index]
            return max(abs(offset.x), abs(offset.y))
        }.max() ?? .infinity
    }

    @Test func aPersonIsFoundWhereOneIs() throws {
        let stream = try BodyPoseEngine().makeStream()
        for step in 0..<5 { try DrawnPerson().withView { stream.track($0, at: frame30 * step) } }
        try #require(stream.bodies.count == 1)
        let body = stream.bodies[0]
        #expect(body.identity == 0 && body.state == .seen && body.presence > 0.9)
        // Head above hips above feet, and the person's left on the picture's right.
        #expect(body.landmarks[.nose].y < body.landmarks[.leftHip].y - 0.2)
        #expect(body.landmarks[.leftHip].y < body.landmarks[.leftAnkle].y - 0.2)
        #expect(body.landmarks[.leftShoulder].x > body.landmarks[.rightShoulder].x + 0.1)
        #expect(body.visibility[.nose] > 0.9)
        try withEmptyFrame { stream.track($0, at: .seconds(1)) }
        #expect(stream.bodies.isEmpty)
    }

    /// Sums in another order differ by less than a thousandth of the frame, from this CPU's best tier to portable code.
    @Test func allTiersAgree() throws {
        var excluded: Set<String> = []
        var first: TrackedBody?
        for kernels in KernelRegistry.available {
            let stream = try BodyPoseEngine(excludedTiers: excluded).makeStream()
            for step in 0..<3 { try DrawnPerson(shift: step).withView { stream.track($0, at: frame30 * step) } }
            let body = try #require(stream.bodies.first)
            if let first {
                #expect(Self.distance(first, body) < 1e-3, "\(kernels.tier)")
                #expect(abs(first.presence - body.presence) < 1e-3, "\(kernels.tier)")
            }
            first = first ?? body
            excluded.insert(kernels.tier)
        }
        #expect(excluded.count == KernelRegistry.available.count)
    }

    /// Two streams fed in turn say what each says alone.
    @Test func streamsOfOneEngineHaveNothingElseInCommon() throws {
        let engine = try BodyPoseEngine()
        func people(_ stream: BodyStream, _ step: Int, _ shift: Int) throws -> [TrackedBody] {
            try DrawnPerson(shift: shift).withView { stream.track($0, at: frame30 * step) }
            return stream.bodies
        }
        let (one, other) = (try engine.makeStream(), try engine.makeStream())
        var together: [[TrackedBody]] = []
        for step in 0..<6 { together += [try people(one, step, 2 * step), try people(other, step, -3 * step)] }
        for (offset, speed) in [2, -3].enumerated() {
            let alone = try engine.makeStream()
            for step in 0..<6 { #expect(try people(alone, step, speed * step) == together[2 * step + offset]) }
        }
        #expect(together.allSatisfy { $0.count == 1 })
    }

    /// Streams of one engine on threads of their own.
    @Test func streamsRunBesideEachOther() async throws {
        let engine = try BodyPoseEngine()
        let all = try await withThrowingTaskGroup(of: [TrackedBody].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let stream = try engine.makeStream()
                    for step in 0..<4 {
                        try DrawnPerson(shift: 2 * step).withView { stream.track($0, at: frame30 * step) }
                    }
                    return stream.bodies
                }
            }
            return try await group.reduce(into: [[TrackedBody]]()) { $0.append($1) }
        }
        #expect(all.count == 4 && all[0].count == 1)
        #expect(all.allSatisfy { $0 == all[0] })
    }

    @Test func resetForgetsEverybody() throws {
        let stream = try BodyPoseEngine().makeStream()
        try DrawnPerson().withView { stream.track($0, at: .zero) }
        #expect(stream.bodies.map(\.identity) == [0])
        stream.reset()
        #expect(stream.bodies.isEmpty && !stream.isBodyLost)
        try DrawnPerson().withView { stream.track($0, at: .zero) }
        #expect(stream.bodies.map(\.identity) == [1])
    }

    @Test func peopleSideBySide() throws {
        let stream = try BodyPoseEngine().makeStream(BodyTrackingConfiguration(maximumBodies: 3))
        for step in 0..<4 { try DrawnPerson(copies: 2).withView { stream.track($0, at: frame30 * step) } }
        try #require(stream.bodies.count == 2)
        let noses = stream.bodies.map { $0.landmarks[.nose].x }.sorted()
        #expect((0..<0.5).contains(noses[0]) && (0.5..<1).contains(noses[1]))
        #expect(Set(stream.bodies.map(\.identity)).count == 2)
    }

    /// Times are those of the networks' runs over the latest frame.
    @Test func networksAreTimed() throws {
        let stream = try BodyPoseEngine().makeStream()
        try DrawnPerson().withView { stream.track($0, at: .zero) }
        #expect(stream.networkTimes.detection > 0 && stream.networkTimes.landmarks > 0)
        try DrawnPerson().withView { stream.track($0, at: frame30) }
        #expect(stream.networkTimes.detection == 0 && stream.networkTimes.landmarks > 0)
        #expect(stream.counts.frames == 2 && stream.counts.detections == 1 && stream.counts.landmarkRuns == 2)
    }

    /// The mask covers the body's middle and none of the image's corners, at any size; it is nil without segmentation.
    @Test(arguments: [(120, 160), (30, 40), (60, 40)]) func masks(_ width: Int, _ height: Int) throws {
        let engine = try BodyPoseEngine()
        for segmentation in [true, false] {
            let stream = try engine.makeStream(BodyTrackingConfiguration(segmentation: segmentation))
            for step in 0..<2 { try DrawnPerson().withView { stream.track($0, at: frame30 * step) } }
            var pixels = [Float](repeating: 0.5, count: width * height)
            var span = pixels.mutableSpan
            let isThere = stream.copyMask(width: width, height: height, to: &span)
            #expect(isThere == segmentation)
            let body = try #require(stream.bodies.first)
            guard segmentation else {
                #expect(pixels.allSatisfy { $0 == 0 })
                continue
            }
            #expect(pixels.allSatisfy { (0...1).contains($0) })
            let middle = (body.landmarks[.leftHip] + body.landmarks[.rightShoulder]) / 2
            let (x, y) = (Int(middle.x * Float(width)), Int(middle.y * Float(height)))
            #expect(pixels[y * width + x] > 0.9)
            for corner in [0, width - 1, (height - 1) * width, height * width - 1] { #expect(pixels[corner] < 0.1) }
        }
    }

    @Test func aConfigurationIsRefused() throws {
        let engine = try BodyPoseEngine()
        let error = EngineError.configuration(
            ConfigurationError("BodyTrackingConfiguration.maximumBodies", 5, allowed: 1...4))
        #expect(throws: error) { try engine.makeStream(BodyTrackingConfiguration(maximumBodies: 5)) }
        #expect(throws: error) { try engine.makeLiveStream(BodyTrackingConfiguration(maximumBodies: 5)) }
    }

    /// Weights are packed once, and streams share the memory in which networks work: another stream costs neither. In a process
    /// of its own: other tests take and free memory.
    @Test(.enabled(if: ProcessMemory.resident != nil, "the system does not tell"))
    func streamsShareTheWeights() async {
        await #expect(processExitsWith: .success) {
            let engine = try BodyPoseEngine()
            func makeUsed() throws -> BodyStream {
                let stream = try engine.makeStream()
                try DrawnPerson().withView { stream.track($0, at: .zero) }
                return stream
            }
            let begin = try #require(ProcessMemory.resident)
            var streams = [try makeUsed()]
            let first = try #require(ProcessMemory.resident) - begin
            for _ in 0..<8 { streams.append(try makeUsed()) }
            let each = (try #require(ProcessMemory.resident) - begin - first) / 8
            #expect(first > each + 3_000_000, "the first takes \(first) bytes, another one \(each)")
            #expect((10_000...500_000).contains(each), "\(each) bytes a stream")
            withExtendedLifetime(streams) {}
        }
    }
}
