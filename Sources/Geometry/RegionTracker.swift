import Frames
public import Vocabulary

extension RegionTracker {
    /// A box that the app's detector found, in coordinates of 0...1 along each side of the picture; from which corner, and of
    /// the stored or of the upright picture, is all the same as long as it does not change.
    public struct Candidate: Sendable, Hashable {
        /// Where it is. What lies outside 0...1 is cut off.
        public var box: PlaneRect
        /// How sure the detector is, 0...1.
        public var confidence: Float

        /// A box.
        public init(box: PlaneRect, confidence: Float) {
            self.box = box
            self.confidence = confidence
        }
    }
}

extension RegionTracker {
    /// Where the subject is after an update.
    public enum Update: Sendable, Hashable {
        /// It was seen: its smoothed box.
        case tracking(PlaneRect)
        /// It was not seen and keeps its last smoothed box. After `framesLeft` more such updates it is lost.
        case held(PlaneRect, framesLeft: Int)
        /// There is none: not yet, or no longer, and the user is to be asked to step back into the picture. The next update
        /// starts anew with the largest box.
        case lost

        /// The box to look at; nil is the whole picture.
        public var box: PlaneRect? {
            switch self {
            case .tracking(let box), .held(let box, _): box
            case .lost: nil
            }
        }
    }
}

/// Keeps one subject among the boxes that the app's detector finds, so that the model's region of interest follows it.
///
/// The first subject is the largest box. From then on a box is the subject when its centre is within `reach` of where the
/// subject is expected and its size is similar; of several, the one with the greatest sum of overlap (intersection over
/// union with the expected box) and nearness of the centres times confidence. What is expected is the box that was last
/// seen, moved on by the smoothed step of its centre, which is what tells two crossing people apart; while the subject is
/// not seen the step fades. Every other box is ignored. Ties go to the greater confidence, then the larger area, then the
/// lesser x and the lesser y: the order of the boxes has no influence.
///
/// The box that comes out is an exponential moving average, s += smoothing * (box - s), of its place and of its size.
///
/// Boxes are those of a person or of the space a hand moves in. A region that follows the hand itself would take its movement
/// out of the model's picture, and with it every swipe.
///
/// A value without a clock; an update allocates nothing, costs one pass over the boxes, and takes any numbers: a box is
/// ignored unless its four numbers are finite, it covers at least a pixel of the largest frame inside the picture, and
/// its confidence is above zero, at most one and not below the minimum.
public struct RegionTracker: Sendable, Equatable {
    /// The thresholds in use.
    public let configuration: RegionTracker.Configuration

    private var subject: Subject?

    /// - Throws: what `validate()` throws.
    public init(
        configuration: RegionTracker.Configuration = RegionTracker.Configuration()
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
    }

    /// Takes the boxes of the next frame that the detector was given.
    /// - Parameter candidates: any number, in any order; none is a frame without a subject.
    public mutating func update(_ candidates: Span<RegionTracker.Candidate>) -> RegionTracker.Update {
        guard var subject = self.subject else {
            guard let box = best(of: candidates, expected: nil) else { return .lost }
            self.subject = Subject(box)
            return .tracking(box)
        }
        if let box = best(of: candidates, expected: subject.expected) {
            subject.follow(box, smoothing: configuration.smoothing)
            self.subject = subject
            return .tracking(subject.smoothed)
        }
        let framesLeft = configuration.holdFrames - subject.unseen - 1
        guard framesLeft >= 0 else {
            self.subject = nil
            return .lost
        }
        subject.coast(smoothing: configuration.smoothing)
        self.subject = subject
        return .held(subject.smoothed, framesLeft: framesLeft)
    }

    /// The same for boxes in an array.
    public mutating func update(_ candidates: [RegionTracker.Candidate]) -> RegionTracker.Update {
        // Not `span` of an array, which older Apple systems lack. It lives as long as the buffer.
        unsafe candidates.withUnsafeBufferPointer { unsafe update($0.span) }
    }

    /// Forgets the subject, as after a change of camera.
    public mutating func reset() {
        subject = nil
    }

    /// The part of a candidate to look at; nil where it does not count.
    private func visible(_ candidate: RegionTracker.Candidate) -> PlaneRect? {
        let (box, confidence) = (candidate.box, candidate.confidence)
        guard confidence > 0, confidence >= configuration.minimumConfidence, confidence <= 1, box.x.isFinite,
            box.y.isFinite, box.width.isFinite, box.height.isFinite, let inside = box.intersection(.unit)
        else { return nil }
        let least = 1 / Double(PixelView.maximumSide)
        guard inside.width >= least, inside.height >= least else { return nil }
        // A box that needs no cutting stays exactly what it is.
        let isWhole = box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1
        return isWhole ? box : inside
    }

    /// The box that counts with the greatest score; those without a score are passed over.
    private func best(of candidates: Span<RegionTracker.Candidate>, expected: PlaneRect?) -> PlaneRect? {
        var best: (rank: (Double, Float, Double, Double, Double, Double), box: PlaneRect)?
        for index in candidates.indices {
            let confidence = candidates[index].confidence
            guard let box = visible(candidates[index]), let score = score(box, confidence, expected: expected)
            else { continue }
            // Of two boxes that are equal in all six numbers it does not matter which is taken.
            let rank = (score, confidence, box.area, -box.x, -box.y, box.width)
            if let best, best.rank >= rank { continue }
            best = (rank, box)
        }
        return best?.box
    }

    /// The area of a box where nothing is expected; else how well it fits, or nil where it cannot be the subject.
    private func score(_ box: PlaneRect, _ confidence: Float, expected: PlaneRect?) -> Double? {
        guard let expected else { return box.area }
        let ratio = configuration.maximumSizeRatio
        guard (1 / ratio...ratio).contains(box.width / expected.width),
            (1 / ratio...ratio).contains(box.height / expected.height)
        else { return nil }
        // In units of the expected box, so that the picture's aspect ratio has no influence.
        let x = (box.center.x - expected.center.x) / expected.width
        let y = (box.center.y - expected.center.y) / expected.height
        let nearness = 1 - (x * x + y * y).squareRoot() / configuration.reach
        return nearness > 0 ? box.overlap(expected) + nearness * Double(confidence) : nil
    }
}

/// What is known of a subject. All in the unit square of the candidates.
private struct Subject: Sendable, Equatable {
    /// The box that was last seen, moved on while it is not.
    private var place: PlaneRect
    /// Smoothed step of the centre from one update to the next.
    private var stepX = 0.0
    private var stepY = 0.0
    private(set) var smoothed: PlaneRect
    /// Updates since it was last seen.
    private(set) var unseen = 0

    init(_ box: PlaneRect) {
        place = box
        smoothed = box
    }

    /// Where it should be at the next update.
    var expected: PlaneRect { place.offset(x: stepX, y: stepY) }

    mutating func follow(_ box: PlaneRect, smoothing: Double) {
        stepX += smoothing * (box.center.x - place.center.x - stepX)
        stepY += smoothing * (box.center.y - place.center.y - stepY)
        let kept = 1 - smoothing
        smoothed = PlaneRect(
            x: kept * smoothed.x + smoothing * box.x, y: kept * smoothed.y + smoothing * box.y,
            width: kept * smoothed.width + smoothing * box.width,
            height: kept * smoothed.height + smoothing * box.height)
        place = box
        unseen = 0
    }

    mutating func coast(smoothing: Double) {
        place = expected
        stepX -= smoothing * stepX
        stepY -= smoothing * stepY
        unseen += 1
    }
}
