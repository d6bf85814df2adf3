import Evaluation
import Testing

@Suite struct RepetitionTruthTests {
    @Test func rowsAreRead() throws {
        let truth = try RepetitionTruth(csv: "rep,peak_frame,kind\n1,12,squat\n2,39,squat\n\n3,41,bow\n")
        #expect(truth.repetitions.map(\.peak) == [12, 39, 41])
        #expect(truth.repetitions.map(\.kind) == ["squat", "squat", "bow"])
        #expect(truth.repetitions.map(\.line) == [2, 3, 5])
        #expect(try RepetitionTruth(csv: "kind,peak_frame").repetitions.isEmpty)
    }

    @Test(arguments: [
        ("", 1, ClipTruthError.Fault.missingColumn("peak_frame")), ("rep,peak_frame\n", 1, .missingColumn("kind")),
        ("kind,peak_frame,kind\n", 1, .repeatedColumn("kind")),
        ("peak_frame,kind\n3,\n", 2, .missingCell(column: "kind")),
        ("peak_frame,kind\n3,squat\n-4,squat\n", 3, .notAFrame(column: "peak_frame", "-4")),
    ])
    func faultsSayTheirLine(_ text: String, _ line: Int, _ fault: ClipTruthError.Fault) {
        #expect(throws: ClipTruthError(line: line, fault: fault)) { try RepetitionTruth(csv: text) }
    }

    @Test func repetitionsBeyondTheClip() throws {
        let truth = try RepetitionTruth(csv: "peak_frame,kind\n3,squat\n9,squat\n")
        #expect(throws: Never.self) { try truth.check(frames: 10) }
        #expect(throws: ClipTruthError(line: 3, fault: .beyondClip(frame: 9, frames: 9))) {
            try truth.check(frames: 9)
        }
    }
}
