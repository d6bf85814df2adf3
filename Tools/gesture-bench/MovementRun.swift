import Clips
import Evaluation
import Foundation
import GestureEngine
import Network
import PixelFrontEnd
import Platform
import Recognition
import Scheduling
import ToolSupport
import TrackerInference

/// Teaches movements from a few takes of a person and looks for them in all other takes.
struct MovementRun {
    let recorder: ClipRecorder
    let files: [PersonFile]
    /// Takes in which nothing is meant.
    let nothing: [String]

    /// The results of one number of examples; property names are the JSON keys.
    struct Row: Encodable {
        let examples: Int
        /// Movements that were tried, by draws; those that were taught, and why the others were refused.
        var tried = 0
        var taught = 0
        var refused: [String: Int] = [:]
        /// Other takes of the same person that show the movement, and those in which it was told.
        var shown = 0
        var found = 0
        /// The same of other people.
        var shown_by_others = 0
        var found_on_others = 0
        /// Begins in takes that show another movement, and the minutes of these.
        var false_on_movements = 0
        var minutes_of_movements = 0.0
        /// Begins in takes of nothing, and the minutes of these.
        var false_on_nothing = 0
        var minutes_of_nothing = 0.0
        /// Begins of the model's own classes in takes of nothing, by the model alone and beside the movement.
        var own_alone = 0
        var own_beside = 0
    }

    /// The files of a folder as takes.
    static func takes(in directory: String) throws -> [String] {
        let folder = fileURL(directory)
        return try LabelledClip.names(in: folder).filter { !$0.hasPrefix(".") }.map {
            folder.appendingPathComponent($0).path
        }
    }

    /// - Returns: the rows of all numbers, or of those before a signal came.
    func rows(counts: [Int], repeats: Int, seed: UInt64, _ progress: WorkProgress) async throws -> [Row] {
        var takes: [GestureRecording] = []
        for path in files.map(\.path) + nothing {
            takes.append(try await recording(path))
            guard !Interruption.hasCome else { return [] }
            progress.update(takes.count)
        }
        let alone = try takes.map { try begins(in: $0, with: nil).count }
        var rows: [Row] = []
        for count in counts {
            var row = Row(examples: count)
            for (gesture, person) in Set(files.map { [$0.gesture, $0.person] }).sorted(by: {
                $0.lexicographicallyPrecedes($1)
            })
            .map({ ($0[0], $0[1]) }) {
                let own = files.indices.filter { files[$0].gesture == gesture && files[$0].person == person }
                for draw in 0..<repeats {
                    guard !Interruption.hasCome else { return rows }
                    let order = EnrolmentDraw(of: own.count, label: gesture + "/" + person, index: draw, seed: seed)
                    guard let examples = order.examples(count)?.map({ own[$0] }) else { continue }
                    try teach(examples, in: takes, alone, &row)
                }
            }
            rows.append(row)
        }
        return rows
    }

    private func teach(
        _ examples: [Int], in takes: [GestureRecording], _ alone: [Int], _ row: inout Row
    ) throws {
        let engine = recorder.engine
        var gestures = engine.noUserGestures()
        row.tried += 1
        do throws(EngineError) {
            try engine.enrol(
                "taught", from: examples.map { takes[$0] }, into: &gestures,
                configuration: EnrolmentConfiguration(kind: .movement))
        } catch {
            guard case .enrolment(let reason) = error else { throw error }
            row.refused[reason.word, default: 0] += 1
            return
        }
        row.taught += 1
        let taught = files[examples[0]]
        for (index, take) in takes.enumerated() where !examples.contains(index) {
            let begun = try begins(in: take, with: gestures)
            let own = begun.count { $0 < engine.labels.count }
            let found = begun.count - own
            let minutes = Double(take.slotCount) / 30 / 60
            if index >= files.count {
                row.own_alone += alone[index]
                row.own_beside += own
                row.false_on_nothing += found
                row.minutes_of_nothing += minutes
            } else if files[index].gesture != taught.gesture {
                row.false_on_movements += found
                row.minutes_of_movements += minutes
            } else if files[index].person == taught.person {
                row.shown += 1
                row.found += found > 0 ? 1 : 0
            } else {
                row.shown_by_others += 1
                row.found_on_others += found > 0 ? 1 : 0
            }
        }
    }

