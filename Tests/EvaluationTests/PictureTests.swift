import Evaluation
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct PictureTests {
    private static let hostile = "<script>alert(\"1\")</script>&'\u{0}\u{1B}\u{FFFE}]]>"

    @Test func theMatrixHasACellForEachPairOfClasses() throws {
        let picture = report(try observation()).confusionPicture()
        let elements = try parse(picture)
        // Paper, and 3 x 3 cells.
        #expect(elements.filter { $0.name == "rect" }.count == 1 + 9)
        #expect(elements.contains { $0.text == "null said to be tap: 1 of 2" })
        #expect(elements.contains { $0.text == "swipe said to be swipe: 2 of 2" })
        // The undecided frame is the wrong one: without it tap does not occur.
        let decided = try parse(report(try observation()).confusionPicture(decided: true))
        #expect(decided.filter { $0.name == "rect" }.count == 1 + 4)
        #expect(decided.contains { $0.text == "null said to be null: 1 of 1" })
    }

    @Test func aMatrixOfAnotherShapeIsDrawnAsFarAsItGoes() throws {
        var object = try #require(
            try JSONSerialization.jsonObject(with: try JSONEncoder().encode(report(try observation())))
                as? [String: Any])
        object["confusion"] = [[3], []]
        let broken = try JSONDecoder().decode(
            AccuracyReport.self, from: try JSONSerialization.data(withJSONObject: object))
        #expect(try parse(broken.confusionPicture()).filter { $0.name == "rect" }.count == 2)
        #expect(try parse(report().confusionPicture()).filter { $0.name == "rect" }.count == 1)
    }

    @Test func theTimelineShowsTruthFramesAndEvents() throws {
        let elements = try parse(try observation().timelinePicture())
        let notes = elements.filter { $0.name == "title" }.map(\.text)
        #expect(
            notes == [
                "a.mp4", "swipe 0.100 to 0.300 s", "undecided frames 0 to 0", "tap, mean confidence 0.50",
                "swipe, mean confidence 0.50", "null, mean confidence 0.50",
                "swipe 0.100 to 0.300 s, decided at 0.200 s: found",
            ])
        // 0.4 s over 600 points: the true swipe lies from 150 to 450 of them.
        let swipe = try #require(elements.first { $0.attributes["fill"] == "#1f77b4" })
        #expect(swipe.attributes["x"] == "240" && swipe.attributes["width"] == "300")
        #expect(elements.filter { $0.name == "text" }.map(\.text).suffix(3) == ["swipe", "tap", "null"])
    }

    @Test func falseAndRepeatedEventsAreMarked() throws {
        let clip = try clip(
            truth: [0, 0, 2, 2], said: [],
            events: fired(0, 0, 0.1, 0.1, 0) + fired(0, 0.1, 0.2, 0.2, 2) + fired(1, 0.3, 0.3, 0.4, 4))
        let elements = try parse(clip.timelinePicture())
        let outcomes = elements.filter { $0.name == "title" }.map(\.text).suffix(3).map { $0.split(separator: ":")[1] }
        #expect(outcomes == [" found", " fired again", " false"])
        #expect(elements.filter { $0.attributes["stroke"] == "#d00000" }.count == 1)
    }

    @Test func namesCannotBreakOutOfAPicture() throws {
        let classes = try ClassNames([Self.hostile, "tap", "null"], nullIndex: 2)
        let clip = try observation(classes: classes, name: Self.hostile)
        for picture in [report(clip).confusionPicture(title: Self.hostile), clip.timelinePicture()] {
            let elements = try parse(picture)
            #expect(Set(elements.map(\.name)).isSubset(of: ["svg", "title", "rect", "text", "line"]))
            #expect(elements.contains { $0.text == "<script>alert(\"1\")</script>&'\u{FFFD}\u{FFFD}\u{FFFD}]]>" })
            // Nothing outside is named but the vocabulary itself.
            #expect(picture.components(separatedBy: "http").count == 2)
        }
    }

    @Test func oddNumbersAreStillDrawn() throws {
        let odd = try clip(
            truth: [0, 2], said: [(0, .nan), (2, .infinity)],
            events: fired(0, -1e300, 1e300, 1e300, 0) + fired(1, 5, -5, 4, 2))
        let picture = odd.timelinePicture()
        #expect(!picture.contains("nan") && !picture.contains("inf"))
        #expect(throws: Never.self) { try parse(picture) }
        let labels = odd.truth
        let empty = try ClipObservation(name: "", truth: labels, seconds: 0, frames: [], events: [])
        #expect(throws: Never.self) { try parse(empty.timelinePicture()) }
    }

    @Test func aLongClipStaysASmallPicture() throws {
        let count = 100_000
        let flicker = try clip(
            truth: Array(repeating: 2, count: count), said: (0..<count).map { ($0 % 2, 0.5) })
        #expect(flicker.timelinePicture().utf8.count < 4_000_000)
    }

    private struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    private func parse(_ svg: String) throws -> [Element] {
        final class Reader: NSObject, XMLParserDelegate {
            var elements: [Element] = []
            var open: [Int] = []

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
                qualifiedName: String?, attributes: [String: String]
            ) {
                open.append(elements.count)
                elements.append(Element(name: name, attributes: attributes))
            }

            func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
                open.removeLast()
            }

            func parser(_ parser: XMLParser, foundCharacters text: String) {
                if let last = open.last { elements[last].text += text }
            }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "not well-formed")
        return reader.elements
    }
}
