import ArgumentParser
import ToolSupport
import WeightImport

struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares the tensors and settings of two models or checkpoints.",
        discussion: """
            Each file may have any format that import reads. Names lose their wrapper prefixes. The weights of an int8 model \
            are compared as the floats that they stand for. The status is 1 if tensors differ, or settings of two models; where a \
            model comes from and the notes of a checkpoint are shown and do not count. Otherwise it is 0.
            """)

    @Argument(help: "A model or checkpoint.")
    var first: String

    @Argument(help: "Another.")
    var second: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try work() }
    }

    private func work() throws {
        let files = try [first, second].map { path in try naming(path) { try Checkpoint.load(path: path) } }
        let difference = try naming(first + ", " + second) { try FileDifference(files[0], files[1]) }
        try Terminal.print(json ? try Terminal.json(difference, spread: true) : Self.text(difference))
        if difference.differs { throw ExitCode(1) }
    }

    private static func text(_ difference: FileDifference) -> String {
        var lines: [String] = []
        if !difference.tensors.isEmpty {
            var table = TextTable([
                ("tensor", .left), ("differs in", .left), ("first", .left), ("second", .left),
                ("max difference", .right), ("SNR dB", .right),
            ])
            for tensor in difference.tensors {
                table.add([
                    tensor.name, words(tensor.kind), tensor.first ?? "-", tensor.second ?? "-",
                    tensor.largestDifference.map { "\($0)" } ?? "", decimals(tensor.decibels, 1),
                ])
            }
            lines += table.lines + [""]
        }
        if !difference.settings.isEmpty {
            var table = TextTable([("setting", .left), ("first", .left), ("second", .left)])
            for setting in difference.settings {
                table.add([setting.key, excerpt(setting.first), excerpt(setting.second)])
            }
            lines += table.lines + [""]
        }
        lines.append(
            "\(difference.equalTensors) tensors are equal, \(difference.tensors.count) differ; "
                + "\(difference.settings.count) settings differ.")
        return lines.joined(separator: "\n")
    }

    private static func words(_ kind: FileDifference.Tensor.Kind) -> String {
        switch kind {
        case .onlyFirst: "only in first"
        case .onlySecond: "only in second"
        case .shape: "shape"
        case .type: "type"
        case .values: "values"
        }
    }

    /// Provenance may be long.
    private static func excerpt(_ text: String?) -> String {
        guard let text else { return "-" }
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}
