import Foundation

/// The truth about a composed clip: the JSON file beside it, of the same name.
struct ClipLabels: Decodable {
    struct Event: Decodable {
        let label: String
        let onset_s: Double
        let end_s: Double
    }

    /// A run of frames of one label: first frame, first frame after it, label.
    struct Run: Decodable {
        let frames: Range<Int>
        let label: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let first = try values.decode(Int.self)
            let end = try values.decode(Int.self)
            guard first >= 0, end >= first else {
                throw DecodingError.dataCorruptedError(
                    in: values, debugDescription: "a run of \(first)..<\(end) frames")
            }
            frames = first..<end
            label = try values.decode(String.self)
        }
    }

    let rate_hz: Double
    let frames: Int
    let lighting: String?
    let events: [Event]
    let labels: [Run]

    init(contentsOf url: URL) throws(BenchFailure) {
        do {
            self = try JSONDecoder().decode(ClipLabels.self, from: try Data(contentsOf: url))
        } catch {
            throw .labels(path: url.path, reason: "\(error)")
        }
    }

    /// The label of a frame, or nil past the last run.
    func label(ofFrame index: Int) -> String? {
        labels.first { $0.frames.contains(index) }?.label
    }
}
