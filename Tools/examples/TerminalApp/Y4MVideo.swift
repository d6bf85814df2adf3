import Foundation

/// A video in the Y4M format with 4:2:0 chroma, read from a pipe.
final class Y4MVideo {
    let width: Int
    let height: Int
    /// Frames a second.
    let rate: Double

    private let input: FileHandle

    enum Fault: Error, CustomStringConvertible {
        case noVideo
        case cutOff

        var description: String {
            switch self {
            case .noVideo: "Standard input is not Y4M with 4:2:0 chroma and a size up to 16384x16384."
            case .cutOff: "The video ends inside a frame."
            }
        }
    }

    /// Reads the first line.
    init(_ input: FileHandle) throws {
        self.input = input
        let fields = try Self.line(of: input)?.split(separator: " ") ?? []
        guard fields.first == "YUV4MPEG2" else { throw Fault.noVideo }
        var values: [Character: Substring] = ["C": "420", "F": "30:1"]
        for field in fields.dropFirst() { values[field[field.startIndex]] = field.dropFirst() }
        let rate = values["F", default: ""].split(separator: ":").compactMap { Double($0) }
        guard let width = Int(values["W", default: ""]), let height = Int(values["H", default: ""]),
            (1...16_384).contains(width), (1...16_384).contains(height), rate.count == 2, rate[0] / rate[1] > 0,
            (rate[0] / rate[1]).isFinite, values["C", default: ""].hasPrefix("420"),
            !values["C", default: ""].hasPrefix("420p1")
        else { throw Fault.noVideo }
        (self.width, self.height, self.rate) = (width, height, rate[0] / rate[1])
    }

    /// The bytes of luma, blue and red difference; nil at the end.
    func nextFrame() throws -> [UInt8]? {
        guard let line = try Self.line(of: input), !line.isEmpty else { return nil }
        guard line.hasPrefix("FRAME") else { throw Fault.noVideo }
        let count = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        guard let bytes = try input.read(upToCount: count), bytes.count == count else { throw Fault.cutOff }
        return [UInt8](bytes)
    }

    private static func line(of input: FileHandle) throws -> String? {
        var line: [UInt8] = []
        while let byte = try input.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            guard line.count < 1024 else { throw Fault.noVideo }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
