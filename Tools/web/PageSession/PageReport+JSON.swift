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
            $0.put("watchesArms", watchesArms)
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
            $0.put("taught", taught)
            $0.put("file", file)
            $0.put("beginConfidence", beginConfidence)
            $0.put("beginFrames", beginFrames)
            $0.put("endFrames", endFrames)
            $0.put("unit", unit)
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
            $0.put("denied", denied.sorted())
            $0.put("hasHeldPoses", hasHeldPoses)
            $0.put("bodies", bodies?.rawValue)
        }
    }
}

extension PageReport.Frame {
    fileprivate var json: JSONObject {
        JSONObject("frame") {
            $0.put("time", time)
            $0.put("outcome", outcome)
            $0.put("scores", scores)
            $0.put("hands", hands.map { $0.json })
            $0.put("arms", arms?.json)
            $0.put("active", active)
            $0.put("events", events.map { $0.json })
            $0.put("quality", quality)
            $0.put("pace", pace)
            $0.put("limit", limit)
            $0.put("work", work)
            $0.put("wait", wait)
            $0.put("received", received)
            $0.put("superseded", superseded)
            $0.put("bodies", bodies?.json)
        }
    }
}

extension PageReport.Hand {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("id", id)
            $0.put("side", side)
            $0.put("presence", presence)
            $0.put("pose", pose)
            $0.put("points", points)
        }
    }
}

extension PageReport.Arms {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("points", points)
            $0.put("gesturing", gesturing)
        }
    }
}

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

extension PageReport.Bodies {
    fileprivate var json: JSONObject {
        JSONObject {
            $0.put("people", people)
            $0.put("phase", phase)
            $0.put("repetitions", repetitions)
            $0.put("advice", advice)
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