    /// The classes of the begins that a stream would report by the temporal layers.
    private func begins(in take: GestureRecording, with gestures: UserGestures?) throws -> [Int] {
        let engine = recorder.engine
        let own = gestures?.labels ?? []
        let rules = engine.defaultRecognition(at: .hz30, sensitivity: recorder.stream.sensitivity)
        let labels = engine.labels + own
        var recognizer = Recognizer(
            rules: try RecognitionRules(
                labels: labels, nullIndex: engine.nullIndex, configuration: rules,
                modelCount: engine.labels.count),
            taught: Array(engine.labels.count..<labels.count))
        let rows = gestures.map(UserGestureRows.init)
        var begun: [Int] = []
        var logits = [Float](repeating: 0, count: labels.count)
        for slot in 0..<take.slotCount {
            for index in engine.labels.indices { logits[index] = take.logits[slot * take.classCount + index] }
            let column = Array(take.features[slot * take.featureCount..<(slot + 1) * take.featureCount])
            var span = logits.mutableSpan
            rows?.extend(&span, features: column.span)
            if let begin = recognizer.step(logits: logits.span, at: Int64(slot) * 1_000_000_000 / 30).begin {
                begun.append(begin.classIndex)
            }
        }
        return begun
    }

    /// The recording of a clip, or of an array of columns of landmarks at 30 Hz.
    private func recording(_ path: String) async throws -> GestureRecording {
        guard path.hasSuffix(".npy") else { return try await recorder.record(path) }
        do { return try columns(path) } catch let error as NPYError { throw ArrayFailure(path: path, error) }
    }

    private func columns(_ path: String) throws -> GestureRecording {
        let engine = recorder.engine
        var reader = try NPYReader(path, element: .uint8, rowShape: [engine.frontEnd.inputCount])
        let unit = try engine.makeUnit(recorder.stream.configuration(recorder.model, rate: .hz30))
        var column = [UInt8](repeating: 0, count: engine.frontEnd.inputCount)
        var features: [Float] = []
        var logits: [Float] = []
        var leading = 0
        while try Self.read(&reader, &column) {
            unit.encode(column.span)
            let slot = Self.advance(unit)
            guard unit.isWarm else {
                leading += 1
                continue
            }
            logits += slot.logits
            features += slot.features
        }
        return try GestureRecording(
            features: features, logits: logits, featureCount: unit.featureCount, classCount: unit.classCount,
            gesture: 0..<logits.count / unit.classCount, leadingSlots: leading)
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [UInt8]) throws -> Bool {
        var span = row.mutableSpan
        return try reader.next(into: &span)
    }

    private static func advance(_ unit: NetworkUnit) -> (logits: [Float], features: [Float]) {
        var logits = [Float](repeating: 0, count: unit.classCount)
        var span = logits.mutableSpan
        unit.advance(&span)
        var features = [Float](repeating: 0, count: unit.featureCount)
        var values = features.mutableSpan
        unit.copyFeatures(to: &values)
        return (logits, features)
    }

    static func table(_ rows: [Row]) -> TextTable {
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "-" : "\(part) of \(whole), \(decimals(100 * Double(part) / Double(whole), 0)) %"
        }
        func rate(_ events: Int, _ minutes: Double) -> String {
            minutes == 0 ? "-" : decimals(Double(events) / minutes, 1)
        }
        var table = TextTable([
            ("examples", .right), ("taught", .right), ("found", .right), ("on others", .right),
            ("false/min, other movements", .right), ("null", .right), ("own alone", .right), ("beside", .right),
            ("refused", .left),
        ])
        for row in rows {
            let refused = row.refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            table.add([
                "\(row.examples)", "\(row.taught) of \(row.tried)", share(row.found, row.shown),
                share(row.found_on_others, row.shown_by_others),
                rate(row.false_on_movements, row.minutes_of_movements),
                rate(row.false_on_nothing, row.minutes_of_nothing),
                "\(row.own_alone)", "\(row.own_beside)", refused.isEmpty ? "-" : refused.joined(separator: ", "),
            ])
        }
        return table
    }
}
