package import Frames
package import KernelInterface
package import Tracking
package import Vocabulary

/// Counts of what a tracker has done so far.
package struct HandTrackingCounts: Sendable, Equatable {
    /// Frames processed.
    package var frames = 0
    /// Frames in which palms were searched for; in one such frame the detector may run for several parts.
    package var detections = 0
    /// Runs of the landmark network.
    package var landmarkRuns = 0
    /// Hands that were confirmed for the first time.
    package var found = 0
    /// Hands whose tracking ended.
    package var lost = 0
}

/// Finds hands and tracks them from frame to frame: palm detector, region, landmark network, region of the next frame.
///
/// Hands are searched for while fewer than `maximumHands` are tracked, at most every `detectionInterval`, or every
/// `furtherInterval` while one is tracked, and only if the scene has changed since the last detection (`SceneWatch`, unless
/// the app reports it) or `stillDetectionInterval` has passed. A palm that is found at the position of a tracked hand is that hand. The landmark network reads each
/// region; if its presence is above the minimum and all numbers are finite, there is a hand, and its landmarks and its
/// movement give the region of the next frame. A hand may also stop, so the region without the movement is tried before
/// a hand counts as lost. If the regions of two hands come to overlap, or if the points of one lie within the other
/// (`TrackedHand.Points.isSameHand`), the hand that has been tracked longer stays.
///
/// A lost hand is searched for in the very next frame and then, during `identityHold`, every `searchInterval`, even in a
/// still scene: first in the part of the frame that it was moving towards, where it is larger for the detector, then in
/// the whole frame. If the whole frame shows no palm, the detector reads a tile of half its side, another one each time,
/// at most every `stillDetectionInterval`: hands that are small in the frame are found within five of these intervals.
///
/// The palm detector misses hands that are small in the frame. An app with an estimate of where hands are can give regions:
/// when hands are searched for, the detector reads each region by itself, and the whole frame only if the regions show no
/// new palm. A region that was not searched in the last detection counts as a change of the scene.
///
/// It works like MediaPipe's hand tracker, with five differences. MediaPipe's runs the palm detector in every frame in
/// which a hand is missing. It makes the detector's image from single pixels instead of means. It takes the next region
/// from the landmarks alone. Of hands that come to overlap it keeps the later one. It has no identities.
///
/// A pure value; the caller passes the time. Any times are allowed: a time that is not after the previous one counts as no time
/// passed. If the size of the upright frame changes, all hands are forgotten. Allocates nothing after the first frame, unless
/// the caller keeps an array of hands.
package struct HandTracker: ~Copyable {
    private let configuration: HandTrackingConfiguration
    private let maximumHands: Int
    /// How the frames are stored.
    package let orientation: ImageOrientation

    /// The hands of the latest frame, those tracked longer first.
    package private(set) var hands: [TrackedHand] = []

    package private(set) var counts = HandTrackingCounts()

    private let crop: RotatedCrop
    private var decoder: BoxDecoder
    private var palms: [BoxDetection] = []
    private var tracks: [Track] = []
    private var lostHands: [LostHand] = []
    private var schedule: DetectionSchedule
    private let stillDetectionInterval: Int64?
    private let identityHold: Int64
    private var nextIdentity = 0
    /// The regions that were searched in the latest detection.
    private var searched: [TrackedRegion] = []
    /// The time of the latest detection in a tile, and the index of the next tile.
    private var latestTile: Int64?
    private var tile = 0

    /// The maximum number of regions of a frame that are searched, to bound the time: the hands of four people.
    package static let maximumRegions = 8

    /// The minimum time from one search for a lost hand to the next, unless `detectionInterval` is shorter, in
    /// nanoseconds: the time of a frame at 30 a second.
    static let searchInterval: Int64 = 30_000_000

    /// The minimum time from one search for further hands to the next, while one is tracked, unless `detectionInterval` is
    /// longer or zero, in nanoseconds: three frames at 30 a second.
    static let furtherInterval: Int64 = 90_000_000

    /// The side of the part in which a lost hand is searched for first, in sides of its region.
    private static let searchedSides = 2.5

    /// That part must be smaller than this share of the frame; otherwise the hand is hardly larger for the detector
    /// in it.
    private static let searchedShare = 0.75

    /// A region for the landmark network, and the hand it belongs to.
    private struct Track {
        /// Nil until the network has confirmed a hand there.
        var identity: Int?
        var motion: RegionMotion
        var landmarkFilter: OneEuroFilter<TrackedHand.Points.Storage>?
        var worldFilter: OneEuroFilter<TrackedHand.Points.Storage>?

        /// The region that the landmarks of the latest frame give.
        var region: TrackedRegion { motion.region }
    }

    /// A hand that is no longer tracked.
    private struct LostHand {
        var identity: Int
        var motion: RegionMotion
        var time: Int64
    }

    /// - Parameters:
    ///   - maximumHands: hands that are tracked at once, above 0.
    ///   - orientation: how the frames are stored. All results refer to the upright frame.
    /// - Throws: the errors of `validate()`.
    package init(
        configuration: HandTrackingConfiguration = HandTrackingConfiguration(), maximumHands: Int = 1,
        orientation: ImageOrientation = .up, kernels: CropKernels
    ) throws(ConfigurationError) {
        precondition(maximumHands > 0)
        try configuration.validate()
        self.configuration = configuration
        self.maximumHands = maximumHands
        self.orientation = orientation
        crop = RotatedCrop(kernels: kernels)
        decoder = BoxDecoder(
            .palms, minimumScore: configuration.minimumPalmScore, overlap: configuration.palmOverlap)
        schedule = DetectionSchedule(
            interval: configuration.detectionInterval, stillInterval: configuration.stillDetectionInterval,
            stillness: configuration.stillness)
        stillDetectionInterval = configuration.stillDetectionInterval?.saturatedNanoseconds
        identityHold = configuration.identityHold.saturatedNanoseconds
        hands.reserveCapacity(maximumHands)
        palms.reserveCapacity(maximumHands)
        // A palm that is found may belong to a hand that is already tracked.
        tracks.reserveCapacity(2 * maximumHands)
        lostHands.reserveCapacity(2 * maximumHands)
        searched.reserveCapacity(Self.maximumRegions)
    }

    /// Forgets all hands and the scene; identities continue to count up.
    package mutating func reset() {
        schedule.reset()
        forget()
    }

    private mutating func forget() {
        hands.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
        lostHands.removeAll(keepingCapacity: true)
        (latestTile, tile) = (nil, 0)
        searched.removeAll(keepingCapacity: true)
    }

    /// Processes the next frame; its hands are then in `hands`.
    /// - Parameters:
    ///   - frame: only its region is used.
    ///   - time: nanoseconds of any clock.
    ///   - blocks: of this frame, if the caller has a grid of it; computed only if a detection is due.
    ///   - sceneChanged: whether the app detected movement since the frame before; nil leaves it to the tracker.
    ///   - regions: where hands may be, the likelier first, in pixels of the upright frame; the usable ones among the
    ///     first `maximumRegions` count. A region contains a hand with about equal margins on every side, and is turned
    ///     like the hand.
    ///   - networks: their input images are written and their outputs read.
    package mutating func track<Networks: HandNetworks & ~Copyable>(
        _ frame: borrowing PixelView, at time: Int64, blocks: @autoclosure () -> SceneBlocks? = nil,
        sceneChanged: Bool? = nil,
        near regions: [TrackedRegion] = [], with networks: inout Networks
    ) {
        counts.frames += 1
        let size = FrameSize(frame.region, orientation)
        if schedule.advance(to: time, size, sceneChanged: sceneChanged) { forget() }

        lostHands.removeAll { schedule.now &- $0.time > identityHold }
        if tracks.count < maximumHands,
            schedule.isDue(
                least: tracks.isEmpty ? 0 : Self.furtherInterval, limit: lostHands.isEmpty ? .max : Self.searchInterval)
        {
            let isPending = schedule.isPending(
                in: frame, orientation: orientation, blocks: blocks(), sceneChanged: sceneChanged)
            if isPending || !lostHands.isEmpty || hasNewRegion(regions, size) {
                detect(in: frame, size, near: regions, with: &networks)
            }
        }
        follow(frame, size, with: &networks)
    }

    /// Whether a hand may be outside the parts that the last detection searched: in a region that is new or has moved.
    private func hasNewRegion(_ regions: [TrackedRegion], _ size: FrameSize) -> Bool {
        regions.prefix(Self.maximumRegions).contains { region in
            isOpen(region, size) && !searched.contains { $0.overlap(region) > configuration.regionOverlap }
        }
    }

    /// Whether a region can show a hand that is not tracked. A region whose middle half contains the centre of a
    /// tracked hand shows that hand.
    private func isOpen(_ region: TrackedRegion, _ size: FrameSize) -> Bool {
        region.isUsable(in: size)
            && !tracks.contains {
                max(abs($0.region.centerX - region.centerX), abs($0.region.centerY - region.centerY)) < region.side / 4
            }
    }

    /// Detects palms and adds those that are not tracked yet.
    private mutating func detect<Networks: HandNetworks & ~Copyable>(
        in frame: borrowing PixelView, _ size: FrameSize, near regions: [TrackedRegion],
        with networks: inout Networks
    ) {
        schedule.noteDetection()
        counts.detections += 1
        searched.removeAll(keepingCapacity: true)
        let followed = tracks.count
        for region in regions.prefix(Self.maximumRegions) where isOpen(region, size) {
            guard tracks.count < maximumHands else { return }
            searched.append(region)
            detect(within: region, of: frame, size, with: &networks)
        }
        if tracks.count == followed, let part = searchedPart(of: size) {
            detect(within: part, of: frame, size, with: &networks)
        }
        if tracks.count == followed {
            detect(within: TrackedRegion(around: size), of: frame, size, with: &networks)
        }
        if tracks.count == followed, let tile = nextTile(of: size) {
            detect(within: tile, of: frame, size, with: &networks)
        }
    }

    /// A part of the frame with half its side, in which hands are twice as large for the detector: the middle, then the
    /// corners in turn. Nil if none is due.
    private mutating func nextTile(of size: FrameSize) -> TrackedRegion? {
        guard let stillDetectionInterval else { return nil }
        if let latestTile, schedule.now &- latestTile < stillDetectionInterval { return nil }
        latestTile = schedule.now
        defer { tile = (tile + 1) % 5 }
        var part = TrackedRegion(around: size)
        part.side /= 2
        guard tile > 0 else { return part }
        // Inside the frame; along a shorter side, centred.
        let way = SIMD2(max(size.width - part.side, 0), max(size.height - part.side, 0)) / 2
        part.centerX += tile % 2 == 1 ? -way.x : way.x
        part.centerY += tile <= 2 ? -way.y : way.y
        return part
    }

    /// The part of the frame that the most recently lost hand was moving towards; nil if that is most of the frame.
    private func searchedPart(of size: FrameSize) -> TrackedRegion? {
        guard let lost = lostHands.last else { return nil }
        var part = lost.motion.expected(at: schedule.now)
        part.side *= Self.searchedSides
        part.rotation = 0
        guard part.side < Self.searchedShare * max(size.width, size.height), part.isUsable(in: size) else { return nil }
        return part
    }

    /// Runs the palm detector on a part of the frame.
    private mutating func detect<Networks: HandNetworks & ~Copyable>(
        within part: TrackedRegion, of frame: borrowing PixelView, _ size: FrameSize, with networks: inout Networks
    ) {
        guard
            crop.write(
                frame, part, orientation: orientation, border: .black,
                isAveraged: true, into: networks.palmImage)
        else { return }
        networks.detectPalms()
        decoder.decode(
            boxes: networks.palmBoxes, scores: networks.palmScores, limit: maximumHands, into: &palms)
        for palm in palms {
            guard tracks.count < maximumHands,
                let region = TrackedRegion(palm: palm, in: part, frame: size),
                !tracks.contains(where: { $0.region.overlap(region) > configuration.regionOverlap })
            else { continue }
            tracks.append(
                Track(
                    motion: RegionMotion(region),
                    landmarkFilter: configuration.smoothing.map { OneEuroFilter($0.landmarks) },
                    worldFilter: configuration.smoothing.map { OneEuroFilter($0.worldLandmarks) }))
        }
    }

    /// Runs the landmark network on every region.
    private mutating func follow<Networks: HandNetworks & ~Copyable>(
        _ frame: borrowing PixelView, _ size: FrameSize, with networks: inout Networks
    ) {
        hands.removeAll(keepingCapacity: true)
        var index = 0
        while index < tracks.count {
            let region = tracks[index].region
            let expected = tracks[index].motion.expected(at: schedule.now)
            let ahead = expected.isUsable(in: size) ? expected : region
            if let hand = landmarks(of: index, within: ahead, frame, size, with: &networks)
                ?? (ahead == region ? nil : landmarks(of: index, within: region, frame, size, with: &networks))
            {
                hands.append(hand)
                index += 1
            } else {
                remove(index)
            }
        }
    }

    /// Stops tracking a region.
    private mutating func remove(_ index: Int) {
        let track = tracks.remove(at: index)
        guard let identity = track.identity else { return }
        counts.lost += 1
        schedule.noteLoss(isUrgent: true)
        if lostHands.count == 2 * maximumHands { lostHands.removeFirst() }
        lostHands.append(LostHand(identity: identity, motion: track.motion, time: schedule.now))
    }

    /// Runs the landmark network on a region, and moves the region to the hand's position.
    /// - Returns: nil if there is no hand, or if it is the hand of an earlier region, which has been tracked longer.
    private mutating func landmarks<Networks: HandNetworks & ~Copyable>(
        of index: Int, within region: TrackedRegion, _ frame: borrowing PixelView, _ size: FrameSize,
        with networks: inout Networks
    ) -> TrackedHand? {
        let image = networks.landmarkImage
        guard
            crop.write(
                frame, region, orientation: orientation, border: .nearest, into: image)
        else { return nil }
        networks.findLandmarks()
        counts.landmarkRuns += 1
        let (presence, handedness) = (networks.presence, networks.rightHandedness)
        guard presence > configuration.minimumPresence, presence.isFinite, handedness.isFinite else { return nil }
        var points = region.place(networks.landmarks, side: image.side, in: size)
        var worldPoints = region.turn(networks.worldLandmarks)
        guard points.isFinite, worldPoints.isFinite, let next = TrackedRegion(landmarks: points, frame: size),
            !(0..<index).contains(where: { tracks[$0].region.overlap(next) > configuration.regionOverlap }),
            !hands.contains(where: { points.isSameHand(as: $0.landmarks, in: size) })
        else { return nil }
        let identity = tracks[index].identity ?? identity(of: region)
        tracks[index].identity = identity
        tracks[index].motion.advance(to: next, at: schedule.now)
        smooth(&points, &worldPoints, index, next, size)
        var pixels = points
        pixels.scale(by: SIMD3(Float(size.width), Float(size.height), Float(size.width)))
        return TrackedHand(
            identity: identity, presence: min(presence, 1), rightHandedness: min(max(handedness, 0), 1),
            landmarks: points, worldLandmarks: worldPoints, region: region, pose: networks.pose(of: pixels))
    }

    /// The identity of the hand that was lost at this region, or a new one.
    private mutating func identity(of region: TrackedRegion) -> Int {
        var best: (index: Int, overlap: Double)?
        for (index, lost) in lostHands.enumerated() {
            let heading = lost.motion.expected(at: schedule.now)
            let overlap = max(lost.motion.region.overlap(region), heading.overlap(region))
            if overlap > configuration.regionOverlap, overlap > best?.overlap ?? 0 { best = (index, overlap) }
        }
        if let best { return lostHands.remove(at: best.index).identity }
        counts.found += 1
        defer { nextIdentity += 1 }
        return nextIdentity
    }

    private mutating func smooth(
        _ points: inout TrackedHand.Points, _ worldPoints: inout TrackedHand.Points, _ index: Int,
        _ region: TrackedRegion,
        _ size: FrameSize
    ) {
        // A usable region has a side of at least a pixel. Points are normalised by the width on all axes.
        let aspect = SIMD3<Float>(1, Float(size.height / size.width), 1)
        points.scale(by: aspect)
        tracks[index].landmarkFilter?.filter(&points.points, at: schedule.now, scale: Float(region.side / size.width))
        points.scale(by: 1 / aspect)
        tracks[index].worldFilter?.filter(&worldPoints.points, at: schedule.now, scale: 1)
    }
}

