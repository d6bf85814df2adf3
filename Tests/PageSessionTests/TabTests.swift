import Foundation
import PageSession
import TestSupport
import Testing

/// What gesture.js talks to, natively.
@Suite struct TabTests {
    private static let names = [
        "palm-detection-lite", "hand-landmark-lite", "gesture-embedder", "canned-gesture-classifier", "hand-gestures",
        "hand-background",
    ]

    private static func files() throws -> [[UInt8]] {
        try names.map {
            [UInt8](
                try Data(contentsOf: Fixtures.repository.appendingPathComponent("Weights/hands/\($0).safetensors")))
        }
    }

    /// The reports of a tab, as a page reads them.
    private final class Reports {
        var texts: [String] = []
        var numbers: [[Float]] = []

        func last(_ kind: String) throws -> [String: Any] {
            for text in texts.reversed() {
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
                let report = try #require(object as? [String: Any])
                if report["kind"] as? String == kind { return report }
            }
            throw NoReport(kind: kind)
        }
    }

    private struct NoReport: Error { let kind: String }

    private static func tab(of reports: Reports) -> Tab {
        Tab {
            reports.texts.append($0)
        } numbers: {
            reports.numbers.append($0)
        }
    }

    private static func tab(_ options: String = "{}") throws -> (Tab, Reports) {
        let reports = Reports()
        let tab = Self.tab(of: reports)
        #expect(tab.open(try files(), options: Array(options.utf8)))
        return (tab, reports)
    }

