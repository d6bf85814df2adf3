import ModelFile

extension ImportError: CustomStringConvertible {
    /// One sentence for the user; several lines for a mismatch of tensors.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .unknownFormat:
            "The checkpoint's format is unknown. Formats that can be read are safetensors, npz, PyTorch's and ONNX."
        case .unsupportedFormat(let format):
            "The checkpoint seems to be \(format), which cannot be read. "
                + (format.adviceForModels ?? "Checkpoints are safetensors, npz, PyTorch's and ONNX files.")
        case .formatConflict(let fileExtension, let found):
            "The checkpoint's name ends in .\(fileExtension.excerpt()), but its content seems to be \(found). "
                + (Checkpoint.readableFormats.contains(found)
                    ? "Give it a name that fits."
                    : found.adviceForModels ?? "Checkpoints are safetensors, npz, PyTorch's and ONNX files.")
        case .noNetwork(let format):
            "The file is not a TFLite file or a bundle of them\(Self.seeming(format))"
        case .noArrays(let format): "The file is not an archive of arrays, .npz\(Self.seeming(format))"
        case .json(let content, let found):
            "A JSON text is needed: \(content.words). The file "
                + (found == .json
                    ? "has another JSON value."
                    : found.map { $0 == .empty ? "is empty." : "seems to be \($0)." } ?? "has an unknown format.")
        case .tflite(let error): error.description
        case .archive(let fault): fault.description
        case .numpy(let tensor, let fault): "\(tensor.excerpt()) \(fault.clause)."
        case .torch(let fault): fault.description
        case .onnx(let fault): fault.description
        case .entryUnused(let format):
            "The checkpoint is \(format): --entry chooses a dictionary of a PyTorch file."
        case .tooManyElements(let limit): "The checkpoint's tensors have more than \(limit) elements, the limit."
        case .entryMissing(let name, let available):
            available.isEmpty
                ? "The file has no network\(name.isEmpty ? "" : " called " + name.excerpt())."
                : "Choose one of the bundle's networks with --entry: "
                    + "\(available.map { $0.excerpt() }.joined(separator: ", "))."
        case .inputSize(let value, let expected, let found):
            "\(value.excerpt()) needs \(expected) inputs or elements; \(found) were given."
        case .shardIndex(let files):
            "The file is the index of a checkpoint in several files (\(files.prefix(4).map { $0.excerpt() }.joined(separator: ", "))"
                + (files.count > 4 ? ", ..." : "")
                + "). Join them first, with safetensors.torch.save_file or torch.save of one "
                + "dictionary that has all their tensors, and import that file."
        case .severalNetworks(let prefixes):
            "The checkpoint has several networks. Choose one by the beginning of its names, with --prefix: "
                + prefixes.prefix(20).map { $0.isEmpty ? "\"\"" : $0.excerpt() }.joined(separator: ", ") + "."
        case .prefixMissing(let prefix): "No tensor of the network has a name that begins with \(prefix.excerpt())."
        case .nameCollision(let name, let first, let second):
            "Two tensors of the checkpoint, \(first.excerpt()) and \(second.excerpt()), would both be called "
                + "\(name.excerpt())."
        case .mapSourceMissing(let name):
            "The name map renames \(name.excerpt()), which the checkpoint does not have."
        case .mapValue(let name): "The name map gives \(name.excerpt()) something other than text as its new name."
        case .mapTargetTwice(let name): "The name map gives the name \(name.excerpt()) twice."
        case .mismatch(let mismatch): mismatch.description
        case .notFinite(let tensor, let index): "\(tensor.excerpt()) has NaN or infinity at element \(index)."
        case .negativeVariance(let tensor, let index):
            "\(tensor.excerpt()) has a negative variance at element \(index)."
        case .foldOverflow(let layer, let channel):
            "Folding BatchNorm into \(layer), output channel \(channel), exceeds the range of float32."
        case .halfOverflow(let tensor, let index, let value, let count):
            "\(tensor) has \(value) at element \(index), which is outside of float16's range\(Self.others(count))."
        case .scaleOverflow(let layer, let channel):
            "\(layer), output channel \(channel), cannot be quantised: its weights or bias are too large."
        case .labels(let labels, let nullLabel):
            "The \(labels.count) labels do not fit: they must be as many as the classes, with \(nullLabel.excerpt()) "
                + "among them."
        case .labelMap(let labels):
            "The file of labels is a map between labels and indices. An array of the labels in the order of the logits is "
                + "needed: "
                + (labels.isEmpty || labels.count > 64
                    ? "[\"wave\", \"null\"]." : JSONText.array(labels).excerpt(limit: 512) + ".")
        case .headKey(let key):
            "The file of labels has the key \(key.excerpt()); only labels and null are allowed. An array of the labels in "
                + "the order of the logits is enough: [\"wave\", \"null\"]."
        case .headWithoutLabels: "The file of labels has no labels."
        case .headCount(let labels, let rows):
            "The file has \(labels) labels, but the checkpoint's classifier has \(rows) rows."
        case .label(let fault): fault.description
        case .setting(let option, let value, let rule): "\(option) cannot be \(value.excerpt()): \(rule)."
        case .headWithoutNull(let label):
            "The label \(label.excerpt()), the class for no gesture, is not among the labels."
        case .headDrops(let labels):
            "The file leaves out \(labels.joined(separator: ", ")). "
                + "Add them, or give --allow-dropped for a model without them."
        case .calibrationRequired: "An int8 model needs activation scales: give frames with --calibrate."
        case .frameSize(let found): "A calibration frame has \(found) bytes instead of 50,176."
        case .otherGraph:
            "The graph of --quantised was not made from this network in int8, or its layers have been corrected already."
        case .percentile(let value): "The activation percentile \(value) is not from 50 to 100."
        case .activationNotFinite(let layer): "The output of \(layer) has NaN or infinity on the calibration frames."
        case .modelTooLarge(let bytes, let limit): "The model would have \(bytes) bytes; \(limit) is the limit."
        }
    }

    private static func seeming(_ format: ModelFileError.FileFormat?) -> String {
        guard let format else { return ". Its format is unknown." }
        return "; it seems to be \(format)." + (format.adviceForModels.map { " " + $0 } ?? "")
    }

    private static func others(_ count: Int) -> String { count > 1 ? ", and \(count - 1) more such values" : "" }
}

