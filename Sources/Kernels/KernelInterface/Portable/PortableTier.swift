/// The tier for every CPU: plain Swift, no flags, no intrinsics.
package enum PortableTier {
    package static let table = KernelTable(
        tier: "portable",
        int8: Int8Kernels(
            stemLayout: convolutionLayout, stem: gk_stem_u8s8_portable,
            depthwise3x3Layout: convolutionLayout, depthwise3x3: gk_dw3x3_u8s8_portable,
            depthwiseScratch: gk_dwscratch_u8s8_portable,
            depthwise7x7Layout: convolutionLayout, depthwise7x7: gk_dw7x7_u8s8_portable,
            gemmLayout: gemmLayout, gemm: gk_gemm_u8s8_portable, classify: gk_classify_u8s8_portable),
        float: FloatKernels(
            stem: gk_stem_f32_portable,
            depthwise3x3: gk_dw3x3_f32_portable,
            depthwise7x7: gk_dw7x7_f32_portable,
            biasReLU6: gk_biasrelu6_f32_portable),
        convolution: convolution, commonConvolution: convolution,
        quantisedConvolution: QuantisedConvolutionKernels(
            convolutionLayout: quantisedConvolutionLayout, convolve: gk_convolve_q8_portable,
            convolveToFloat: gk_convolvefloat_q8_portable,
            depthwiseLayouts: (quantisedDepthwiseLayout, quantisedDepthwiseLayout), depthwise: gk_dw_q8_portable),
        map: portableMapKernels,
        resize: portableResizeKernels,
        crop: portableCropKernels,
        peak: gk_peak_u8s8_portable)

    private static let convolution = ConvolutionKernels(
        convolutionLayout: floatConvolutionLayout, convolve: gk_convolve_f32_portable,
        depthwiseLayout: floatDepthwiseLayout, depthwise: gk_dw_f32_portable)
}
