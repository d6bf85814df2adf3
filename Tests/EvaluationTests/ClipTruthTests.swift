import Evaluation
import Foundation
import Testing
import Vocabulary

@Suite struct ClipTruthTests {
    private static let classes: ClassNames? = try? ClassNames(["swipe", "tap", "null"], nullIndex: 2)

    private func read(_ text: String) throws -> ClipTruth {
        try ClipTruth(csv: text, classes: try #require(Self.classes))
    }

    @Test func rowsAreRead() throws {
        let truth = try read("start,end,label\n0,3,other\n4,9,swipe\n10,10,skip\n11,20,null\n")
        #expect(truth.runs.map(\.frames) == [0...3, 4...9, 10...10, 11...20])
        #expect(truth.runs.map(\.content) == [.nothing, .gesture(0), .skipped, .nothing])
        #expect(truth.runs.map(\.line) == [2, 3, 4, 5])
        #expect((0..<22).filter(truth.isSkipped) == [10])
        // Columns in any order and more of them, ends of lines of other systems, blanks.
        let other = try read("\u{FEFF}label, note ,end,start\r\n\r\ntap,x,7,5\r\nswipe,,9,9")
        #expect(other.runs.map(\.frames) == [5...7, 9...9] && other.runs.map(\.line) == [3, 4])
        #expect(try read("start,end,label").runs.isEmpty)
    }

    @Test(arguments: [
        ("", 1, ClipTruthError.Fault.missingColumn("start")), ("0,3,tap\n", 1, .missingColumn("start")),
        ("start,label\n", 1, .missingColumn("end")), ("start,end,Label\n", 1, .missingColumn("label")),
        ("start,end,end,label\n", 1, .repeatedColumn("end")),
        ("start,end,label\n1,2\n", 2, .missingCell(column: "label")),
        ("start,end,label\n1,,tap\n", 2, .missingCell(column: "end")),
        ("start,end,label\n0,1,tap\none,2,tap\n", 3, .notAFrame(column: "start", "one")),
        ("start,end,label\n0,1.5,tap\n", 2, .notAFrame(column: "end", "1.5")),
        ("start,end,label\n-1,1,tap\n", 2, .notAFrame(column: "start", "-1")),
        ("start,end,label\n0,99999999999999999999,tap\n", 2, .notAFrame(column: "end", "99999999999999999999")),
        ("start,end,label\n5,4,tap\n", 2, .endBeforeStart(start: 5, end: 4)),
        ("start,end,label\n5,5,wave\n", 2, .unknownLabel("wave")),
    ])
    func faultsSayTheirLine(_ text: String, _ line: Int, _ fault: ClipTruthError.Fault) {
        #expect(throws: ClipTruthError(line: line, fault: fault)) { try read(text) }
    }

    @Test func framesBeyondTheClip() throws {
        let truth = try read("start,end,label\n0,3,other\n4,9,swipe\n")
        #expect(throws: Never.self) { try truth.check(frames: 10) }
        #expect(throws: ClipTruthError(line: 3, fault: .beyondClip(frame: 9, frames: 9))) {
            try truth.check(frames: 9)
        }
        let last = try read("start,end,label\n0,\(Int.max),tap\n")
        #expect(TruthMatching(last, [ReportedBegin(classIndex: 1, frame: 7, confidence: 1)]).found.count == 1)
    }