extension JSONContent {
    /// The content, with an example.
    fileprivate var words: String {
        switch self {
        case .labels: "an array of labels, such as [\"wave\", \"null\"]"
        case .head: "an array of labels, such as [\"wave\", \"null\"], or {\"labels\": [...], \"null\": \"...\"}"
        case .names: "an object from names to names, such as {\"backbone.conv1.weight\": \"t1.conv.weight\"}"
        }
    }
}

extension TensorMismatch: CustomStringConvertible {
    /// The most tensors listed of each kind; a checkpoint of another network may have very many.
    package static let listed = 20

    /// The differences, one line per tensor, up to `listed` of each kind.
    package var description: String {
        func text(_ shape: [Int]) -> String { "[" + shape.map(String.init).joined(separator: ", ") + "]" }
        var lines = ["The checkpoint's tensors differ from the network's."]
        func list(_ kind: String, _ count: Int, _ entry: (Int) -> String) {
            for index in 0..<min(count, Self.listed) { lines.append("  \(kind)  \(entry(index))") }
            if count > Self.listed { lines.append("  \(kind)  and \(count - Self.listed) more") }
        }
        list("missing   ", missing.count) { missing[$0] }
        list("unexpected", unexpected.count) { unexpected[$0].excerpt() }
        list("shape     ", shapes.count) {
            "\(shapes[$0].tensor): expected \(text(shapes[$0].expected)), found \(text(shapes[$0].found))"
        }
        list("type      ", types.count) { "\(types[$0].tensor): expected a float type, found \(types[$0].found)" }
        if !unexpected.isEmpty { lines.append("--ignore-unexpected skips the unexpected ones.") }
        if unexpected.contains(where: { $0.contains("parametrizations.") || $0.hasSuffix("weight_orig") }) {
            lines.append(
                "Weights that are computed of others are not known here: call "
                    + "torch.nn.utils.parametrize.remove_parametrizations(module, 'weight'), or remove_spectral_norm, before "
                    + "saving.")
        }
        if let head = shapes.first(where: { $0.tensor == "fc.weight" }), head.found.count == 2,
            head.found.dropFirst() == head.expected.dropFirst()
        {
            lines.append(
                "The classifier has \(head.found[0]) classes instead of \(head.expected[0]): name them with "
                    + "--replace-head LABELS.json.")
        }
        return lines.joined(separator: "\n")
    }
}
