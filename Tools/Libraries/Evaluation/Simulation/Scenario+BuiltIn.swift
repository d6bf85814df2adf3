extension Scenario {
    /// The scenarios that need no file.
    package static let builtIn: [Scenario] = [
        heat, contention, cameras, stalls, background, battery, noSensor, desktop, soak, day, ladder,
    ]

    /// The built-in scenario with a name.
    package static func named(_ name: String) -> Scenario? { builtIn.first { $0.name == name } }

    /// The source's device: at full pace 42 C at 90 s, the clock falls from 3.2 to 2.4 GHz, steps take 6 to 7 ms
    /// instead of 5.
    private static var heat: Scenario {
        var scenario = Scenario(
            name: "heat", about: "A phone in the hand reaches 42 C at 90 s, is spared, and cools down below 38 C.",
            seconds: 600)
        // 3.5% in ten minutes; the source says 3 to 4%.
        scenario.device.battery = .init(charge: 1, perHour: 0.21)
        return scenario
    }

    private static var contention: Scenario {
        var scenario = Scenario(
            name: "contention",
            about: "Other programs take the preferred unit: three bursts of 2 s, a minute, then bursts every 20 s.",
            seconds: 600)
        scenario.device.ambientCelsius = 22
        scenario.device.startCelsius = 22
        let spans =
            [(30, 2), (60, 2), (90, 2), (150, 60)] + stride(from: 300, to: 420, by: 20).map { ($0, 3) }
        scenario.phases = spans.map { start, length in
            Phase(
                from: Double(start), to: Double(start + length), .contention(unit: 0, least: 12, most: 15))
        }
        return scenario
    }

    private static var cameras: Scenario {
        var scenario = cool(
            "cameras", "A camera of 120 frames a second falls to 100, 95 and 90, and once delivers 130.", seconds: 360)
        scenario.camera.jitterMilliseconds = 1
        scenario.phases = [
            Phase(from: 60, to: 120, .camera(framesPerSecond: 100)),
            Phase(from: 120, to: 180, .camera(framesPerSecond: 95)),
            Phase(from: 180, to: 240, .camera(framesPerSecond: 90)),
            Phase(from: 300, to: 330, .camera(framesPerSecond: 130)),
        ]
        return scenario
    }

    private static var stalls: Scenario {
        var scenario = cool(
            "stalls", "The camera stalls every 10 s: for 30 ms, 100 ms, 300 ms or 1.5 s.", seconds: 240)
        let lengths = [0.03, 0.1, 0.3, 1.5]
        scenario.phases = (1...23).map { index in
            let start = Double(10 * index)
            return Phase(from: start, to: start + lengths[index % lengths.count], .stalled)
        }
        return scenario
    }

    private static var background: Scenario {
        var scenario = cool(
            "background", "The app goes to the background for 2 s, 30 s and two minutes, and the scene falls still.",
            seconds: 420)
        scenario.phases = [
            Phase(from: 60, to: 62, .background),
            Phase(from: 90, to: 120, .background),
            Phase(from: 150, to: 270, .background),
            Phase(from: 300, to: 330, .still),
            Phase(from: 345, to: 346, .still),
            Phase(from: 360, to: 390, .still),
        ]
        return scenario
    }

    private static var battery: Scenario {
        var scenario = cool("battery", "The battery falls from 60% to 10% in half an hour.", seconds: 1800)
        scenario.device.battery = .init(charge: 0.6, perHour: 1)
        return scenario
    }

    /// The clock falls lower than usual, so that missed deadlines show the heat.
    private static var noSensor: Scenario {
        var scenario = Scenario(
            name: "no-sensor", about: "A device that heats up and does not tell: only its clock shows it.", seconds: 900
        )
        scenario.device.hasSensor = false
        scenario.device.thermal = nil
        scenario.device.floorGigahertz = 1.6
        return scenario
    }

    private static var desktop: Scenario {
        var scenario = Scenario(
            name: "desktop",
            about: "A processor's die idles at 45 C, above both thresholds; a program takes its core twice.",
            seconds: 600)
        scenario.device.ambientCelsius = 45
        scenario.device.startCelsius = 45
        scenario.device.timeConstantSeconds = 5
        scenario.device.celsiusPerBusySecond = 4
        scenario.device.throttlesFromCelsius = 95
        scenario.device.floorAtCelsius = 100
        var steps = ThrottleModel.ThermalSteps()
        (steps.fair, steps.serious, steps.critical, steps.hysteresis) = (75, 85, 95, 5)
        scenario.device.thermal = steps
        scenario.phases = [
            Phase(from: 60, to: 75, .contention(unit: nil, least: 12, most: 15)),
            Phase(from: 240, to: 300, .contention(unit: nil, least: 12, most: 15)),
        ]
        return scenario
    }

    /// A device that throttles after 8 to 12 minutes, in a session of 20 to 30.
    private static var soak: Scenario {
        var scenario = Scenario(
            name: "soak", about: "A larger device in a session of half an hour reaches 42 C after ten minutes.",
            seconds: 1800)
        // 42 C at 600 s instead of 90 s; the temperatures at which the device settles stay the same.
        scenario.device.timeConstantSeconds *= 600.0 / 90
        scenario.device.celsiusPerBusySecond *= 90.0 / 600
        return scenario
    }

    private static var day: Scenario {
        var scenario = Scenario(
            name: "day", about: "An hour with all of it: sun, stalls, slow cameras, other programs, a falling battery.",
            seconds: 3600)
        scenario.device.ambientCelsius = 24
        scenario.device.startCelsius = 24
        scenario.device.battery = .init(charge: 0.8, perHour: 0.65)
        scenario.phases = [
            Phase(from: 240, to: 300, .still),
            Phase(from: 400, to: 405, .contention(unit: 0, least: 12, most: 15)),
            Phase(from: 460, to: 520, .contention(unit: 0, least: 12, most: 15)),
            Phase(from: 600, to: 840, .camera(framesPerSecond: 95)),
            Phase(from: 700, to: 700.08, .stalled),
            Phase(from: 760, to: 760.5, .stalled),
            Phase(from: 900, to: 1140, .background),
            Phase(from: 1200, to: 1380, .ambient(celsius: 32)),
            Phase(from: 1380, to: 1620, .ambient(celsius: 44)),
            Phase(from: 2100, to: 2160, .contention(unit: nil, least: 12, most: 15)),
            Phase(from: 2400, to: 2460, .still),
            Phase(from: 2500, to: 2530, .background),
            Phase(from: 2700, to: 2900, .camera(framesPerSecond: 90)),
        ]
        return scenario
    }

    /// The battery falls below 50% at 600 s, below 20% at 1320 s and below 5% at 1680 s.
    private static var ladder: Scenario {
        var scenario = cool(
            "ladder",
            "The pace falls to a sixth by steps and rises again: a program takes the core, the sun shines, the battery ends.",
            seconds: 1800)
        scenario.device.units = [.init(name: "only", milliseconds: 3)]
        scenario.device.battery = .init(charge: 0.75, perHour: 1.5)
        scenario.phases = [
            Phase(from: 60, to: 80, .contention(unit: 0, least: 40, most: 45)),
            Phase(from: 240, to: 420, .ambient(celsius: 54)),
        ]
        return scenario
    }

    /// A device in a cool room that full pace warms to 36 C.
    private static func cool(_ name: String, _ about: String, seconds: Double) -> Scenario {
        var scenario = Scenario(name: name, about: about, seconds: seconds)
        scenario.device.ambientCelsius = 22
        scenario.device.startCelsius = 22
        return scenario
    }
}
