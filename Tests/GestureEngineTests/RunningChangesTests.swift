import Frames
import GestureEngine
import PixelFrontEnd
import Recognition
import TestSupport
import Testing
import TrackerInference

/// What an app reads and changes while a stream runs.
@Suite struct RunningChangesTests {
    private static func scripted(_ change: (inout GestureEngine.Configuration) -> Void = { _ in }) throws
        -> GestureStream
    {
        var configuration = GestureEngine.Configuration.eager
        change(&configuration)
        let unit = ScriptedUnit("scripted", classCount: 13)
        return try goldenEngine().makeStream(configuration, pixels: .only(unit), adding: [unit])
    }

    private static func probabilities(_ stream: GestureStream, room: Int = 13) -> [Float]? {
        var result = [Float](repeating: -1, count: room)
        var span = result.mutableSpan
        return stream.copyProbabilities(to: &span) ? result : nil
    }

    @Test func probabilitiesOfAllClassesGoIntoTheCallersMemory() throws {
        let stream = try Self.scripted()
        for index in 0..<20 {
            let prediction = try PixelView.withFlat(3) { stream.push($0, at: .slot(index)).prediction }
            let found = Self.probabilities(stream)
            #expect((found != nil) == (prediction != nil))
            guard let found, let prediction else { continue }
            #expect(abs(found.reduce(0, +) - 1) < 1e-5)
            #expect(found[prediction.classIndex] == prediction.confidence)
            #expect(prediction.classIndex == 3)
        }
        #expect(Self.probabilities(stream, room: 12) == nil)
        let roomy = try #require(Self.probabilities(stream, room: 15))
        #expect(roomy[13...] == [-1, -1])
        _ = stream.finish()
        #expect(Self.probabilities(stream) == nil)
    }

    @Test func probabilitiesAreInTheOrderOfWhatEventsName() throws {
        let mirrored = try Self.scripted { $0.advanced.directions = .upMirrored }
        let left = try #require(mirrored.labels.firstIndex(of: "swipeLeft"))
        let right = try #require(mirrored.labels.firstIndex(of: "swipeRight"))
        for index in 0..<20 { _ = try PixelView.withFlat(UInt8(left)) { mirrored.push($0, at: .slot(index)) } }
        let found = try #require(Self.probabilities(mirrored))
        #expect(found[right] > 0.9 && found[left] < 0.1)
    }

    @Test func thresholdsAndClassesChangeWhileTheStreamRuns() throws {
        let stream = try Self.scripted()
        let own = stream.recognition
        #expect(own == GestureEngine.Configuration.eager.recognition)
        var events: [GestureEvent] = []
        func push(_ slots: Range<Int>, _ level: UInt8) throws {
            for index in slots { events += try PixelView.withFlat(level) { stream.push($0, at: .slot(index)).events } }
        }
        let labels = stream.labels
        try push(0..<20, 3)
        #expect(stream.activeGesture == labels[3])

        var other = own
        other.deniedClasses = [.label(labels[3])]
        try stream.setRecognition(other)
        #expect(stream.recognition == other)
        try push(20..<30, 3)
        try push(30..<40, 5)
        #expect(events.map(\.label) == [labels[3], labels[3], labels[5]])
        #expect(events.map(\.kind) == [.begin, .end(.released), .begin])

        other.deniedClasses = ["juggling"]
        #expect(throws: EngineError.self) { try stream.setRecognition(other) }
        #expect(stream.recognition.deniedClasses == [.label(labels[3])])
        #expect(stream.activeGesture == labels[5])

        try stream.setRecognition(nil)
        #expect(stream.recognition == (try goldenEngine().defaultRecognition(at: .hz120)))
        try push(40..<60, 3)
        #expect(stream.activeGesture == labels[3])
    }

    @Test func aLiveStreamTellsAndChangesTheSame() throws {
        var configuration = GestureEngine.Configuration.eager
        configuration.scheduling = .everySlot
        let unit = ScriptedUnit("scripted", classCount: 13)
        let live = try goldenEngine().makeLiveStream(
            configuration, pixels: .only(unit), sensors: nil, adding: [unit])
        #expect(live.labels == (try goldenEngine().labels))
        func push(_ slots: Range<Int>, _ level: UInt8) throws {
            for index in slots {
                try PixelView.withFlat(level) { _ = live.push($0, at: .slot(index)) }
                live.drain()
            }
        }
        func leading() -> Int? {
            var found = [Float](repeating: 0, count: live.labels.count)
            var span = found.mutableSpan
            guard live.copyProbabilities(to: &span) else { return nil }
            return found.indices.max { found[$0] < found[$1] }
        }
        try push(0..<10, 3)
        #expect(leading() == nil)
        try push(10..<20, 3)
        #expect(leading() == 3)
        #expect(live.activeGesture == live.labels[3])

        var other = live.recognition
        other.allowedClasses = [.label(live.labels[5])]
        try live.setRecognition(other)
        #expect(live.recognition == other)
        try push(20..<24, 3)
        #expect(live.activeGesture == nil)
        #expect(leading() == 3)
        try push(24..<30, 5)
        #expect(live.activeGesture == live.labels[5])
        other.medianLength = 2
        #expect(throws: EngineError.self) { try live.setRecognition(other) }
        live.finish()
    }
}
