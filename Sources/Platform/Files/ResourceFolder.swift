#if canImport(Darwin)
    import Darwin
    import MachO
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The folder into which the package manager copies the resources of a target.
///
/// The package manager's generated accessor ends the process if the folder is missing. This one reports where it
/// searched.
package struct ResourceFolder: Sendable {
    /// The folder is at none of these paths.
    package struct Missing: Error, Sendable, Equatable {
        package let searched: [String]

        package init(searched: [String]) { self.searched = searched }
    }

    /// Possible paths of the folder, the first choice first.
    package let candidates: [String]

    /// Makes the candidates for the running program.
    /// - Parameter name: the package's name, an underscore and the target's name.
    package init(_ name: String) {
        self.init(name, images: Self.images)
    }

    /// - Parameter images: paths of the running binaries: the program, and the framework or test bundle with this
    ///   target.
    package init(_ name: String, images: [String]) {
        var candidates: [String] = []
        for folder in images.flatMap(Self.folders(beside:)) {
            for ending in Self.endings {
                let path = folder + (folder == "/" ? "" : "/") + name + ending
                if !candidates.contains(path) { candidates.append(path) }
            }
        }
        self.candidates = candidates
    }

    /// The path of a file in the first candidate that exists. Whether the file exists shows when it is read.
    package func path(of file: String) throws(Missing) -> String {
        for folder in candidates where OpenFile.isDirectory(folder) {
            // Xcode makes bundles with `Contents` for macOS.
            let inner = folder + "/Contents/Resources"
            return (OpenFile.isDirectory(inner) ? inner : folder) + "/" + file
        }
        throw Missing(searched: candidates)
    }

    #if canImport(Darwin)
        private static let endings = [".bundle"]
    #else
        private static let endings = [".resources", ".bundle"]
    #endif

    /// For a program or library: its own folder, the resources of the app, framework or test bundle around it, and the
    /// folder beside that bundle.
    private static func folders(beside image: String) -> [String] {
        let own = parent(image)
        let contents = parent(own)
        var folders = [own]
        if own.hasSuffix("/Contents/MacOS") {
            folders += [contents + "/Resources", parent(contents), parent(parent(contents))]
        } else if own.contains(".framework/Versions/") {
            folders.append(own + "/Resources")
        } else if own.hasSuffix(".xctest") || own.hasSuffix(".framework") {
            folders.append(contents)
        }
        return folders
    }

    private static func parent(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The running program and, on Apple platforms, the binary that contains this code.
    private static var images: [String] {
        #if canImport(Darwin)
            var images: [String] = []
            var count = UInt32(PATH_MAX)
            var buffer = [CChar](repeating: 0, count: Int(count))
            if unsafe _NSGetExecutablePath(&buffer, &count) == 0 { images.append(text(buffer)) }
            var info = unsafe Dl_info()
            if unsafe dladdr(#dsohandle, &info) != 0, let name = unsafe info.dli_fname {
                images.append(unsafe String(cString: name))
            }
            return images
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
            if count > 0 { return [text(buffer)] }
            return unsafe BinaryFile.loadedPath(containing: #dsohandle).map { [$0] } ?? []
        #else
            return []
        #endif
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
