package import KernelInterface
package import ModelFile

/// A graph made ready for one tier: the order of its steps, where every value lies, and all parameters packed.
///
/// Made once and only read afterwards, from any thread; each `GraphUnit` has an arena of its own.
///
/// - Arithmetic is float32, or int8 where a file has codes: convolutions, pooling and resizing then work on codes of one byte,
///   and all else on the real numbers that codes stand for. What an int8 file computes is the same bits on every tier.
/// - Values lie in one arena, each from the step that writes it to the last that reads it, so that memory is used again as soon
///   as it may be (first fit, largest first).
/// - A 1x1 convolution that widens a map for a depthwise one, and that one's output, are never whole: they are made band by band
///   (`GraphBlock.swift`), because a map of 112x112 with 64 channels would go to memory and back, and a band stays in the cache.
/// - Additions and activations are done on sums that are still in registers.
@safe
package final class GraphPlan: @unchecked Sendable {
    let kernels: KernelTable
    let instructions: [GraphInstruction]
    let places: [MapPlace]
    /// Bytes of a unit's arena.
    package let arenaBytes: Int
    private let packed: AlignedBuffer<UInt8>

    package let graph: NetworkGraph
    /// Index into `graph.values` of what instruction k writes.
    package let instructionOutputs: [Int]
    /// Multiply-accumulates of each instruction.
    package let instructionMACs: [Int]
    /// Where the graph's outputs lie, in its order, dense.
    let outputPlaces: [MapPlace]

    /// Most bytes of an arena, and of all packed parameters: a hundred times what hand networks take. Borders and padded channels
    /// can make a map many times as large as the graph says.
    package static let byteLimit = 1 << 29

    /// Packs the parameters of a graph whose shapes and parameters have been checked.
    ///
    /// Throws where an operator asks for what no kernel does, or for more than `byteLimit`.
    package init(_ file: GraphFile, kernels: KernelTable) throws(GraphError) {
        var layout = GraphLayout(file, try GraphSteps(file))
        var kernels = kernels
        // What computes with real numbers between codes must not depend on the tier either.
        if !file.quantisation.isEmpty { kernels.convolution = kernels.commonConvolution }
        self.kernels = kernels
        graph = file.graph
        let (valueBytes, scratch) = layout.place()
        try Self.checkBytes(valueBytes)
        places = layout.places
        outputPlaces = layout.outputs.map { [places = layout.places] in places[$0] }

        var packer = GraphPacker(kernels: kernels, file: file, layout: layout)
        for step in layout.steps {
            packer.count(step)
            try Self.checkBytes(packer.byteCount)
        }
        // Kernels may read so far past a line's last pixel.
        arenaBytes = valueBytes + packer.workingBytes + 64
        try Self.checkBytes(arenaBytes)
        packed = AlignedBuffer(count: packer.byteCount)
        unsafe packer.begin(at: packed.base, working: valueBytes)
        var instructions: [GraphInstruction] = []
        for step in layout.steps { instructions.append(try packer.instruction(step, scratch: scratch)) }
        self.instructions = instructions
        instructionOutputs = layout.steps.map { layout.origins[$0.output] }
        instructionMACs = layout.steps.map { packer.macs($0) }
    }

    private static func checkBytes(_ count: Int) throws(GraphError) {
        guard count <= byteLimit else { throw .tooLarge(bytes: count, limit: byteLimit) }
    }

    /// Bytes of the packed parameters, shared by all units.
    package var parameterBytes: Int { packed.count }
}
