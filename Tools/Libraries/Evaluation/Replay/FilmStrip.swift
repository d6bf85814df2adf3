import Foundation

/// A small picture of a frame with the points of hands on it, for a page.
package struct FilmPicture: Sendable {
    package let time: Double
    package let width: Int
    package let height: Int
    /// Three bytes a pixel, rows from the top without padding.
    package let pixels: [UInt8]
    /// The points of each hand, normalised to the picture's width and height.
    package let hands: [[SIMD2<Double>]]
    /// The gesture that begins in it; nil for a picture taken for its time alone.
    package let caption: String?

    package init(
        time: Double, width: Int, height: Int, pixels: [UInt8], hands: [[SIMD2<Double>]], caption: String?
    ) {
        (self.time, self.width, self.height, self.pixels) = (time, width, height, pixels)
        (self.hands, self.caption) = (hands, caption)
    }

    /// A drawing with the picture in it.
    /// - jpeg: the picture's file.
    /// - bones: pairs of points that a line connects.
    package func drawing(jpeg: [UInt8], bones: [(start: Int, end: Int)]) -> String {
        let (wide, high) = (Double(width), Double(height))
        var canvas = SVGCanvas(width: wide, height: high, title: caption ?? fixed(time, 2) + " s", paper: nil)
        canvas.image(jpeg: jpeg, x: 0, y: 0, width: wide, height: high)
        for hand in hands {
            // A hand may lie partly outside of its frame; far outside there is nothing to draw.
            func place(_ index: Int) -> (x: Double, y: Double)? {
                guard hand.indices.contains(index), abs(hand[index].x) < 4, abs(hand[index].y) < 4 else { return nil }
                return (hand[index].x * wide, hand[index].y * high)
            }
            for bone in bones {
                guard let start = place(bone.start), let end = place(bone.end) else { continue }
                canvas.line(from: start, to: end, stroke: "#50dc78", width: 1.5)
            }
            for index in hand.indices {
                guard let point = place(index) else { continue }
                canvas.rectangle(x: point.x - 1.2, y: point.y - 1.2, width: 2.4, height: 2.4, fill: "#ff503c")
            }
        }
        return canvas.document
    }
}

/// Pictures of a clip whose length is not known before its end: evenly spaced ones, and those of its events.
package struct FilmStrip: Sendable {
    /// Pictures with even spaces between, at most; at least half as many of a clip that is long enough.
    package static let mostSpaced = 24
    package static let mostEvents = 24

    private var spaced: [(frame: Int, picture: FilmPicture)] = []
    private var events: [(frame: Int, picture: FilmPicture)] = []
    private var interval = 1

    package init() {}

    /// Whether a frame's picture is wanted.
    package func wants(frame: Int, isEvent: Bool) -> Bool {
        frame.isMultiple(of: interval) || isEvent && events.count < Self.mostEvents
    }

    package mutating func add(_ picture: FilmPicture, frame: Int) {
        if picture.caption != nil, events.count < Self.mostEvents {
            events.append((frame, picture))
        } else if frame.isMultiple(of: interval) {
            spaced.append((frame, picture))
        }
        guard spaced.count > Self.mostSpaced else { return }
        interval *= 2
        spaced.removeAll { !$0.frame.isMultiple(of: interval) }
    }

    /// In the order of their frames.
    package var pictures: [FilmPicture] { (spaced + events).sorted { $0.frame < $1.frame }.map(\.picture) }
}
