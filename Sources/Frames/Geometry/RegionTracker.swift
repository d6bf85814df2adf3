public import Vocabulary

extension RegionTracker {
    /// A box that the app's detector found, in coordinates of 0...1 along each side of the frame. They may begin at any
    /// corner, of the stored or of the upright frame, but must always be the same ones.
    public struct Candidate: Sendable, Hashable {
        /// The box. Parts outside 0...1 are cut off.
        public var box: PlaneRect
        /// The detector's confidence, 0...1.
        public var confidence: Float

        /// Makes a candidate.
        public init(box: PlaneRect, confidence: Float) {
            self.box = box
            self.confidence = confidence
        }
    }
}

extension RegionTracker {
    /// Where the subject is after an update.
    public enum Update: Sendable, Hashable {
        /// It was seen, with this smoothed box.
        case tracking(PlaneRect)
        /// It was not seen and keeps its last smoothed box. It is lost after `framesLeft` more such updates.
        case held(PlaneRect, framesLeft: Int)
        /// There is no subject, not yet or no longer; then the user should be asked to step back into the frame. The
        /// next update starts anew with the largest box.
        case lost

        /// The box to examine; nil for the whole frame.
        public var box: PlaneRect? {
            switch self {
            case .tracking(let box), .held(let box, _): box
            case .lost: nil
            }
        }
    }
}

/// Follows one subject among the boxes that the app's detector finds, for the model's region of interest.
///
/// The first subject is the largest box. Later a box is the subject if its centre is within `reach` of the expected one
/// and its size is similar. Of several such boxes the one with the largest score is taken: overlap (intersection over
/// union with the expected box) plus nearness of the centres times confidence. The expected box is the one seen last,
/// moved by the smoothed step of its centre, which distinguishes two crossing people; while the subject is not seen the
/// step fades. All other boxes are ignored. Ties go to the greater confidence, then the larger area, then the smaller x
/// and the smaller y: the order of the boxes does not matter.
///
/// The result is an exponential moving average, s += smoothing * (box - s), of the box's position and size.
///
/// Use boxes of a person or of the space in which a hand moves. A region that follows the hand itself would remove its
/// movement from the model's image, and with it every swipe.
///
/// A value without a clock. An update does not allocate, costs one pass over the boxes and accepts any numbers. A box
/// is ignored unless its four numbers are finite, it covers at least a pixel of the largest frame, and its confidence
/// is above zero, at most one and not below the minimum.
public struct RegionTracker: Sendable, Equatable {
    /// The configuration in use.
    public let configuration: RegionTracker.Configuration

    private var subject: Subject?

    /// - Throws: what `validate()` throws.
    public init(
        configuration: RegionTracker.Configuration = RegionTracker.Configuration()
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
    }

    /// Takes the boxes of the next frame that the detector examined.
    /// - Parameter candidates: any number of boxes in any order; none if no subject was found.
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
        // An array's `span` is missing on older Apple systems. This span lives as long as the buffer.
        unsafe candidates.withUnsafeBufferPointer { unsafe update($0.span) }
    }

    /// Forgets the subject, as after a change of camera.
    public mutating func reset() {
        subject = nil
    }

    /// The part of a candidate within the frame; nil if the candidate is ignored.
    private func visible(_ candidate: RegionTracker.Candidate) -> PlaneRect? {
        let (box, confidence) = (candidate.box, candidate.confidence)
        guard confidence > 0, confidence >= configuration.minimumConfidence, confidence <= 1, box.x.isFinite,
            box.y.isFinite, box.width.isFinite, box.height.isFinite, let inside = box.intersection(.unit)
        else { return nil }
        let least = 1 / Double(PixelView.maximumSide)
        guard inside.width >= least, inside.height >= least else { return nil }
        // A box that is not cut keeps its exact numbers.
        let isWhole = box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1
        return isWhole ? box : inside
    }

    /// The box with the highest score; boxes without a score are skipped.
    private func best(of candidates: Span<RegionTracker.Candidate>, expected: PlaneRect?) -> PlaneRect? {
        var best: (rank: (Double, Float, Double, Double, Double, Double), box: PlaneRect)?
        for index in candidates.indices {
            let confidence = candidates[index].confidence
            guard let box = visible(candidates[index]), let score = score(box, confidence, expected: expected)
            else { continue }
            // If two boxes are equal in all six numbers, it does not matter which is taken.
            let rank = (score, confidence, box.area, -box.x, -box.y, box.width)
            if let best, best.rank >= rank { continue }
            best = (rank, box)
        }
        return best?.box
    }

    /// The area of a box if nothing is expected; otherwise how well it fits, or nil if it cannot be the subject.
    private func score(_ box: PlaneRect, _ confidence: Float, expected: PlaneRect?) -> Double? {
        guard let expected else { return box.area }
        let ratio = configuration.maximumSizeRatio
        guard (1 / ratio...ratio).contains(box.width / expected.width),
            (1 / ratio...ratio).contains(box.height / expected.height)
        else { return nil }
        // In units of the expected box, so that the frame's aspect ratio does not matter.
        let x = (box.center.x - expected.center.x) / expected.width
        let y = (box.center.y - expected.center.y) / expected.height
        let nearness = 1 - (x * x + y * y).squareRoot() / configuration.reach
        return nearness > 0 ? box.overlap(expected) + nearness * Double(confidence) : nil
    }
}

/// The state of a subject, in the unit square of the candidates.
private struct Subject: Sendable, Equatable {
    /// The box seen last, moved on while the subject is not seen.
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

    /// The expected box of the next update.
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
