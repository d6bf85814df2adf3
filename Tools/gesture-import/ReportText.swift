import ToolSupport
import WeightImport

/// An import's report as text.
enum ReportText {
    static func of(_ report: ImportReport) -> String {
        var lines = [
            "checkpoint   \(report.sourceFormat), \(grouped(report.sourceBytes)) bytes, SHA-256 \(report.sourceSHA256)",
            "model        \(visible(report.network)), \(report.precision), \(grouped(report.modelBytes)) bytes, "
                + "SHA-256 \(report.modelSHA256)",
            "network      \(grouped(report.parameters)) parameters, "
                + "\(grouped(report.multiplyAddsPerFrame)) multiply-adds a frame, \(report.labels.count) classes",
        ]
        if let calibration = report.calibration { lines.append("calibration  \(calibration.description)") }
        if let head = report.head { lines += remarks(head) }
        lines.append("")
        lines += table(report).lines
        lines += [""] + remarks(report)
        if let comparison = report.comparison {
            lines.append(
                "Against the float network over \(grouped(comparison.frames)) frames: "
                    + "top-1 agreement \(percent(comparison.top1Agreement)) of \(grouped(comparison.windows)) windows, "
                    + "largest logit error \(decimals(comparison.logitLargestError.map { Double($0) }, 4)).")
        }
        return lines.joined(separator: "\n")
    }

    private static func table(_ report: ImportReport) -> TextTable {
        var table = TextTable([
            ("layer", .left), ("shape", .left), ("weight SNR dB", .right), ("max error", .right),
            ("bias error", .right),
            ("act. max", .right), ("act. scale", .right), ("clipped %", .right), ("output SNR dB", .right),
        ])
        for layer in report.layers {
            let output =
                layer.outputLargestError == 0 ? "exact" : decimals(layer.outputDecibels, 1)
            table.add([
                layer.name, layer.shape.map(String.init).joined(separator: "x"),
                layer.weightDecibels == nil ? "exact" : decimals(layer.weightDecibels, 1),
                decimals(Double(layer.weightLargestError), 6), decimals(Double(layer.biasLargestError), 6),
                decimals(layer.activationLargest.map { Double($0) }, 4),
                decimals(layer.activationScale.map { Double($0) }, 6),
                decimals(layer.clippedShare.map { $0 * 100 }, 4), output,
            ])
        }
        return table
    }

    private static func remarks(_ report: ImportReport) -> [String] {
        var lines: [String] = []
        for layer in report.layers {
            if !layer.zeroChannels.isEmpty {
                lines.append("\(layer.name): output channels without any weight: \(list(layer.zeroChannels)).")
            }
            if let silent = layer.silentChannels, !silent.isEmpty {
                lines.append("\(layer.name): output channels never above zero in calibration: \(list(silent)).")
            }
        }
        return lines
    }

    private static func remarks(_ head: ImportReport.Head) -> [String] {
        func names(_ labels: [String]) -> String {
            labels.isEmpty ? "none" : labels.map(visible).joined(separator: ", ")
        }
        let growth = (head.addedBytes < 0 ? "-" : "+") + grouped(abs(head.addedBytes))
        return [
            "classes      \(head.before.count) before: \(names(head.before))",
            "             \(head.after.count) after: \(names(head.after))",
            "             added: \(names(head.added)); dropped: \(names(head.dropped)); \(growth) bytes",
        ]
    }

    private static func list(_ channels: [Int]) -> String {
        let shown = channels.prefix(16).map(String.init).joined(separator: ", ")
        return channels.count > 16 ? "\(shown) and \(channels.count - 16) more" : shown
    }

    private static func percent(_ share: Double?) -> String {
        share.map { decimals($0 * 100, 2) + " %" } ?? "-"
    }
}
