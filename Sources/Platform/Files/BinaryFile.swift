#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
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
            // The system lists the mapped files. In a sandbox without that list, the dynamic linker lists what it loaded.
            guard let maps = maps() else { return unsafe loadedPath(containing: address) }
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
            return text.isEmpty ? nil : text
        }

        /// The path by which the dynamic linker loaded a library, or the program's as it was started: absolute, or nil.
        static func loadedPath(containing address: UnsafeRawPointer) -> String? {
            #if canImport(Glibc) || canImport(Musl) || canImport(Android)
                // `Dl_info` and `dladdr` are not in the module of the C library: a path, the base, a name, an address.
                typealias Info = (UnsafePointer<CChar>?, UInt, UInt, UInt)
                typealias Function = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> CInt
                #if canImport(Android) && _pointerBitWidth(_32)
                    let everything = unsafe UnsafeMutableRawPointer(bitPattern: -1)
                #else
                    let everything: UnsafeMutableRawPointer? = nil
                #endif
                guard let symbol = unsafe dlsym(everything, "dladdr") else { return nil }
                let function = unsafe unsafeBitCast(symbol, to: Function.self)
                var info: Info = (nil, 0, 0, 0)
                guard unsafe function(address, &info) != 0, let name = unsafe info.0 else { return nil }
                return absolute(unsafe PathText.text(systemPath: name))
            #else
                return nil
            #endif
        }

        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            /// A path as it is from anywhere; that of a name alone is searched for where programs are.
            private static func absolute(_ path: String) -> String? {
                guard !path.hasPrefix("/") else { return path }
                guard !path.contains("/") else { return PathText.currentDirectory + "/" + path }
                guard !path.isEmpty, let folders = unsafe getenv("PATH") else { return nil }
                return unsafe PathText.text(systemPath: folders).split(separator: ":").map { $0 + "/" + path }.first {
                    unsafe PathText.withSystemPath($0) { unsafe access($0, X_OK) } == 0
                }
            }
        #endif
    #endif
}
