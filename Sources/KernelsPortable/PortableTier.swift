package import KernelInterface

/// The tier for every CPU: plain Swift, no flags, no intrinsics.
package enum PortableTier {
    package static let table = KernelTable(
        tier: "portable",
        int8: Int8Kernels(
            packStem: gk_packconv_u8s8_portable, stem: gk_stem_u8s8_portable,
            packDepthwise3x3: gk_packconv_u8s8_portable, depthwise3x3: gk_dw3x3_u8s8_portable,
            depthwiseScratch: gk_dwscratch_u8s8_portable,
            packDepthwise7x7: gk_packconv_u8s8_portable, depthwise7x7: gk_dw7x7_u8s8_portable,
            packGEMM: gk_packgemm_u8s8_portable, gemm: gk_gemm_u8s8_portable,
            packClassifier: gk_packgemm_u8s8_portable, classify: gk_classify_u8s8_portable),
        float: FloatKernels(
            stem: gk_stem_f32_portable,
            depthwise3x3: gk_dw3x3_f32_portable,
            depthwise7x7: gk_dw7x7_f32_portable,
            biasReLU6: gk_biasrelu6_f32_portable),
        convolution: convolution, commonConvolution: convolution,
        quantisedConvolution: QuantisedConvolutionKernels(
            packConvolution: gk_packconv_q8_portable, convolve: gk_convolve_q8_portable,
            convolveToFloat: gk_convolvefloat_q8_portable, packDepthwise: gk_packdw_q8_portable,
            depthwise: gk_dw_q8_portable),
        map: portableMapKernels,
        resize: portableResizeKernels,
        crop: portableCropKernels,
        peak: gk_peak_u8s8_portable)

    private static let convolution = ConvolutionKernels(
        packConvolution: gk_packconv_f32_portable, convolve: gk_convolve_f32_portable,
        packDepthwise: gk_packdw_f32_portable, depthwise: gk_dw_f32_portable)
}
