#if arch(wasm32)
    package import KernelInterface

    /// The tier of WebAssembly engines with the 128-bit vector instructions. Relaxed ones have no place here: engines may
    /// differ in their bits.
    package enum SIMD128Tier {
    }
#endif
