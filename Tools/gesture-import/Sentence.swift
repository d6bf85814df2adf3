import Clips
import Foundation
import ModelFile
import WeightImport

/// What went wrong, in a sentence.
enum Sentence {
    static func of(_ error: any Error) -> String {
        let text =
            switch error {
            case let error as ModelFileError: of(error)
            case let error as ImportError: of(error)
            case let error as ToolFailure: of(error)
            case CalibrationFrames.Failure.noFrames: "The calibration input has no frames."
            case CalibrationFrames.Failure.array(let path, let error): "The array \(path) was refused: \(error)."
            case let error as ClipError: "The clip was refused: \(error)."
            default: "\(error)."
            }
        return visibleLines(text)
    }

    private static func visibleLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(
            separator: "\n")
    }

    private static func of(_ error: ToolFailure) -> String {
        switch error {
        case .noCheckpointScales: "The checkpoint has no activation scales (metadata `activation_scale.<layer>`)."
        }
    }

    static func of(_ error: ImportError) -> String {
        switch error {
        case .file(let error): of(error)
        case .unknownFormat: "The checkpoint is of no format known here. Save it as safetensors."
        case .unsupportedFormat(let format):
            "The checkpoint's format, \(format.rawValue), cannot be read yet. Save it as safetensors."
        case .formatConflict(let fileExtension, let found):
            "The checkpoint is called .\(fileExtension) but its bytes are of the format \(found.rawValue)."
        case .nameCollision(let name, let first, let second):
            "Two tensors of the checkpoint, \(first) and \(second), both come to be called \(name)."
        case .mapSourceMissing(let name): "The name map renames \(name), which the checkpoint does not have."
        case .mapTargetTwice(let name): "The name map gives the name \(name) twice."
        case .mismatch(let mismatch): of(mismatch)
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
        case .calibrationRequired: "An int8 model needs activation scales: give frames with --calibrate."
        case .frameSize(let found): "A calibration frame has \(found) bytes instead of 50,176."
        case .percentile(let value): "The activation percentile \(value) is not from 50 to 100."
        case .activationNotFinite(let layer): "The output of \(layer) is not a number on the calibration frames."
        case .modelTooLarge(let bytes, let limit):
            "The model would have \(grouped(bytes)) bytes; \(grouped(limit)) is the limit."
        case .outputIsInput(let path): "The model may not replace its own checkpoint \(path)."
        case .unwritable(let path, let code): "\(path) cannot be written: \(reason(code))."
        }
    }

    private static func of(_ mismatch: TensorMismatch) -> String {
        var lines = ["The checkpoint's tensors are not the network's."]
        var table = TextTable([("", .left), ("tensor", .left), ("expected", .left), ("found", .left)])
        func text(_ shape: [Int]) -> String { "[" + shape.map(String.init).joined(separator: ", ") + "]" }
        for name in mismatch.missing { table.add(["missing", name, "", ""]) }
        for name in mismatch.unexpected { table.add(["unexpected", name, "", ""]) }
        for shape in mismatch.shapes { table.add(["shape", shape.tensor, text(shape.expected), text(shape.found)]) }
        for type in mismatch.types { table.add(["type", type.tensor, "a float type", type.found]) }
        for layer in mismatch.ambiguous { table.add(["ambiguous", layer, "BatchNorm or bias", "both"]) }
        lines += table.lines.map { "  " + $0 }
        if !mismatch.unexpected.isEmpty { lines.append("--ignore-unexpected passes over the unexpected ones.") }
        return lines.joined(separator: "\n")
    }

    static func of(_ error: ModelFileError) -> String {
        switch error {
        case .unreadable(let path, let code): "\(path) cannot be read: \(reason(code))."
        case .notARegularFile(let path): "\(path) is not a regular file."
        case .tooLarge(let bytes, let limit): "The file or its header claims \(bytes) bytes; \(limit) is the limit."
        case .truncated(let expected, let actual): "The file has \(actual) bytes and should have \(expected)."
        case .trailingBytes(let expected, let actual):
            "The file has \(actual) bytes; its last tensor ends at byte \(expected)."
        case .syntax(let fault, let offset): "The JSON text is broken at byte \(offset): \(of(fault))."
        case .duplicateKey(let key): "The key \(key) comes twice."
        case .tooManyTensors(let limit): "The file has more than \(limit) tensors."
        case .unknownField(let tensor, let field): "The entry of \(tensor) has the unknown field \(field)."
        case .missingField(let tensor, let field): "The entry of \(tensor) lacks the field \(field)."
        case .unknownType(let tensor, let type): "\(tensor) has the unknown type \(type)."
        case .tooManyDimensions(let tensor, let limit): "\(tensor) has more than \(limit) dimensions."
        case .shapeOverflow(let tensor, let shape): "\(tensor) has the impossible shape \(shape)."
        case .invalidOffsets(let tensor): "The offsets of \(tensor) are not a byte range."
        case .notContiguous(let tensor, let expected, let begin):
            "\(tensor) begins at byte \(begin) of the data instead of \(expected)."
        case .sizeMismatch(let tensor, let expected, let found):
            "\(tensor) has \(found) bytes; its shape and type need \(expected)."
        case .missingTensor(let name): "The tensor \(name) is missing."
        case .unexpectedTensor(let name): "The tensor \(name) belongs to no layer."
        case .wrongType(let tensor, let expected, let found): "\(tensor) is \(found) instead of \(expected)."
        case .wrongShape(let tensor, let expected, let found):
            "\(tensor) has the shape \(found) instead of \(expected)."
        case .invalidValue(let tensor, let index): "\(tensor) has an invalid value at element \(index)."
        case .notAGestureModel: "The file is not a gesture model."
        case .unsupportedVersion(let version): "The model has format version \(version), which is not known here."
        case .missingMetadata(let key): "The model's metadata lack \(key)."
        case .malformedMetadata(let key, let value): "The model's metadata have an invalid \(key): \(value)."
        case .wrongNetwork(let expected, let found): "The model is for the network \(found), not \(expected)."
        }
    }

    private static func of(_ fault: ModelFileError.JSONFault) -> String {
        switch fault {
        case .unexpectedEnd: "it ends too early"
        case .unexpectedByte(let byte): "byte \(byte) cannot stand here"
        case .invalidUTF8: "the text is not UTF-8"
        case .invalidEscape: "the escape sequence is invalid"
        case .invalidNumber: "the number is invalid"
        case .notAnInteger: "a natural number is needed"
        case .tooDeep: "it is nested too deeply"
        case .trailingContent: "something follows the value"
        }
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
