package import Frames

/// The first line of a YUV4MPEG2 stream: size, rate, and how many bytes of each frame are luma and chroma.
package struct Y4MHeader: Sendable, Equatable {
    /// The longest line that is read before a stream is given up.
    static let longestLine = 4_096
    static let signature = Array("YUV4MPEG2".utf8)

    package var width: Int
    package var height: Int
    package var rate: FrameRate
    /// From `XCOLORRANGE`, a comment that FFmpeg writes; video range without it.
    package var range: PixelView.LumaRange
    /// Bytes of one frame's luma, which comes first.
    package var lumaBytes: Int
    /// Bytes of everything else in a frame.
    package var chromaBytes: Int
    /// Whether those are two planes of half the width and height, rounded up (4:2:0). Other chroma is skipped.
    package var isQuarterChroma: Bool

    /// Parses the line without its line end.
    ///
    /// Parameters are separated by single spaces: `W`, `H` and `F` (required, `F` not 0:0), `I`, `A`, `C` (8 bits a sample
    /// only), and any number of `X` comments. The aspect ratio and the interlacing are checked for form and ignored.
    package init(line: some Collection<UInt8>) throws(Y4MError) {
        guard line.starts(with: Self.signature) else { throw .signature }
        let rest = line.dropFirst(Self.signature.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: " ") else { throw .signature }

        var values: [Character: Substring] = [:]
        var range = PixelView.LumaRange.video
        let text = String(decoding: rest, as: UTF8.self)
        for parameter in text.split(separator: " ") {
            let letter = parameter[parameter.startIndex]
            let value = parameter.dropFirst()
            switch letter {
            case "X":
                if value == "COLORRANGE=FULL" { range = .full }
                if value == "COLORRANGE=LIMITED" { range = .video }
            case "W", "H", "F", "I", "A", "C":
                guard values.updateValue(value, forKey: letter) == nil else { throw .duplicate(letter) }
            default:
                throw .parameter(String(parameter))
            }
        }

        func number(_ letter: Character) throws(Y4MError) -> Int {
            guard let value = values[letter] else { throw .missing(letter) }
            guard let number = Int(digits: value) else { throw .parameter("\(letter)\(value)") }
            return number
        }
        width = try number("W")
        height = try number("H")
        let sides = 1...PixelView.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw .size(width: width, height: height, maximum: PixelView.maximumSide)
        }
        guard let rateText = values["F"] else { throw .missing("F") }
        guard let rate = FrameRate(rateText, separator: ":") else { throw .parameter("F\(rateText)") }
        self.rate = rate
        self.range = range
        if let interlacing = values["I"], !["?", "p", "t", "b", "m"].contains(interlacing) {
            throw .parameter("I\(interlacing)")
        }
        if let aspect = values["A"] {
            let parts = aspect.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ Int(digits: $0) != nil }) else { throw .parameter("A\(aspect)") }
        }
        lumaBytes = width * height
        let tag = values["C"] ?? "420"
        chromaBytes = try Self.chromaBytes(tag, width, height)
        isQuarterChroma = tag.hasPrefix("420")
    }

    private static func chromaBytes(_ tag: Substring, _ width: Int, _ height: Int) throws(Y4MError) -> Int {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return switch tag {
        case "mono": 0
        case "420", "420jpeg", "420mpeg2", "420paldv": 2 * halfWidth * halfHeight
        case "411": 2 * ((width + 3) / 4) * height
        case "422": 2 * halfWidth * height
        case "444": 2 * width * height
        case "444alpha": 3 * width * height
        default: throw .colourSpace(String(tag))
        }
    }
}
