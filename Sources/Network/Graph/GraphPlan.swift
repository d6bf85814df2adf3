package import KernelInterface
package import ModelFile

/// A graph made ready for one tier: the order of its steps, where every value lies, and all parameters packed.
///
/// Made once and only read afterwards, from any thread; each `GraphUnit` has an arena of its own. Arithmetic is float32.
///
/// - Values lie in one arena, each from the step that writes it to the last that reads it, so that memory is used again as soon
///   as it may be (first fit, largest first).
/// - A 1x1 convolution that widens a map for a depthwise one, and that one's output, are never whole: they are made band by band
///   (`GraphBlock.swift`), because a map of 112x112 with 64 channels would go to memory and back, and a band stays in the cache.
/// - Additions and activations are done on sums that are still in registers.
@safe
package final class GraphPlan: @unchecked Sendable {
    let kernels: ConvolutionKernels
    let instructions: [GraphInstruction]
    let places: [MapPlace]
    /// Floats of an arena.
    let arenaCount: Int
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
        let kernels = kernels.convolution
        self.kernels = kernels
        graph = file.graph
        arenaCount = layout.place()
        try Self.checkBytes(arenaCount * MemoryLayout<Float>.stride)
        places = layout.places
        outputPlaces = layout.outputs.map { [places = layout.places] in places[$0] }

        var packer = GraphPacker(kernels: kernels, file: file, places: layout.places)
        for step in layout.steps {
            packer.count(step)
            try Self.checkBytes(packer.byteCount)
        }
        packed = AlignedBuffer(count: packer.byteCount)
        unsafe packer.begin(at: packed.base)
        var instructions: [GraphInstruction] = []
        for step in layout.steps { instructions.append(try packer.instruction(step, layout)) }
        self.instructions = instructions
        instructionOutputs = layout.steps.map { min($0.output, file.graph.values.count - 1) }
        instructionMACs = layout.steps.map { packer.macs($0) }
    }

    private static func checkBytes(_ count: Int) throws(GraphError) {
        guard count <= byteLimit else { throw .tooLarge(bytes: count, limit: byteLimit) }
    }

    /// Bytes of the packed parameters, shared by all units.
    package var parameterBytes: Int { packed.count }
    /// Bytes of a unit's arena.
    package var arenaBytes: Int { arenaCount * MemoryLayout<Float>.stride }
}

/// Lays the values of a graph into an arena.
struct GraphLayout {
    private(set) var places: [MapPlace] = []
    private(set) var steps: [GraphSteps.Step]
    /// The values that are handed out, dense.
    private(set) var outputs: [Int] = []
    /// Floats of working memory of the largest block, and where it begins.
    private(set) var scratch = 0
    private let graph: NetworkGraph

    init(_ file: GraphFile, _ fused: GraphSteps) {
        graph = file.graph
        steps = fused.steps
        var borders = [MapBorder](repeating: MapBorder(), count: graph.values.count)
        for step in steps {
            switch step {
            case .convolution(let c), .depthwise(let c), .block(nil, let c, _):
                let p = c.padding
                borders[c.input] = borders[c.input].union(
                    MapBorder(top: p.top, bottom: p.bottom, left: p.left, right: p.right))
            default: break
            }
        }
        for (index, value) in graph.values.enumerated() {
            let isPadded = value.shape.count == 4 && !graph.inputs.contains(index)
            places.append(MapPlace(shape: value.shape, isPadded: isPadded, border: borders[index]))
        }
        flattenVectors(file)
        var isRead = [Bool](repeating: false, count: places.count)
        var isConvolution = isRead
        for step in steps {
            for input in step.inputs { isRead[input] = true }
            if case .convolution = step { isConvolution[step.output] = true }
        }
        for output in graph.outputs {
            outputs.append(handOut(output, mayMove: !isRead[output] && isConvolution[output]))
        }
    }

    /// What a fully connected layer reads is one vector, without a border or padded channels.
    private mutating func flattenVectors(_ file: GraphFile) {
        for (index, step) in steps.enumerated().reversed() {
            guard case .convolution(var c) = step, file.parameters[c.weights]?.shape.count == 2,
                places[c.input].width * places[c.input].height > 1
            else { continue }
            let vector = MapPlace(shape: [1, graph.values[c.input].count], isPadded: false)
            steps.insert(.reshape(c.input, output: places.count), at: index)
            c.input = places.count
            steps[index + 1] = .convolution(c)
            places.append(vector)
        }
    }

    /// Sees to it that an output of the graph lies dense in memory, copying it where only padded pixels will do.
    private mutating func handOut(_ value: Int, mayMove: Bool) -> Int {
        let dense = MapPlace(shape: graph.values[value].shape, isPadded: false)
        if places[value].isDense { return value }
        if mayMove {
            places[value] = dense
            return value
        }
        places.append(dense)
        steps.append(.reshape(value, output: places.count - 1))
        return places.count - 1
    }

    /// Gives every place its offset and returns the floats of the arena.
    mutating func place() -> Int {
        var first = [Int?](repeating: nil, count: places.count)
        var last = [Int](repeating: 0, count: places.count)
        for input in graph.inputs { first[input] = -1 }
        for (index, step) in steps.enumerated() {
            first[step.output] = index
            for input in step.inputs { last[input] = index }
        }
        // Inputs live throughout, so that a caller may write them once and run twice.
        for value in graph.inputs + outputs { last[value] = steps.count }
        var placed: [Int] = []
        var total = 0
        func rounded(_ count: Int) -> Int { (count + 15) / 16 * 16 }
        let order = places.indices.filter { first[$0] != nil }.sorted {
            (places[$0].count, $1) > (places[$1].count, $0)
        }
        for value in order {
            let others = placed.filter {
                first[$0]! <= max(last[value], first[value]!) && first[value]! <= max(last[$0], first[$0]!)
            }
            .sorted { places[$0].offset < places[$1].offset }
            var offset = 0
            let count = rounded(places[value].count)
            for other in others {
                if places[other].offset >= offset + count { break }
                offset = max(offset, places[other].offset + rounded(places[other].count))
            }
            places[value].offset = offset
            total = max(total, offset + count)
            placed.append(value)
        }
        for step in steps {
            guard case .block(let expand, let depthwise, let project) = step else { continue }
            let block = GraphBlock.Shape(expand, depthwise, project, places)
            scratch = max(scratch, block.scratchCount)
        }
        scratchOffset = total
        // Kernels of eight lanes may read to the end of the last pixel's line.
        return total + rounded(scratch) + 16
    }

    private(set) var scratchOffset = 0
}
