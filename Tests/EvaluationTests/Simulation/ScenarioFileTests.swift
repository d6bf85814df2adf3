import Evaluation
import Foundation
import Testing

@Suite struct ScenarioFileTests {
    private static func read(_ text: String) throws -> Scenario { try Scenario(json: Data(text.utf8)) }

    @Test(arguments: Scenario.builtIn.map(\.name))
    func aBuiltInScenarioSurvivesItsFile(_ name: String) throws {
        let scenario = try #require(Scenario.named(name))
        #expect(try Scenario(json: try JSONEncoder().encode(scenario)) == scenario)
    }

    @Test func anotherRateScalesTheCameras() throws {
        let scenario = try #require(Scenario.named("cameras")).paced(at: 60)
        #expect(scenario.rate == 60 && scenario.camera.framesPerSecond == 60)
        #expect(scenario.phases[1].condition == .camera(framesPerSecond: 47.5))
        let summary = try Simulation(scenario).run().summary
        // Half of what is repeated and surplus at 120 slots a second.
        #expect((2247...2253).contains(summary.repeats) && (148...152).contains(summary.surplus))
    }

    @Test func namesAreUnique() {
        #expect(Set(Scenario.builtIn.map(\.name)).count == Scenario.builtIn.count)
    }

    @Test func whatIsLeftOutIsDefault() throws {
        let scenario = try Self.read(
            """
            {"name": "mine", "seconds": 30, "camera": {"framesPerSecond": 95},
             "device": {"floorGigahertz": 1.5, "thermal": null, "units": [{"name": "one", "milliseconds": 3}]},
             "phases": [{"from": 5, "to": 6, "condition": {"contention": {"least": 12, "most": 15}}},
                        {"from": 7, "to": 8, "condition": {"still": {}}}]}
            """)
        var expected = Scenario(name: "mine", seconds: 30)
        expected.camera.framesPerSecond = 95
        expected.device.floorGigahertz = 1.5
        expected.device.thermal = nil
        expected.device.units = [.init(name: "one", milliseconds: 3)]
        expected.phases = [
            .init(from: 5, to: 6, .contention(unit: nil, least: 12, most: 15)), .init(from: 7, to: 8, .still),
        ]
        #expect(scenario == expected)
        #expect(scenario.rate == 120 && scenario.device.ambientCelsius == 30)
    }

    @Test(arguments: [
        ("no JSON", ScenarioError.notJSON), ("{\"seconds\": 3}", .missing(key: "name")),
        ("[]", .malformed(key: "")),
        ("{\"name\": \"a\", \"seconds\": \"3\"}", .malformed(key: "seconds")),
        ("{\"name\": \"a\", \"seconds\": 3, \"secnods\": 4}", .unknown(key: "secnods")),
        ("{\"name\": \"a\", \"seconds\": 3, \"device\": {\"colour\": 1}}", .unknown(key: "device.colour")),
        ("{\"name\": \"a\", \"seconds\": 0}", .outOfRange(key: "seconds", value: 0, allowed: 1...86_400)),
        ("{\"name\": \"a\", \"seconds\": 3, \"rate\": 90}", .rate(90)),
        (
            "{\"name\": \"a\", \"seconds\": 3, \"phases\": [{\"from\": 2, \"to\": 2, \"condition\": {\"still\": {}}}]}",
            .notAscending("phases[0].from", "phases[0].to")
        ),
        (
            "{\"name\": \"a\", \"seconds\": 3, \"phases\": [{\"from\": 1, \"condition\": {\"still\": {}}}]}",
            .missing(key: "phases[0].to")
        ),
        (
            "{\"name\": \"a\", \"seconds\": 3, \"phases\": [{\"from\": 1, \"to\": 2, \"why\": 1, \"condition\": {\"still\": {}}}]}",
            .unknown(key: "phases[0].why")
        ),
        (
            "{\"name\": \"a\", \"seconds\": 3, \"device\": {\"units\": []}}",
            .outOfRange(key: "device.units", value: 0, allowed: 1...8)
        ),
        (
            "{\"name\": \"a\", \"seconds\": 3, \"device\": {\"floorGigahertz\": 4}}",
            .outOfRange(key: "device.floorGigahertz", value: 4, allowed: 0.1...3.2)
        ),
    ])
    func faultsAreNamed(_ text: String, _ error: ScenarioError) {
        #expect(throws: error) { try Self.read(text) }
    }

    @Test func aFileThatIsNotThere() {
        let url = URL(fileURLWithPath: "/nowhere/scenario.json")
        #expect(throws: ScenarioError.unreadable(path: "/nowhere/scenario.json")) { try Scenario(contentsOf: url) }
    }

    @Test(arguments: [Double.nan, .infinity, -1, 1e300])
    func oddNumbersAreRefused(_ value: Double) {
        var scenario = Scenario(name: "odd", seconds: 10)
        scenario.camera.framesPerSecond = value
        #expect(throws: SimulationError.self) { try Simulation(scenario) }
        scenario = Scenario(name: "odd", seconds: value)
        #expect(throws: SimulationError.self) { try Simulation(scenario) }
        scenario = Scenario(name: "odd", seconds: 10)
        scenario.device.timeConstantSeconds = value
        #expect(throws: SimulationError.self) { try Simulation(scenario) }
        scenario = Scenario(name: "odd", seconds: 10)
        scenario.phases = [.init(from: value, to: 3, .still)]
        #expect(throws: SimulationError.self) { try Simulation(scenario) }
    }
}
