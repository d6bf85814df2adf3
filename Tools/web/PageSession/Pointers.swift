import GestureEngine

// How pages choose pointers and read them.

extension HandPointer.Configuration {
    /// Reads `true` or an object of settings, of which those that are missing have their defaults; `false` gives nil. Names and units are
    /// those of the configuration, and times are in milliseconds.
    init?(reading reader: inout ObjectReader, _ path: String) throws(PageCommandError) {
        self.init()
        guard reader.isObject() else {
            if try reader.boolean(path) == true { return }
            return nil
        }
        try reader.object(path) { key, path, reader throws(PageCommandError) in
            switch key {
            case "region": try region.read(from: &reader, path)
            case "isMirrored": isMirrored = try reader.boolean(path) ?? isMirrored
            case "smoothing": try smoothing.read(from: &reader, path)
            case "pressGap": pressGap = try reader.float(path) ?? pressGap
            case "releaseGap": releaseGap = try reader.float(path) ?? releaseGap
            case "lostHandTime": lostHandTime = try reader.milliseconds(path) ?? lostHandTime
            case "dragDistance": dragDistance = try reader.float(path) ?? dragDistance
            case "doubleClickTime": doubleClickTime = try reader.milliseconds(path) ?? doubleClickTime
            case "screenAspect": screenAspect = try reader.float(path) ?? screenAspect
            case "scrolls": scrolls = try reader.boolean(path) ?? scrolls
            default: try reader.skip()
            }
        }
    }

    /// What `init(reading:_:)` reads.
    var json: JSONObject {
        JSONObject {
            $0.put(
                "region",
                JSONObject {
                    $0.put("x", region.x)
                    $0.put("y", region.y)
                    $0.put("width", region.width)
                    $0.put("height", region.height)
                })
            $0.put("isMirrored", isMirrored)
            $0.put(
                "smoothing",
                JSONObject {
                    $0.put("minimumCutoff", Float(smoothing.minimumCutoff))
                    $0.put("speedCoefficient", Float(smoothing.speedCoefficient))
                    $0.put("speedCutoff", Float(smoothing.speedCutoff))
                })
            $0.put("pressGap", pressGap)
            $0.put("releaseGap", releaseGap)
            $0.put("lostHandTime", Float(microseconds(lostHandTime)) / 1000)
            $0.put("dragDistance", dragDistance)
            $0.put("doubleClickTime", Float(microseconds(doubleClickTime)) / 1000)
            $0.put("screenAspect", screenAspect)
            $0.put("scrolls", scrolls)
        }
    }
}

extension HandPointer.Configuration.Region {
    fileprivate mutating func read(from reader: inout ObjectReader, _ path: String) throws(PageCommandError) {
        try reader.object(path) { key, path, reader throws(PageCommandError) in
            guard let share = try reader.float(path) else { return }
            switch key {
            case "x": x = share
            case "y": y = share
            case "width": width = share
            case "height": height = share
            default: break
            }
        }
    }
}

extension OneEuroParameters {
    fileprivate mutating func read(from reader: inout ObjectReader, _ path: String) throws(PageCommandError) {
        try reader.object(path) { key, path, reader throws(PageCommandError) in
            guard let value = try reader.number(path) else { return }
            switch key {
            case "minimumCutoff": minimumCutoff = value
            case "speedCoefficient": speedCoefficient = value
            case "speedCutoff": speedCutoff = value
            default: break
            }
        }
    }
}

extension HandPointer.Result {
    /// Adds 25 numbers: ten of each pointer; 1 with a pair and 0 without; its distance, angle, zoom and rotation.
    func write(to numbers: inout [Float]) {
        for pointer in [first, second] { pointer.write(to: &numbers) }
        numbers += [pair == nil ? 0 : 1, pair?.distance ?? 0, pair?.angle ?? 0, pair?.zoom ?? 0, pair?.rotation ?? 0]
    }
}

extension HandPointer.Pair {
    var json: JSONObject {
        JSONObject {
            $0.put("distance", distance)
            $0.put("angle", angle)
            $0.put("zoom", zoom)
            $0.put("rotation", rotation)
        }
    }
}

extension HandPointer.Pointer {
    var json: JSONObject {
        JSONObject {
            $0.put("identity", identity)
            $0.put("handedness", handedness?.rawValue)
            $0.put("x", position.x)
            $0.put("y", position.y)
            $0.put("state", state.rawValue)
            $0.put("confidence", confidence)
            $0.put("events", events.map { $0.name })
            $0.put("releaseReason", releaseReason?.rawValue)
            $0.put(
                "scroll",
                JSONObject {
                    $0.put("x", scroll.x)
                    $0.put("y", scroll.y)
                })
        }
    }

    /// Adds ten numbers: the identity, or -1; 1 for a right hand; x and y; the place of the state in `State.allCases`; the confidence; a
    /// sum of 1 << place for the events; the place of the reason in `ReleaseReason.allCases`, or -1; and the scrolled way, x and y.
    fileprivate func write(to numbers: inout [Float]) {
        let places = events.reduce(0) { $0 | 1 << $1.place }
        let reason = releaseReason.flatMap { HandPointer.ReleaseReason.allCases.firstIndex(of: $0) }
        numbers += [
            Float(identity ?? -1), handedness == .right ? 1 : 0, position.x, position.y,
            Float(HandPointer.State.allCases.firstIndex(of: state) ?? 0), confidence, Float(places),
            Float(reason ?? -1),
            scroll.x, scroll.y,
        ]
    }

    private var releaseReason: HandPointer.ReleaseReason? {
        for case .released(let reason) in events { return reason }
        return nil
    }

    /// Zero without the event `scrolled`.
    private var scroll: SIMD2<Float> {
        for case .scrolled(let way) in events { return way }
        return .zero
    }
}

extension HandPointer.Event {
    private static let names = [
        "entered", "moved", "dragged", "pressed", "released", "clicked", "doubleClicked", "scrolled", "left",
    ]

    fileprivate var name: String { Self.names[place] }
}
