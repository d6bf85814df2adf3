import ToolSupport
import WeightImport

extension ImportError: Explained {
    var sentence: String {
        switch self {
        case .file(let error): error.sentence
        case .unknownFormat: "The checkpoint is of no format known here. Save it as safetensors."
        case .unsupportedFormat(let format):
            "The checkpoint's format, \(format.rawValue), cannot be read yet. Save it as safetensors."
        case .formatConflict(let fileExtension, let found):
            "The checkpoint is called .\(fileExtension) but its bytes are of the format \(found.rawValue)."
        case .nameCollision(let name, let first, let second):
            "Two tensors of the checkpoint, \(first) and \(second), both come to be called \(name)."
        case .mapSourceMissing(let name): "The name map renames \(name), which the checkpoint does not have."
        case .mapTargetTwice(let name): "The name map gives the name \(name) twice."
        case .mismatch(let mismatch): mismatch.table
        case .notFinite(let tensor, let index): "\(tensor) has NaN or infinity at element \(index)."
        case .negativeVariance(let tensor, let index): "\(tensor) has a negative variance at element \(index)."
        case .foldOverflow(let layer, let channel):
            "Folding BatchNorm into \(layer), output channel \(channel), leaves the range of float32."
        case .halfOverflow(let tensor, let index, let value):
            "\(tensor) has \(value) at element \(index), which float16 cannot hold."
        case .scaleOverflow(let layer, let channel):
            "\(layer), output channel \(channel), cannot be quantised: its weights or bias are too large."
        case .labels(let labels, let nullLabel):
            "The \(labels.count) labels do not fit: they must be as many as the classes, with \(nullLabel) among them."
        case .headKey(let key): "The file of labels has the key \(key); it may have labels and null."
        case .headWithoutLabels: "The file of labels has no labels."
        case .headCount(let labels, let rows):
            "The file has \(labels) labels, but the checkpoint's classifier has \(rows) rows."
        case .headLabelTwice(let label): "The file gives the label \(label) twice."
        case .headWithoutNull(let label): "The file has no label \(label), which means no gesture."
        case .headDrops(let labels):
            "The file leaves out \(labels.joined(separator: ", ")): --allow-dropped makes a model without them."
        case .calibrationRequired: "An int8 model needs activation scales: give frames with --calibrate."
        case .frameSize(let found): "A calibration frame has \(found) bytes instead of 50,176."
        case .percentile(let value): "The activation percentile \(value) is not from 50 to 100."
        case .activationNotFinite(let layer): "The output of \(layer) is not a number on the calibration frames."
        case .modelTooLarge(let bytes, let limit):
            "The model would have \(grouped(bytes)) bytes; \(grouped(limit)) is the limit."
        case .outputIsInput(let path): "The model may not replace its own checkpoint \(path)."
        case .unwritable(let path, let code): "\(path) cannot be written: \(systemReason(code))."
        }
    }
}

extension TensorMismatch {
    /// What differs, a line a tensor.
    fileprivate var table: String {
        var lines = ["The checkpoint's tensors are not the network's."]
        var table = TextTable([("", .left), ("tensor", .left), ("expected", .left), ("found", .left)])
        func text(_ shape: [Int]) -> String { "[" + shape.map(String.init).joined(separator: ", ") + "]" }
        for name in missing { table.add(["missing", name, "", ""]) }
        for name in unexpected { table.add(["unexpected", name, "", ""]) }
        for shape in shapes { table.add(["shape", shape.tensor, text(shape.expected), text(shape.found)]) }
        for type in types { table.add(["type", type.tensor, "a float type", type.found]) }
        for layer in ambiguous { table.add(["ambiguous", layer, "BatchNorm or bias", "both"]) }
        lines += table.lines.map { "  " + $0 }
        if !unexpected.isEmpty { lines.append("--ignore-unexpected passes over the unexpected ones.") }
        return lines.joined(separator: "\n")
    }
}
