import Foundation

/// Text as smooth strokes of any height, for drawing on pictures without a font of the system.
///
/// Each character is a set of strokes on a grid of 10 rows, from the top of capitals (0) to their foot (7) and the
/// depth of `g` (9.2). The design belongs to this project. A character that it lacks is a box.
package struct StrokeFont {
    /// Pixels from the top of capitals to the depth of `g`.
    package let lineHeight: Int
    private let unit: Double
    private let radius: Double

    /// - height: of a line, in pixels, 8 or more.
    package init(height: Double) {
        unit = max(8, height) / 10
        lineHeight = Int((10 * unit).rounded(.up))
        radius = max(0.55, 0.5 * unit)
    }

    /// Pixels that a text is wide.
    package func width(of text: String) -> Int {
        Int((text.reduce(0) { $0 + Self.glyph($1).advance } * unit).rounded(.up))
    }

    /// Calls `pixel` for every pixel that the text touches, with the share that it covers, 0...1. The origin is the
    /// text's top left; some pixels may lie left or above of it.
    package func draw(_ text: String, _ pixel: (_ x: Int, _ y: Int, _ coverage: Double) -> Void) {
        var left = 0.0
        for character in text {
            let glyph = Self.glyph(character)
            let segments = glyph.strokes.flatMap { stroke in
                zip(stroke, stroke.count > 1 ? Array(stroke.dropFirst()) : stroke).map {
                    (scaled($0, left), scaled($1, left))
                }
            }
            draw(segments, pixel)
            left += glyph.advance * unit
        }
    }

    private func scaled(_ point: SIMD2<Double>, _ left: Double) -> SIMD2<Double> {
        SIMD2(left + (point.x + Self.side) * unit, (point.y + 0.6) * unit)
    }

    /// A character's strokes; a pixel is covered by how near its middle is to the nearest of them.
    private func draw(
        _ segments: [(SIMD2<Double>, SIMD2<Double>)], _ pixel: (Int, Int, Double) -> Void
    ) {
        guard let first = segments.first else { return }
        var (low, high) = (first.0, first.0)
        for (start, end) in segments {
            low = pointwiseMin(low, pointwiseMin(start, end))
            high = pointwiseMax(high, pointwiseMax(start, end))
        }
        let reach = radius + 1
        for y in Int((low.y - reach).rounded(.down))...Int((high.y + reach).rounded(.up)) {
            for x in Int((low.x - reach).rounded(.down))...Int((high.x + reach).rounded(.up)) {
                let middle = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
                let distance = segments.map { Self.distance(of: middle, from: $0.0, to: $0.1) }.min() ?? .infinity
                let coverage = min(1, max(0, radius + 0.5 - distance))
                if coverage > 0 { pixel(x, y, coverage) }
            }
        }
    }

    private static func distance(of point: SIMD2<Double>, from start: SIMD2<Double>, to end: SIMD2<Double>) -> Double {
        let line = end - start
        let length = (line * line).sum()
        let place = length > 0 ? min(1, max(0, ((point - start) * line).sum() / length)) : 0
        let offset = point - start - line * place
        return (offset * offset).sum().squareRoot()
    }

    // MARK: Characters

    private struct Glyph {
        let strokes: [[SIMD2<Double>]]
        let advance: Double
    }

    /// Space at each side of a character.
    private static let side = 0.65

    private static func glyph(_ character: Character) -> Glyph { glyphs[character] ?? box }

    private static let box = parse("0,0 4,0 4,7 0,7 0,0")

    /// Strokes with bars between. A stroke that begins with `~` is a smooth curve through its points.
    private static func parse(_ text: String) -> Glyph {
        let strokes = text.split(separator: "|").map { stroke in
            let isCurve = stroke.hasPrefix("~")
            let points = stroke.drop { $0 == "~" }.split(separator: " ").map { pair in
                let numbers = pair.split(separator: ",").compactMap { Double($0) }
                return SIMD2(numbers[0], numbers[1])
            }
            return isCurve ? curve(points) : points
        }
        let right = strokes.joined().map(\.x).max() ?? 2
        return Glyph(strokes: strokes, advance: right + 2 * side)
    }

    /// A Catmull-Rom spline, closed if it ends where it begins.
    private static func curve(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        guard points.count > 2 else { return points }
        let isClosed = points[0] == points[points.count - 1]
        func point(_ index: Int) -> SIMD2<Double> {
            if (0..<points.count).contains(index) { return points[index] }
            let inner = points.count - 1
            guard isClosed else { return index < 0 ? points[0] : points[inner] }
            return index < 0 ? points[inner + index] : points[index - inner]
        }
        var result = [points[0]]
        for index in 0..<points.count - 1 {
            let (a, b, c, d) = (point(index - 1), point(index), point(index + 1), point(index + 2))
            for step in 1...6 {
                let t = Double(step) / 6
                // In short steps: the compiler takes seconds for longer sums.
                let linear: SIMD2<Double> = (c - a) * t
                var square: SIMD2<Double> = 2 * a - 5 * b
                square = (square + 4 * c - d) * (t * t)
                var cube: SIMD2<Double> = 3 * b - 3 * c
                cube = (cube + d - a) * (t * t * t)
                result.append((2 * b + linear + square + cube) / 2)
            }
        }
        return result
    }

    private static let glyphs: [Character: Glyph] = {
        var glyphs = designs.mapValues(parse)
        glyphs[" "] = Glyph(strokes: [], advance: 3)
        return glyphs
    }()

    private static let designs: [Character: String] = [
        "A": "0,7 2.5,0 5,7|0.9,4.6 4.1,4.6",
        "B": "0,0 0,7|~0,0 2.6,0 4,1.7 2.6,3.3 0,3.3|~0,3.3 3,3.3 4.5,5.1 3,7 0,7",
        "C": "~4.7,1.3 3.6,0.2 2,0.1 0.5,1.3 0,3.5 0.5,5.7 2,6.9 3.6,6.8 4.7,5.7",
        "D": "0,0 0,7|~0,0 2.6,0 4.4,1.5 4.8,3.5 4.4,5.5 2.6,7 0,7", "E": "4,0 0,0 0,7 4,7|0,3.4 3.4,3.4",
        "F": "4,0 0,0 0,7|0,3.5 3.4,3.5",
        "G": "~4.7,1.3 3.6,0.2 2,0.1 0.5,1.3 0,3.5 0.5,5.7 2,6.9 3.5,6.8 4.8,5.8|4.8,5.8 4.8,3.8 2.9,3.8",
        "H": "0,0 0,7|4.6,0 4.6,7|0,3.4 4.6,3.4", "I": "0,0 0,7", "J": "~3,0 3,5.2 2.5,6.6 1.3,7 0,6.3",
        "K": "0,0 0,7|4.4,0 0,4.4|1.5,3 4.6,7", "L": "0,0 0,7 3.8,7", "M": "0,7 0,0 2.8,5 5.6,0 5.6,7",
        "N": "0,7 0,0 4.6,7 4.6,0", "O": "~2.5,0 0.7,0.9 0,3.5 0.7,6.1 2.5,7 4.3,6.1 5,3.5 4.3,0.9 2.5,0",
        "P": "0,7 0,0|~0,0 2.8,0 4.3,1.9 2.8,3.8 0,3.8",
        "Q": "~2.5,0 0.7,0.9 0,3.5 0.7,6.1 2.5,7 4.3,6.1 5,3.5 4.3,0.9 2.5,0|3.2,5.4 5,7.5",
        "R": "0,7 0,0|~0,0 2.8,0 4.3,1.8 2.8,3.6 0,3.6|2.4,3.6 4.5,7",
        "S": "~4.2,1.1 3.2,0.2 2,0 0.6,0.5 0.2,1.7 0.9,2.8 2.2,3.4 3.6,4.1 4.3,5.3 3.7,6.5 2.2,7 1,6.8 0,5.8",
        "T": "0,0 4.8,0|2.4,0 2.4,7", "U": "~0,0 0,4.6 0.6,6.3 2.3,7 4,6.3 4.6,4.6 4.6,0", "V": "0,0 2.5,7 5,0",
        "W": "0,0 1.7,7 3.4,0.8 5.1,7 6.8,0", "X": "0,0 4.6,7|4.6,0 0,7", "Y": "0,0 2.4,3.6 4.8,0|2.4,3.6 2.4,7",
        "Z": "0,0 4.4,0 0,7 4.4,7",
        "a": "3.6,2.2 3.6,7|~3.6,3.4 2.8,2.4 1.7,2.2 0.5,2.9 0,4.6 0.5,6.3 1.7,7 2.8,6.8 3.6,5.8",
        "b": "0,0 0,7|~0,3.4 0.8,2.4 1.9,2.2 3.1,2.9 3.6,4.6 3.1,6.3 1.9,7 0.8,6.8 0,5.8",
        "c": "~3.3,3.1 2.4,2.3 1.5,2.3 0.4,3 0,4.6 0.4,6.2 1.5,6.9 2.4,6.9 3.3,6.1",
        "d": "3.6,0 3.6,7|~3.6,3.4 2.8,2.4 1.7,2.2 0.5,2.9 0,4.6 0.5,6.3 1.7,7 2.8,6.8 3.6,5.8",
        "e": "0.1,4.5 3.7,4.5|~3.7,4.5 3.3,2.9 1.9,2.2 0.5,2.9 0,4.6 0.5,6.3 1.9,7 2.9,6.8 3.6,6",
        "f": "~2.8,0.2 2,0 1.2,0.4 0.9,1.6 0.9,7|0,2.5 2.4,2.5",
        "g": "3.6,2.2 3.6,7|~3.6,7 3.3,8.6 1.8,9.2 0.3,8.6"
            + "|~3.6,3.4 2.8,2.4 1.7,2.2 0.5,2.9 0,4.6 0.5,6.3 1.7,7 2.8,6.8 3.6,5.8",
        "h": "0,0 0,7|~0,3.6 0.8,2.5 1.9,2.2 3,2.7 3.4,3.9 3.4,7", "i": "0.2,2.3 0.2,7|0.2,0.3 0.2,0.4",
        "j": "~1,2.3 1,7.6 0.6,8.9 -0.4,9.1|1,0.3 1,0.4", "k": "0,0 0,7|3.2,2.3 0,5.2|1.2,4.2 3.4,7",
        "l": "0.2,0 0.2,7",
        "m": "0,2.3 0,7|~0,3.6 0.7,2.5 1.6,2.2 2.5,2.7 2.8,3.8 2.8,7|~2.8,3.6 3.5,2.5 4.4,2.2 5.3,2.7 5.6,3.8 5.6,7",
        "n": "0,2.3 0,7|~0,3.6 0.8,2.5 1.9,2.2 3,2.7 3.4,3.9 3.4,7",
        "o": "~1.9,2.2 0.5,2.9 0,4.6 0.5,6.3 1.9,7 3.3,6.3 3.8,4.6 3.3,2.9 1.9,2.2",
        "p": "0,2.3 0,9.2|~0,3.4 0.8,2.4 1.9,2.2 3.1,2.9 3.6,4.6 3.1,6.3 1.9,7 0.8,6.8 0,5.8",
        "q": "3.6,2.3 3.6,9.2|~3.6,3.4 2.8,2.4 1.7,2.2 0.5,2.9 0,4.6 0.5,6.3 1.7,7 2.8,6.8 3.6,5.8",
        "r": "0,2.3 0,7|~0,3.9 0.6,2.7 1.5,2.2 2.4,2.4",
        "s": "~3,3 2.3,2.3 1.5,2.2 0.4,2.6 0.1,3.5 0.6,4.2 1.6,4.6 2.7,5 3.2,5.8 2.8,6.7 1.6,7 0.7,6.8 0,6.1",
        "t": "~0.9,0.7 0.9,5.6 1.3,6.8 2.6,6.9|0,2.4 2.5,2.4",
        "u": "3.4,2.3 3.4,7|~0,2.3 0,5.3 0.4,6.5 1.5,7 2.6,6.7 3.4,5.6", "v": "0,2.3 1.8,7 3.6,2.3",
        "w": "0,2.3 1.3,7 2.7,2.8 4.1,7 5.4,2.3", "x": "0,2.3 3.4,7|3.4,2.3 0,7",
        "y": "0,2.3 1.8,6.8|~3.6,2.3 1.8,6.8 1.2,8.4 0.1,9.2", "z": "0,2.3 3.2,2.3 0,7 3.3,7",
        "0": "~2.1,0 0.6,1 0,3.5 0.6,6 2.1,7 3.6,6 4.2,3.5 3.6,1 2.1,0", "1": "0.4,1.4 2,0 2,7|0.5,7 3.5,7",
        "2": "~0.1,1.6 0.7,0.4 2,0 3.4,0.4 3.9,1.8 3.3,3.2 2,4.7 0,7|0,7 4.1,7",
        "3": "~0.2,1 1.2,0.1 2.4,0 3.6,0.7 3.7,2.1 2.9,3.1 1.5,3.3|~1.5,3.3 3.1,3.5 4,4.5 3.9,6 2.8,6.9 1.4,7 0,6.1",
        "4": "3.2,7 3.2,0 0,4.9 4.4,4.9",
        "5": "3.8,0 0.5,0 0.2,3.3|~0.2,3.3 1.2,2.6 2.4,2.6 3.6,3.4 4,4.8 3.5,6.2 2.2,7 1,6.9 0,6.1",
        "6": "~3.7,0.7 2.5,0 1.2,0.6 0.3,2.3 0,4.4 0.6,6.2 2,7 3.4,6.4 4,4.9 3.5,3.4 2.2,2.8 0.9,3.3 0.1,4.5",
        "7": "0,0 4.2,0 1.4,7",
        "8": "~2.1,0 0.7,0.5 0.3,1.7 0.9,2.8 2.1,3.3 3.3,2.8 3.9,1.7 3.5,0.5 2.1,0"
            + "|~2.1,3.3 0.6,3.9 0,5.2 0.6,6.5 2.1,7 3.6,6.5 4.2,5.2 3.6,3.9 2.1,3.3",
        "9": "~0.3,6.3 1.5,7 2.8,6.4 3.7,4.7 4,2.6 3.4,0.8 2,0 0.6,0.6 0,2.1 0.5,3.6 1.8,4.2 3.1,3.7 3.9,2.5",
        ".": "0.2,6.8 0.2,6.9", ",": "0.4,6.8 0,8.2", ":": "0.2,3.2 0.2,3.3|0.2,6.8 0.2,6.9",
        ";": "0.4,3.2 0.4,3.3|0.4,6.8 0,8.2", "-": "0,4.2 2.6,4.2", "–": "0,4.2 3.8,4.2", "_": "0,7.8 4.2,7.8",
        "/": "3,-0.3 0,7.6", "+": "0,4.2 4,4.2|2,2.2 2,6.2", "=": "0,3.4 4,3.4|0,5.2 4,5.2",
        "<": "3.6,2.2 0,4.3 3.6,6.4", ">": "0,2.2 3.6,4.3 0,6.4", "!": "0.2,0 0.2,4.8|0.2,6.8 0.2,6.9",
        "?": "~0,1.3 0.8,0.2 2,0 3.2,0.6 3.4,2 2.6,3.1 1.8,4 1.7,5|1.7,6.8 1.7,6.9", "'": "0.2,0 0.2,1.8",
        "\"": "0.2,0 0.2,1.8|1.8,0 1.8,1.8", "(": "~1.5,-0.4 0.4,1.4 0,3.6 0.4,5.8 1.5,7.6",
        ")": "~0,-0.4 1.1,1.4 1.5,3.6 1.1,5.8 0,7.6", "[": "1.5,-0.4 0,-0.4 0,7.6 1.5,7.6",
        "]": "0,-0.4 1.5,-0.4 1.5,7.6 0,7.6",
        "%": "4.8,0 0.6,7|~1.1,0.1 0.2,0.7 0,1.7 0.2,2.7 1.1,3.3 2,2.7 2.2,1.7 2,0.7 1.1,0.1"
            + "|~4.3,3.7 3.4,4.3 3.2,5.3 3.4,6.3 4.3,6.9 5.2,6.3 5.4,5.3 5.2,4.3 4.3,3.7",
        "#": "1.6,0.6 1,6.4|3.6,0.6 3,6.4|0.4,2.5 4.4,2.5|0.2,4.6 4.2,4.6",
        "°": "~0.9,0 0.2,0.3 0,1 0.2,1.7 0.9,2 1.6,1.7 1.8,1 1.6,0.3 0.9,0",
    ]
}
