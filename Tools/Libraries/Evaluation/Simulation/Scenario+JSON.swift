package import Foundation

extension Scenario {
    /// Reads a scenario's file: the object that a report has under `scenario`. All keys except `name` and `seconds` may
    /// be left out, but not those of a phase or a condition. Unknown keys are rejected.
    package init(contentsOf url: URL) throws(ScenarioError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable(path: url.path)
        }
        try self.init(json: data)
    }

    /// Reads the text of a scenario's file.
    package init(json: Data) throws(ScenarioError) {
        let file: Any
        let scenario: Scenario
        let known: Any
        do {
            file = try JSONSerialization.jsonObject(with: json)
            scenario = try JSONDecoder().decode(Scenario.self, from: json)
            try scenario.validate()
            known = try JSONSerialization.jsonObject(with: JSONEncoder().encode(scenario))
        } catch let error as ScenarioError {
            throw error
        } catch let error as DecodingError {
            throw ScenarioError(error)
        } catch {
            throw .notJSON
        }
        if let key = Self.firstUnknownKey(of: file, in: known, at: "") { throw .unknown(key: key) }
        self = scenario
    }

    /// The path of a key in `file` that is missing in `known`, the same object as it was decoded and encoded again.
    private static func firstUnknownKey(of file: Any, in known: Any, at path: String) -> String? {
        if let file = file as? [String: Any], let known = known as? [String: Any] {
            for key in file.keys.sorted() {
                guard let value = file[key], !(value is NSNull) else { continue }
                guard let counterpart = known[key] else { return path + key }
                if let found = firstUnknownKey(of: value, in: counterpart, at: path + key + ".") { return found }
            }
        } else if let file = file as? [Any], let known = known as? [Any] {
            for (index, pair) in zip(file, known).enumerated() {
                let place = path.hasSuffix(".") ? String(path.dropLast()) : path
                if let found = firstUnknownKey(of: pair.0, in: pair.1, at: "\(place)[\(index)].") { return found }
            }
        }
        return nil
    }

    // Not private: the compiler (6.3.1) fails in debug builds if a conformance in another file needs private keys.
    enum CodingKeys: String, CodingKey { case name, about, seconds, rate, camera, device, phases }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            seconds: try container.decode(Double.self, forKey: .seconds))
        about = try container.decodeIfPresent(String.self, forKey: .about) ?? about
        rate = try container.decodeIfPresent(Int.self, forKey: .rate) ?? rate
        camera = try container.decodeIfPresent(CameraModel.self, forKey: .camera) ?? camera
        device = try container.decodeIfPresent(ThrottleModel.self, forKey: .device) ?? device
        phases = try container.decodeIfPresent([Phase].self, forKey: .phases) ?? phases
    }
}

extension CameraModel {
    enum CodingKeys: String, CodingKey { case framesPerSecond, jitterMilliseconds }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        framesPerSecond = try container.decodeIfPresent(Double.self, forKey: .framesPerSecond) ?? framesPerSecond
        jitterMilliseconds =
            try container.decodeIfPresent(Double.self, forKey: .jitterMilliseconds) ?? jitterMilliseconds
    }
}

extension ThrottleModel {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case ambientCelsius, startCelsius, timeConstantSeconds, celsiusPerBusySecond, fullGigahertz, floorGigahertz
        case throttlesFromCelsius, floorAtCelsius, surroundMilliseconds, hasSensor, thermal, battery, units
    }

    private static let numbers: [(CodingKeys, any WritableKeyPath<ThrottleModel, Double> & Sendable)] = [
        (.ambientCelsius, \.ambientCelsius), (.startCelsius, \.startCelsius),
        (.timeConstantSeconds, \.timeConstantSeconds), (.celsiusPerBusySecond, \.celsiusPerBusySecond),
        (.fullGigahertz, \.fullGigahertz), (.floorGigahertz, \.floorGigahertz),
        (.throttlesFromCelsius, \.throttlesFromCelsius), (.floorAtCelsius, \.floorAtCelsius),
        (.surroundMilliseconds, \.surroundMilliseconds),
    ]

    /// If `thermal` is missing in a file, its device has the default steps; with `null` it has none.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        for (key, path) in Self.numbers {
            if let value = try container.decodeIfPresent(Double.self, forKey: key) { self[keyPath: path] = value }
        }
        hasSensor = try container.decodeIfPresent(Bool.self, forKey: .hasSensor) ?? hasSensor
        if container.contains(.thermal) {
            thermal = try container.decodeIfPresent(ThermalSteps.self, forKey: .thermal)
        }
        battery = try container.decodeIfPresent(Battery.self, forKey: .battery)
        units = try container.decodeIfPresent([UnitModel].self, forKey: .units) ?? units
    }

    /// Writes every key, with `null` for nil, so that reading gives the same scenario.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (key, path) in Self.numbers { try container.encode(self[keyPath: path], forKey: key) }
        try container.encode(hasSensor, forKey: .hasSensor)
        try container.encode(thermal, forKey: .thermal)
        try container.encode(battery, forKey: .battery)
        try container.encode(units, forKey: .units)
    }
}

extension ScenarioError {
    fileprivate init(_ error: DecodingError) {
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.reduce(into: "") { text, key in
                if let index = key.intValue {
                    text += "[\(index)]"
                } else {
                    text += (text.isEmpty ? "" : ".") + key.stringValue
                }
            }
        }
        switch error {
        case .keyNotFound(let key, let context):
            let place = path(context)
            self = .missing(key: (place.isEmpty ? "" : place + ".") + key.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context): self = .malformed(key: path(context))
        case .dataCorrupted(let context) where !context.codingPath.isEmpty: self = .malformed(key: path(context))
        default: self = .notJSON
        }
    }
}
