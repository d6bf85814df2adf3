#if arch(arm64)
    package import KernelInterface

    /// The tiers of arm64 CPUs that multiply bytes: those with FEAT_DotProd, and those with FEAT_I8MM as well.
    package enum NEONTier {
        @export(interface) @inline(never)
        package static func dotProdInt8Kernels() -> Int8Kernels {
            Int8Kernels(
                stemLayout: stemLayout(.flipped), stem: stemDotProd,
                depthwise3x3Layout: depthwise3x3Layout(.flipped), depthwise3x3: depthwise3x3DotProd,
                depthwiseScratch: depthwiseScratch,
                depthwise7x7Layout: depthwise7x7Layout(.flipped), depthwise7x7: depthwise7x7DotProd,
                gemmLayout: dotProductLayout, gemm: gemmDotProd, classify: classifyDotProd)
        }

        @export(interface) @inline(never)
        package static func i8mmInt8Kernels() -> Int8Kernels {
            Int8Kernels(
                stemLayout: stemLayout(.mixed), stem: stemI8MM,
                depthwise3x3Layout: depthwise3x3Layout(.mixed), depthwise3x3: depthwise3x3I8MM,
                depthwiseScratch: depthwiseScratch,
                depthwise7x7Layout: depthwise7x7Layout(.mixed), depthwise7x7: depthwise7x7I8MM,
                gemmLayout: matrixLayout, gemm: gemmI8MM, classify: classifyI8MM)
        }

        @export(interface) @inline(never)
        package static func dotProdPeakProbe() -> PeakProbe { peakDotProd }

        @export(interface) @inline(never)
        package static func i8mmPeakProbe() -> PeakProbe { peakI8MM }
    }
#endif
