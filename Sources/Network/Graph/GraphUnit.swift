import KernelInterface
package import ModelFile
import Platform

/// One user of a plan, and its arena. Not for two threads at once. It allocates when it is made, and never later.
package final class GraphUnit {
    package let plan: GraphPlan
    private let sharesArenas: Bool
    private var arena: Arena?

    /// A unit with an arena of its own.
    package init(_ plan: GraphPlan) {
        self.plan = plan
        sharesArenas = false
        let arena = Arena(byteCount: plan.arenaBytes)
        unsafe arena.prepare(plan.clearInputs)
        self.arena = arena
    }

    /// A unit that has an arena from `takeArena` to `returnArena`, one of those that all such units of the plan share.
    /// Inputs and outputs exist only meanwhile.
    package init(sharingArenasOf plan: GraphPlan) {
        self.plan = plan
        sharesArenas = true
        plan.arenas.reserve(byteCount: plan.arenaBytes)
    }

    deinit {
        returnArena()
        if sharesArenas { plan.arenas.release() }
    }

    package func takeArena() {
        guard sharesArenas, arena == nil else { return }
        arena = plan.arenas.take()
        unsafe arena?.prepare(plan.clearInputs)
    }

    package func returnArena() {
        guard sharesArenas, let arena else { return }
        plan.arenas.giveBack(arena)
        self.arena = nil
    }

    private var base: UnsafeMutablePointer<UInt8> {
        guard let arena else { preconditionFailure("a unit that shares arenas must have taken one") }
        return unsafe arena.base
    }

    /// Memory of an input image, valid as long as the unit has its arena. Element (y, x, channel) lies at
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
            base: place.pixel(base, 0, 0), rowStride: place.rowStride, quantisation: place.quantisation)
    }

    /// Copies an image to an input: its elements, row-major. A quantised input gets the nearest quantised values.
    package func setInput(_ values: [Float], index: Int = 0) { setInput(values.elementSpan, index: index) }

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
        let base = unsafe base
        for y in 0..<place.height {
            for column in 0..<count {
                let value = element(y * count + column)
                if let quantisation = place.quantisation {
                    unsafe place.bytes(base, y, 0)[column] = MapOperation.quantised(value, quantisation)
                } else {
                    unsafe place.floats(base, y, 0)[column] = value
                }
            }
        }
    }

    /// An output of the latest run, row-major. Valid until the next run, and as long as the unit has its arena.
    package func output(_ index: Int) -> UnsafeBufferPointer<Float> {
        let place = plan.outputPlaces[index]
        return unsafe UnsafeBufferPointer(
            start: place.floats(base, 0, 0), count: place.height * place.width * place.channels)
    }

    /// The same as a span.
    @_lifetime(borrow self)
    package func outputSpan(_ index: Int) -> Span<Float> {
        // The arena lives as long as the unit, or until the unit returns it, which its owner does after the last look.
        unsafe _overrideLifetime(output(index).span, borrowing: self)
    }

    /// Computes all outputs from what the inputs hold; the inputs stay as they are.
    package func run() {
        let base = unsafe UnsafeMutableRawPointer(base)
        for index in plan.instructions.indices { unsafe run(index, in: base) }
    }

    /// The same; also adds each instruction's time, by the clock `now`, to `times`.
    package func profile(now: () -> UInt64, _ times: inout [UInt64]) {
        let base = unsafe UnsafeMutableRawPointer(base)
        var start = now()
        for index in plan.instructions.indices {
            unsafe run(index, in: base)
            let end = now()
            times[index] += end - start
            start = end
        }
    }

    @inline(__always)
    private func run(_ index: Int, in base: UnsafeMutableRawPointer) {
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

extension GraphPlan {
    /// Once for an arena: inputs share their memory with no other value.
    fileprivate func clearInputs(in base: UnsafeMutablePointer<UInt8>) {
        for index in graph.inputs { unsafe places[index].clearBorder(in: base) }
    }
}
