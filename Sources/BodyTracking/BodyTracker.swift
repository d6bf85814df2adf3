package import Frames
package import KernelInterface
import Platform
package import Tracking
package import Vocabulary

/// Counts of a tracker since it was made.
package struct BodyTrackingCounts: Sendable, Equatable {
    /// Frames taken in.
    package var frames = 0
    /// Runs of the detector.
    package var detections = 0
    /// Runs of the landmark network.
    package var landmarkRuns = 0
    /// People confirmed for the first time.
    package var found = 0
    /// People lost after the hold.
    package var lost = 0
}

/// Finds people and follows them from frame to frame: detector, region, landmark network, region of the next frame.
///
/// The detector runs while fewer than `maximumBodies` are seen, at most every `detectionInterval`, and only if the
/// scene has changed since the last detection. `SceneWatch` detects whether it has, unless the app reports it; the loss of a
/// body counts as a change. The largest detections come first. The landmark network reads each region. There is a body
/// if its presence is above the minimum and all numbers are finite; two of its points give the region of the next
/// frame. Otherwise the body is held: it keeps its position and identity, and only a person found near it takes it up
/// again. After the hold it is lost.
///
/// For one person this is MediaPipe's body tracker with four differences: the hold, the limited detection rate, the
/// largest instead of the most likely detection first, and identities. Two regions may come to show one person, as when
/// people cross. Boxes and weighted means of the points detect this, and the body that has been followed longer stays.
///
/// A pure value; the caller passes the time. A time that is not later than the one before counts as no time passed. A frame of
/// another upright size makes it forget all bodies. It allocates nothing after it was made, unless the caller keeps an array of
/// bodies.
package struct BodyTracker: ~Copyable {
    package let configuration: BodyTrackingConfiguration

    /// The bodies of the latest frame, held ones included, those followed longest first.
    package private(set) var bodies: [TrackedBody] = []

    package private(set) var counts = BodyTrackingCounts()

    /// Whether a body was lost and none has been found since, so that the app asks the user to step back into the
    /// frame.
    package private(set) var isBodyLost = false

    private let crop: RotatedCrop
    private var decoder: BoxDecoder
    private var detections: [BoxDetection] = []
    private var tracks: [Track] = []
    private var masks: [BodyMask]
    private var freeMasks: [Int]
    private var schedule: DetectionSchedule
    private let hold: Int64
    private var nextIdentity = 0

    /// Detections that are examined, whatever the maximum number of bodies.
    private static let detectionLimit = 8
    /// Two regions show one person if their middles are closer than this, in radii of a body.
    private static let sameSeparation = 0.5
    /// The same for a held body, which may have moved meanwhile.
    private static let heldSeparation = 1.0

    /// A region that the landmark network reads, and its body.
    private struct Track {
        var region: TrackedRegion
        var filters: BodyFilters
        let mask: Int?
        /// Nil until the network has confirmed a body in the region.
        var body: TrackedBody?
        /// When the body was last seen.
        var seen: Int64 = 0
        /// When the detector found the region.
        var detected: Int64

        var isHeld: Bool { body?.state == .held }
    }

    /// - Parameter maskSide: width and height of the landmark network's masks, 256 for MediaPipe's full network.
    /// - Throws: what `validate()` throws.
    package init(
        configuration: BodyTrackingConfiguration = BodyTrackingConfiguration(), maskSide: Int = 256,
        kernels: CropKernels
    ) throws(ConfigurationError) {
        try configuration.validate()
        self.configuration = configuration
        crop = RotatedCrop(kernels: kernels)
        decoder = BoxDecoder(
            .bodies, minimumScore: configuration.minimumDetectionScore, overlap: Self.suppression)
        schedule = DetectionSchedule(interval: configuration.detectionInterval, stillness: configuration.stillness)
        hold = configuration.hold.saturatedNanoseconds
        let limit = configuration.maximumBodies
        masks = (0..<(configuration.segmentation ? limit : 0)).map { _ in BodyMask(side: maskSide) }
        freeMasks = Array(masks.indices)
        bodies.reserveCapacity(limit)
        detections.reserveCapacity(Self.detectionLimit)
        tracks.reserveCapacity(limit)
    }

    /// Boxes that overlap by more than this are merged, as in MediaPipe's graph.
    private static let suppression: Float = 0.3

    /// Forgets all bodies and the scene; identities go on.
    package mutating func reset() {
        schedule.reset()
        forget()
    }

    private mutating func forget() {
        bodies.removeAll(keepingCapacity: true)
        while let track = tracks.popLast() { release(track) }
        isBodyLost = false
    }

    /// Size of the latest frame; nil before the first one.
    package var size: FrameSize? { schedule.size }

    /// Takes the next frame and updates `bodies`.
    /// - Parameters:
    ///   - frame: the frame, of which the region is examined.
    ///   - time: nanoseconds of any clock.
    ///   - blocks: of this frame, if the caller has a grid of it; computed only if a detection is due.
    ///   - sceneChanged: whether the app detected movement since the frame before; nil leaves this to the tracker.
    ///   - takesTurns: whether the networks run interleaved: the next call reads a region that the detector finds.
    ///   - networks: the networks that are run.
    package mutating func track<Networks: BodyNetworks & ~Copyable>(
        _ frame: borrowing PixelView, at time: Int64, blocks: @autoclosure () -> SceneBlocks? = nil,
        sceneChanged: Bool? = nil,
        takesTurns: Bool = false, with networks: inout Networks
    ) {
        counts.frames += 1
        let size = FrameSize(frame.region, configuration.orientation)
        if schedule.advance(to: time, size, sceneChanged: sceneChanged) { forget() }

        releaseExpiredHolds()
        if needsDetection, schedule.isDue(),
            schedule.isPending(
                in: frame, orientation: configuration.orientation, blocks: blocks(), sceneChanged: sceneChanged)
        {
            detect(in: frame, size, with: &networks)
        }
        follow(frame, size, takesTurns: takesTurns, with: &networks)
    }

    /// Drops bodies that have been held for too long.
    private mutating func releaseExpiredHolds() {
        var index = 0
        while index < tracks.count {
            if tracks[index].isHeld, schedule.now &- tracks[index].seen > hold {
                release(tracks.remove(at: index))
                counts.lost += 1
                isBodyLost = true
                schedule.noteLoss()
            } else {
                index += 1
            }
        }
    }

    private mutating func release(_ track: Track) {
        if let mask = track.mask { freeMasks.append(mask) }
    }

    private var needsDetection: Bool {
        tracks.count < configuration.maximumBodies || tracks.contains { $0.isHeld }
    }

    /// Runs the detector, takes up held bodies and adds new ones.
    private mutating func detect<Networks: BodyNetworks & ~Copyable>(
        in frame: borrowing PixelView, _ size: FrameSize, with networks: inout Networks
    ) {
        schedule.noteDetection()
        counts.detections += 1
        guard
            crop.write(
                frame, TrackedRegion(around: size), orientation: configuration.orientation, border: .black,
                into: networks.detectionImage)
        else { return }
        networks.detectBodies()
        decoder.decode(
            boxes: networks.boxes, scores: networks.scores, limit: Self.detectionLimit, into: &detections)
        // The largest first; sorting would allocate.
        while let largest = detections.indices.max(by: { Self.extent(detections[$0]) < Self.extent(detections[$1]) }) {
            let detection = detections.remove(at: largest)
            // A body that is seen keeps its track, even if a held one is near.
            guard let region = TrackedRegion(body: detection, frame: size), !isFollowed(region) else { continue }
            if let held = heldTrack(near: region) {
                tracks[held].region = region
                tracks[held].filters = BodyFilters(configuration.smoothing)
                tracks[held].body?.state = .seen
                tracks[held].detected = schedule.now
            } else if tracks.count < configuration.maximumBodies {
                tracks.append(
                    Track(
                        region: region, filters: BodyFilters(configuration.smoothing), mask: freeMasks.popLast(),
                        detected: schedule.now))
            }
        }
    }

    /// The square of a body's radius, normalised to the detector's image, 0...1.
    private static func extent(_ detection: BoxDetection) -> Float {
        let offset = detection.keyPoints[1] - detection.keyPoints[0]
        return (offset * offset).sum()
    }

    /// Whether a region shows a body that is followed already.
    private func isFollowed(_ region: TrackedRegion) -> Bool {
        tracks.contains { !$0.isHeld && $0.region.separation(region) < Self.sameSeparation }
    }

    /// The nearest held body to a region, if it is near enough.
    private func heldTrack(near region: TrackedRegion) -> Int? {
        var best: (index: Int, separation: Double)?
        for index in tracks.indices where tracks[index].isHeld {
            let separation = tracks[index].region.separation(region)
            if separation < best?.separation ?? Self.heldSeparation { best = (index, separation) }
        }
        return best?.index
    }

    /// Runs the landmark network for every body that is not held.
    private mutating func follow<Networks: BodyNetworks & ~Copyable>(
        _ frame: borrowing PixelView, _ size: FrameSize, takesTurns: Bool, with networks: inout Networks
    ) {
        bodies.removeAll(keepingCapacity: true)
        var index = 0
        while index < tracks.count {
            if takesTurns, tracks[index].detected == schedule.now {
                index += 1
                continue
            }
            if !tracks[index].isHeld, !estimate(for: index, in: frame, size, with: &networks) {
                guard tracks[index].body != nil else {
                    release(tracks.remove(at: index))
                    continue
                }
                tracks[index].body?.state = .held
                schedule.noteLoss()
            }
            if let body = tracks[index].body { bodies.append(body) }
            index += 1
        }
    }

    /// Runs the landmark network for a region and moves the region to the body.
    /// - Returns: false if there is no body, or if it is the body of an earlier region, which has been tracked longer.
    private mutating func estimate<Networks: BodyNetworks & ~Copyable>(
        for index: Int, in frame: borrowing PixelView, _ size: FrameSize, with networks: inout Networks
    ) -> Bool {
        let region = tracks[index].region
        let image = networks.landmarkImage
        guard
            crop.write(frame, region, orientation: configuration.orientation, border: .nearest, into: image)
        else { return false }
        networks.findLandmarks()
        counts.landmarkRuns += 1
        let presence = networks.presence
        // NaN fails the comparison.
        guard presence > configuration.minimumPresence, presence.isFinite else { return false }
        var found = BodyLandmarks(
            networks.landmarks, heatmaps: networks.heatmaps, worldLandmarks: networks.worldLandmarks,
            side: image.side, region: region, frame: size)
        guard found.isFinite else { return false }
        tracks[index].filters.filter(&found, at: schedule.now, size)
        guard let next = TrackedRegion(hips: found.hips, edge: found.edge, in: size) else { return false }
        let body = TrackedBody(
            identity: tracks[index].body?.identity ?? nextIdentity, presence: min(presence, 1),
            landmarks: found.points, visibility: found.visibility, pointPresence: found.pointPresence,
            worldLandmarks: found.worldPoints, region: region)
        let outline = BodyOutline(body, size)
        for other in tracks[0..<index] {
            guard let known = other.body, known.state == .seen else { continue }
            if outline.isSame(as: BodyOutline(known, size), overlap: configuration.minimumOverlap) { return false }
        }
        if tracks[index].body == nil {
            counts.found += 1
            nextIdentity += 1
            isBodyLost = false
        }
        if let mask = tracks[index].mask { masks[mask].read(networks.mask, of: region) }
        tracks[index].body = body
        tracks[index].region = next
        tracks[index].seen = schedule.now
        return true
    }

    /// Writes the mask of a body, 0...1, row by row, of an image of the upright frame.
    /// - Parameters:
    ///   - identity: a body of the latest frame.
    ///   - pixels: `width * height` numbers, each of which is raised to this body's value.
    /// - Returns: whether there is such a body and masks are computed.
    package func addMask(of identity: Int, width: Int, height: Int, to pixels: inout MutableSpan<Float>) -> Bool {
        guard let size, let track = tracks.first(where: { $0.body?.identity == identity }), let mask = track.mask else {
            return false
        }
        masks[mask].add(width: width, height: height, of: size, to: &pixels)
        return true
    }
}

extension TrackedRegion {
    /// The region of the next frame, from two points that are normalised to the frame.
    fileprivate init?(hips: SIMD2<Float>, edge: SIMD2<Float>, in frame: FrameSize) {
        let sides = SIMD2(frame.width, frame.height)
        self.init(hips: SIMD2<Double>(hips) * sides, edge: SIMD2<Double>(edge) * sides, frame: frame)
    }
}
