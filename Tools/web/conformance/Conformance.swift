import KernelInterface
import Kernels

/// The families of kernels, and what compares them.
private struct Family: Sendable {
    let name: StaticString
    let compare: @Sendable (inout Comparison) -> Void
}

private let families = [
    Family(name: "convolution", compare: compareConvolve),
    Family(name: "convolution to floats", compare: compareConvolveToFloat),
    Family(name: "depthwise convolution", compare: compareDepthwise),
    Family(name: "matrix product", compare: compareGEMM),
    Family(name: "classifier", compare: compareClassify),
    Family(name: "addition", compare: compareAdd),
    Family(name: "largest of a window", compare: compareMaxPool),
    Family(name: "interpolation of maps", compare: compareInterpolate),
    Family(name: "crop of packed pixels", compare: compareCropPacked),
    Family(name: "crop of planes", compare: compareCropPlanar),
    Family(name: "resize", compare: compareResize),
    Family(name: "rows of an area", compare: compareAreaRows),
    Family(name: "line of an area", compare: compareAreaLine),
]

// The program has one thread.
nonisolated(unsafe) private var text: [UInt8] = []

/// The number of families; 0 if the program has no tier besides the portable one.
@_expose(wasm, "conformance_families")
public func conformanceFamilies() -> Int32 { KernelRegistry.available.count > 1 ? Int32(families.count) : 0 }

/// Compares a family of the best tier with the portable tier's.
/// - pageEnd, pageBytes: the last bytes of the memory, which nothing else uses.
/// - returns: the number of differences. The text says what was compared, and the first difference.
@_expose(wasm, "conformance_compare")
public func conformanceCompare(_ index: Int32, _ pageEnd: UnsafeMutableRawPointer, _ pageBytes: Int32) -> Int32 {
    let tiers = KernelRegistry.available
    let page = LastPage(end: pageEnd, byteCount: Int(pageBytes))
    var comparison = Comparison(tiers[tiers.count - 1], tiers[0], page)
    let family = families[Int(index)]
    family.compare(&comparison)
    var line = "\(tiers[0].tier): \(family.name): \(comparison.cases) cases, \(comparison.differences) differ"
    if comparison.differences > 0 { line += ", first: \(comparison.first)" }
    text = Array(line.utf8)
    return Int32(comparison.differences)
}

/// The address of the text, and its bytes in the upper half.
@_expose(wasm, "conformance_text")
public func conformanceText() -> UInt64 {
    text.withUnsafeBufferPointer {
        UInt64(UInt(bitPattern: $0.baseAddress)) | UInt64($0.count) << 32
    }
}
