import Evaluation
import Foundation
import Testing
import Vocabulary

@Suite struct ClipLabelsTests {
    private static let whole = """
        {"rate_hz": 60, "frames": 20, "seed": 7, "split": "test", "lighting": "dim", "source_hz": 49.5, "hand": "h-1",
         "events": [{"label": "swipe", "onset_s": 0.1, "end_s": 0.2}, {"label": "tap", "onset_s": 0.05, "end_s": 0.0667}],
         "labels": [[12, 20, "null"], [0, 3, "null"], [3, 4, "tap"], [6, 12, "swipe"]],
         "undecided": [[13, 15], [6, 8]]}
        """

    private func read(_ text: String) throws -> ClipLabels {
        try ClipLabels(json: Data(text.utf8), classes: sample)
    }

    @Test func everyKeyIsRead() throws {
        let labels = try read(Self.whole)
        #expect(labels.rate == 60)
        #expect(labels.frames == 20)
        #expect(labels.lighting == "dim")
        #expect(labels.hand == "h-1")
        #expect(labels.sourceRate == 49.5)
        #expect(
            labels.events == [
                .init(classIndex: 1, onset: 0.05, end: 0.0667), .init(classIndex: 0, onset: 0.1, end: 0.2),
            ])
        #expect(labels.runs.map(\.frames) == [0..<3, 3..<4, 6..<12, 12..<20])
        #expect(labels.runs.map(\.classIndex) == [2, 1, 0, 2])
        #expect(labels.undecided == [6..<8, 13..<15])
    }

    @Test func namesAreReadWhateverTheClassesAre() throws {
        let text = #"""
            {"rate_hz": 30, "frames": 4, "events": [{"label": "mine", "onset_s": 0.1, "end_s": 0.2}],
             "labels": [[0, 2, "null"], [2, 3, "mine"], [3, 4, "yours"]]}
            """#
        let names = try ClipLabels.names(json: Data(text.utf8))
        #expect(names.events == ["mine"] && names.runs == ["null", "mine", "yours"])
        #expect(throws: ClipLabelsError.unknownLabel("mine")) { try read(text) }
        #expect(throws: ClipLabelsError.missing(key: "labels")) {
            try ClipLabels.names(json: Data(#"{"rate_hz": 30, "frames": 4, "events": []}"#.utf8))
        }
        #expect(throws: ClipLabelsError.unreadable(path: "/nowhere.json")) {
            try ClipLabels.names(contentsOf: URL(fileURLWithPath: "/nowhere.json"))
        }
    }

    @Test func optionalKeysMayBeAbsentOrNull() throws {
        let labels = try read(
            #"{"rate_hz": 30, "frames": 1, "events": [], "labels": [[0, 1, "null"]], "hand": null, "undecided": null}"#)
        #expect(labels.lighting == nil && labels.hand == nil && labels.sourceRate == nil)
        #expect(labels.undecided.isEmpty && labels.events.isEmpty)
        #expect(!labels.isJittered)
    }

    @Test func everyFrameHasTheClassOfItsRun() throws {
        let labels = try read(Self.whole)
        let expected: [Int?] = [2, 2, 2, 1, nil, nil, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2]
        #expect((0..<20).map { labels.classIndex(ofFrame: $0) } == expected)
        for frame in [-1, 20, Int.min, Int.max] { #expect(labels.classIndex(ofFrame: frame) == nil) }
        #expect((0..<20).filter { !labels.isDecided(frame: $0) } == [6, 7, 13, 14])
    }

    @Test(arguments: [(30.0, false), (29.75, false), (30.29, false), (29.6, true), (30.4, true), (10.0, true)])
    func aCameraOffTheGridIsJittered(source: Double, expected: Bool) throws {
        let labels = try read(
            #"{"rate_hz": 30, "frames": 1, "events": [], "labels": [[0, 1, "null"]], "source_hz": \#(source)}"#)
        #expect(labels.isJittered == expected)
    }

    /// The file with one thing wrong, and what is thrown.
    @Test(arguments: [
        ("", ClipLabelsError.notJSON), ("{", .notJSON), ("nul", .notJSON),
        ("[]", .malformed(key: "")), ("3", .malformed(key: "")),
        ("{}", .missing(key: "rate_hz")),
        (file(rate: "\"60\""), .malformed(key: "rate_hz")),
        (file(rate: "0"), .rateOutOfRange(0)), (file(rate: "-30"), .rateOutOfRange(-30)),
        (file(rate: "1e-300"), .rateOutOfRange(1e-300)), (file(rate: "1000.5"), .rateOutOfRange(1000.5)),
        (file(frames: "0"), .noFrames(0)), (file(frames: "-4"), .noFrames(-4)),
        (file(frames: "1.5"), .malformed(key: "frames")),
        (file(frames: "99999999999999999999"), .malformed(key: "frames")),
        (file(source: "0"), .sourceRateOutOfRange(0)), (file(source: "true"), .malformed(key: "source_hz")),
        (file(rate: "1e999"), .malformed(key: "rate_hz")), (file(source: "-1e999"), .malformed(key: "source_hz")),
        (file(labels: #"[[0, 1.5, "null"]]"#), .malformed(key: "labels.0.1")),
        (file(events: event("tap", "0.1", "1e999")), .malformed(key: "events.0.end_s")),
        (file(labels: "[]"), .noRuns), (file(labels: "{}"), .malformed(key: "labels")),
        (file(labels: #"[[0, 5, "wave"]]"#), .unknownLabel("wave")),
        (file(labels: #"[[0, 5, ""]]"#), .unknownLabel("")),
        (file(labels: #"[[0, 5, "null"], [5, 5, "tap"]]"#), .runOutOfRange(first: 5, end: 5, frames: 10)),
        (file(labels: #"[[5, 2, "null"]]"#), .runOutOfRange(first: 5, end: 2, frames: 10)),
        (file(labels: #"[[-1, 2, "null"]]"#), .runOutOfRange(first: -1, end: 2, frames: 10)),
        (file(labels: #"[[0, 11, "null"]]"#), .runOutOfRange(first: 0, end: 11, frames: 10)),
        (
            file(labels: #"[[-9223372036854775808, 9223372036854775807, "null"]]"#),
            .runOutOfRange(first: .min, end: .max, frames: 10)
        ),
        (file(labels: #"[[0, 5, "null"], [4, 6, "tap"]]"#), .overlappingRuns(0..<5, 4..<6)),
        (file(labels: #"[[4, 6, "tap"], [0, 5, "null"]]"#), .overlappingRuns(0..<5, 4..<6)),
        (file(labels: #"[[0, 5, "null"], [0, 5, "null"]]"#), .overlappingRuns(0..<5, 0..<5)),
        (file(labels: #"[[0, 5]]"#), .malformed(key: "labels.0.2")),
        (file(labels: #"[[0, 5, "null", 1]]"#), .malformed(key: "labels.0.3")),
        (file(labels: #"[[0, "5", "null"]]"#), .malformed(key: "labels.0.1")),
        (file(undecided: "[[3, 12]]"), .runOutOfRange(first: 3, end: 12, frames: 10)),
        (file(undecided: "[[3, 3]]"), .runOutOfRange(first: 3, end: 3, frames: 10)),
        (file(undecided: "[[1, 5], [3, 6]]"), .overlappingRuns(1..<5, 3..<6)),
        (file(undecided: "[[1, 5, 6]]"), .malformed(key: "undecided.0.2")),
        (file(undecided: "[3, 5]"), .malformed(key: "undecided.0")),
        (file(events: #"[{"label": "tap", "onset_s": 0.1}]"#), .missing(key: "events.0.end_s")),
        (file(events: event("tap", "-0.1", "0.2")), .eventBeforeClip(index: 0, onset: -0.1)),
        (file(events: event("tap", "0.3", "0.2")), .eventWithoutLength(index: 0, onset: 0.3, end: 0.2)),
        (file(events: event("tap", "0.3", "0.3")), .eventWithoutLength(index: 0, onset: 0.3, end: 0.3)),
        (file(events: event("null", "0.1", "0.2")), .nullEvent(index: 0)),
        (file(events: event("wave", "0.1", "0.2")), .unknownLabel("wave")),
        (file(events: event("tap", "\"0.1\"", "0.2")), .malformed(key: "events.0.onset_s")),
    ])
    func oneThingWrong(text: String, expected: ClipLabelsError) {
        #expect(throws: expected) { try read(text) }
    }

    @Test(arguments: ["1e999", "-1e999", "NaN", "Infinity", "nan"])
    func noTimeIsInfinite(time: String) {
        #expect(throws: ClipLabelsError.self) { try read(file(events: event("tap", time, "0.2"))) }
        #expect(throws: ClipLabelsError.self) { try read(file(events: event("tap", "0.1", time))) }
        #expect(throws: ClipLabelsError.self) { try read(file(rate: time)) }
        #expect(throws: ClipLabelsError.self) { try read(file(source: time)) }
    }

    @Test func valuesThatNoFileHoldsAreRefusedToo() {
        func make(rate: Double = 30, event: ClipLabels.Event? = nil, run: Int = 2) throws -> ClipLabels {
            try ClipLabels(
                rate: rate, frames: 4, events: event.map { [$0] } ?? [], runs: [.init(frames: 0..<4, classIndex: run)],
                classes: sample)
        }
        for rate in [Double.nan, .infinity, -.infinity] {
            #expect(throws: ClipLabelsError.self) { try make(rate: rate) }
        }
        for (onset, end) in [(Double.nan, 1.0), (0, .nan), (0, .infinity), (-.infinity, 1)] {
            #expect(throws: ClipLabelsError.eventNotFinite(index: 0)) {
                try make(event: .init(classIndex: 0, onset: onset, end: end))
            }
        }
        for index in [-1, 3, Int.max] {
            #expect(throws: ClipLabelsError.unknownClass(index)) { try make(run: index) }
            #expect(throws: ClipLabelsError.unknownClass(index)) {
                try make(event: .init(classIndex: index, onset: 0, end: 1))
            }
        }
    }

    @Test func everyBeginningOfAFileIsRefused() {
        let bytes = Data(Self.whole.utf8)
        for count in 0..<bytes.count {
            #expect(throws: ClipLabelsError.self, "\(count) bytes") {
                try ClipLabels(json: bytes.prefix(count), classes: sample)
            }
        }
    }

    /// Damaged files either throw or still obey every rule.
    @Test func damagedFilesNeverBreakARule() {
        let bytes = Array(Self.whole.utf8)
        var random = SplitMix64(seed: 4)
        var read = 0
        for _ in 0..<3000 {
            var damaged = bytes
            for _ in 0...random.below(3) { damaged[random.below(damaged.count)] = UInt8(random.below(256)) }
            guard let labels = try? ClipLabels(json: Data(damaged), classes: sample) else { continue }
            read += 1
            #expect(labels.runs.allSatisfy { !$0.frames.isEmpty && (0...labels.frames).contains($0.frames.upperBound) })
            #expect(
                zip(labels.runs, labels.runs.dropFirst()).allSatisfy { $0.frames.upperBound <= $1.frames.lowerBound })
            #expect(labels.events.allSatisfy { $0.onset >= 0 && $0.onset < $0.end && $0.end.isFinite })
        }
        #expect(read > 0)
    }

    @Test func deepNestingIsRefused() {
        #expect(throws: ClipLabelsError.self) { try read(String(repeating: "[", count: 200_000)) }
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(throws: ClipLabelsError.self) { try read(file(labels: deep)) }
    }

    @Test func aFileThatIsNotThereSaysSo() {
        let url = URL(fileURLWithPath: "/nonexistent/clip.json")
        #expect(throws: ClipLabelsError.unreadable(path: url.path)) { try ClipLabels(contentsOf: url, classes: sample) }
    }

    @Test func classNamesAreChecked() throws {
        #expect(throws: ClassNamesError.nullIndexOutOfRange(0, classes: 0)) { try ClassNames([], nullIndex: 0) }
        #expect(throws: ClassNamesError.nullIndexOutOfRange(2, classes: 2)) {
            try ClassNames(["a", "b"], nullIndex: 2)
        }
        #expect(throws: ClassNamesError.nullIndexOutOfRange(-1, classes: 1)) { try ClassNames(["a"], nullIndex: -1) }
        #expect(throws: ClassNamesError.repeated("a")) { try ClassNames(["a", "b", "a"], nullIndex: 1) }
        #expect(sample.index(of: "tap") == 1 && sample.index(of: "Tap") == nil)
    }
}

/// A label file of ten frames in which one value is another.
private func file(
    rate: String = "30", frames: String = "10", source: String = "30", events: String = "[]",
    labels: String = #"[[0, 10, "null"]]"#, undecided: String = "[]"
) -> String {
    """
    {"rate_hz": \(rate), "frames": \(frames), "source_hz": \(source), "events": \(events), "labels": \(labels), \
    "undecided": \(undecided)}
    """
}

private func event(_ label: String, _ onset: String, _ end: String) -> String {
    #"[{"label": "\#(label)", "onset_s": \#(onset), "end_s": \#(end)}]"#
}
