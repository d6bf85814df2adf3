import Platform

#if arch(x86_64)
    import _Builtin_intrinsics.intel.cpuid
#endif

/// An instruction set that some tier needs; the raw value is the name that Linux uses.
enum CPUFeature: String, CaseIterable {
    #if arch(x86_64)
        case avx2, bmi2, fma, f16c, avx512f, avx512bw, avx512dq, avx512vl
        case avx512vnni = "avx512_vnni"
        case avxvnni = "avx_vnni"
    #elseif arch(arm64)
        case dotProd = "asimddp"
        case i8mm
    #else
        /// What every CPU of the architecture has.
        case baseline
    #endif
}

/// The instruction sets that this process can use.
struct CPUFeatures: Sendable {
    private let features: Set<CPUFeature>

    static let current = CPUFeatures(features: Set(systemFeatures().filter(isInCPU)))

    func has(_ names: CPUFeature...) -> Bool { names.allSatisfy(features.contains) }

    /// The instruction sets that the operating system reports.
    private static func systemFeatures() -> [CPUFeature] {
        let names = Processor.features()
        return CPUFeature.allCases.filter { names.contains($0.rawValue) }
    }

    /// Whether CPUID reports the feature; always true on arm64. An emulator of another CPU passes on the host's
    /// `/proc/cpuinfo`, so the operating system's report is not enough.
    private static func isInCPU(_ feature: CPUFeature) -> Bool {
        #if arch(x86_64)
            let (leaf, register, bit): (UInt32, KeyPath<Leaf, UInt32>, UInt32) =
                switch feature {
                case .fma: (1, \.ecx, 12)
                case .f16c: (1, \.ecx, 29)
                case .avx2: (7, \.ebx, 5)
                case .bmi2: (7, \.ebx, 8)
                case .avx512f: (7, \.ebx, 16)
                case .avx512dq: (7, \.ebx, 17)
                case .avx512bw: (7, \.ebx, 30)
                case .avx512vl: (7, \.ebx, 31)
                case .avx512vnni: (7, \.ecx, 11)
                case .avxvnni: (7, \.eax, 4)
                }
            // Bits of EAX are in the second part of leaf 7; the first part's EAX is the number of the last part.
            let isInSecond = feature == .avxvnni
            guard !isInSecond || Leaf(leaf).eax > 0 else { return false }
            return Leaf(leaf, part: isInSecond ? 1 : 0)[keyPath: register] >> bit & 1 == 1
        #else
            return true
        #endif
    }

    #if arch(x86_64)
        /// The registers that CPUID returns; zeros for a leaf that the CPU does not support.
        private struct Leaf {
            var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)

            init(_ leaf: UInt32, part: UInt32 = 0) {
                // The call writes to these four variables only.
                _ = unsafe __get_cpuid_count(leaf, part, &eax, &ebx, &ecx, &edx)
            }
        }
    #endif
}
