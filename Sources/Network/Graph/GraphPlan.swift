package import KernelInterface
package import ModelFile

/// A graph prepared for one tier: the order of its lowered ops, the layout of every value, and all packed parameters.
///
/// Made once and only read afterwards, from any thread; a `GraphUnit` runs it in an arena.
///
/// - Arithmetic is float32, or int8 if the file has quantised values: convolutions, pooling and resizing then work on
///   quantised values of one byte, and everything else on dequantised floats. An int8 file gives the same bits on every
///   tier.
/// - All values lie in one arena, each from the op that writes it to the last op that reads it, so that memory is
///   reused as soon as possible (first fit, largest first).
/// - In a fused block (`GraphBlock.swift`) the output of the widening 1x1 convolution and that of the depthwise
///   convolution are never stored whole but made band by band: a map of 112x112 with 64 channels would go to memory and
///   back, and a band stays in the cache.
/// - Additions and activations are applied to sums that are still in registers.
@safe
package final class GraphPlan: @unchecked Sendable {
    let kernels: KernelTable
    let instructions: [GraphInstruction]
    let places: [MapPlace]
    /// Bytes of the arena of a unit.
    package let arenaBytes: Int
    private let packed: AlignedBuffer<UInt8>
    /// What units without an arena of their own run in.
    let arenas = Arenas()

    package let graph: NetworkGraph
    /// Index into `graph.values` of the value that instruction k writes.
    package let instructionOutputs: [Int]
    /// Multiply-accumulates of each instruction.
    package let instructionMACs: [Int]
    /// Layouts of the graph's outputs, in the graph's order, dense.
    let outputPlaces: [MapPlace]

    /// The most bytes of an arena, and of all packed parameters: a hundred times what hand networks take. Borders and
    /// padded channels can make a map many times as large as the graph says.
    package static let byteLimit = 1 << 29

    /// Packs the parameters of a graph whose shapes and parameters have been checked.
    ///
    /// Throws if an operator asks for something that no kernel does, or for more than `byteLimit`.
    package init(_ file: GraphFile, kernels: KernelTable) throws(GraphError) {
        var layout = GraphLayout(file, try GraphSteps(file))
        var kernels = kernels
        // Float convolutions of a quantised graph must not depend on the tier either.
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
        // Kernels may read up to 64 bytes past a row's last pixel.
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
