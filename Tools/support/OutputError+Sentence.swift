package import FileOutput
import ModelFile
import Platform

extension OutputError: Explained {
    package var sentence: String {
        switch self {
        case .system(let path, let code): "\(path) cannot be written: \(SystemError.reason(code))."
        case .isInput(let path, let input):
            path == input
                ? "\(path) is an input; choose another file for the output."
                : "\(path) is the same file as \(input), which is an input; choose another file for the output."
        case .unsuitable(let path, let kind): "\(path) is \(kind.phrase), which a file cannot replace."
        case .foreignLink(let path):
            "\(path) is another user's link in a directory where everyone may write; it is not followed."
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
