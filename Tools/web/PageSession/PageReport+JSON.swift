import BodyTracking
import GestureEngine
import HandTracking

extension PageReport {
    /// The message.
    package var text: String {
        switch self {
        case .hello(let report): report.json.text
        case .settings(let report): report.json.text
        case .frame(let report): report.json.text
        case .teaching(let report): report.json.text
        case .taught(let report): report.json.text
        case .failure(let report): JSONObject("failure") { $0.put("sentence", report.sentence) }.text
        case .clip(let report): JSONObject("clip") { $0.put("isPlaying", report.isPlaying) }.text
        }
    }
}

extension PageReport.Hello {
    fileprivate var json: JSONObject {
        JSONObject("hello") {
            $0.put("version", version)
            $0.put("frontEnd", frontEnd)
            $0.put("source", source)
        }
    }
}

extension PageReport.Settings {
    fileprivate var json: JSONObject {
        JSONObject("settings") {
            $0.put("settings", settings.json)
            $0.put("labels", labels)
            $0.put("nullIndex", nullIndex)
            $0.put("userGestures", userGestures)
            $0.put("file", file)
            $0.put("beginConfidence", beginConfidence)
            $0.put("beginFrames", beginFrames)
            $0.put("endFrames", endFrames)
            $0.put("unit", unit)
            $0.put("maximumHands", maximumHands)
            $0.put("watchesArms", watchesArms)
        }
    }
}

extension PageSettings {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("rate", rate)
            $0.put("isMirrored", isMirrored)
            $0.put("beginConfidence", beginConfidence)
            $0.put("beginFrames", beginFrames)
            $0.put("endFrames", endFrames)
            $0.put("deniedClasses", deniedClasses.sorted())
            $0.put("hasHeldPoses", hasHeldPoses)
            $0.put("maximumHands", maximumHands)
            $0.put("bodies", bodies?.rawValue)
            $0.put("pointer", pointer?.json)
        }
    }
}

extension PageReport.Frame {
    fileprivate var json: JSONObject {
        JSONObject("frame") {
            $0.put("time", time)
            $0.put("scores", scores.map { $0.map(thousandths) })
            $0.put("hands", hands.map { $0.json })
            $0.put("arms", arms?.json)
            if let pointers {
                $0.put("pointers", [pointers.first.json, pointers.second.json])
                $0.put("pointerPair", pointers.pair?.json)
            }
            $0.put("work", work)
            $0.put("wait", wait)
            $0.put("received", received)
            $0.put("superseded", superseded)
            putWords(in: &$0)
            $0.put(
                "bodies",
                bodies.map { bodies in
                    JSONObject {
                        $0.put("people", bodies.people.map { $0.shown(0..<TrackedBody.Points.count) })
                        bodies.putWords(in: &$0)
                    }
                })
        }
    }

    private func putWords(in object: inout JSONObject) {
        object.put("outcome", outcome)
        object.put("active", active)
        object.put("events", events.map { $0.json })
        object.put("quality", quality)
        object.put("pace", pace)
        object.put("limit", limit)
    }

    /// What is the same in most frames: a report of the kind `words`.
    var words: String {
        JSONObject("words") {
            putWords(in: &$0)
            $0.put("bodies", bodies.map { bodies in JSONObject { bodies.putWords(in: &$0) } })
        }.text
    }

    /// What every frame has anew: `work`; the numbers of scores, hands, arms (0 or 1) and people; the arm that gestures; the number of
    /// pointers (0 or 2); the scores; and then the numbers of each hand, of the arms, of each person, and of the pointers. Arms have x, y
    /// and visibility of shoulders, elbows and wrists, the left one of each first.
    var numbers: [Float] {
        let people = bodies?.people ?? []
        var numbers = [
            scores?.count ?? 0, hands.count, arms == nil ? 0 : 1, people.count, arms?.gesturing ?? 0,
            pointers == nil ? 0 : 2,
        ].map { Float($0) }
        numbers.insert(Float(work), at: 0)
        numbers += scores ?? []
        for hand in hands { hand.write(to: &numbers) }
        if let body = arms?.body {
            for index in WatchedArms.points {
                let point = body.landmarks[index]
                numbers += [point.x, point.y, body.visibility[index]]
            }
        }
        for body in people { body.write(to: &numbers) }
        pointers?.write(to: &numbers)
        return numbers
    }
}