    @Test func aTabGreetsItsPage() throws {
        let (_, reports) = try Self.tab(#"{"rate": 60, "heldPoses": true, "mirrored": true, "unknown": [1, {}]}"#)
        let hello = try reports.last("hello")
        #expect(hello["frontEnd"] as? String == "landmarks" && hello["source"] == nil)
        let report = try reports.last("settings")
        let settings = try #require(report["settings"] as? [String: Any])
        #expect(settings["rate"] as? Int == 60)
        #expect(settings["isMirrored"] as? Bool == true && settings["hasHeldPoses"] as? Bool == true)
        #expect((report["labels"] as? [String])?.contains("swipeLeft") == true)
    }

    @Test(
        arguments: [
            ("{", "not a JSON object"), (#"{"rate": 25}"#, "30, 60 or 120"),
            (#"{"maximumHands": "two"}"#, "maximumHands"),
            (#"{"maximumHands": 9}"#, "maximumHands"), (#"{"minimumPresence": 2}"#, "minimumPresence"),
            (#"{"sensitivity": "extreme"}"#, "sensitivity"), (#"{"pointer": "always"}"#, "pointer"),
            (#"{"pointer": {"region": 1}}"#, "pointer.region"),
            (#"{"pointer": {"lostHandTime": 1e300}}"#, "lostHandTime"),
            (#"{"pointer": {"releaseGap": 0.1}}"#, "releaseGap"),
            (#"{"pointer": {"region": {"x": 0.5, "width": 0.6}}}"#, "region.width"),
        ])
    func optionsAreRefused(_ options: String, _ part: String) throws {
        let reports = Reports()
        let tab = Self.tab(of: reports)
        #expect(!tab.open(try Self.files(), options: Array(options.utf8)))
        #expect((try reports.last("failure")["sentence"] as? String)?.contains(part) == true, "\(reports.texts)")
    }

    /// Cut, swapped or empty files, and a tab that is not open yet.
    @Test func filesAreRefused() throws {
        let good = try Self.files()
        var swapped = good
        swapped.swapAt(0, 1)
        for (index, files) in [[[]] + good.dropFirst(), good.map { Array($0.dropLast()) }, swapped]
            .enumerated()
        {
            let reports = Reports()
            let tab = Self.tab(of: reports)
            #expect(!tab.open(files, options: Array("{}".utf8)), "\(index)")
            #expect((try reports.last("failure")["sentence"] as? String)?.isEmpty == false, "\(index)")
            tab.take(pictureMessage())
            tab.look(pictureMessage(), isStill: true)
            #expect(try reports.last("failure")["sentence"] as? String == "The engine is not open.")
        }
        let reports = Reports()
        #expect(!Self.tab(of: reports).openBodies([good[0], []]))
        #expect(reports.texts.count == 1)
    }

    /// Numbers come for each picture, and words when they differ from those of the picture before.
    @Test func picturesBringFrames() throws {
        let (tab, reports) = try Self.tab()
        reports.texts = []
        for format in UInt8(1)...6 {
            tab.take(pictureMessage(format: format, width: 64, height: 48, time: UInt64(format) * 33_333))
            let numbers = try #require(reports.numbers.last)
            // Scores and nothing else.
            #expect(numbers[0] > 0 && Array(numbers[2..<7]) == [0, 0, 0, 0, 0] && numbers.count == 7 + Int(numbers[1]))
            #expect(try reports.last("words")["outcome"] as? String == "encoded")
        }
        #expect(reports.numbers.count == 6 && reports.texts.count < 6)
        tab.look(pictureMessage(width: 64, height: 48), isStill: true)
        #expect(reports.numbers.last == [0])
        tab.take([])
        #expect((try reports.last("failure")["sentence"] as? String)?.contains("bytes") == true)
        tab.command(Array(#"{"do": "fly"}"#.utf8))
        #expect((try reports.last("failure")["sentence"] as? String)?.contains("fly") == true)
    }

    /// Pointers come once they are asked for. The settings that a page reads are those that it can give back.
    @Test func pointersAreAskedFor() throws {
        let chosen =
            #"{"region": {"x": 0.1, "width": 0.5}, "isMirrored": false, "smoothing": {"speedCoefficient": 7}, "#
            + #""dragDistance": 0.5, "lostHandTime": 99.5, "scrolls": false, "more": 1}"#
        let (tab, reports) = try Self.tab(#"{"pointer": \#(chosen)}"#)
        func pointer() throws -> NSDictionary? {
            (try reports.last("settings")["settings"] as? [String: Any])?["pointer"] as? NSDictionary
        }
        let wanted: NSDictionary = [
            "region": ["x": 0.1, "y": 0.2, "width": 0.5, "height": 0.6], "isMirrored": false,
            "smoothing": ["minimumCutoff": 1, "speedCoefficient": 7, "speedCutoff": 1], "pressGap": 0.28,
            "releaseGap": 0.45,
            "lostHandTime": 99.5, "dragDistance": 0.5, "doubleClickTime": 500, "screenAspect": 1.777_777_8,
            "scrolls": false,
        ]
        #expect(try pointer() == wanted)
        tab.take(pictureMessage(width: 64, height: 48, time: 1))
        let numbers = try #require(reports.numbers.last)
        // Two pointers in the middle without a hand, and no pair.
        let absent: [Float] = [-1, 0, 0.5, 0.5, 0, 0, 0, -1, 0, 0]
        #expect(numbers[6] == 2 && Array(numbers.suffix(25)) == absent + absent + [0, 0, 0, 0, 0])
        #expect(numbers.count == 7 + Int(numbers[1]) + 25)
        let settings = #"{"rate": 30, "isMirrored": false, "deniedClasses": [], "hasHeldPoses": false, "pointer": "#
        let text = String(decoding: try JSONSerialization.data(withJSONObject: wanted), as: UTF8.self)
        for (value, isMirrored) in [(text, false), ("false", nil), ("true", true), ("null", nil)] as [(String, Bool?)] {
            tab.command(Array(#"{"do": "settings", "settings": \#(settings)\#(value)}}"#.utf8))
            let now = try pointer()
            #expect(now?["isMirrored"] as? Bool == isMirrored)
            if value == text { #expect(now == wanted) }
        }
    }

    private static func bodyFiles() throws -> [[UInt8]] {
        try ["pose-detection", "pose-landmark-full"].map {
            [UInt8](try Data(contentsOf: Fixtures.repository.appendingPathComponent("Weights/body/\($0).safetensors")))
        }
    }

    /// People are looked for, and arms watched, once their networks are there.
    @Test func bodiesHaveToBeLoaded() throws {
        let (tab, reports) = try Self.tab()
        let settings =
            #"{"do": "settings", "settings": {"rate": 30, "isMirrored": false, "deniedClasses": [], "hasHeldPoses": false, "bodies": "squat"}}"#
        tab.command(Array(settings.utf8))
        #expect((try reports.last("failure")["sentence"] as? String)?.isEmpty == false)
        #expect(!tab.watchArms(true))
        #expect(tab.openBodies(try Self.bodyFiles()))
        tab.command(Array(settings.utf8))
        #expect((try reports.last("settings")["settings"] as? [String: Any])?["bodies"] as? String == "squat")
        #expect(try reports.last("settings")["watchesArms"] as? Bool == false)
        tab.take(pictureMessage(width: 64, height: 48, time: 1))
        #expect(try reports.last("words")["bodies"] != nil)
        #expect(tab.watchArms(true))
        #expect(try reports.last("settings")["watchesArms"] as? Bool == true)
        #expect((try reports.last("settings")["settings"] as? [String: Any])?["bodies"] as? String == "squat")
        #expect(tab.watchArms(false))
        #expect(try reports.last("settings")["watchesArms"] as? Bool == false)
    }

    /// Hands and people without gestures, of stills and of a video.
    @Test func landmarkersNeedTheirNetworksAlone() throws {
        let reports = Reports(), tab = Self.tab(of: reports), hands = try Self.files()
        let picture = pictureMessage(width: 64, height: 48, time: 1)
        #expect(tab.openHands([hands[0], hands[1], hands[4]], options: Array("{}".utf8)))
        for isStill in [true, false] { tab.look(picture, isStill: isStill) }
        #expect(tab.openPeople(try Self.bodyFiles(), options: Array(#"{"maximumBodies": 2}"#.utf8)))
        for isStill in [true, false] { tab.look(picture, isStill: isStill) }
        #expect(reports.numbers == [[0], [0], [0], [0]] && reports.texts.isEmpty)
        #expect(!tab.openPeople(try Self.bodyFiles(), options: Array(#"{"maximumBodies": 9}"#.utf8)))
        #expect((try reports.last("failure")["sentence"] as? String)?.contains("maximumBodies") == true)
        tab.take(picture)
        #expect(try reports.last("failure")["sentence"] as? String == "The engine is not open.")
    }
}
