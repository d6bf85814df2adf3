import Foundation
import FuzzTargets

/// libFuzzer's own main function, for a program that has another.
@_extern(c, "LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `FUZZ_DOOR=DOOR fuzz ARGUMENTS`: libFuzzer with these arguments on the target of this name.
///
/// The name is no argument, as libFuzzer runs the program again, with arguments of its own, to merge inputs.
@main struct Driver {
    nonisolated(unsafe) private static var target = FuzzTarget.safetensors

    static func main() {
        guard let target = ProcessInfo.processInfo.environment["FUZZ_DOOR"].flatMap(FuzzTarget.init) else {
            preconditionFailure("FUZZ_DOOR names no target")
        }
        Self.target = target
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { text in
            let bytes = text.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            for (index, byte) in bytes.enumerated() { copy[index] = byte }
            return copy
        }
        var count = CInt(arguments.count)
        arguments.append(nil)
        let status = arguments.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return runFuzzer(&count, &base) { bytes, count in
                Driver.target.enter(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        precondition(status == 0, "libFuzzer ends with status \(status)")
    }
}
