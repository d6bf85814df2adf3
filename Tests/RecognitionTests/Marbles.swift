import Recognition

/// Frames written as text, one character a frame, one millisecond apart from time 0; spaces are left out.
///
/// In: `.` null, `A`...`C` the class above its threshold, `a`...`c` the class below it, `!` an invalid frame.
/// Out: `.` nothing, `^` begin, `v` end, `x` an end followed by a begin.
enum Marbles {
    static let labels = ["a", "b", "null", "c"]
    static let nullIndex = 2
    static let frame: Int64 = 1_000_000

    static func top(_ symbol: Character) -> TopClass? {
        switch symbol {
        case "!": nil
        case ".": TopClass(classIndex: nullIndex, confidence: 0.4)
        case "A", "B", "C": TopClass(classIndex: index(symbol), confidence: 0.95)
        default: TopClass(classIndex: index(symbol), confidence: 0.6)
        }
    }

    static func index(_ symbol: Character) -> Int {
        switch symbol {
        case "a", "A": 0
        case "b", "B": 1
        default: 3
        }
    }

    static func symbol(_ result: StepResult) -> Character {
        switch (result.end, result.begin) {
        case (nil, nil): "."
        case (nil, _): "^"
        case (_, nil): "v"
        default: "x"
        }
    }

    static func machine(
        _ configuration: RecognitionConfiguration = RecognitionConfiguration(), momentary: Int? = nil
    ) throws -> HysteresisMachine {
        HysteresisMachine(
            rules: try RecognitionRules(
                labels: labels, nullIndex: nullIndex, configuration: configuration, momentary: momentary))
    }

    /// The events of a diagram through the machine alone, without median and softmax.
    static func run(
        _ diagram: String, _ configuration: RecognitionConfiguration = RecognitionConfiguration(),
        momentary: Int? = nil
    ) throws -> (out: String, events: [RecognizedEvent]) {
        var machine = try machine(configuration, momentary: momentary)
        var out = ""
        var events: [RecognizedEvent] = []
        for (index, symbol) in diagram.filter({ $0 != " " }).enumerated() {
            let result = machine.step(top(symbol), at: Int64(index) * frame)
            out.append(Self.symbol(result))
            events += [result.end, result.begin].compactMap { $0 }
        }
        return (out, events)
    }
}
