#if arch(arm64)
    package import KernelInterface

    /// The tiers of arm64 CPUs that multiply bytes: those with FEAT_DotProd, and those with FEAT_I8MM as well.
    package enum NEONTier {
        @export(interface) @inline(never)
        package static func dotProdInt8Kernels() -> Int8Kernels {
            Int8Kernels(
                packStem: packStemDotProd, stem: stemDotProd,
                packDepthwise3x3: packDepthwise3x3DotProd, depthwise3x3: depthwise3x3DotProd,
                depthwiseScratch: depthwiseScratch,
                packDepthwise7x7: packDepthwise7x7DotProd, depthwise7x7: depthwise7x7DotProd,
                packGEMM: packGEMMDotProd, gemm: gemmDotProd,
                packClassifier: packGEMMDotProd, classify: classifyDotProd)
        }

        @export(interface) @inline(never)
        package static func i8mmInt8Kernels() -> Int8Kernels {
            Int8Kernels(
                packStem: packStemI8MM, stem: stemI8MM,
                packDepthwise3x3: packDepthwise3x3I8MM, depthwise3x3: depthwise3x3I8MM,
                depthwiseScratch: depthwiseScratch,
                packDepthwise7x7: packDepthwise7x7I8MM, depthwise7x7: depthwise7x7I8MM,
                packGEMM: packGEMMI8MM, gemm: gemmI8MM,
                packClassifier: packGEMMI8MM, classify: classifyI8MM)
        }

        @export(interface) @inline(never)
        package static func dotProdPeakProbe() -> PeakProbe { peakDotProd }

        @export(interface) @inline(never)
        package static func i8mmPeakProbe() -> PeakProbe { peakI8MM }
    }
#endif
