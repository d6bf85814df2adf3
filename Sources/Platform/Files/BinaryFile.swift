#if canImport(Darwin)
    import Darwin
#endif

/// The files of the program and the libraries that run in this process.
package enum BinaryFile {
    /// The path of the program or library whose code or data is at an address; nil if no file is there.
    package static func path(containing address: UnsafeRawPointer) -> String? {
        #if canImport(Darwin)
            var info = unsafe Dl_info()
            guard unsafe dladdr(address, &info) != 0, let name = unsafe info.dli_fname else { return nil }
            return unsafe String(cString: name)
        #else
            // `dladdr` is not in the module of the C library. The system lists the mapped files in this one.
            guard let maps = maps() else { return nil }
            let address = UInt(bitPattern: address)
            for line in maps.split(separator: UInt8(ascii: "\n")) {
                // first-last access offset device inode path
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                guard let bounds = fields.first?.split(separator: UInt8(ascii: "-")), bounds.count == 2,
                    let first = UInt(String(decoding: bounds[0], as: UTF8.self), radix: 16),
                    let last = UInt(String(decoding: bounds[1], as: UTF8.self), radix: 16), first <= address,
                    address < last
                else { continue }
                guard fields.count == 6 else { return nil }
                let path = String(decoding: fields[5].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
                return path.hasPrefix("/") ? path : nil
            }
            return nil
        #endif
    }

    #if !canImport(Darwin)
        /// The system's list of this process's memory; nil on systems without one.
        private static func maps() -> [UInt8]? {
            guard let file = try? OpenFile(reading: "/proc/self/maps") else { return nil }
            var text: [UInt8] = []
            while let piece = try? file.readBytes(1 << 16), !piece.isEmpty { text += piece }
            return text
        }
    #endif
}
