package import Frames

/// The first line of a YUV4MPEG2 stream: size, rate, and the numbers of luma and chroma bytes of each frame.
package struct Y4MHeader: Sendable, Equatable {
    /// The longest accepted line.
    static let longestLine = 4_096
    static let signature = Array("YUV4MPEG2".utf8)

    package var width: Int
    package var height: Int
    package var rate: FrameRate
    /// From `XCOLORRANGE`, a comment that FFmpeg writes; video range without it.
    package var range: PixelView.LumaRange
    /// Bytes of one frame's luma, which comes first.
    package var lumaBytes: Int
    /// All other bytes of a frame: two planes of chroma, and alpha if the format has it.
    package var chromaBytes: Int
    /// The layout of chroma; nil for a gray stream.
    package var chroma: Subsampling?
    /// Width of a pixel over its height, from `A`; 1 if it is unknown.
    package var pixelAspect: PixelAspect

    /// The number of pixels that share a chroma sample, across and down.
    package struct Subsampling: Sendable, Hashable {
        package let across: Int
        package let down: Int

        /// Whether the engine reads the layout unchanged: 4:2:0.
        package var isQuarter: Bool { across == 2 && down == 2 }

        /// Size of a plane of chroma for a frame of this size.
        package func size(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
            ((width + across - 1) / across, (height + down - 1) / down)
        }
    }

    /// Parses the line without its line end.
    ///
    /// Parameters are separated by single spaces: `W`, `H` and `F` (required), `I`, `A`, `C` (8 bits a sample only),
    /// and any number of `X` comments. `F0:0` means an unknown rate and counts as 30. `A0:0` means an unknown aspect
    /// and counts as square. The syntax of interlacing is checked, its value is ignored.
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
        guard let rate = rateText == "0:0" ? .thirty : FrameRate(rateText, separator: ":") else {
            throw .parameter("F\(rateText)")
        }
        self.rate = rate
        self.range = range
        if let interlacing = values["I"], !["?", "p", "t", "b", "m"].contains(interlacing) {
            throw .parameter("I\(interlacing)")
        }
        pixelAspect = .square
        if let aspect = values["A"] {
            guard let ratio = PixelAspect(aspect, separator: ":") else { throw .parameter("A\(aspect)") }
            pixelAspect = ratio
        }
        let shown = pixelAspect.size(of: width, height)
        guard sides.contains(shown.width), sides.contains(shown.height) else {
            throw .size(width: shown.width, height: shown.height, maximum: PixelView.maximumSide)
        }
        lumaBytes = width * height
        let tag = values["C"] ?? "420"
        let planes: Int
        (chroma, planes) = try Self.chroma(tag)
        let (columns, rows) = chroma?.size(width, height) ?? (0, 0)
        chromaBytes = planes == 3 ? 3 * width * height : planes * columns * rows
    }

    /// The layout of chroma, and the number of planes after luma.
    private static func chroma(_ tag: Substring) throws(Y4MError) -> (Subsampling?, planes: Int) {
        switch tag {
        case "mono": (nil, 0)
        case "420", "420jpeg", "420mpeg2", "420paldv": (Subsampling(across: 2, down: 2), 2)
        case "411": (Subsampling(across: 4, down: 1), 2)
        case "410": (Subsampling(across: 4, down: 4), 2)
        case "422": (Subsampling(across: 2, down: 1), 2)
        case "440": (Subsampling(across: 1, down: 2), 2)
        case "444": (Subsampling(across: 1, down: 1), 2)
        case "444alpha": (Subsampling(across: 1, down: 1), 3)
        default: throw .colourSpace(String(tag))
        }
    }
}
