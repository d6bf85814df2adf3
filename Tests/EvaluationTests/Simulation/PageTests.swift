import Evaluation
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct PageTests {
    private static let hostile = "<script>alert(\"1\")</script>&'\u{0}\u{1B}\u{FFFE}]]>"

    @Test func everyBandAndEveryDecisionIsDrawn() throws {
        let report = try Simulation(try #require(Scenario.named("day"))).run()
        let elements = try Self.elements(ofPictureIn: report.page)
        let texts = elements.filter { $0.name == "text" }.map(\.text)
        for title in [
            "encoded frames, 1/s", "temperature, °C", "clock, GHz", "step latency, ms", "battery, %",
            "time, minutes:seconds", "60:00", "deadline", "median", "95th percentile", "preferred", "fallback",
        ] { #expect(texts.contains(title)) }
        let notes = Set(elements.filter { $0.name == "title" }.map(\.text))
        for event in report.events where !["outside"].contains(event.kind.topic) && event.kind.text.contains(" to ") {
            #expect(notes.contains(event.line))
        }
        #expect(notes.contains("contention, 12.0 to 15.0 ms on unit 0, 6:40 to 6:45"))
        // 3600 seconds in columns of eight.
        #expect(elements.filter { $0.attributes["fill"] == "transparent" }.count == 450)
        // One line for each curve, more where no frames came.
        #expect(elements.filter { $0.name == "polyline" }.count >= 7)
    }

    @Test func aSixthIsDrawnAndNamed() throws {
        let report = try Simulation(try #require(Scenario.named("ladder"))).run()
        let elements = try Self.elements(ofPictureIn: report.page)
        let notes = elements.filter { $0.name == "title" }.map(\.text)
        for place in ["every slot", "every 2nd slot", "every 3rd slot", "every 6th slot"] {
            #expect(notes.contains { $0.contains("frames encoded a second, " + place) }, "\(place)")
        }
        #expect(report.page.contains("at full, half, third, sixth pace"))
    }

    /// A temperature that does not change is a level line at its height, over the whole width.
    @Test func curvesLieWhereTheirValuesAre() throws {
        var scenario = Scenario(name: "flat", seconds: 10)
        scenario.device.celsiusPerBusySecond = 0
        scenario.device.ambientCelsius = 37
        scenario.device.startCelsius = 37
        let elements = try Self.elements(ofPictureIn: try Simulation(scenario).run().page)
        let red = try #require(elements.first { $0.name == "polyline" && $0.attributes["stroke"] == "var(--red)" })
        let points = try #require(red.attributes["points"]).split(separator: " ").map { $0.split(separator: ",") }
        #expect(points.count == 11)
        // The plot reaches from 72 to 890. Labels stand 4 points below their levels.
        #expect(points.first?[0] == "72" && points.last?[0] == "890")
        #expect(points.allSatisfy { $0[1] == points[0][1] })
        let ticks = elements.filter { $0.name == "text" && ["36", "44"].contains($0.text) }
            .compactMap { Double($0.attributes["y"] ?? "") }
        let height = try #require(Double(points[0][1]))
        #expect(ticks.count == 2 && height + 4 < ticks.max() ?? 0 && height + 4 > ticks.min() ?? 0)
    }

    @Test func namesCannotBreakOut() throws {
        var scenario = Scenario(name: Self.hostile, about: Self.hostile, seconds: 3)
        scenario.device.units = [.init(name: Self.hostile, milliseconds: 1)]
        let page = try Simulation(scenario).run().page
        #expect(!page.contains("<script") && !page.contains("\u{1B}"))
        let elements = try Self.elements(ofPictureIn: page)
        #expect(
            Set(elements.map(\.name)).isSubset(of: ["svg", "title", "rect", "text", "line", "polyline"]))
        // Nothing outside is named but the vocabulary itself.
        #expect(page.components(separatedBy: "http").count == 2)
    }

    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    private static func elements(ofPictureIn page: String) throws -> [Element] {
        let begin = try #require(page.range(of: "<svg"))
        let end = try #require(page.range(of: "</svg>"))
        let reader = Reader()
        let parser = XMLParser(data: Data(page[begin.lowerBound..<end.upperBound].utf8))
        parser.delegate = reader
        try #require(parser.parse())
        return reader.elements
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append(Element(name: name, attributes: attributes))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) { open.removeLast() }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if let index = open.last { elements[index].text += string }
        }
    }
}
