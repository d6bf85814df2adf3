import Foundation

/// A drawing that becomes one SVG file: it refers to nothing outside, runs nothing, and its text is escaped.
struct SVGCanvas {
    enum Anchor: String { case start, middle, end }

    private let width: Double
    private let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double, title: String) {
        self.width = width
        self.height = height
        elements.append("<title>\(Self.escaped(title))</title>")
        rectangle(x: 0, y: 0, width: width, height: height, fill: "#ffffff")
    }

    /// - note: shown where the pointer rests on it.
    mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1, stroke: String? = nil,
        note: String? = nil
    ) {
        var text = "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(max(0, width)))\""
        text += " height=\"\(Self.number(max(0, height)))\" fill=\"\(Self.escaped(fill))\""
        if opacity != 1 { text += " fill-opacity=\"\(Self.number(opacity))\"" }
        if let stroke { text += " stroke=\"\(Self.escaped(stroke))\" stroke-width=\"1.5\"" }
        elements.append(text + (note.map { "><title>\(Self.escaped($0))</title></rect>" } ?? "/>"))
    }

    mutating func line(from: (x: Double, y: Double), to: (x: Double, y: Double), stroke: String, width: Double = 1) {
        elements.append(
            "<line x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" x2=\"\(Self.number(to.x))\""
                + " y2=\"\(Self.number(to.y))\" stroke=\"\(Self.escaped(stroke))\""
                + " stroke-width=\"\(Self.number(width))\"/>")
    }

    /// - isUpright: false turns the text by a quarter, to read from the bottom up.
    mutating func text(
        _ string: String, x: Double, y: Double, size: Double = 12, anchor: Anchor = .start, fill: String = "#222222",
        isUpright: Bool = true
    ) {
        var text = "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\""
        text += " text-anchor=\"\(anchor.rawValue)\" fill=\"\(Self.escaped(fill))\""
        if !isUpright { text += " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" }
        elements.append(text + ">\(Self.escaped(string))</text>")
    }

    var document: String {
        let (width, height) = (Self.number(width), Self.number(height))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    /// Text as XML 1.0 may hold it, between tags or in an attribute; characters that no XML may hold become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append("\u{FFFD}")
            }
        }
    }

    /// Two decimals at most; 0 for what is no number.
    private static func number(_ value: Double) -> String {
        value.isFinite ? decimalText(value, places: 2) : "0"
    }

    /// About the width of text in the drawing's font.
    static func width(of text: String, size: Double = 12) -> Double { 0.6 * size * Double(text.count) }

    /// Colours of classes, by their index; they repeat where there are more classes.
    static func colour(ofClass index: Int, nullIndex: Int) -> String {
        let colours = [
            "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22",
            "#393b79", "#637939", "#843c39", "#7b4173", "#3182bd", "#e6550d", "#31a354",
        ]
        return index == nullIndex ? "#dddddd" : colours[index % colours.count]
    }
}
