import Doors

/// libFuzzer's own main function, for a program that has another.
@_extern(c, "LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `fuzz DOOR ARGUMENTS`: libFuzzer with these arguments on the door of this name.
@main struct Driver {
    nonisolated(unsafe) private static var door = Door.safetensors

    static func main() {
        let given = CommandLine.arguments
        guard given.count > 1, let door = Door(rawValue: given[1]) else {
            for door in Door.allCases { print(door.rawValue) }
            return
        }
        Self.door = door
        var arguments: [UnsafeMutablePointer<CChar>?] = ([given[0]] + given.dropFirst(2)).map { text in
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
                Driver.door.enter(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        precondition(status == 0, "libFuzzer ends with status \(status)")
    }
}
