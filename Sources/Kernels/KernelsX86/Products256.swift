#if arch(x86_64)
    public import KernelInterface
    public import _Builtin_intrinsics.intel

    /// What the tiers of 256 bits differ in: how they multiply values by weights.
    public protocol Products256 {
        /// `sums` and the products in each lane of the values and weights that share its four bytes: two of 16 bits, or
        /// four.
        static func dot(_ sums: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i
        /// How often four bytes are multiplied in one round of a tile's loop.
        static var stepsAtOnce: Int { get }
    }

    /// See `PeakProbe`: twelve chains of 32 products, as in the matrix product. Each chain starts from a different value,
    /// so that the compiler cannot merge them.
    /// - dot: a product of bytes.
    @export(implementation) @inline(always)
    public func peakSums256(
        _ rounds: Int, _ sums: UnsafeMutableRawPointer,
        _ dot: (_ sums: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i
    ) -> Int {
        let values = load256(sums)

        @inline(always)
        func start(_ chain: Int) -> __m256i {
            _mm256_add_epi32(values, _mm256_set1_epi32(Int32(truncatingIfNeeded: chain)))
        }
        var first = RegisterArray(6) { start($0) }
        var second = RegisterArray(6) { start($0 &+ 6) }
        var round = 0
        while round < rounds {
            // The sums are factors; otherwise the compiler would compute one product for all chains.
            first.update(6) { sum, _ in sum = dot(values, sum, values) }
            second.update(6) { sum, _ in sum = dot(values, sum, values) }
            round &+= 1
        }
        var all = _mm256_setzero_si256()
        first.forEach(6) { sum, _ in all = _mm256_add_epi32(all, sum) }
        second.forEach(6) { sum, _ in all = _mm256_add_epi32(all, sum) }
        store256(all, sums)
        return rounds &* 12 &* 32
    }
#endif
