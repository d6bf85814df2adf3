import Foundation

/// A drawing that becomes one SVG file without external references or scripts; its text is escaped.
///
/// A colour is any SVG colour; inside a page it may be a variable of the page, as `var(--ink)`, which follows its
/// theme.
package struct SVGCanvas {
    package enum Anchor: String { case start, middle, end }

    private let width: Double
    private let height: Double
    private var elements: [String] = []

    /// - paper: colour of the background; nil leaves it transparent.
    package init(width: Double, height: Double, title: String, paper: String? = "#ffffff") {
        self.width = width
        self.height = height
        elements.append("<title>\(Self.escaped(title))</title>")
        if let paper { rectangle(x: 0, y: 0, width: width, height: height, fill: paper) }
    }

    /// - note: shown when the pointer rests on the rectangle.
    package mutating func rectangle(
        x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1, stroke: String? = nil,
        note: String? = nil
    ) {
        var text = "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(max(0, width)))\""
        text += " height=\"\(Self.number(max(0, height)))\" fill=\"\(Self.escaped(fill))\""
        if opacity != 1 { text += " fill-opacity=\"\(Self.number(opacity))\"" }
        if let stroke { text += " stroke=\"\(Self.escaped(stroke))\" stroke-width=\"1.5\"" }
        elements.append(text + (note.map { "><title>\(Self.escaped($0))</title></rect>" } ?? "/>"))
    }

    /// - dash: lengths of strokes and gaps; empty for a solid line.
    package mutating func line(
        from: (x: Double, y: Double), to: (x: Double, y: Double), stroke: String, width: Double = 1, dash: [Double] = []
    ) {
        elements.append(
            "<line x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\" x2=\"\(Self.number(to.x))\""
                + " y2=\"\(Self.number(to.y))\"" + Self.pen(stroke, width, dash) + "/>")
    }

    /// A line through points; fewer than two draw nothing.
    package mutating func polyline(
        _ points: [(x: Double, y: Double)], stroke: String, width: Double = 1, dash: [Double] = []
    ) {
        guard points.count > 1 else { return }
        let text = points.map { Self.number($0.x) + "," + Self.number($0.y) }.joined(separator: " ")
        elements.append(
            "<polyline points=\"\(text)\" fill=\"none\" stroke-linejoin=\"round\"" + Self.pen(stroke, width, dash)
                + "/>")
    }

    /// A picture inside the drawing itself.
    package mutating func image(jpeg: [UInt8], x: Double, y: Double, width: Double, height: Double) {
        elements.append(
            "<image x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
                + " height=\"\(Self.number(height))\" href=\"data:image/jpeg;base64,"
                + Data(jpeg).base64EncodedString() + "\"/>")
    }

    /// - isUpright: false turns the text by a quarter, to read from the bottom up.
    package mutating func text(
        _ string: String, x: Double, y: Double, size: Double = 12, anchor: Anchor = .start, fill: String = "#222222",
        isUpright: Bool = true
    ) {
        var text = "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\""
        text += " text-anchor=\"\(anchor.rawValue)\" fill=\"\(Self.escaped(fill))\""
        if !isUpright { text += " transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\"" }
        elements.append(text + ">\(Self.escaped(string))</text>")
    }

    package var document: String {
        let (width, height) = (Self.number(width), Self.number(height))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    /// Text escaped for XML 1.0, between tags or in an attribute; characters that XML forbids become U+FFFD.
    package static func escaped(_ text: String) -> String {
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

    /// The approximate width of text in the drawing's font.
    package static func width(of text: String, size: Double = 12) -> Double { 0.6 * size * Double(text.count) }

    /// Colours of classes by index; they repeat if there are more classes.
    package static func colour(ofClass index: Int, nullIndex: Int) -> String {
        let colours = [
            "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22",
            "#393b79", "#637939", "#843c39", "#7b4173", "#3182bd", "#e6550d", "#31a354",
        ]
        return index == nullIndex ? "#dddddd" : colours[index % colours.count]
    }

    private static func pen(_ stroke: String, _ width: Double, _ dash: [Double]) -> String {
        let pattern = dash.isEmpty ? "" : " stroke-dasharray=\"\(dash.map(number).joined(separator: " "))\""
        return " stroke=\"\(escaped(stroke))\" stroke-width=\"\(number(width))\"" + pattern
    }

    /// At most two decimals; 0 for NaN and infinities.
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        var text = String(format: "%.2f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
