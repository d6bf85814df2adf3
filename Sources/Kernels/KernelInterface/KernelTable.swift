/// Everything one tier offers. The engine picks a table once and passes it as a value; no layer asks which CPU it is
/// on.
package struct KernelTable: Sendable {
    /// The tier's name in reports and overrides, such as `portable`.
    package let tier: String
    package let int8: Int8Kernels
    package let float: FloatKernels
    package var convolution: ConvolutionKernels
    /// The portable tier's kernels, so that every table computes the same bits with them.
    package let commonConvolution: ConvolutionKernels
    package let quantisedConvolution: QuantisedConvolutionKernels
    package let map: MapKernels
    package let resize: ResizeKernels
    package let crop: CropKernels
    package let peak: PeakProbe

    package init(
        tier: String, int8: Int8Kernels, float: FloatKernels, convolution: ConvolutionKernels,
        commonConvolution: ConvolutionKernels, quantisedConvolution: QuantisedConvolutionKernels, map: MapKernels,
        resize: ResizeKernels, crop: CropKernels, peak: @escaping PeakProbe
    ) {
        self.tier = tier
        self.int8 = int8
        self.float = float
        self.convolution = convolution
        self.commonConvolution = commonConvolution
        self.quantisedConvolution = quantisedConvolution
        self.map = map
        self.resize = resize
        self.crop = crop
        self.peak = peak
    }
}