extension PageReport.Bodies {
    fileprivate func putWords(in object: inout JSONObject) {
        object.put("phase", phase)
        object.put("repetitions", repetitions)
        object.put("advice", advice)
    }
}

extension WatchedArms {
    fileprivate static let points =
        TrackedBody.Joint.leftShoulder.rawValue...TrackedBody.Joint.rightWrist.rawValue

    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("points", body.shown(Self.points))
            $0.put("gesturing", gesturing)
        }
    }
}

extension TrackedHand {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("id", identity)
            $0.put("side", handedness.rawValue)
            $0.put("presence", thousandths(presence))
            $0.put("pose", pose.flatMap { $0.name == .unknown ? nil : $0.name.rawValue })
            $0.put("points", (0..<Points.count).flatMap { [share(landmarks[$0].x), share(landmarks[$0].y)] })
        }
    }

    /// Adds 138 numbers: identity; how likely it is a right hand in an upright picture; presence; 1 with a pose and 0 without; the
    /// scores of eight poses; x, y and z of 21 points, normalised to the picture; and the same in metres.
    func write(to numbers: inout [Float]) {
        numbers += [Float(identity), rightHandedness, presence, pose == nil ? 0 : 1]
        let scores = pose?.scores ?? .zero
        for index in scores.indices { numbers.append(scores[index]) }
        for points in [landmarks, worldLandmarks] {
            for index in 0..<Points.count { numbers += [points[index].x, points[index].y, points[index].z] }
        }
    }
}

extension TrackedBody {
    /// x, y and visibility of some of the 33 points, interleaved.
    fileprivate func shown(_ points: some Sequence<Int>) -> [Int] {
        points.flatMap { [share(landmarks[$0].x), share(landmarks[$0].y), thousandths(visibility[$0])] }
    }

    /// Adds 266 numbers: identity; presence; x, y, z, visibility and presence of 33 points, normalised to the picture; and x, y and z
    /// of the same in metres.
    func write(to numbers: inout [Float]) {
        numbers += [Float(identity), presence]
        for index in 0..<Points.count {
            let point = landmarks[index]
            numbers += [point.x, point.y, point.z, visibility[index], pointPresence[index]]
        }
        for index in 0..<Points.count {
            let point = worldLandmarks[index]
            numbers += [point.x, point.y, point.z]
        }
    }
}

/// In ten thousandths.
private func share(_ coordinate: Float) -> Int { Int((coordinate * 10_000).rounded()) }

extension PageReport.Event {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("event", event)
            $0.put("label", label)
            $0.put("confidence", confidence)
            $0.put("onset", onset)
            $0.put("decision", decision)
        }
    }
}

extension PageReport.Teaching {
    fileprivate var json: JSONObject {
        JSONObject("teaching") {
            $0.put("label", label)
            $0.put("phase", phase)
            $0.put("gesture", gesture.rawValue)
            $0.put("take", take)
            $0.put("takes", takes)
            $0.put("progress", progress)
            $0.put("sentence", sentence)
        }
    }
}

extension PageReport.Taught {
    fileprivate var json: JSONObject {
        JSONObject("taught") {
            $0.put("label", label)
            $0.put("refusal", refusal)
            $0.put("gesture", gesture?.rawValue)
            $0.put("warning", warning)
            $0.put("falseEvents", falseEvents)
            $0.put("collidesWith", collidesWith)
            $0.put("agreement", agreement)
        }
    }
}