extension TrackedRegion {
    /// The landmark network's points in the frame.
    /// - Parameters:
    ///   - points: x, y and z of each point in pixels of the image.
    ///   - side: of the image.
    /// - Returns: x and y normalised to the frame, 0...1, z by its width.
    func place(_ points: Span<Float>, side: Int, in frame: FrameSize) -> TrackedHand.Points {
        precondition(points.count == 3 * TrackedHand.Points.count)
        /// The network's depth is divided by this as well as by the image's side, as in MediaPipe's graph.
        let depthUnit: Float = 0.4
        let (right, down) = axes
        let (width, height) = (Float(frame.width), Float(frame.height))
        let (across, along) = (
            SIMD2(Float(right.x) / width, Float(right.y) / height), SIMD2(Float(down.x) / width, Float(down.y) / height)
        )
        let center = SIMD2(Float(centerX) / width, Float(centerY) / height)
        let scale = Float(self.side)
        var placed = TrackedHand.Points()
        for index in 0..<TrackedHand.Points.count {
            let point = SIMD3(points[3 * index], points[3 * index + 1], points[3 * index + 2]) / Float(side)
            let place = center + scale * ((point.x - 0.5) * across + (point.y - 0.5) * along)
            placed[index] = SIMD3(place, scale * point.z / (depthUnit * width))
        }
        return placed
    }

    /// The landmark network's points in metres, rotated from the region to the upright frame.
    func turn(_ points: Span<Float>) -> TrackedHand.Points {
        precondition(points.count == 3 * TrackedHand.Points.count)
        let (right, down) = axes
        let (across, along) = (SIMD2<Float>(right), SIMD2<Float>(down))
        var turned = TrackedHand.Points()
        for index in 0..<TrackedHand.Points.count {
            turned[index] = SIMD3(
                points[3 * index] * across + points[3 * index + 1] * along, points[3 * index + 2])
        }
        return turned
    }
}
