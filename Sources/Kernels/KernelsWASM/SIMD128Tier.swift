#if arch(wasm32)
    /// The tier of WebAssembly engines with the 128-bit vector instructions. The relaxed ones have no place here: engines
    /// may differ in their bits.
    package enum SIMD128Tier {}
#endif
