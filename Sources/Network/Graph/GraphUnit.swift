import ModelFile

/// One user's memory for a plan: its arena. Not for two threads at once.
package final class GraphUnit {
    package let plan: GraphPlan
    private let arena: AlignedBuffer<Float>

    /// The only allocation: a run makes none.
    package init(_ plan: GraphPlan) {
        self.plan = plan
        arena = AlignedBuffer(count: plan.arenaCount)
    }

    /// Where a picture goes: element (y, x, channel) at `y * line + x * channels + channel`. Valid as long as the unit.
    package func input(_ index: Int = 0) -> (base: UnsafeMutablePointer<Float>, line: Int) {
        let place = plan.places[plan.graph.inputs[index]]
        return unsafe (arena.base + place.origin, place.line)
    }

    /// Copies a picture to an input: its elements, row-major.
    package func setInput(_ values: [Float], index: Int = 0) {
        let place = plan.places[plan.graph.inputs[index]]
        precondition(values.count == place.height * place.width * place.channels, "a picture of the input's shape")
        let count = place.width * place.channels
        for y in 0..<place.height {
            unsafe values.withUnsafeBufferPointer { values in
                unsafe (arena.base + place.origin + y * place.line)
                    .update(from: values.baseAddress! + y * count, count: count)
            }
        }
    }

    /// An output of the latest run, row-major. Valid until the next run.
    package func output(_ index: Int) -> UnsafeBufferPointer<Float> {
        let place = plan.outputPlaces[index]
        return unsafe UnsafeBufferPointer(
            start: arena.base + place.origin, count: place.height * place.width * place.channels)
    }

    /// The same as a span.
    @_lifetime(borrow self)
    package func outputSpan(_ index: Int) -> Span<Float> {
        // The arena lives as long as the unit.
        unsafe _overrideLifetime(output(index).span, borrowing: self)
    }

    /// Computes all outputs from what the inputs hold; the inputs stay as they are.
    package func run() {
        for index in plan.graph.inputs { unsafe plan.places[index].clearBorder(in: arena.base) }
        for index in plan.instructions.indices { run(index) }
    }

    /// The same, and adds to `times` what each instruction took by the clock `now`.
    package func profile(now: () -> UInt64, _ times: inout [UInt64]) {
        for index in plan.graph.inputs { unsafe plan.places[index].clearBorder(in: arena.base) }
        var start = now()
        for index in plan.instructions.indices {
            run(index)
            let end = now()
            times[index] += end - start
            start = end
        }
    }

    @inline(__always)
    private func run(_ index: Int) {
        let base = unsafe arena.base
        switch plan.instructions[index] {
        case .convolution(let convolution, let output):
            unsafe output.clearBorder(in: base)
            unsafe convolution.run(
                plan.kernels, arena: base, firstLine: 0, lines: convolution.lines, from: nil, line: 0, to: nil, line: 0)
        case .block(let block, let scratch, let output):
            unsafe output.clearBorder(in: base)
            unsafe block.run(plan.kernels, arena: base, scratch: base + scratch)
        case .map(let operation, let output):
            unsafe output.clearBorder(in: base)
            unsafe operation.run(in: base)
        }
    }
}
