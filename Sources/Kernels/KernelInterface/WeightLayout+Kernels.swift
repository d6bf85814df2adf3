// The tables of tiers, whose packing is described by layouts. They are made here, because a closure in a tier would be
// code that the linker could share with another.

extension Int8Kernels {
    @export(interface) @inline(never)
    package init(
        stemLayout: WeightLayout, stem: @escaping Stem,
        depthwise3x3Layout: WeightLayout, depthwise3x3: @escaping Depthwise3x3, depthwiseScratch: @escaping Scratch,
        depthwise7x7Layout: WeightLayout, depthwise7x7: @escaping Depthwise7x7,
        gemmLayout: WeightLayout, gemm: @escaping GEMM, classify: @escaping Classify
    ) {
        self.init(
            packStem: stemLayout.packInt8, stem: stem,
            packDepthwise3x3: depthwise3x3Layout.packInt8, depthwise3x3: depthwise3x3,
            depthwiseScratch: depthwiseScratch,
            packDepthwise7x7: depthwise7x7Layout.packInt8, depthwise7x7: depthwise7x7,
            packGEMM: gemmLayout.packInt8, gemm: gemm, packClassifier: gemmLayout.packInt8, classify: classify)
    }

    /// The same kernels with other products over channels.
    @export(interface) @inline(never)
    package func replacing(
        gemmLayout: WeightLayout, gemm: @escaping GEMM, classify: @escaping Classify
    ) -> Int8Kernels {
        Int8Kernels(
            packStem: packStem, stem: stem, packDepthwise3x3: packDepthwise3x3, depthwise3x3: depthwise3x3,
            depthwiseScratch: depthwiseScratch, packDepthwise7x7: packDepthwise7x7, depthwise7x7: depthwise7x7,
            packGEMM: gemmLayout.packInt8, gemm: gemm, packClassifier: gemmLayout.packInt8, classify: classify)
    }
}

extension QuantisedConvolutionKernels {
    /// - depthwiseLayouts: of 3x3 and of 5x5 taps.
    @export(interface) @inline(never)
    package init(
        convolutionLayout: WeightLayout, convolve: @escaping Convolve, convolveToFloat: @escaping ConvolveToFloat,
        depthwiseLayouts: (WeightLayout, WeightLayout), depthwise: @escaping Depthwise
    ) {
        self.init(
            packConvolution: { convolutionLayout.pack($0, $1, $2, $3, $4, $5, $6) }, convolve: convolve,
            convolveToFloat: convolveToFloat,
            packDepthwise: {
                let layout = $5 == 3 ? depthwiseLayouts.0 : depthwiseLayouts.1
                return layout.pack($0, $1, $2, $3, $4, $5 * $5, $6)
            }, depthwise: depthwise)
    }
}

extension ConvolutionKernels {
    @export(interface) @inline(never)
    package init(
        convolutionLayout: WeightLayout, convolve: @escaping Convolve,
        depthwiseLayout: WeightLayout, depthwise: @escaping Depthwise
    ) {
        self.init(
            packConvolution: { convolutionLayout.pack($0, $1, $2, $3, $4, $5) }, convolve: convolve,
            packDepthwise: { depthwiseLayout.pack($0, $1, $2, $3, $4 * $4, $5) }, depthwise: depthwise)
    }
}

extension FloatMatrix {
    @export(interface) @inline(never)
    package init(layout: WeightLayout, multiply: @escaping Multiply) {
        self.init(pack: { layout.pack($0, $1, nil, $2, $3, $4) }, multiply: multiply)
    }
}

extension WeightLayout {
    fileprivate var packInt8: Int8Kernels.Pack { { pack($0, $1, $2, nil, $3, $4, $5) } }
}
