import ArgumentParser
import Foundation
import ModelFile
import Network
import ToolSupport
import WeightImport

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compares a model's logits with a reference or with its checkpoint.",
        discussion: """
            --reference takes an archive of arrays (.npz) that another program made: `input`, uint8 [T, 224, 224] luma or \
            [T, 128] columns in steps of 6/255, and `logits`, float32 [T, classes] or, without the first 15, \
            [T - 15, classes]. --checkpoint takes the checkpoint that the model was made of, in any format that import reads; \
            both run on random inputs, always the same: that compares weights. Whether another program computes the same of \
            them is what --reference shows. int8 models run in int8.

            With --tolerance or --agreement the status is 1 if the model misses it.
            """)

    @Argument(help: "A model.")
    var model: String

    @Option(help: "An archive of inputs and logits.")
    var reference: String?

    @Option(help: "The checkpoint, run in float32.")
    var checkpoint: String?

    @Option(help: "With --checkpoint: which dictionary of a PyTorch file has the tensors.")
    var entry: String?

    @Option(
        help: "With --checkpoint: what the names of the network's tensors begin with, if there are several networks.")
    var prefix: String?

    @Option(help: "With --checkpoint: number of random inputs, at least 16.")
    var steps = 64

    @Option(help: "Largest allowed absolute error of a logit.")
    var tolerance: Float?

    @Option(help: "Smallest allowed percentage of windows in which the same class leads, 0 to 100.")
    var agreement: Double?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (reference == nil) != (checkpoint == nil) else {
            throw ValidationError("Give either --reference or --checkpoint.")
        }
        guard entry == nil || checkpoint != nil else { throw ValidationError("--entry needs --checkpoint.") }
        guard prefix == nil || checkpoint != nil else { throw ValidationError("--prefix needs --checkpoint.") }
        guard (16...100_000).contains(steps) else { throw ValidationError("--steps must be from 16 to 100000.") }
        if let tolerance, !(tolerance >= 0) { throw ValidationError("--tolerance must not be negative.") }
        if let agreement, !(0...100).contains(agreement) {
            throw ValidationError("--agreement must be from 0 to 100.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try work() }
    }

    private func work() throws {
        let weights = try naming(model) { try NetworkWeights(model: ModelFile.load(path: model)) }
        let answers = try reference.map { path in
            try naming(path) {
                try ReferenceLogits(
                    npz: FileBytes.read(path: path, limit: Checkpoint.sizeLimit), frontEnd: weights.frontEnd,
                    classCount: weights.classCount)
            }
        }
        let shown = progress.progress("verify", total: answers?.inputs.count ?? steps, unit: "inputs")
        let result =
            if let answers {
                try naming(reference ?? model) {
                    try ModelVerification(weights, against: answers, progress: shown.update)
                }
            } else {
                try ModelVerification(
                    weights, against: checkpointNetwork(weights), inputs: steps, progress: shown.update)
            }
        shown.finish()
        try Terminal.print(json ? try Terminal.json(result, spread: true) : Self.text(result))
        if checkpoint != nil, !json {
            try Terminal.print(
                "This compares weights. Whether the program that trained them computes the same is shown by its own logits: "
                    + "verify --reference REFERENCE.npz.")
        }
        if let tolerance, !(result.largestError <= tolerance) {
            throw Failure.tolerance(result.largestError, limit: tolerance)
        }
        if let agreement, !(result.top1Agreement * 100 >= agreement) {
            throw Failure.agreement(result.top1Agreement * 100, limit: agreement)
        }
    }

    /// The checkpoint's network, which must have the model's input.
    private func checkpointNetwork(_ weights: NetworkWeights) throws -> FoldedNetwork {
        let path = checkpoint ?? ""
        let network = try naming(path) {
            try FoldedNetwork(
                TensorNames(prefix: prefix).apply(Checkpoint.load(path: path, entry: entry)),
                classCount: weights.classCount,
                ignoringUnexpected: true)
        }
        guard network.frontEnd == weights.frontEnd else { throw Failure.frontEnd }
        return network
    }

    private static func text(_ result: ModelVerification) -> String {
        "Over \(grouped(result.inputs)) inputs: top-1 agreement \(decimals(result.top1Agreement * 100, 2)) % of "
            + "\(grouped(result.windows)) windows, largest logit error \(result.largestError), mean "
            + "\(Float(result.meanError))."
    }

    /// What the comparison shows of the model.
    enum Failure: Explained {
        case tolerance(Float, limit: Float)
        case agreement(Double, limit: Double)
        /// The checkpoint is of the network of another front end.
        case frontEnd

        var sentence: String {
            switch self {
            case .tolerance(let found, let limit): "The largest logit error, \(found), exceeds \(limit)."
            case .agreement(let found, let limit): "The agreement, \(decimals(found, 2)) %, is below \(limit) %."
            case .frontEnd: "The model and the checkpoint have different inputs: one has images, the other landmarks."
            }
        }
    }
}
