import KernelInterface
package import ModelFile

/// The memory of one user of a plan: its arena. Not for two threads at once.
package final class GraphUnit {
    package let plan: GraphPlan
    private let arena: AlignedBuffer<UInt8>

    /// The only allocation: a run makes none.
    package init(_ plan: GraphPlan) {
        self.plan = plan
        arena = AlignedBuffer(count: plan.arenaBytes)
        // Inputs share their memory with no other value.
        for index in plan.graph.inputs { unsafe plan.places[index].clearBorder(in: arena.base) }
    }

    /// Memory of an input image, valid as long as the unit. Element (y, x, channel) lies at
    /// `y * rowStride + x * channels + channel`.
    @safe
    package struct Input {
        /// The first element: a float, or a byte if the input is quantised.
        package let base: UnsafeMutableRawPointer
        /// Elements from one row to the next.
        package let rowStride: Int
        /// Quantisation of the input; nil for floats.
        package let quantisation: GraphFile.Quantisation?
    }

    package func input(_ index: Int = 0) -> Input {
        let place = plan.places[plan.graph.inputs[index]]
        return unsafe Input(
            base: place.pixel(arena.base, 0, 0), rowStride: place.rowStride, quantisation: place.quantisation)
    }

    /// Copies an image to an input: its elements, row-major. A quantised input gets the nearest quantised values.
    package func setInput(_ values: [Float], index: Int = 0) { setInput(values.span, index: index) }

    /// The same for a span.
    package func setInput(_ values: Span<Float>, index: Int = 0) {
        let place = plan.places[plan.graph.inputs[index]]
        precondition(
            values.count == place.height * place.width * place.channels, "the image must have the input's shape")
        setInput(index: index) { values[$0] }
    }

    /// The same for the elements that `element` gives for each row-major index.
    @inline(__always)
    package func setInput(index: Int = 0, _ element: (Int) -> Float) {
        let place = plan.places[plan.graph.inputs[index]]
        let count = place.width * place.channels
        for y in 0..<place.height {
            for column in 0..<count {
                let value = element(y * count + column)
                if let quantisation = place.quantisation {
                    unsafe place.bytes(arena.base, y, 0)[column] = MapOperation.quantised(value, quantisation)
                } else {
                    unsafe place.floats(arena.base, y, 0)[column] = value
                }
            }
        }
    }

    /// An output of the latest run, row-major. Valid until the next run.
    package func output(_ index: Int) -> UnsafeBufferPointer<Float> {
        let place = plan.outputPlaces[index]
        return unsafe UnsafeBufferPointer(
            start: place.floats(arena.base, 0, 0), count: place.height * place.width * place.channels)
    }

    /// The same as a span.
    @_lifetime(borrow self)
    package func outputSpan(_ index: Int) -> Span<Float> {
        // The arena lives as long as the unit.
        unsafe _overrideLifetime(output(index).span, borrowing: self)
    }

    /// Computes all outputs from what the inputs hold; the inputs stay as they are.
    package func run() {
        for index in plan.instructions.indices { run(index) }
    }

    /// The same; also adds each instruction's time, by the clock `now`, to `times`.
    package func profile(now: () -> UInt64, _ times: inout [UInt64]) {
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
        let base = unsafe UnsafeMutableRawPointer(arena.base)
        switch plan.instructions[index] {
        case .convolution(let convolution, let output):
            unsafe output.clearBorder(in: base)
            unsafe convolution.run(
                plan.kernels, arena: base, firstRow: 0, rows: convolution.rows, from: nil, rowStride: 0, to: nil,
                rowStride: 0)
        case .block(let block, let scratch, let output):
            unsafe output.clearBorder(in: base)
            unsafe block.run(plan.kernels, arena: base, scratch: base + scratch)
        case .map(let operation, let scratch, let output):
            unsafe output.clearBorder(in: base)
            unsafe operation.run(plan.kernels.map, in: base, scratch: base + scratch)
        }
    }
}