    @Test func windowsOfFrames() throws {
        let truth = try read("start,end,label\n20,25,swipe\n26,40,other\n60,70,skip\n")
        for (frame, isFound) in [(14, false), (15, true), (20, true), (35, true), (36, false)] {
            let matching = TruthMatching(truth, [ReportedBegin(classIndex: 0, frame: frame, confidence: 1)])
            #expect(matching.found.isEmpty != isFound && matching.falsePositives.isEmpty == isFound, "\(frame)")
            #expect(matching.missed == (isFound ? [] : [0]))
        }
        // Another class, the same class twice, and what is skipped.
        let begins = [(1, 22), (0, 22), (0, 23), (0, 59), (0, 60), (1, 70), (0, 71)].map {
            ReportedBegin(classIndex: $0.0, frame: $0.1, confidence: 1)
        }
        let matching = TruthMatching(truth, begins)
        #expect(
            matching.found.map(\.begin) == [1] && matching.falsePositives == [0, 2, 3, 6] && matching.skipped == [4, 5])
    }

    /// No other pairing of begins with gestures finds more.
    @Test func findsAsManyAsCanBe() throws {
        var generator = SplitMix64(seed: 5)
        func most(_ truth: ClipTruth, _ begins: ArraySlice<ReportedBegin>, _ used: Set<Int>) -> Int {
            guard let begin = begins.first else { return 0 }
            var best = most(truth, begins.dropFirst(), used)
            for (index, run) in truth.runs.enumerated() where !used.contains(index) {
                guard run.content == .gesture(begin.classIndex),
                    run.frames.lowerBound - 5 <= begin.frame, begin.frame <= run.frames.upperBound + 10
                else { continue }
                best = max(best, 1 + most(truth, begins.dropFirst(), used.union([index])))
            }
            return best
        }
        for _ in 0..<300 {
            let rows = (0..<4).map { _ in
                let start = Int.random(in: 0..<40, using: &generator)
                let label = ["swipe", "tap", "other", "skip"].randomElement(using: &generator) ?? ""
                return "\(start),\(start + Int.random(in: 0..<20, using: &generator)),\(label)"
            }
            let truth = try read((["start,end,label"] + rows).joined(separator: "\n"))
            let frames = (0..<5).map { _ in Int.random(in: 0..<70, using: &generator) }.sorted()
            let begins = frames.map {
                ReportedBegin(classIndex: Int.random(in: 0...1, using: &generator), frame: $0, confidence: 1)
            }
            let matching = TruthMatching(truth, begins)
            #expect(matching.found.count == most(truth, begins[...], []), "\(rows) \(begins)")
            #expect(matching.found.count + matching.falsePositives.count + matching.skipped.count == begins.count)
            #expect(
                matching.found.count + matching.missed.count
                    == truth.runs.count { if case .gesture = $0.content { true } else { false } })
        }
    }

    @Test func aMissSaysWhatWasSeen() throws {
        var seen = TruthReport.Observation(name: "a", truth: try read("start,end,label\n5,6,tap\n10,30,other\n"))
        seen.frames = 40
        seen.seconds = 2
        seen.rate = 20
        seen.hands = (0..<40).map { $0 < 8 }
        seen.begins = [ReportedBegin(classIndex: 0, frame: 33, confidence: 0.5)]
        for frame in 3..<40 {
            let own: Float = frame == 12 ? 0.4 : frame == 20 ? 0.9 : 0.1
            let leader = frame < 10 ? 2 : 0
            seen.predictions.append(
                FramePrediction(
                    frame: frame, time: 0, classIndex: leader, confidence: 0.55, probabilities: [0.5, own, 0.4]))
        }
        var report = TruthReport()
        report.add(seen)
        let miss = try #require(report.clips.first?.missed.first)
        let best = try #require(miss.best)
        #expect(best.frame == 12 && best.confidence == 0.4 && best.leader == "swipe" && best.leader_confidence == 0.55)
        #expect(miss.led == ["null": 7, "swipe": 7] && miss.scored_frames == 14 && miss.hand_frames == 8)
        #expect(
            report.total.gestures == 1 && report.total.false_positives == 1
                && report.total.false_positives_per_minute == 30)
        #expect(
            report.lines == [
                "a  0 of 1 found, 1 false; 40 frames at 20 a second, a hand in 8",
                "    missed   tap 5-6: 0.40 at most, at frame 12, where swipe led (0.55); led in 14 frames: null 7, swipe 7, "
                    + "a hand in 8",
                "    false  swipe at frame 33 (0.50)", "",
                "1 clips, 0.03 minutes: 0 of 1 gestures found, 1 missed, 1 false, 30 a minute",
            ])
    }
}
