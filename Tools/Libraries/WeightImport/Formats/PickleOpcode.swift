/// The instructions of pickles that state dicts need: those that PyTorch writes by protocol 2.
enum PickleOpcode: UInt8 {
    case mark = 0x28  // (
    case emptyTuple = 0x29  // )
    case stop = 0x2E  // .
    case binaryFloat = 0x47  // G
    case integer = 0x4A  // J
    case integer1 = 0x4B  // K
    case integer2 = 0x4D  // M
    case none = 0x4E  // N
    case persistentID = 0x51  // Q
    case reduce = 0x52  // R
    case shortString = 0x55  // U
    case unicode = 0x58  // X
    case emptyList = 0x5D  // ]
    case append = 0x61  // a
    case build = 0x62  // b
    case global = 0x63  // c
    case appends = 0x65  // e
    case get = 0x68  // h
    case longGet = 0x6A  // j
    case put = 0x71  // q
    case longPut = 0x72  // r
    case setItem = 0x73  // s
    case tuple = 0x74  // t
    case setItems = 0x75  // u
    case emptyDictionary = 0x7D  // }
    case proto = 0x80
    case newObject = 0x81
    case tuple1 = 0x85
    case tuple2 = 0x86
    case tuple3 = 0x87
    case newTrue = 0x88
    case newFalse = 0x89
    case long1 = 0x8A
}

/// Why a pickle was refused; offsets are in its bytes.
package enum PickleFault: Error, Sendable, Equatable {
    /// The first instruction is not that of a protocol, or of another one than 2.
    case proto(Int?)
    /// An instruction that state dicts do not need.
    case opcode(UInt8, offset: Int)
    /// A class or function that state dicts do not need: running it could do anything.
    case global(module: String, name: String)
    /// A known class or function with arguments that it does not take, or where it does not belong.
    case call(String, offset: Int)
    /// The pickle ends inside an instruction, or without its last.
    case ended
    /// An instruction takes a value that is not there or of another kind.
    case operand(offset: Int)
    /// An instruction's text or number is malformed.
    case argument(offset: Int)
    /// The pickle continues after its last instruction.
    case trailingBytes(Int)
    /// More values, more of them on the stack, more marks, or more numbers in the memo than are accepted.
    case tooLarge(Limit)

    package enum Limit: String, Sendable {
        case values, stack, marks, memo, text
    }
}
