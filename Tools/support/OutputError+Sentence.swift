package import FileOutput
import ModelFile
import Platform

extension OutputError: Explained {
    package var sentence: String {
        switch self {
        case .system(let path, let code): "\(path) cannot be written: \(SystemError.reason(code))."
        case .isInput(let path, let input):
            path == input
                ? "\(path) is read, and may not be written, too."
                : "\(path) is the same file as \(input), which is read."
        case .unsuitable(let path, let kind): "\(path) is \(kind.phrase), which no file can take the place of."
        case .foreignLink(let path): "\(path) is a link that somebody else left in a directory open to all."
        }
    }
}

extension FileKind {
    fileprivate var phrase: String {
        switch self {
        case .regular: "a file"
        case .directory: "a directory"
        case .link: "a link"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .characterDevice: "a device"
        case .blockDevice: "a block device"
        case .other: "no file"
        }
    }
}
